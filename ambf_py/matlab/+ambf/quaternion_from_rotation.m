function q = quaternion_from_rotation(R)
% QUATERNION_FROM_ROTATION  Struct with x, y, z, w, by the largest of the four; ambf:badValue for what is no rotation.
% SPDX-License-Identifier: BSD-3-Clause
  if ~isnumeric(R) || ~isequal(size(R), [3, 3]) || ~all(isfinite(R(:)))
    error('ambf:badValue', 'expected a rotation: 3 x 3 finite numbers');
  end
  if max(max(abs(R * R' - eye(3)))) > 1e-3 || det(R) < 0
    error('ambf:badValue', 'found a matrix that is no rotation, expected orthonormal rows and determinant +1');
  end
  squares = [1 + R(1, 1) - R(2, 2) - R(3, 3), 1 - R(1, 1) + R(2, 2) - R(3, 3), ...
             1 - R(1, 1) - R(2, 2) + R(3, 3), 1 + trace(R)];
  [largest, k] = max(squares);
  s = 0.5 / sqrt(largest);
  switch k
    case 1
      v = [0.25 / s, (R(1, 2) + R(2, 1)) * s, (R(1, 3) + R(3, 1)) * s, (R(3, 2) - R(2, 3)) * s];
    case 2
      v = [(R(1, 2) + R(2, 1)) * s, 0.25 / s, (R(2, 3) + R(3, 2)) * s, (R(1, 3) - R(3, 1)) * s];
    case 3
      v = [(R(1, 3) + R(3, 1)) * s, (R(2, 3) + R(3, 2)) * s, 0.25 / s, (R(2, 1) - R(1, 2)) * s];
    otherwise
      v = [(R(3, 2) - R(2, 3)) * s, (R(1, 3) - R(3, 1)) * s, (R(2, 1) - R(1, 2)) * s, 0.25 / s];
  end
  q = struct('x', v(1), 'y', v(2), 'z', v(3), 'w', v(4));
end
