function R = rotation_from_quaternion(q)
% ROTATION_FROM_QUATERNION  3 x 3 of a message or struct with the fields x, y, z, w.
% SPDX-License-Identifier: BSD-3-Clause
  v = [q.x, q.y, q.z, q.w];
  length = norm(v);
  if ~all(isfinite(v)) || length < 1e-6
    error('ambf:badValue', 'found a quaternion of length %g, expected 1', length);
  end
  v = v / length;
  x = v(1); y = v(2); z = v(3); w = v(4);
  R = [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w); ...
       2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w); ...
       2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)];
end
