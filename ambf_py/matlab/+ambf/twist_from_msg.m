function v = twist_from_msg(twist)
% TWIST_FROM_MSG  Linear and angular velocity (1 x 6) of a geometry_msgs/Twist.
% SPDX-License-Identifier: BSD-3-Clause
  l = twist.linear;
  a = twist.angular;
  v = [l.x, l.y, l.z, a.x, a.y, a.z];
end
