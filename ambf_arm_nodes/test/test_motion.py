# SPDX-License-Identifier: BSD-3-Clause
"""A PSM of a real world in real time: it homes, moves, follows, and is where it says."""

import numpy
import pytest
from arm_fixture import HOME, World, distance, position
from crtk_msgs.srv import QueryForwardKinematics
from geometry_msgs.msg import Pose
from sensor_msgs.msg import JointState


@pytest.fixture(scope='module')
def world():
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',)) as made:
        made.psm = made.arm('/PSM1', 'measured_js', 'setpoint_js', 'measured_cp', 'setpoint_cp', 'jaw/measured_js')
        made.psm.bring_up()
        yield made


def rotation(x, y, z, w) -> numpy.ndarray:
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def at_rest(world, goal, tolerance=2e-3):
    world.wait_for(
        lambda: (
            max(abs(a - b) for a, b in zip(world.psm.heard['measured_js'][-1].position, goal, strict=True)) < tolerance
        ),
        f'the joints at {goal}',
    )


def test_homing_ends_at_home(world):
    at_rest(world, HOME)
    assert not world.psm.heard['error']


def test_a_joint_move_ends_at_its_goal(world):
    goal = [0.3, -0.2, 0.15, 0.4, -0.3, 0.2]
    assert world.psm.move('move_jp', JointState(position=goal))
    world.wait_for(lambda: list(world.psm.heard['setpoint_js'][-1].position) == goal, 'the set-point at the goal')
    at_rest(world, goal)


def test_a_cartesian_move_ends_at_its_goal(world):
    pose = world.psm.newest('setpoint_cp')
    pose.pose.position.x += 0.02
    pose.pose.position.y -= 0.01
    assert world.psm.move('move_cp', pose)
    # What was told on the way may still be in the queue when the end is heard.
    world.wait_for(
        lambda: distance(position(world.psm.heard['setpoint_cp'][-1].pose), position(pose.pose)) < 1e-12,
        'the set-point at the goal',
    )
    goal = list(world.psm.newest('setpoint_js').position)
    at_rest(world, goal)
    assert distance(position(world.psm.newest('measured_cp').pose), position(pose.pose)) < 1e-3


def test_a_stream_of_poses_is_followed(world):
    psm = world.psm
    start = psm.newest('setpoint_cp').pose
    busy = len(psm.states)
    for i in range(1, 101):
        pose = Pose(orientation=start.orientation)
        pose.position.x = start.position.x + 0.0002 * i
        pose.position.y, pose.position.z = start.position.y, start.position.z
        psm.say_pose('servo_cp', pose)
        world.wait_for(
            lambda: abs(psm.heard['setpoint_cp'][-1].pose.position.x - pose.position.x) < 1e-9, 'the set-point'
        )
    at_rest(world, list(psm.newest('setpoint_js').position))
    assert not any(state.is_busy for state in psm.states[busy:])


def test_the_jaw_opens_and_squeezes(world):
    psm = world.psm
    assert psm.move('jaw/move_jp', JointState(position=[0.8]))
    world.wait_for(lambda: abs(psm.heard['jaw/measured_js'][-1].position[0] - 0.8) < 0.02, 'an open jaw')
    psm.say_joints('jaw/servo_jp', [-0.3])
    world.wait_for(lambda: psm.heard['jaw/measured_js'][-1].position[0] < 0.02, 'a closed jaw')
    assert psm.newest('jaw/measured_js').position[0] > -0.02, 'the fingers meet'
    assert len(psm.heard['jaw/measured_js'][-1].position) == 1


def test_poses_are_those_of_the_bodies(world):
    """measured_cp is the wrist's yaw axis in the base link: the body, with the tool's axes behind it."""
    psm = world.psm
    worst_position, worst_rotation, tools = 0.0, 0.0, []
    for goal in ([0.3, -0.2, 0.15, 0.4, -0.3, 0.2], [-0.5, 0.4, 0.2, -1.0, 0.6, -0.7], HOME):
        assert psm.move('move_jp', JointState(position=goal))
        at_rest(world, goal, 1e-4)
        told = psm.newest('measured_cp').pose
        world.snapshots.clear()
        base, tip = world.body('baselink'), world.body('toolyawlink')
        to_base = rotation(*base[1]).T
        tip_in_base = to_base @ (numpy.array(tip[0]) - numpy.array(base[0]))
        worst_position = max(worst_position, distance(position(told), tip_in_base))
        o = told.orientation
        tools.append(rotation(o.x, o.y, o.z, o.w).T @ to_base @ rotation(*tip[1]))
        worst_rotation = max(worst_rotation, numpy.abs(tools[-1] - tools[0]).max())
    assert worst_position < 1e-4
    assert worst_rotation < 1e-3


def derivatives(world, q) -> tuple:
    """Jacobians of the tip by differences of its poses: rows linear, then angular; of the body and spatial."""

    def tip(joints):
        reply = world.call(QueryForwardKinematics, '/PSM1/local/forward_kinematics', True, jp=joints)
        assert reply.result, reply.message
        o = reply.cp.orientation
        return numpy.array(position(reply.cp)), rotation(o.x, o.y, o.z, o.w)

    place, axes = tip(q)
    body, spatial, h = numpy.empty((6, len(q))), numpy.empty((6, len(q))), 1e-4
    for i in range(len(q)):
        ahead, behind = list(q), list(q)
        ahead[i], behind[i] = q[i] + h, q[i] - h
        (p1, r1), (p0, r0) = tip(ahead), tip(behind)
        linear, turn = (p1 - p0) / (2 * h), (r1 - r0) @ axes.T / (2 * h)
        angular = numpy.array([turn[2, 1], turn[0, 2], turn[1, 0]])
        body[:, i] = [*(axes.T @ linear), *(axes.T @ angular)]
        spatial[:, i] = [*(linear - numpy.cross(angular, place)), *angular]
    return body, spatial


def test_jacobians_are_the_derivatives_of_the_pose_row_by_row(world):
    psm, goal = world.psm, [0.3, -0.2, 0.15, 0.4, -0.3, 0.2]
    assert psm.move('move_jp', JointState(position=goal))
    at_rest(world, goal, 1e-4)
    wanted = derivatives(world, list(psm.newest('measured_js').position))
    for name, matrix in zip(('body/jacobian', 'spatial/jacobian'), wanted, strict=True):
        message = psm.newest(name)
        rows, columns = message.layout.dim
        assert (rows.label, rows.size, rows.stride) == ('rows', 6, 1)
        assert (columns.label, columns.size, columns.stride) == ('cols', 6, 6)
        assert message.layout.data_offset == 0 and len(message.data) == 36
        assert numpy.abs(numpy.reshape(message.data, (6, 6)) - matrix).max() < 1e-3, name


def test_no_error_was_ever_told(world):
    assert [m.data for m in world.psm.heard['error']] == []


@pytest.mark.parametrize('joint, far', [(1, 0.9), (2, 0.235), (5, 1.3)])
def test_a_set_point_that_jumps_is_reached_and_not_taken_for_a_reset(world, joint, far):
    """The simulated motors are there within a few steps: faster than any real arm."""
    psm = world.psm
    for goal in (far, -far if joint != 2 else 0.06, far):
        told = len(psm.heard['status'])
        q = list(HOME)
        q[joint] = goal
        psm.say_joints('servo_jp', q)
        at_rest(world, q)
        assert not [m.data for m in psm.heard['status'][told:] if 'elsewhere' in m.data]
    assert psm.move('move_jp', JointState(position=HOME))
