# SPDX-License-Identifier: BSD-3-Clause
"""Scripts in the manner of AMBF's users run as they are."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
from conftest import PENDULUM
from geometry_msgs.msg import Point, Pose

import ambf_py
from ambf_py import rospy
from ambf_py.simulator import Simulator

DEMO = 'package://ambf_description/worlds/demo/launch.yaml'
SCRIPTS = pathlib.Path(__file__).parent / 'scripts'
# A body that moves freely, for scripts that place and push one.
CRATE = """
bodies: [BODY crate]
joints: []
namespace: /ambf/env/
BODY crate:
  name: crate
  shape: BOX
  geometry: {x: 0.1, y: 0.1, z: 0.1}
  mass: 1.0
  location: {position: {x: 0.5, y: 0.5, z: 1.0}, orientation: {r: 0.0, p: 0.0, y: 0.0}}
  controller: {linear: {P: 2000.0, I: 0.0, D: 90.0}, angular: {P: 10.0, I: 0.0, D: 1.0}}
"""


@pytest.fixture(scope='module')
def world():
    with Simulator(DEMO, [PENDULUM], mode='realtime') as simulator:
        with ambf_py.Client('setter', alive=simulator.reason_of_end) as client:
            client.world.load(text=CRATE)
        yield simulator


def run(name: str) -> dict:
    """The variables that the script leaves behind."""
    text = (SCRIPTS / name).read_text()
    assert text.count('from ambf_client import') == 1
    seen = {'__name__': '__main__'}
    old_arguments, sys.argv = sys.argv, [name]
    try:
        exec(compile(text, name, 'exec'), seen)
    finally:
        sys.argv = old_arguments
        rospy.the_script.close()
    return seen


def test_an_arm_follows_joint_commands(world, capsys):
    seen = run('arm_joints.py')
    assert seen['count'] == 8 and len(seen['names']) == 8 and len(seen['all_positions']) == 8
    # 10 mrad: what the script waits for; the other joints settle about as fast.
    assert np.allclose(seen['reached'], [0.2, -0.1, 0.1], atol=0.03)
    assert isinstance(seen['before'], Point) and abs(seen['before'].x - seen['after'].x) > 1e-3
    assert seen['target'] is None and "no object is called 'psm_target_ik'" in capsys.readouterr().out
    assert seen['missing'] is None


def test_a_body_is_placed_pushed_and_moved(world):
    seen = run('free_body.py')
    assert seen['supports_wrench'] and seen['steps'][-1] > seen['steps'][0]
    assert np.allclose(seen['held'], [0.2, 0.1, 1.2, 0, 0, 0], atol=0.05) and seen['rotation'].w > 0.99
    # 30 N against 9.8 N of weight for 0.3 s or less, then 0.5 m/s downwards.
    assert seen['pushed'] > 0.2 and seen['falling'] == pytest.approx(-0.5, abs=0.1)
    assert seen['nobody'] is None


def test_an_actuator_takes_hold_and_lets_go(world):
    seen = run('grasp.py')
    assert seen['kind'] == 'ACTUATOR' and seen['parent'].endswith('toolyawlink') and isinstance(seen['where'], Pose)
    assert seen['holds'] and seen['free']


def test_an_agent_owns_the_clock(world):
    seen = run('throttled_agent.py')
    assert seen['taken'] == 50 and len(seen['observations']) == 10 and seen['refused']
    assert len(seen['observations'][0]) == 16


def test_a_logger_opens_every_object_and_drives_joints(world):
    seen = run('everything.py')
    assert None not in seen['handles'].values() and len(seen['poses']) > 8
    assert set(seen['kinds'].values()) >= {'RIGID_BODY', 'SENSOR', 'ACTUATOR'}
    assert seen['indices'] == list(range(8)) and 'yawlink' in ' '.join(seen['children'])
    assert seen['moved'] > 0.01 and seen['speed'] == pytest.approx(0.3, abs=0.1) and seen['same_world']


def test_a_hand_watches_its_sensor(world):
    seen = run('sensor_watch.py')
    assert len(seen['history']) == 40 and seen['beyond'] == [None, None, None]
    parent, again, identifier, distance, measurements, _, w = seen['facts']
    assert parent == again and parent.endswith('toolyawlink') and 'jaw' in identifier.lower()
    assert distance > 0.0 and len(measurements) == 1 and 0.0 <= abs(w) <= 1.0


def test_a_camera_and_a_light_fly(world):
    seen = run('camera_and_lights.py')
    assert seen['kinds'] == ['CAMERA', 'LIGHT', 'KINEMATIC']
    assert seen['standing'] == seen['start'] and seen['commanded'] != seen['start']
    assert [seen['camera_at'].x, seen['camera_at'].y, seen['camera_at'].z] == pytest.approx([0, -2, 1], abs=1e-6)
    assert seen['light_at'] == pytest.approx([1.0, -1.0, 2.0, 0.0, 0.0, 0.0], abs=1e-6)
    assert seen['light_turned'].w == pytest.approx(1.0) and min(seen['steps']) > 0


def test_a_servo_of_the_script_brings_a_body_to_a_frame(world):
    seen = run('kdl_servo.py')
    assert seen['distance'] < 0.01 and seen['angle'] < 0.2
    # Half a second later nobody renews the force, and it has ended as AMBF's watchdog ends it.
    assert abs(seen['after'].z) == 0.0


def test_joints_follow_positions_velocities_and_efforts(world, caplog):
    seen = run('joint_modes.py')
    assert seen['reached'][:4] == pytest.approx([0.25, -0.15, 0.08, 0.3], abs=0.03) and seen['reached'][4] is None
    assert seen['unknown'] is None and seen['beyond'] is None and seen['valid'] == [True, False]
    assert seen['together'][:3] == pytest.approx([0.0, 0.0, 0.1], abs=0.03)
    assert seen['speeds'][:2] == pytest.approx([0.2, -0.2], abs=0.05)
    assert len(seen['efforts']) == len(seen['same']) == 8
    assert 'expected 0 to 7; the joint is left out' in caplog.text


def test_topics_are_spoken_to_without_handles(world):
    seen = run('raw_topics.py')
    steps = [step for step, *_ in seen['seen']]
    assert seen['ticks'] == 50 and len(steps) > 10 and steps == sorted(steps)
    assert seen['quiet'] == 1, 'the world went on without its clock'
    assert seen['topics']['/ambf/env/crate/State'] == 'ambf_msgs/RigidBodyState'


def test_a_family_of_bodies_is_explored(world):
    seen = run('family.py')
    assert None not in seen['children'].values() and seen['depth']['yawlink'] > 5
    assert seen['leaf_joints'] == [0, [], []] and seen['ros_name'] == '/ambf/env/psm/baselink'
    name, _, _, positions, sim_time, inertia = seen['raw_values']
    assert name == 'baselink' and len(positions) == 8 and sim_time > 0.0 and inertia >= 0.0
    assert seen['elapsed'] > 0.0 and seen['times'][-1] - seen['times'][0] >= 0.4 and seen['complained']
    assert len(seen['pose_of_leaf']) == 6 and seen['pose_of_nobody'] is None and seen['again'] == 8


def test_a_script_that_never_cleans_up_ends_without_a_word(world):
    text = (
        "from ambf_client import Client; c = Client(); c.connect(); h = c.get_obj_handle('psm/baselink'); "
        'h.set_joint_pos(0, 0.1); print(len(h.get_all_joint_pos()))'
    )
    done = subprocess.run([sys.executable, '-c', text], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ['8'], '')


def test_the_strict_client_raises_where_scripts_expect_none(world):
    with ambf_py.Client('strict', alive=world.reason_of_end) as client:
        with pytest.raises(ambf_py.UnknownObject, match='did you mean'):
            client.get_obj_handle('psm/baselnk')
        with pytest.raises(ambf_py.UnknownObject, match='did you mean'):
            client.get_obj_handle('psm/baselink').set_joint_pos('baselink-yawlnk', 0.1)
