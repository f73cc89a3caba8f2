# SPDX-License-Identifier: BSD-3-Clause
"""Scripted hands on machines and objects: the demos that are no surgery, each to its end, judged by itself."""

import re

import pytest
from test_hands import LONG, perform

WORLDS = ('patient_cart', 'surgeon_console', 'mechanisms', 'boxes', 'cloth', 'demo')


def test_a_four_bar_goes_round_as_its_closed_form_says():
    code, words = perform('mechanisms', 'lockstep', '--once', '--lockstep', '--only', '2')
    assert code == 0 and 'done: ' in words, words
    assert float(re.search(r'rocker off \[mrad\] ([0-9.]+)', words).group(1)) < 2.0, words


@pytest.mark.skipif(not LONG, reason='AMBF_TEST_LONG=1 asks for it')
@pytest.mark.parametrize('world', WORLDS)
def test_the_hands_of_a_demo_do_what_it_says(world):
    code, words = perform(world, 'lockstep', '--once', '--lockstep')
    assert code == 0 and words.splitlines()[-2].startswith('done: '), words


@pytest.mark.skipif(not LONG, reason='AMBF_TEST_LONG=1 asks for it')
@pytest.mark.parametrize('world', WORLDS)
def test_the_same_in_real_time_again_and_again(world):
    code, words = perform(world, 'realtime', '--runs', '2')
    assert code == 0 and '2 of 2 runs did the task' in words, words
