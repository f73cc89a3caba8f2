function w = wrench_from_msg(wrench)
% WRENCH_FROM_MSG  Force and torque (1 x 6) of a geometry_msgs/Wrench.
% SPDX-License-Identifier: BSD-3-Clause
  f = wrench.force;
  t = wrench.torque;
  w = [f.x, f.y, f.z, t.x, t.y, t.z];
end
