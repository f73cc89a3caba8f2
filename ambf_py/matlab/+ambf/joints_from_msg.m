function js = joints_from_msg(msg)
% JOINTS_FROM_MSG  Rows of position, velocity and effort, and the time [s], of a sensor_msgs/JointState.
% A stamp of zero marks what does not mean anything: valid is false.
% SPDX-License-Identifier: BSD-3-Clause
  js.position = reshape(double(msg.position), 1, []);
  js.velocity = reshape(double(msg.velocity), 1, []);
  js.effort = reshape(double(msg.effort), 1, []);
  js.time = ambf.seconds(msg.header.stamp);
  js.valid = js.time ~= 0;
end
