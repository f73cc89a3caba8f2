"""Scripts in the manner of AMBF's users run with only their import changed."""
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from conftest import PENDULUM, PSM
from geometry_msgs.msg import Point

import ambf_py
from ambf_py.simulator import Simulator

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
  controller: {linear: {P: 200.0, I: 0.0, D: 20.0}, angular: {P: 10.0, I: 0.0, D: 1.0}}
"""


@pytest.fixture(scope='module')
def world():
    with Simulator(models=[PSM, PENDULUM], mode='realtime') as simulator:
        with ambf_py.Client('setter', alive=simulator.reason_of_end) as client:
            client.world.load(text=CRATE, name='crate')
        yield simulator


def run(name: str) -> dict:
    """The variables that the script leaves behind."""
    text = (SCRIPTS / name).read_text()
    assert text.count('from ambf_client import') == 1
    seen = {'__name__': 'script'}
    exec(compile(text.replace('from ambf_client import', 'from ambf_py.ambf_client import'), name, 'exec'), seen)
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
    assert seen['kind'] == 'ACTUATOR' and seen['parent'].endswith('toolyawlink') and len(seen['where']) == 6
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


def test_a_script_that_never_cleans_up_ends_without_a_word(world):
    text = ("from ambf_py.ambf_client import Client; c = Client(); c.connect(); h = c.get_obj_handle('psm/baselink'); "
            'h.set_joint_pos(0, 0.1); print(len(h.get_all_joint_pos()))')
    done = subprocess.run([sys.executable, '-c', text], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ['8'], '')


def test_the_strict_client_raises_where_scripts_expect_none(world):
    with ambf_py.Client('strict', alive=world.reason_of_end) as client:
        with pytest.raises(ambf_py.UnknownObject, match='did you mean'):
            client.get_obj_handle('psm/baselnk')
        with pytest.raises(ambf_py.UnknownObject, match='did you mean'):
            client.get_obj_handle('psm/baselink').set_joint_pos('baselink-yawlnk', 0.1)
