# SPDX-License-Identifier: BSD-3-Clause
"""Devices of sticks: what moves them, and what they say when they are not there."""

import math

import pytest
from device_fixture import BEST_EFFORT, Lab
from sensor_msgs.msg import Joy

from ambf_msgs.msg import DeviceSample


@pytest.fixture
def lab():
    with Lab() as made:
        yield made


def test_joy_moves_the_hand_and_a_dead_publisher_lets_go(lab):
    samples = lab.listen(DeviceSample, '/ambf/env/joy/Sample', BEST_EFFORT)
    lab.start('joy_device', rate=100.0, silence=0.2, retry_period=0.1)
    lab.wait_for(lambda: 'nobody publishes /joy' in lab.output(), 'word that nobody publishes')
    joy = lab.node.create_publisher(Joy, '/joy', 1)
    pushed = Joy(axes=[-1.0, 0.0, 1.0, 0.0, 0.0, -1.0], buttons=[1, 0, 0, 0, 0, 0, 0, 0])

    def moved():
        joy.publish(pushed)
        return samples and samples[-1].pose.position.y > 0.02

    lab.wait_for(moved, 'motion to the right')
    assert samples[-1].position_clutch and samples[-1].gripper == 0.0
    # A flood, and values that are none.
    for _ in range(300):
        joy.publish(Joy(axes=[math.nan] * 40, buttons=[1] * 60))
    lab.wait_for(lambda: samples[-1].twist.linear.y == 0.0, 'rest')
    for _ in range(20):
        joy.publish(pushed)
    lab.node.destroy_publisher(joy)
    lab.wait_for(lambda: 'gone' in lab.output(), 'word that it is gone')
    count = len(samples)
    lab.spin(0.2)
    assert len(samples) == count, 'a lost device sends nothing'


def test_without_a_gamepad_the_keyboard_is_taken_and_said(lab):
    samples = lab.listen(DeviceSample, '/ambf/env/gamepad/Sample', BEST_EFFORT)
    lab.start('sdl_device', {'SDL_VIDEODRIVER': 'dummy'}, retry_period=0.1)
    lab.wait_for(lambda: 'keyboard and mouse in a window of its own, for there is no gamepad' in lab.output(), 'words')
    lab.wait_for(lambda: samples, 'samples of a hand at rest')


def test_with_neither_gamepad_nor_display_both_are_missed(lab):
    process = lab.start('sdl_device', {'SDL_VIDEODRIVER': 'x11', 'DISPLAY': ':987'}, retry_period=0.1)
    lab.wait_for(lambda: 'no gamepad 0' in lab.output(), 'word of the gamepad')
    lab.wait_for(lambda: 'is DISPLAY set?' in lab.output(), 'word of the display')
    assert process.poll() is None


def test_a_resting_stick_keeps_the_gripper_closed(lab):
    samples = lab.listen(DeviceSample, '/ambf/env/joy/Sample', BEST_EFFORT)
    lab.start('joy_device', rate=100.0, silence=0.1, retry_period=0.1)
    joy = lab.node.create_publisher(Joy, '/joy', 1)

    def closed():
        joy.publish(Joy(axes=[0.0, 0.0, 1.0, 0.0, 0.0, -1.0], buttons=[0] * 8))
        return samples and samples[-1].gripper == 0.0

    lab.wait_for(closed, 'closed gripper')
    lab.spin(0.5)  # five times the silence
    assert samples[-1].gripper == 0.0


@pytest.mark.parametrize('program, words', [('spacenav_device', 'spacenavd does not answer')])
def test_a_device_that_is_not_plugged_in_is_told_and_waited_for(lab, program, words):
    process = lab.start(program, retry_period=0.1)
    lab.wait_for(lambda: words in lab.output(), words)
    lab.spin(0.3)
    assert process.poll() is None
    assert lab.output().count(words) == 1, 'told once'
