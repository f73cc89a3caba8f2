# SPDX-License-Identifier: BSD-3-Clause
"""Poses that hold, and angles of joints without limits, as a client meets them."""

import pathlib

import numpy as np
import pytest
from conftest import wait_for
from sensor_msgs.msg import JointState

from ambf_msgs.msg import RigidBodyCmd
from ambf_py import BadValue, Client
from ambf_py.simulator import Simulator


@pytest.fixture(scope='module')
def client():
    world = pathlib.Path(__file__).parent / 'worlds/turntable.yaml'
    with Simulator(models=[str(world)], mode='lockstep', watchdog_timeout=0.2) as simulator:
        with Client('holder', alive=simulator.reason_of_end) as client:
            yield client


@pytest.fixture(autouse=True)
def fresh(client):
    client.world.set_mode('lockstep')
    client.world.reset()
    yield
    for name in ('tool', 'kept'):
        client.get_obj_handle(name).set_stiff(False)
        client.get_obj_handle(name).release()


def angle(a, b):
    return 2.0 * np.arccos(min(1.0, abs(float(np.dot(a, b)))))


GOAL = [2.0, 0.0, 0.08, 0.0, 0.0, 0.0, 1.0]


def test_a_stiff_pose_carries_what_hangs_on_the_body(client):
    tool = client.get_obj_handle('tool')
    tool.set_pose(GOAL)
    client.world.step(2000)
    assert angle(tool.quaternion, GOAL[3:]) > np.radians(5.0)  # the soft law: the weight turns it
    tool.set_pose(GOAL, stiff=True, max_force=2.0, max_torque=0.1)
    client.world.step(2000)
    assert np.linalg.norm(tool.position - GOAL[:3]) < 1e-4
    assert angle(tool.quaternion, GOAL[3:]) < np.radians(0.1)
    assert tool.wrench is not None


def test_stiffness_lasts_for_the_commands_of_a_script_and_ends_when_told(client):
    tool = client.get_obj_handle('tool')
    tool.set_stiff(max_force=2.0)
    tool.set_pos(2.0, 0.0, 0.05)
    tool.set_rpy(0.0, 0.0, 0.5)
    assert tool._cmd.cartesian_cmd_type == RigidBodyCmd.TYPE_HOLD
    client.world.step(2000)
    assert np.linalg.norm(tool.position - [2.0, 0.0, 0.05]) < 1e-4
    assert abs(tool.get_rpy()[2] - 0.5) < 1e-3
    assert tool.get_pos_command().z == 0.05
    tool.set_stiff(False)
    assert tool._cmd.cartesian_cmd_type == RigidBodyCmd.TYPE_POSITION
    with pytest.raises(BadValue, match='max_force'):
        tool.set_stiff(max_force=-1.0)


def test_a_hold_gives_way_at_its_limit(client):
    tool = client.get_obj_handle('tool')
    tool.set_pose(GOAL, stiff=True, max_force=0.5)  # tool and weight are 0.11 kg: 1.08 N
    client.world.step(500)
    # 0.11 kg * 9.8 - 0.5 N on 0.11 kg for 0.5 s.
    assert tool.twist[2] < -0.5


def test_a_body_whose_file_says_so_is_held_by_plain_pose_commands(client):
    kept = client.get_obj_handle('kept')
    kept.set_pos(3.0, 0.0, 0.1)
    client.world.step(500)
    assert np.linalg.norm(kept.position - [3.0, 0.0, 0.1]) < 1e-6
    assert np.allclose(kept.wrench[:3], [0.0, 0.0, 0.98], atol=1e-3)  # the hold carries it
    kept.set_force(0.0, 0.0, 0.0)
    client.world.step(100)
    assert kept.twist[2] < -0.9


def test_the_watchdog_ends_a_hold(client):
    tool = client.get_obj_handle('tool')
    client.world.set_mode('realtime')
    tool.set_timeout(0.1)  # the client lets go; the simulator's own watchdog would after 0.2 s
    tool.set_pose(GOAL, stiff=True)
    wait_for(lambda: tool.twist[2] < -1.0, 'fall')
    tool.set_timeout(None)


def test_angles_are_the_same_in_state_joint_states_and_python(client):
    messages = []
    topic = f'{client.view.manifest.models[0].topic}/joint_states'
    subscription = client.node.create_subscription(JointState, topic, messages.append, 10)
    wait_for(lambda: client.node.count_publishers(topic) > 0, 'publisher of joint_states')
    table = client.get_obj_handle('table')
    speeds = {'hinge': ('velocity', 5.0), 'counter': ('velocity', 5.0)}
    state = client.world.step(2000, speeds)
    hinge, counter = table.get_joint_pos('hinge'), table.get_joint_pos('counter')
    assert counter == pytest.approx(10.0, abs=0.1)
    assert hinge == pytest.approx(counter - 4.0 * np.pi, abs=1e-3)
    index = client.view.find('hinge', 'joints', 'joint')
    assert state.joints[index, 0] == hinge
    told = dict(zip(table.state().joint_names, table.state().joint_positions))
    assert told['hinge'] == hinge and told['counter'] == counter

    def published():
        client.world.step(10, {'hinge': ('velocity', 0.0), 'counter': ('velocity', 0.0)})
        return [m for m in messages if m.name and m.position[list(m.name).index('counter')] > 9.0]

    wait_for(published, 'joint_states')
    last = dict(zip(published()[-1].name, published()[-1].position))
    assert last['hinge'] == pytest.approx(table.get_joint_pos('hinge'), abs=1e-3)
    assert last['counter'] == pytest.approx(table.get_joint_pos('counter'), abs=1e-3)
    client.node.destroy_subscription(subscription)
