# SPDX-License-Identifier: BSD-3-Clause
"""Scripts that were written for AMBF import its names, run as they are, and end without a traceback."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest
from conftest import PENDULUM

from ambf_py.simulator import Simulator

ENVIRONMENT = pathlib.Path(__file__).parents[2] / 'setup/env.sh'


@pytest.fixture(scope='module')
def world():
    with Simulator(models=[PENDULUM], mode='realtime') as simulator:
        yield simulator


def run(text: str, folder=None, **variables):
    """A script in an interpreter of its own; `folder` is the last place where modules are looked for."""
    environment = dict(os.environ, **variables)
    if folder is not None:
        environment['PYTHONPATH'] += f':{folder}'
    done = subprocess.run([sys.executable, '-c', text], capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
    return done


def interrupted(text: str):
    """Exit code, output and errors of a script that gets a Ctrl+C when it has said that it is ready."""
    process = subprocess.Popen([sys.executable, '-c', text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while (line := process.stdout.readline()) != 'ready\n':
        assert line, process.communicate()[1]  # the middleware may say something, too
    process.send_signal(signal.SIGINT)
    try:
        out, errors = process.communicate(timeout=90)
    finally:
        process.kill()
    return process.returncode, out, errors


def test_the_names_of_ambf_are_there():
    done = run(
        'from ambf_client import Client\nfrom ros_abstraction_layer import ral\nimport PyKDL\nimport rospy\n'
        'import rospy.rostime as time\nfrom ambf_msgs.msg import ObjectState, ObjectCmd, RigidBodyState\n'
        'import ambf_py.ambf_client, ambf_py.ral\n'
        'assert Client is ambf_py.ambf_client.Client and ral is ambf_py.ral.ral\n'
        'assert ObjectState is RigidBodyState and time.Time.now().to_sec() > 0\n'
        'print(PyKDL.Frame(PyKDL.Vector(1, 2, 3)).p[2], rospy.Duration(1.5).to_sec())'
    )
    assert done.stdout.split() == ['3.0', '1.5'] and done.stderr == ''


def test_commands_of_ambf_1_become_ours():
    run(
        'from ambf_msgs.msg import ObjectCmd, JointMode, RigidBodyCmd\n'
        'from rclpy.serialization import deserialize_message, serialize_message\n'
        'c = ObjectCmd(joint_cmds=[0.1, 0.2])\n'
        'assert not c.enable_position_controller\n'
        'c.enable_position_controller, c.position_controller_mask = True, [True, False]\n'
        'd = deserialize_message(serialize_message(c), RigidBodyCmd)\n'
        'assert d.cartesian_cmd_type == RigidBodyCmd.TYPE_POSITION and list(d.joint_cmds) == [0.1, 0.2]\n'
        'assert list(d.joint_modes) == [JointMode.POSITION, JointMode.EFFORT]\n'
        'assert c.enable_position_controller and c.position_controller_mask == [True, False]'
    )


def test_joint_types_in_ambfs_numbers_are_modes():
    run(
        'from ros_abstraction_layer import ral\nfrom ambf_msgs.msg import JointMode, RigidBodyCmd\n'
        'c = RigidBodyCmd()\nc.joint_cmds_types = [0, 1, 2]\n'
        'assert list(c.joint_modes) == [JointMode.EFFORT, JointMode.POSITION, JointMode.VELOCITY]\n'
        'assert c.joint_cmds_types == (0, 1, 2)\n'
        'c.publish_joint_names = c.publish_children_names = c.publish_joint_positions = True\n'
        'try:\n    c.joint_cmds_types = [3]\nexcept ValueError as error:\n    assert "expected 0" in str(error)\n'
        'else:\n    raise AssertionError'
    )


@pytest.mark.parametrize('name, use', [('PyKDL', 'Vector'), ('rospy', 'init_node')])
def test_a_real_module_wins_and_one_that_cannot_be_loaded_does_not(tmp_path, name, use):
    script = f'import {name}\nprint(getattr({name}, "REAL", "stand-in"), hasattr({name}, "{use}"))'
    assert run(script).stdout == 'stand-in True\n'
    (tmp_path / f'{name}.py').write_text('REAL = "real"\n')
    assert run(script, tmp_path).stdout == 'real False\n'
    (tmp_path / f'{name}.py').write_text('import a_library_that_is_not_there\n')
    done = run(script, tmp_path)
    assert done.stdout == 'stand-in True\n' and 'a_library_that_is_not_there' in done.stderr


def test_the_client_has_a_ral_of_its_own(world):
    done = run(
        'from ambf_client import Client\nfrom ambf_msgs.msg import RigidBodyState\nimport threading\n'
        'c = Client("mine"); c.connect()\nassert c.get_ral() is c.ral\n'
        'm = c.ral.wait_for_message("/ambf/env/pendulum/bob/State/", RigidBodyState, 60.0)\n'
        'print(m.name.data, m.sim_time > 0.0, m.pInertia.x > 0.0, c.is_shutdown(), c.get_time() > 0)\n'
        'assert c.get_obj_handle("pendulum/bob/").get_name() == "/ambf/env/pendulum/bob"\n'
        'c.create_rate(100).sleep(); c.ral.now_msg()'
    )
    assert done.stdout.split() == ['bob', 'True', 'True', 'False', 'True'] and done.stderr == ''


LOOKS = (
    'from ambf_client import Client\nc = Client(); c.connect(); h = c.get_obj_handle("pendulum/bob")\n'
    'rate = c.create_rate(50); print("ready", flush=True)\n'
    'while not c.is_shutdown():\n    h.get_pose(); rate.sleep()\nprint("after")'
)
# They say that they are ready when a message reached them after their last line.
TALK = (
    'import threading, time\nfrom ros_abstraction_layer import ral\nfrom std_msgs.msg import Empty\n'
    'r = ral("worker"); p = r.publisher("/talk", Empty); heard = []\n'
    'def hear(_):\n    if not threading.main_thread().is_alive() and not heard:\n'
    '        heard.append(1); print("ready", flush=True)\n'
    'r.subscriber("/talk", Empty, hear)\n'
    'def talk():\n    try:\n        while True:\n            p.publish(Empty()); time.sleep(0.05)\n'
    '    except Exception:\n        pass  # after the end\n'
    'threading.Thread(target=talk, daemon=True).start()\n'
)
SPINS = f'{TALK}r.on_shutdown(lambda: print("hook"))\nr.spin()'
THREAD = (
    f'{TALK}r.on_shutdown(lambda: print("hook"))\n'
    'def work():\n    while not r.is_shutdown():\n        time.sleep(0.01)\n    print("after")\n'
    'threading.Thread(target=work).start()'
)
DOES_NOT_LOOK = (
    'import time\nfrom ambf_client import Client\nc = Client(); c.connect(); '
    'c.get_obj_handle("pendulum/bob").get_pose()\nprint("ready", flush=True)\n'
    'while True:\n    time.sleep(0.05)'
)
CATCHES = DOES_NOT_LOOK.replace(
    'while True:\n    time.sleep(0.05)', 'try:\n    time.sleep(600)\nexcept KeyboardInterrupt:\n    print("caught")'
)


@pytest.mark.parametrize(
    'text, code, out',
    [(LOOKS, 0, 'after\n'), (DOES_NOT_LOOK, -signal.SIGINT, ''), (CATCHES, 0, 'caught\n')],
    ids=['looks', 'does_not_look', 'catches'],
)
def test_ctrl_c_ends_a_script_with_a_client_without_a_traceback(world, text, code, out):
    assert interrupted(text) == (code, out, '')


@pytest.mark.parametrize('text, out', [(SPINS, {'hook'}), (THREAD, {'hook', 'after'})], ids=['spins', 'thread'])
def test_ctrl_c_ends_a_script_without_a_traceback(text, out):
    code, said, errors = interrupted(text)
    assert (code, set(said.split()), errors) == (0, out, '')


def test_a_script_that_spins_and_works_on_ends_with_its_work():
    assert (
        run(
            'from ros_abstraction_layer import ral\nimport time\nr = ral("worker"); r.spin(); time.sleep(1.0)\n'
            'print("end")'
        ).stdout
        == 'end\n'
    )


def test_a_callback_that_raises_is_reported_and_others_go_on():
    done = subprocess.run(
        [
            sys.executable,
            '-c',
            f'{TALK}'
            'calls, again = [], threading.Event()\n'
            'def bad(_):\n    calls.append(1)\n    if len(calls) > 1:\n        again.set()\n    raise ValueError("wrong")\n'
            'r.subscriber("/talk", Empty, bad)\nassert again.wait(90.0)\n'
            'r.wait_for_message("/talk", Empty, 90.0); print("end")',
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0 and done.stdout == 'end\n' and 'ValueError: wrong' in done.stderr


def test_an_error_after_spin_ends_the_script():
    done = subprocess.run(
        [sys.executable, '-c', 'from ros_abstraction_layer import ral\nral("x").spin()\n1 / 0'],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1 and 'ZeroDivisionError' in done.stderr


# The environment of `./ambf exec`


def entered(tmp_path, **variables) -> dict:
    """What env.sh makes of the caller's variables."""
    if not ENVIRONMENT.exists():
        pytest.skip('not in the repository')
    text = f'. "{ENVIRONMENT}"; ambf_enter_environment; ambf_add_callers_paths; env -0'
    environment = {
        'PATH': os.environ['PATH'],
        'AMBF_ROOT': str(tmp_path),
        'AMBF_OUT': f'{tmp_path}/out',
        'AMBF_STOCK': '0',
        **variables,
    }
    made = subprocess.run(['bash', '-uc', text], capture_output=True, text=True, env=environment, check=True).stdout
    return dict(entry.split('=', 1) for entry in made.split('\0') if entry)


