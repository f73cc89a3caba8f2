# SPDX-License-Identifier: BSD-3-Clause
"""Clients as they are: two consoles on one arm, poses that cannot be met, set-points that no joint can follow."""

import time

import numpy
import pytest
from arm_fixture import HOME, Arm, Client, World, seconds
from sensor_msgs.msg import JointState

# Wrist of the needle driver below the remote centre while the insertion is 0.12 m deep [m].
WRIST_DEPTH = 0.12 - 0.4318 + 0.4162


@pytest.fixture(scope='module')
def world():
    parameters = {'tracking_fault': True}
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',), arm_parameters=parameters) as made:
        made.psm = made.arm('/PSM1', 'measured_js', 'setpoint_js', 'setpoint_cp')
        made.psm.bring_up()
        yield made


@pytest.fixture
def second(world):
    """Another console: a participant of its own."""
    client = Client('second')
    client.processes = world.processes
    client.psm = Arm(client, '/PSM1', ('setpoint_js',))
    client.wait_for(lambda: client.psm.states, 'operating_state')
    yield client
    client.close()


@pytest.fixture(autouse=True)
def at_home(world):
    if world.psm.states[-1].state != 'ENABLED':
        world.psm.bring_up()
    assert world.psm.move('move_jp', JointState(position=HOME))
    world.wait_for(lambda: off_home(world) < 1e-4, 'home')


def off_home(world) -> float:
    return numpy.abs(numpy.subtract(world.psm.newest('measured_js').position, HOME)).max()


def at(arm, goal) -> bool:
    return bool(arm.heard['setpoint_js']) and list(arm.heard['setpoint_js'][-1].position) == goal


# Two consoles


def test_what_one_client_commands_both_hear(world, second):
    one, two = world.psm, second.psm
    states, reached = len(one.states), len(one.heard['goal_reached'])
    goal = [0.3, 0.1, 0.14, 0.0, 0.0, 0.0]
    assert two.move('move_jp', JointState(position=goal))
    world.wait_for(lambda: len(one.heard['goal_reached']) > reached, 'the end')
    world.wait_for(lambda: any(s.is_busy for s in one.states[states:]) and not one.states[-1].is_busy, 'busy, then not')
    world.wait_for(lambda: at(one, goal), 'the goal')
    second.wait_for(lambda: at(two, goal), 'the goal')


def test_of_two_moves_the_newest_counts(world, second):
    one, two = world.psm, second.psm
    two.publisher('move_jp')
    told = {arm: len(arm.heard['goal_reached']) for arm in (one, two)}
    first = len(one.heard['setpoint_js'])
    one.say_joints('move_jp', [1.2, 0.0, 0.12, 0.0, 0.0, 0.0])
    world.wait_for(lambda: one.heard['setpoint_js'][-1].position[0] > 0.01, 'the first move on its way')
    goal = [-0.3, 0.0, 0.12, 0.0, 0.0, 0.0]
    two.say_joints('move_jp', goal)
    for client in (second, world):
        arm = client.psm
        client.wait_for(lambda: len(arm.heard['goal_reached']) > told[arm] and not arm.states[-1].is_busy, 'the end')
        assert [m.data for m in arm.heard['goal_reached'][told[arm] :]] == [True], 'one goal took the place of another'
    world.wait_for(lambda: at(one, goal), 'the goal')
    assert max(m.position[0] for m in one.heard['setpoint_js'][first:]) < 1.2


def test_of_two_streams_the_newest_word_counts(world, second):
    for i in range(1, 6):
        for client, sign in ((world, 1.0), (second, -1.0)):
            goal = [sign * 0.01 * i, 0.0, 0.12, 0.0, 0.0, 0.0]
            client.psm.say_joints('servo_jp', goal)
            client.wait_for(lambda: at(client.psm, goal), 'the set-point of the newest word')


def test_a_word_of_the_other_client_ends_a_move(world, second):
    one = world.psm
    second.psm.publisher('servo_jp')
    reached = len(one.heard['goal_reached'])
    one.say_joints('move_jp', [1.2, 0.0, 0.12, 0.0, 0.0, 0.0])
    world.wait_for(lambda: one.states[-1].is_busy, 'the move to begin')
    second.psm.say_joints('servo_jp', HOME)
    world.wait_for(lambda: len(one.heard['goal_reached']) > reached and not one.states[-1].is_busy, 'the end')
    assert one.heard['goal_reached'][-1].data is False
    world.wait_for(lambda: at(one, HOME), 'the set-point of the other one')


