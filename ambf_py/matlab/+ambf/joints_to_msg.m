function msg = joints_to_msg(msg, field, values, count)
% JOINTS_TO_MSG  Fills `field` (position, velocity, effort) of a sensor_msgs/JointState with `count` numbers.
% SPDX-License-Identifier: BSD-3-Clause
  if ~isnumeric(values) || numel(values) ~= count
    error('ambf:badValue', '%s: found %d numbers, expected %d', field, numel(values), count);
  end
  if ~all(isfinite(values(:)))
    error('ambf:badValue', '%s: expected finite numbers', field);
  end
  msg.(field) = reshape(double(values), [], 1);
end
