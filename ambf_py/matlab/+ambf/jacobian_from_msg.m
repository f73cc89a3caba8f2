function J = jacobian_from_msg(msg)
% JACOBIAN_FROM_MSG  6 x n of a std_msgs/Float64MultiArray, whose data come row by row.
% SPDX-License-Identifier: BSD-3-Clause
  J = reshape(double(msg.data), [], 6)';
end