def test_a_console_that_comes_later_finds_the_arm_as_it_is(world, second):
    one = world.psm
    states, first = len(one.states), len(one.heard['setpoint_js'])
    second.psm.bring_up()
    # These are answered after what was said before them.
    second.psm.command_and_wait('pause')
    second.psm.command_and_wait('resume')
    world.wait_for(
        lambda: any(s.state == 'PAUSED' for s in one.states[states:]) and one.states[-1].state == 'ENABLED',
        'the answers to the other console',
    )
    assert all(state.is_homed and not state.is_busy for state in one.states[states:])
    one.newest('setpoint_js')
    assert all(list(m.position) == HOME for m in one.heard['setpoint_js'][first:])


def test_who_is_disabled_by_the_other_console_is_told_why_nothing_moves(world, second):
    one, two = world.psm, second.psm
    told = {arm: len(arm.heard['warning']) for arm in (one, two)}
    two.command_and_wait('disable')
    world.wait_for(lambda: one.states[-1].state == 'DISABLED', 'the state for the first one, too')
    one.say_joints('servo_jp', [0.2, 0.0, 0.12, 0.0, 0.0, 0.0])
    for client in (world, second):
        heard = client.psm.heard['warning']
        client.wait_for(
            lambda: any('servo_jp, arm not ready' in m.data for m in heard[told[client.psm] :]), 'a warning'
        )
    one.bring_up()
    second.wait_for(lambda: two.states[-1].is_homed and not two.states[-1].is_busy, 'an arm that is ready for both')
    assert not one.heard['error'] and not two.heard['error']


# What cannot be done


def test_poses_without_a_solution_are_errors_the_arm_stays_and_the_log_is_short(world):
    """The dVRK tells each of them, which ends its teleoperation; the arm itself goes on."""
    psm, process = world.psm, world.arm_processes['PSM1']
    pose = psm.newest('setpoint_cp')
    pose.pose.position.z += WRIST_DEPTH  # the wrist at the remote centre
    errors, states = len(psm.heard['error']), len(psm.states)
    asked, measured = len(psm.heard['setpoint_js']), len(psm.heard['measured_js'])
    lines, began = process.output().count('servo_cp, no solution'), time.monotonic()
    for i in range(50):
        psm.say('servo_cp', pose)
        world.wait_for(lambda: len(psm.heard['error']) > errors + i, f'error {i + 1}')
    taken = time.monotonic() - began
    told = [m.data for m in psm.heard['error'][errors:]]
    assert len(told) == 50 and all('servo_cp, no solution' in text for text in told), told
    lines = process.output().count('servo_cp, no solution') - lines
    assert 1 <= lines <= 1 + taken / 2.0, f'{lines} lines in {taken} s'
    psm.newest('setpoint_js'), psm.newest('measured_js')
    assert all(list(m.position) == HOME for m in psm.heard['setpoint_js'][asked:])
    moved = numpy.array([m.position for m in psm.heard['measured_js'][measured:]]) - HOME
    assert numpy.abs(moved).max() < 1e-3
    assert psm.command_and_wait('enable').is_homed
    assert {state.state for state in psm.states[states:]} == {'ENABLED'}
    # The next pose that can be met is met.
    pose.pose.position.z -= WRIST_DEPTH + 0.001
    psm.say('servo_cp', pose)
    world.wait_for(lambda: psm.heard['setpoint_js'][-1].position[2] > 0.1205, 'the pose below')


def test_a_tracking_error_is_a_fault_where_it_is_asked_for(world):
    psm = world.psm
    errors = len(psm.heard['error'])
    # A move takes the joints along.
    assert psm.move('move_jp', JointState(position=[0.7, 0.0, 0.12, 0.0, 0.0, 0.0]))
    assert len(psm.heard['error']) == errors
    psm.say_joints('servo_jp', [-0.7, 0.0, 0.12, 0.0, 0.0, 0.0])  # the bound is 0.5 rad
    world.wait_for(lambda: psm.states[-1].state == 'FAULT', 'FAULT')
    world.wait_for(lambda: len(psm.heard['error']) > errors, 'the reason')
    assert 'tracking error, joint yaw' in psm.heard['error'][-1].data
    assert not psm.states[-1].is_homed
    # Data without a reference are not to be believed; enabling it again is all it needs.
    world.wait_for(lambda: seconds(psm.newest('measured_js').header.stamp) == 0.0, 'data without a stamp')
    psm.bring_up()
    assert psm.move('move_jp', JointState(position=[0.1, 0.0, 0.12, 0.0, 0.0, 0.0]))
