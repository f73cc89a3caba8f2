# SPDX-License-Identifier: BSD-3-Clause
"""The action follow_joint_trajectory: what MoveIt and other clients of joint_trajectory_controller rely on."""

import math

import pytest
from action_msgs.msg import GoalStatus
from arm_fixture import HOME, PAUSED, REALTIME, World, seconds
from builtin_interfaces.msg import Time
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointComponentTolerance
from follow_fixture import NAMES, THERE, Follower, goal_of
from sensor_msgs.msg import JointState

Result = FollowJointTrajectory.Result


@pytest.fixture(scope='module')
def world():
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',)) as made:
        made.psm = made.arm('/PSM1', 'measured_js', 'setpoint_js', 'jaw/measured_js', 'sim_time')
        made.follower = Follower(made)
        refused = made.follower.follow(goal_of((1.0, THERE)))
        assert refused.status == GoalStatus.STATUS_ABORTED
        assert refused.result.error_code == Result.INVALID_GOAL
        assert 'DISABLED (not homed' in refused.result.error_string, 'an arm that is not homed says so'
        made.psm.bring_up()
        yield made


@pytest.fixture
def psm(world):
    world.psm.bring_up()
    assert world.psm.move('move_jp', JointState(position=HOME))
    world.wait_for(lambda: list(world.psm.heard['setpoint_js'][-1].position) == HOME, 'the set-point at home')
    return world.psm


def asked(world, psm, goal):
    """The joints are asked to be there, exactly; the result of an action may overtake the data."""
    world.wait_for(lambda: list(psm.newest('setpoint_js').position) == goal, f'set-point {goal}')


def test_the_joint_names_are_those_of_the_arm(psm):
    assert list(psm.newest('measured_js').name) == NAMES


def test_a_trajectory_is_followed_with_feedback_and_success(world, psm):
    states = len(psm.states)
    shuffled = NAMES[::-1]
    still = [0.0] * 6
    goal = goal_of((0.7, THERE[::-1], still), (1.5, HOME[::-1], still), (2.0, THERE[::-1], still), names=shuffled)
    done = world.follower.follow(goal)
    assert done.status == GoalStatus.STATUS_SUCCEEDED and done.result.error_code == Result.SUCCESSFUL
    asked(world, psm, THERE)
    assert any(s.is_busy for s in psm.states[states:])
    world.wait_for(lambda: not psm.states[-1].is_busy, 'not busy')
    feedback = world.follower.feedback
    stamps = [seconds(f.header.stamp) for f in feedback]
    assert len(feedback) > 5
    assert min(b - a for a, b in zip(stamps, stamps[1:], strict=False)) > 0.049, '20 a second of the simulation'
    for f in feedback:
        assert list(f.joint_names) == [*NAMES, 'jaw']
        assert len(f.desired.positions) == len(f.actual.velocities) == len(f.error.positions) == 7
        for desired, actual, error in zip(f.desired.positions, f.actual.positions, f.error.positions, strict=True):
            assert error == desired - actual
    times = [seconds(f.desired.time_from_start) for f in feedback]
    assert all(abs((b - a) - (t - s)) < 1e-6 for a, b, s, t in zip(times, times[1:], stamps, stamps[1:], strict=False))


def test_a_begin_that_lies_ahead_is_waited_for(world, psm):
    now = seconds(psm.newest('sim_time'))
    begin = now + 1.0
    whole = math.floor(begin)
    handle = world.follower.send(goal_of((0.5, THERE), begin=Time(sec=whole, nanosec=round(1e9 * (begin - whole)))))
    assert world.follower.result(handle).status == GoalStatus.STATUS_SUCCEEDED
    assert seconds(psm.newest('sim_time')) >= begin + 0.5
    waited = [f for f in world.follower.feedback if seconds(f.header.stamp) < begin]
    assert waited and all(list(f.desired.positions[:6]) == HOME for f in waited)


def test_the_jaw_is_one_more_joint_or_the_only_one(world, psm):
    assert world.follower.follow(goal_of((0.6, [*THERE, 0.7]), names=[*NAMES, 'jaw'])).result.error_code == 0
    world.wait_for(lambda: abs(psm.heard['jaw/measured_js'][-1].position[0] - 0.7) < 0.02, 'an open jaw')
    assert world.follower.follow(goal_of((0.4, [0.2]), names=['jaw'])).result.error_code == 0
    world.wait_for(lambda: abs(psm.heard['jaw/measured_js'][-1].position[0] - 0.2) < 0.02, 'the jaw')
    asked(world, psm, THERE)


@pytest.mark.parametrize(
    'goal, code, words',
    [
        (goal_of((1.0, THERE[:5]), names=NAMES[:5]), Result.INVALID_JOINTS, "found no 'wrist_yaw'"),
        (goal_of((1.0, THERE), names=[*NAMES[:5], 'wrist_yow']), Result.INVALID_JOINTS, "did you mean 'wrist_yaw'?"),
        (goal_of(), Result.INVALID_GOAL, 'points: found none'),
        (goal_of((1.0, THERE), (1.0, HOME)), Result.INVALID_GOAL, 'points[1]: found time_from_start'),
        (goal_of((1.0, [2.5, *THERE[1:]])), Result.INVALID_GOAL, "points[0]: found 2.5 for joint 'yaw'"),
        (goal_of((1.0, [math.nan, *THERE[1:]])), Result.INVALID_GOAL, 'not finite'),
        (goal_of((1.0, THERE), path=[('elbow', 0.1)]), Result.INVALID_GOAL, "joint 'elbow'"),
        (goal_of((0.001, THERE), begin=Time(nanosec=1)), Result.OLD_HEADER_TIMESTAMP, 'ended'),
        (goal_of((1.0, THERE), begin=Time(sec=1_700_000_000)), Result.INVALID_GOAL, 'another clock'),
    ],
)
def test_a_goal_that_makes_no_sense_is_aborted_with_code_and_words(world, psm, goal, code, words):
    done = world.follower.follow(goal)
    assert done.status == GoalStatus.STATUS_ABORTED
    assert (done.result.error_code, words in done.result.error_string) == (code, True), done.result.error_string
    assert list(psm.newest('setpoint_js').position) == HOME


