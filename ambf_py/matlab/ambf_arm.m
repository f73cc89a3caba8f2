classdef ambf_arm < handle
% AMBF_ARM  An arm on CRTK topics, simulated or real; needs the ROS Toolbox, and crtk_msgs made with ros2genmsg.
%
%   arm = ambf_arm('PSM1');
%   arm.enable(); arm.home();
%   arm.move_jp([0.1, 0, 0.12, 0, 0, 0]);        % returns when it has ended
%   T = arm.measured_cp();                       % 4 x 4
%
% What messages mean is in the functions of +ambf, which need no toolbox.
% SPDX-License-Identifier: BSD-3-Clause
  properties (SetAccess = private)
    name
    timeout = 10      % how long an answer is awaited [s]
  end
  properties (Access = private)
    node
    memory
    readers
    writers
    listeners
  end

  methods
    function arm = ambf_arm(name, timeout)
      arm.name = regexprep(['/' char(name)], '^/+', '/');
      if nargin > 1
        arm.timeout = timeout;
      end
      arm.memory = ambf.new_memory();
      arm.node = ros2node(['matlab' strrep(arm.name, '/', '_')]);
      arm.readers = containers.Map();
      arm.writers = containers.Map();
      kinds = {'operating_state', 'crtk_msgs/OperatingState'; 'goal_reached', 'std_msgs/Bool'; ...
               'error', 'std_msgs/String'; 'warning', 'std_msgs/String'};
      arm.listeners = cell(1, size(kinds, 1));
      for i = 1:size(kinds, 1)
        kind = kinds{i, 1};
        arm.listeners{i} = ros2subscriber(arm.node, [arm.name '/' kind], kinds{i, 2}, ...
          @(msg) arm.hear(kind, msg), 'Depth', 100);
      end
    end

    % What is measured

    function js = measured_js(arm)
      js = arm.joints('measured_js');
    end

    function js = setpoint_js(arm)
      js = arm.joints('setpoint_js');
    end

    function js = jaw_measured_js(arm)
      js = arm.joints('jaw/measured_js');
    end

    function js = gripper_measured_js(arm)
      js = arm.joints('gripper/measured_js');
    end

    function T = measured_cp(arm)
      T = arm.pose('measured_cp');
    end

    function T = setpoint_cp(arm)
      T = arm.pose('setpoint_cp');
    end

    function v = measured_cv(arm)
      msg = arm.read('measured_cv', 'geometry_msgs/TwistStamped');
      v = ambf.twist_from_msg(msg.twist);
    end

    function w = measured_cf(arm, frame)
      if nargin < 2
        frame = 'body';
      end
      msg = arm.read([frame '/measured_cf'], 'geometry_msgs/WrenchStamped');
      w = ambf.wrench_from_msg(msg.wrench);
    end

    function J = jacobian(arm, frame)
      if nargin < 2
        frame = 'body';
      end
      J = ambf.jacobian_from_msg(arm.read([frame '/jacobian'], 'std_msgs/Float64MultiArray'));
    end

    % State

    function state = operating_state(arm)
      state = arm.memory.state;
    end

    function yes = is_homed(arm)
      yes = arm.memory.is_homed;
    end

    function yes = is_busy(arm)
      yes = arm.memory.is_busy;
    end

    function enable(arm)
      arm.command('enable', arm.timeout);
    end

    function disable(arm)
      arm.command('disable', arm.timeout);
    end

    function home(arm)
      arm.command('home', 60);
    end

    function unhome(arm)
      arm.command('unhome', arm.timeout);
    end

    function pause(arm)
      arm.command('pause', arm.timeout);
    end

    function resume(arm)
      arm.command('resume', arm.timeout);
    end

    % Motion

    function servo_jp(arm, q)
      arm.send_joints('servo_jp', 'position', q, numel(arm.measured_js().position));
    end

    function servo_jf(arm, effort)
      arm.send_joints('servo_jf', 'effort', effort, numel(arm.measured_js().position));
    end

    function servo_cp(arm, T)
      arm.send_pose('servo_cp', T);
    end

    function servo_cf(arm, wrench, frame)
      if nargin < 3
        frame = 'body';
      end
      [writer, msg] = arm.writer([frame '/servo_cf'], 'geometry_msgs/WrenchStamped');
      msg.wrench = ambf.wrench_to_msg(msg.wrench, wrench);
      send(writer, msg);
    end

    function move_jp(arm, q)
      since = arm.memory;
      arm.send_joints('move_jp', 'position', q, numel(arm.measured_js().position));
      arm.wait_for_motion('move_jp', since);
    end

    function move_cp(arm, T)
      since = arm.memory;
      arm.send_pose('move_cp', T);
      arm.wait_for_motion('move_cp', since);
    end

    function jaw_servo_jp(arm, angle)
      arm.send_joints('jaw/servo_jp', 'position', angle, 1);
    end

    function jaw_move_jp(arm, angle)
      since = arm.memory;
      arm.send_joints('jaw/move_jp', 'position', angle, 1);
      arm.wait_for_motion('jaw/move_jp', since);
    end

    function hold(arm)
      arm.send_empty('hold');
    end

    function free(arm)
      arm.send_empty('free');
    end

    function use_gravity_compensation(arm, on)
      [writer, msg] = arm.writer('use_gravity_compensation', 'std_msgs/Bool');
      msg.data = logical(on);
      send(writer, msg);
    end
  end

  methods (Access = private)
    function hear(arm, kind, msg)
      arm.memory = ambf.remember(arm.memory, kind, msg);
    end

    function msg = read(arm, topic, type)
      if ~isKey(arm.readers, topic)
        arm.readers(topic) = ros2subscriber(arm.node, [arm.name '/' topic], type, 'Reliability', 'besteffort');
      end
      msg = receive(arm.readers(topic), arm.timeout);
    end

    function js = joints(arm, topic)
      js = ambf.joints_from_msg(arm.read(topic, 'sensor_msgs/JointState'));
      arm.check_valid(topic, js.time);
    end

    function T = pose(arm, topic)
      msg = arm.read(topic, 'geometry_msgs/PoseStamped');
      arm.check_valid(topic, ambf.seconds(msg.header.stamp));
      T = ambf.pose_from_msg(msg.pose);
    end

    function check_valid(arm, topic, time)
      if time == 0
        error('ambf:notHomed', '%s/%s is marked as not valid: enable and home the arm first', arm.name, topic);
      end
    end

    function [writer, msg] = writer(arm, topic, type)
      if ~isKey(arm.writers, topic)
        arm.writers(topic) = ros2publisher(arm.node, [arm.name '/' topic], type);
        pause(0.5);  % the toolbox has no event for a reader that is there
      end
      writer = arm.writers(topic);
      msg = ros2message(type);
    end

    function send_joints(arm, topic, field, values, count)
      [writer, msg] = arm.writer(topic, 'sensor_msgs/JointState');
      send(writer, ambf.joints_to_msg(msg, field, values, count));
    end

    function send_pose(arm, topic, T)
      [writer, msg] = arm.writer(topic, 'geometry_msgs/PoseStamped');
      msg.pose = ambf.pose_to_msg(msg.pose, T);
      send(writer, msg);
    end

    function send_empty(arm, topic)
      [writer, msg] = arm.writer(topic, 'std_msgs/Empty');
      send(writer, msg);
    end

    function command(arm, word, limit)
      [writer, msg] = arm.writer('state_command', 'crtk_msgs/StringStamped');
      since = arm.memory;
      msg.string = word;
      send(writer, msg);
      arm.wait_until(@() ambf.state_result(arm.memory, since, word), limit, word);
    end

    function wait_for_motion(arm, what, since)
      arm.wait_until(@() strcmp(ambf.motion_result(arm.memory, since), 'ended'), 30, what);
    end

    function wait_until(arm, done, limit, what)
      start = tic;
      while ~done()
        if toc(start) > limit
          error('ambf:timeout', '%s: %s took longer than %g s; the arm is %s', arm.name, what, limit, arm.memory.state);
        end
        pause(0.002);  % callbacks of the toolbox run meanwhile
      end
    end
  end
end
