# SPDX-License-Identifier: BSD-3-Clause
"""A master of a real world: it floats, gives way to forces, and holds an orientation."""

import pytest
from arm_fixture import World
from geometry_msgs.msg import WrenchStamped
from rclpy.duration import Duration
from sensor_msgs.msg import JointState


@pytest.fixture(scope='module')
def world():
    with World(('MTMR', 'mtm', ''), world='worlds/mechanisms/launch.yaml') as made:
        made.mtm = made.arm('/MTMR', 'measured_cp', 'measured_js', 'gripper/measured_js', 'status')
        made.mtm.bring_up()
        yield made


def test_a_master_gives_way_to_a_force_and_is_not_busy(world):
    mtm = world.mtm
    mtm.say('body/servo_cf', WrenchStamped())
    rest = mtm.newest('measured_cp').pose.position
    push = WrenchStamped()
    push.wrench.force.x = 1.0
    mtm.say('body/servo_cf', push)

    def moved():
        now = mtm.heard['measured_cp'][-1].pose.position
        return abs(now.x - rest.x) + abs(now.y - rest.y) + abs(now.z - rest.z) > 0.005

    world.wait_for(moved, 'the master to give way')
    assert not mtm.states[-1].is_busy and not mtm.heard['error']
    assert len(mtm.newest('gripper/measured_js').position) == 1


def test_a_force_ends_when_its_publisher_is_gone(world):
    mtm = world.mtm
    other = world.node.create_publisher(WrenchStamped, '/MTMR/spatial/servo_cf', 10)
    world.wait_for(lambda: other.get_subscription_count() > 0, 'the arm')
    status = len(mtm.heard['status'])
    push = WrenchStamped()
    push.wrench.force.y = 0.1
    other.publish(push)
    assert other.wait_for_all_acked(Duration(seconds=90)), 'a publisher takes what has not arrived along'
    mtm.newest('measured_js')
    world.node.destroy_publisher(other)
    world.wait_for(
        lambda: any('the force has ended' in m.data for m in mtm.heard['status'][status:]), 'the end of the force'
    )


def hold(world) -> list[float]:
    """The set-point, once it stands."""
    mtm = world.mtm
    mtm.say('hold')
    mtm.newest('setpoint_js')

    def stands():
        last = mtm.heard['setpoint_js'][-20:]
        return len(last) == 20 and all(m.position == last[0].position for m in last)

    world.wait_for(stands, 'a set-point that stands')
    return list(mtm.heard['setpoint_js'][-1].position)


def test_hold_ends_the_float_where_the_master_is(world):
    mtm = world.mtm
    wanted = hold(world)

    def there():
        measured = mtm.heard['measured_js'][-1].position
        return max(abs(a - b) for a, b in zip(measured, wanted, strict=True)) < 5e-3

    world.wait_for(there, 'the master at its set-point')
    assert len(wanted) == 7


def test_six_values_for_seven_joints_are_a_warning_and_nothing_moves(world):
    """No `error`: that would end a console's teleoperation."""
    mtm = world.mtm
    before, states = hold(world), len(mtm.states)
    six = before[:6]
    bad = {name: JointState(position=six) for name in ('servo_jp', 'servo_jr', 'move_jp', 'move_jr')}
    bad['servo_jf'] = JointState(effort=six)
    for name, message in bad.items():
        warnings, reached = len(mtm.heard['warning']), len(mtm.heard['goal_reached'])
        mtm.say(name, message)
        words = f'{name}, found 6 values, expected 7, one per joint'
        world.wait_for(lambda: any(words in m.data for m in mtm.heard['warning'][warnings:]), words)
        if name.startswith('move'):
            world.wait_for(lambda: len(mtm.heard['goal_reached']) > reached, 'the end of a move that is none')
            assert mtm.heard['goal_reached'][-1].data is False
    assert not mtm.heard['error']
    assert list(mtm.newest('setpoint_js').position) == before
    assert mtm.command_and_wait('enable').is_homed
    assert all(state.state == 'ENABLED' and not state.is_busy for state in mtm.states[states:])
