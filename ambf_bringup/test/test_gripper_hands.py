# SPDX-License-Identifier: BSD-3-Clause
"""Scripted hands on floating grippers: each demo to its end, judged by itself from where the bodies are."""

import re

import pytest
from test_hands import LONG, perform

# Worlds, and what their launch file is told besides.
WORLDS = {'peg_in_hole': (), 'training_cast': (), 'grippers': (), 'shared_proxy': ('n_devices:=-1',)}


def in_lockstep(world: str, *words: str) -> str:
    """What the hands say in one run that must have been good."""
    code, said = perform(world, 'lockstep', '--once', '--lockstep', *words, launch=WORLDS[world])
    assert code == 0 and said.splitlines()[-2].startswith('done: '), said
    return said


def figure(said: str, name: str) -> float:
    return float(re.search(rf'{re.escape(name)} ([0-9.]+)', said).group(1))


def test_a_peg_goes_into_a_hole_with_half_a_millimetre_of_room():
    said = in_lockstep('peg_in_hole', '--only', '3')
    assert 'holes 1 of 1' in said and figure(said, 'depth [mm]') > 28.0, said


def test_four_pieces_are_put_into_the_training_cast():
    assert 'in the cast 4 of 4' in in_lockstep('training_cast')


def test_forceps_and_fingers_of_two_links_lift_hold_and_put_down():
    said = in_lockstep('grippers')
    assert 'lifted and put 4 of 4' in said and figure(said, 'slip in the grip [mm]') < 3.0, said


@pytest.mark.parametrize(
    'modes, count',
    [
        # Two and three of them, symmetric and divided.
        ('1,4', 2),
        pytest.param('1,2,3,4,5,6', 6, marks=pytest.mark.skipif(not LONG, reason='AMBF_TEST_LONG=1 asks for it')),
    ],
)
def test_people_on_one_gripper_feel_what_the_law_of_sharing_says(modes, count):
    said = in_lockstep('shared_proxy', '--only', modes)
    assert f'modes {count} of {count}' in said and 'on its post yes' in said, said
    assert figure(said, 'greatest force [N]') > 1.0, 'they pull at each other'
    # Of what is felt, 2 % at most.
    assert figure(said, 'force off the law [N]') < 0.02 * figure(said, 'greatest force [N]'), said


@pytest.mark.skipif(not LONG, reason='AMBF_TEST_LONG=1 asks for it')
@pytest.mark.parametrize('world', WORLDS)
def test_the_same_hands_on_grippers_give_the_same_hash(world):
    first, second = (re.search(r'hash \w+ at step \d+', in_lockstep(world)).group(0) for _ in range(2))
    assert first == second


@pytest.mark.skipif(not LONG, reason='AMBF_TEST_LONG=1 asks for it')
@pytest.mark.parametrize('world', WORLDS)
def test_the_same_in_real_time_in_nine_of_ten_runs(world):
    code, said = perform(world, 'realtime', '--runs', '10', launch=WORLDS[world])
    assert code == 0, said
