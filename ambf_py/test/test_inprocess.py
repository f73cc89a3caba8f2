# SPDX-License-Identifier: BSD-3-Clause
"""The dynamics in this process: what goes in is checked, what comes out repeats bit for bit."""

import os
import resource
import threading
import time

import numpy as np
import pytest

from ambf_py import _dynamics
from ambf_py.simulator import resolve

LONG = os.environ.get('AMBF_TEST_LONG') == '1'
PSM = 'package://ambf_description/adf/psm.yaml'
NONE = np.zeros(0)


@pytest.fixture
def world():
    world = _dynamics.World()
    world.load_model(resolve(PSM))
    return world


def swing(world, steps: int) -> list[int]:
    """Hashes of a motion of three joints."""
    hashes = []
    for i in range(steps):
        values = 0.1 * np.sin(0.05 * i + np.arange(2))
        hashes.append(world.step(5, [0, 1], [2, 2], values, [], NONE, NONE)[2])
    return hashes


def test_the_same_commands_give_the_same_hashes(world):
    other = _dynamics.World()
    other.load_model(resolve(PSM))
    assert swing(world, 50) == swing(other, 50)


def test_a_restored_world_goes_on_bit_for_bit(world):
    swing(world, 20)
    saved = world.save()
    first = swing(world, 20)
    world.restore(saved)
    assert swing(world, 20) == first


def test_a_step_returns_what_was_asked_for_in_that_order(world):
    _, _, _, all_bodies, all_joints = world.state()
    _, time_now, _, bodies, joints = world.step(0, NONE, NONE, NONE, [], [3, 1], [2])
    assert time_now == 0.0
    assert np.array_equal(bodies, all_bodies[[3, 1]]) and np.array_equal(joints, all_joints[[2]])


@pytest.mark.parametrize(
    'arguments, words',
    [
        (([99], [2], [0.0], [], [], []), 'joint index 99'),
        (([0], [2], [np.nan], [], [], []), 'not finite'),
        (([0], [9], [0.0], [], [], []), 'mode 9'),
        (([0, 1], [2], [0.0], [], [], []), 'as many of each'),
        (([], [], [], [], [99], []), 'observe_bodies'),
        (([], [], [], [(9, True, -1, -1)], [], []), 'actuator'),
    ],
)
def test_bad_orders_are_refused_whole(world, arguments, words):
    before = world.state()[2]
    with pytest.raises(ValueError, match=words):
        world.step(1, *arguments)
    assert world.state()[2] == before


@pytest.mark.parametrize('arm, base', [('psm', 7), ('ecm', 3)])
def test_an_arm_that_is_commanded_at_one_joint_holds_the_rest(arm, base):
    world = _dynamics.World()
    world.load_model(resolve(f'package://ambf_description/adf/{arm}.yaml'))
    passive = np.array([joint['passive'] for joint in world.joints()])
    assert (~passive).sum() == base + 1
    for i in range(1000):  # the first joint swings by half a radian, twice a second
        world.step(1, [0], [2], [0.5 * np.sin(0.004 * np.pi * i)], [], NONE, NONE)
        positions = world.state()[4][:, 0]
        assert np.abs(positions[1:][~passive[1:]]).max() < 0.05


def test_a_master_is_limp():
    world = _dynamics.World()
    world.load_model(resolve('package://ambf_description/adf/mtm.yaml'))
    world.step(100, [0], [1], [0.5], [], NONE, NONE)
    world.step(200, [0], [4], [0.0], [], NONE, NONE)
    assert abs(world.state()[4][0, 1]) > 0.01, 'goes on when it is let go'


def test_a_model_that_is_loaded_under_a_name_is_at_its_place(world):
    file = resolve(PSM)
    assert [world.load_model(file, name=name) for name in ('left', 'left')] == ['left', 'left1']
    world.load_model(file, ns='/ambf/env/arms/')
    topics = {body['topic'] for body in world.bodies()}
    assert {f'/ambf/env/{place}/baselink' for place in ('psm', 'left', 'left1', 'arms/psm')} <= topics
    assert not any(topic.endswith('baselink1') for topic in topics)


def test_a_world_is_loaded_with_a_choice_from_its_menu(tmp_path):
    for name in 'abc':
        (tmp_path / f'{name}.yaml').write_text(f'bodies: [B{name}]\nB{name}: {{name: {name}, mass: 0}}\n')
    (tmp_path / 'world.yaml').write_text('gravity: {x: 0, y: 0, z: -9.81}\n')
    (tmp_path / 'launch.yaml').write_text('world config: world.yaml\nmultibody configs: [a.yaml, b.yaml, c.yaml]\n')
    world = _dynamics.World()
    world.load_launch(resolve(f'{tmp_path}/launch.yaml?models=2,0'))
    assert [body['name'] for body in world.bodies()] == ['c', 'a']
    with pytest.raises(ValueError, match='expected indices'):
        _dynamics.World().load_launch(f'{tmp_path}/launch.yaml?models=x')


def test_a_missing_file_is_named():
    with pytest.raises(ValueError, match='nowhere.yaml'):
        _dynamics.World().load_model('nowhere.yaml')


def test_a_text_with_errors_says_where():
    with pytest.raises(ValueError, match='model'):
        _dynamics.World().load_text('bodies: [BODY a]\n', 'broken')


def test_a_pose_must_be_a_pose(world):
    with pytest.raises(ValueError, match='expected 7'):
        world.set_body_state(1, [0, 0, 0], np.zeros(6))
    with pytest.raises(ValueError, match='length 1'):
        world.set_body_state(1, [0, 0, 0, 0, 0, 0, 3], np.zeros(6))


def test_a_jointed_body_takes_its_arm_along_in_this_process_too():
    world = _dynamics.World()
    world.load_model(resolve(PSM))
    names = [body['name'] for body in world.bodies()]
    base, tip = names.index('baselink'), names.index('toolyawlink')
    before = world.state()[3]
    world.place([base], [[0, 0, 2, *before[base][3:7]]])
    after = world.state()[3]
    assert np.allclose(after[tip][:3] - after[base][:3], before[tip][:3] - before[base][:3], atol=1e-9)
    with pytest.raises(ValueError, match="hangs by joints on 'baselink'"):
        world.place([tip], [[0, 0, 1, 0, 0, 0, 1]])
    assert np.array_equal(world.state()[3], after)


def test_stepping_lets_other_threads_run(world):
    """While one thread steps, this one counts: with the lock held it could not."""
    done = threading.Event()

    def work():
        world.advance(4000)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    turns = 0
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 3


def test_many_steps_leak_nothing(world):
    """Memory after the warm-up stays within 2 MB; the long tier takes a million steps."""
    rounds = 10000 if LONG else 100
    empty = np.zeros(0, dtype=np.uint32)
    joints, modes = np.array([0, 1], dtype=np.uint32), np.array([2, 2], dtype=np.uint8)

    def run(count):
        for i in range(count):
            step = world.step(100, joints, modes, 0.2 * np.sin([0.01 * i, 0.02 * i]), [], joints, empty)[0]
        return step

    first = run(rounds // 10)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    last = run(rounds)
    assert last - first == 100 * rounds, 'a step was lost'
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2048