def test_the_callers_paths_come_after_ours(tmp_path):
    for folder in ('scripts', 'overlay/lib', 'out/ws/install'):
        (tmp_path / folder).mkdir(parents=True)
    scripts, overlay = str(tmp_path / 'scripts'), str(tmp_path / 'overlay')
    gone, own = str(tmp_path / 'gone'), str(tmp_path / 'out/ws/install')
    made = entered(
        tmp_path,
        PYTHONPATH=f'{gone}:{scripts}::{scripts}',
        AMENT_PREFIX_PATH=f'{own}:{overlay}:{gone}',
        LD_LIBRARY_PATH='/stale/lib',
        PYTHONHOME='/stale',
    )
    places = made['PYTHONPATH'].split(':')
    assert places[-1] == scripts and places.count(scripts) == 1 and gone not in places
    # What a stale folder may hold, e.g. another rclpy, is found in ours first.
    assert places[-2].startswith(f'{tmp_path}/out/venv/lib/python') and all(f'{tmp_path}/out' in p for p in places[:-1])
    prefixes = made['AMENT_PREFIX_PATH'].split(':')
    assert prefixes == [own, f'{tmp_path}/out/underlay/install', f'{tmp_path}/out/venv', overlay]
    assert made['LD_LIBRARY_PATH'].split(':')[-1] == f'{overlay}/lib' and '/stale' not in made['LD_LIBRARY_PATH']
    assert 'PYTHONHOME' not in made


def test_without_anything_of_the_callers_the_environment_is_ours_alone(tmp_path):
    made = entered(tmp_path)
    assert all(
        p.startswith(f'{tmp_path}/out')
        for key in ('PYTHONPATH', 'AMENT_PREFIX_PATH', 'LD_LIBRARY_PATH')
        for p in made[key].split(':')
    )
    assert 'venv' not in made['PYTHONPATH']
