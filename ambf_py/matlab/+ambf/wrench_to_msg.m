function wrench = wrench_to_msg(wrench, values)
% WRENCH_TO_MSG  Fills a geometry_msgs/Wrench with force and torque (6).
% SPDX-License-Identifier: BSD-3-Clause
  if ~isnumeric(values) || numel(values) ~= 6 || ~all(isfinite(values(:)))
    error('ambf:badValue', 'expected force and torque: 6 finite numbers');
  end
  axes = 'xyz';
  for i = 1:3
    wrench.force.(axes(i)) = values(i);
    wrench.torque.(axes(i)) = values(i + 3);
  end
end
