function T = pose_from_msg(pose)
% POSE_FROM_MSG  4 x 4 of a geometry_msgs/Pose.
% SPDX-License-Identifier: BSD-3-Clause
  T = eye(4);
  T(1:3, 1:3) = ambf.rotation_from_quaternion(pose.orientation);
  T(1:3, 4) = [pose.position.x; pose.position.y; pose.position.z];
end