def test_joints_of_several_degrees_of_freedom_are_refused(world, psm):
    goal = goal_of((1.0, THERE))
    goal.component_path_tolerance = [JointComponentTolerance(joint_name='yaw')]
    assert 'multi_dof_trajectory' in world.follower.follow(goal).result.error_string


def test_a_new_goal_replaces_the_running_one_and_the_old_one_learns_it(world, psm):
    still = [0.0] * 6
    first = world.follower.send(goal_of((4.0, THERE, still)))
    world.wait_for(lambda: psm.heard['setpoint_js'][-1].position[0] > 0.1, 'the way')
    second = world.follower.send(goal_of((1.5, HOME, still)))
    old = world.follower.result(first)
    assert old.status == GoalStatus.STATUS_ABORTED and 'newer trajectory' in old.result.error_string
    assert world.follower.result(second).status == GoalStatus.STATUS_SUCCEEDED
    asked(world, psm, HOME)


def test_who_cancels_has_an_arm_that_holds(world, psm):
    handle = world.follower.send(goal_of((4.0, THERE)))
    world.wait_for(lambda: psm.heard['setpoint_js'][-1].position[0] > 0.05, 'the way')
    canceled = handle.cancel_goal_async()
    world.wait_for(canceled.done, 'the answer to the cancellation')
    assert len(canceled.result().goals_canceling) == 1
    assert world.follower.result(handle).status == GoalStatus.STATUS_CANCELED
    world.wait_for(lambda: not psm.states[-1].is_busy, 'not busy')
    # What was told on the way may still be in the queues.
    world.spin_for(0.5)
    here = psm.newest('setpoint_js').position[0]
    assert 0.05 < here < 0.3
    world.spin_for(0.5)
    assert psm.newest('setpoint_js').position[0] == here


@pytest.mark.parametrize('order', ['servo_jp', 'move_jp', 'hold', 'disable'])
def test_another_command_ends_the_trajectory(world, psm, order):
    handle = world.follower.send(goal_of((4.0, THERE)))
    world.wait_for(lambda: psm.states[-1].is_busy, 'busy')
    if order == 'disable':
        psm.state_command(order)
    elif order == 'hold':
        psm.say(order)
    else:
        psm.say_joints(order, HOME)
    done = world.follower.result(handle)
    assert done.status == GoalStatus.STATUS_ABORTED and done.result.error_string.startswith('PSM1: ')


def test_a_tolerance_that_cannot_be_kept_aborts_with_the_joint(world, psm):
    """The tip is where a servo cannot be so accurate: a joint that moves lags by what one step is."""
    done = world.follower.follow(goal_of((0.5, THERE), path=[('yaw', 1e-7)]))
    assert (done.status, done.result.error_code) == (GoalStatus.STATUS_ABORTED, Result.PATH_TOLERANCE_VIOLATED)
    assert "joint 'yaw' is at" in done.result.error_string
    done = world.follower.follow(goal_of((0.5, THERE), end=[('pitch', 1e-15)], end_time=0.2))
    assert (done.status, done.result.error_code) == (GoalStatus.STATUS_ABORTED, Result.GOAL_TOLERANCE_VIOLATED)
    assert "joint 'pitch' is at" in done.result.error_string


def test_in_a_paused_world_a_trajectory_waits(world, psm):
    handle = world.follower.send(goal_of((1.0, THERE)))
    world.wait_for(lambda: psm.states[-1].is_busy, 'busy')
    world.set_mode(PAUSED)
    # Longer than a world may be silent.
    world.spin_for(3.0)
    assert not handle.result_future.done() and psm.states[-1].is_busy
    world.set_mode(REALTIME)
    assert world.follower.result(handle).status == GoalStatus.STATUS_SUCCEEDED


def test_a_world_that_is_reset_ends_it(world, psm):
    handle = world.follower.send(goal_of((4.0, THERE)))
    world.wait_for(lambda: psm.heard['setpoint_js'][-1].position[0] > 0.05, 'the way')
    world.reset()
    done = world.follower.result(handle)
    assert done.status == GoalStatus.STATUS_ABORTED and 'put elsewhere' in done.result.error_string


def test_a_world_that_dies_ends_it(world, psm):
    handle = world.follower.send(goal_of((60.0, THERE)))
    world.wait_for(lambda: psm.states[-1].is_busy, 'busy')
    world.physics.kill()
    done = world.follower.result(handle)
    assert done.status == GoalStatus.STATUS_ABORTED and 'the world does not answer' in done.result.error_string
    refused = world.follower.follow(goal_of((1.0, THERE))).result
    assert refused.error_code == Result.INVALID_GOAL and 'the machine does not answer' in refused.error_string
