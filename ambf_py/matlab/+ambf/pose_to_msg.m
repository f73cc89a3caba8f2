function pose = pose_to_msg(pose, T)
% POSE_TO_MSG  Fills a geometry_msgs/Pose with a 4 x 4 matrix; ambf:badValue for what is none.
% SPDX-License-Identifier: BSD-3-Clause
  if ~isnumeric(T) || ~isequal(size(T), [4, 4]) || ~all(isfinite(T(:))) || norm(T(4, :) - [0, 0, 0, 1]) > 1e-9
    error('ambf:badValue', 'expected a pose: 4 x 4 finite numbers with the last row 0 0 0 1');
  end
  q = ambf.quaternion_from_rotation(T(1:3, 1:3));
  for field = {'x', 'y', 'z', 'w'}
    pose.orientation.(field{1}) = q.(field{1});
  end
  pose.position.x = T(1, 4);
  pose.position.y = T(2, 4);
  pose.position.z = T(3, 4);
end
