% SPDX-License-Identifier: BSD-3-Clause
% The functions of +ambf without any toolbox: octave test_pure.m FOLDER
folder = argv(){1};
addpath(folder);

function expect_error(call, id)
  try
    call();
  catch problem
    assert(strcmp(problem.identifier, id), ['found ' problem.identifier ': ' problem.message]);
    return;
  end
  error('test:none', 'no error, expected %s', id);
end

% Rotations, all four branches.
turns = {eye(3), diag([1, -1, -1]), diag([-1, 1, -1]), diag([-1, -1, 1])};
rand('seed', 1);
for i = 1:200
  [Q, ~] = qr(rand(3) - 0.5);
  turns{end + 1} = Q * det(Q);
end
for i = 1:numel(turns)
  R = turns{i};
  q = ambf.quaternion_from_rotation(R);
  assert(abs(norm([q.x, q.y, q.z, q.w]) - 1) < 1e-12);
  assert(max(max(abs(ambf.rotation_from_quaternion(q) - R))) < 1e-12);
end
q = ambf.quaternion_from_rotation([0, -1, 0; 1, 0, 0; 0, 0, 1]);
assert(norm([q.x, q.y, q.z, q.w] - [0, 0, sqrt(0.5), sqrt(0.5)]) < 1e-12);
expect_error(@() ambf.quaternion_from_rotation(diag([1, 1, -1])), 'ambf:badValue');
expect_error(@() ambf.quaternion_from_rotation(2 * eye(3)), 'ambf:badValue');
expect_error(@() ambf.rotation_from_quaternion(struct('x', 0, 'y', 0, 'z', 0, 'w', 0)), 'ambf:badValue');

% Poses.
stamp = struct('sec', int32(5), 'nanosec', uint32(250000000));
pose = struct('position', struct('x', 0, 'y', 0, 'z', 0), 'orientation', struct('x', 0, 'y', 0, 'z', 0, 'w', 1));
T = [turns{10}, [1; 2; 3]; 0, 0, 0, 1];
assert(max(max(abs(ambf.pose_from_msg(ambf.pose_to_msg(pose, T)) - T))) < 1e-12);
expect_error(@() ambf.pose_to_msg(pose, eye(3)), 'ambf:badValue');
expect_error(@() ambf.pose_to_msg(pose, nan(4)), 'ambf:badValue');

% Joints.
msg = struct('header', struct('stamp', stamp), 'position', [1; 2; 3], 'velocity', [], 'effort', [4; 5; 6]);
js = ambf.joints_from_msg(msg);
assert(isequal(js.position, [1, 2, 3]) && isequal(js.effort, [4, 5, 6]) && isempty(js.velocity));
assert(js.time == 5.25 && js.valid);
msg.header.stamp = struct('sec', int32(0), 'nanosec', uint32(0));
js = ambf.joints_from_msg(msg);
assert(~js.valid);
msg = ambf.joints_to_msg(msg, 'position', [7, 8], 2);
assert(isequal(msg.position, [7; 8]));
expect_error(@() ambf.joints_to_msg(msg, 'position', [7, 8], 6), 'ambf:badValue');
expect_error(@() ambf.joints_to_msg(msg, 'position', [7, inf], 2), 'ambf:badValue');

% Wrenches, twists, Jacobians.
zero = struct('x', 0, 'y', 0, 'z', 0);
wrench = ambf.wrench_to_msg(struct('force', zero, 'torque', zero), 1:6);
assert(isequal(ambf.wrench_from_msg(wrench), 1:6));
expect_error(@() ambf.wrench_to_msg(wrench, 1:5), 'ambf:badValue');
assert(isequal(ambf.twist_from_msg(struct('linear', wrench.force, 'angular', wrench.torque)), 1:6));
J = ambf.jacobian_from_msg(struct('data', (1:42)'));
assert(isequal(size(J), [6, 7]) && J(1, 7) == 7 && J(2, 1) == 8);

% A move: busy, then idle.
say = @(m, state, homed, busy) ambf.remember(m, 'operating_state', ...
  struct('state', state, 'is_homed', homed, 'is_busy', busy));
start = say(ambf.new_memory(), 'ENABLED', true, false);
assert(strcmp(ambf.motion_result(start, start), 'going'));
idle = say(start, 'ENABLED', true, false);                     % a heartbeat is no end
assert(strcmp(ambf.motion_result(idle, start), 'going'));
busy = say(idle, 'ENABLED', true, true);
assert(strcmp(ambf.motion_result(busy, start), 'going'));
done = say(busy, 'ENABLED', true, false);
assert(strcmp(ambf.motion_result(done, start), 'ended'));
expect_error(@() ambf.motion_result(say(busy, 'FAULT', false, false), start), 'ambf:notEnabled');
wrong = ambf.remember(start, 'error', struct('data', 'no solution'));
expect_error(@() ambf.motion_result(wrong, start), 'ambf:refused');
stopped = ambf.remember(ambf.remember(done, 'error', struct('data', 'x')), 'goal_reached', struct('data', false));
expect_error(@() ambf.motion_result(stopped, start), 'ambf:refused');
expect_error(@() ambf.remember(start, 'song', struct()), 'ambf:badValue');

% State commands.
off = say(ambf.new_memory(), 'DISABLED', false, false);
assert(~ambf.state_result(off, off, 'enable'));
assert(ambf.state_result(say(off, 'ENABLED', false, false), off, 'enable'));
homing = say(off, 'ENABLED', false, true);
assert(~ambf.state_result(homing, off, 'home'));
assert(ambf.state_result(say(homing, 'ENABLED', true, false), off, 'home'));
assert(ambf.state_result(say(off, 'PAUSED', true, false), off, 'pause'));
assert(ambf.state_result(say(off, 'DISABLED', false, false), off, 'unhome'));
refused = ambf.remember(off, 'warning', struct('data', 'command "home" is not supported'));
expect_error(@() ambf.state_result(refused, off, 'home'), 'ambf:refused');
assert(~ambf.state_result(refused, off, 'enable'));
expect_error(@() ambf.state_result(say(off, 'ENABLED', true, false), off, 'dance'), 'ambf:badValue');
printf('all assertions hold\n');
