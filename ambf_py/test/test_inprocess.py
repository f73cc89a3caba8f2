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


@pytest.mark.parametrize('arguments, words', [
    (([99], [2], [0.0], [], [], []), 'joint index 99'), (([0], [2], [np.nan], [], [], []), 'not finite'),
    (([0], [9], [0.0], [], [], []), 'mode 9'), (([0, 1], [2], [0.0], [], [], []), 'as many of each'),
    (([], [], [], [], [99], []), 'observe_bodies'), (([], [], [], [(9, True, -1, -1)], [], []), 'actuator')])
def test_bad_orders_are_refused_whole(world, arguments, words):
    before = world.state()[2]
    with pytest.raises(ValueError, match=words):
        world.step(1, *arguments)
    assert world.state()[2] == before


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
