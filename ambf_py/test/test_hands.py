# SPDX-License-Identifier: BSD-3-Clause
"""Scripted hands: their motions, their grips, and one ring that two of them bring over."""

import math

import numpy as np
import pytest

from ambf_py import psm
from ambf_py.hands.drive import InProcessArms
from ambf_py.hands.hand import T_LINK_TIP, Hand, half_turn, tip_pose, together, turn_between, turned
from ambf_py.hands.onlooker import Onlooker, towards
from ambf_py.hands.peg_transfer import PegTransfer
from ambf_py.hands.rings import GRIPS, MIDDLE, grip_towards, upright
from ambf_py.hands.sight import Sight
from ambf_py.rotations import pose_of

WORLD = 'package://ambf_description/worlds/peg_transfer/launch.yaml'
DOWN = np.array([0.0, 0.0, -1.0])


class Looks:
    """A world in which the tip is at once where it is asked to be."""

    def __init__(self, start: np.ndarray):
        self.sight = Sight({'psm/baselink': 0, 'psm/toolyawlink': 1}.__getitem__)
        self.hand = Hand(self.sight, 'PSM', 'psm')
        self.time = 0.0
        self.see(start)
        self.hand.begin()

    def see(self, tip: np.ndarray):
        rows = np.zeros((2, 13))
        rows[0, :7] = pose_of(np.eye(4))
        rows[1, :7] = pose_of(tip @ np.linalg.inv(T_LINK_TIP))
        self.sight.take(self.time, rows)

    def run(self, work) -> list[np.ndarray]:
        """All goals on the way, 10 ms apart."""
        goals = []
        for _ in work:
            goals.append(self.hand.goal.copy())
            self.time += 0.01
            self.see(self.hand.goal)
        return goals


def test_a_hand_goes_straight_starts_and_ends_softly():
    start = tip_pose(np.zeros(3), DOWN, np.array([1.0, 0.0, 0.0]))
    end = tip_pose(np.array([0.06, 0.0, 0.0]), DOWN, np.array([1.0, 1.0, 0.0]))
    looks = Looks(start)
    goals = looks.run(looks.hand.go(end, speed=0.06))
    x = np.array([goal[0, 3] for goal in goals])
    assert np.abs(np.array([goal[1:3, 3] for goal in goals])).max() < 1e-12
    steps = np.diff(x)
    assert (steps >= -1e-12).all() and steps[:3].max() < 0.1 * steps.max() > steps[-3:].max()
    assert looks.time == pytest.approx(1.0, abs=0.05), 'at its mean speed'
    assert np.allclose(looks.hand.goal, end)


def test_works_side_by_side_take_as_long_as_the_longest():
    looks = Looks(np.eye(4))
    looks.run(together(looks.hand.wait(0.1), looks.hand.set_jaw(0.5, 0.3)))
    assert looks.time == pytest.approx(0.3, abs=0.05) and looks.hand.jaw == 0.5


@pytest.mark.parametrize('angle', [0.0, 1e-7, 0.3, math.pi / 2, math.pi - 1e-7, math.pi])
def test_a_turn_is_found_again(angle):
    axis = np.array([0.48, -0.6, 0.64])
    a = turned(np.array([0.0, 0.6, 0.8]), 1.1)
    found, by = turn_between(a, a @ turned(axis, angle))
    assert np.allclose(turned(found, by), turned(axis, angle), atol=1e-6)


def test_grips_are_on_the_bars_and_pairs_are_far_apart():
    ring = np.eye(4)
    for grip in GRIPS:
        tip = grip.pose(ring)
        assert np.allclose(tip[:3, 2], DOWN) and np.allclose(np.cross(tip[:3, 1], grip.opens), 0.0)
        assert np.dot(tip[:3, 3], grip.opens) == pytest.approx(MIDDLE), 'the bar is in the middle of the jaw'
        assert np.linalg.norm(grip.point[:2] - grip.other().point[:2]) > 0.014
        assert grip.other().other() is grip
        assert np.allclose(half_turn(half_turn(tip)), tip)


def test_the_grip_on_the_wanted_side_is_found_whichever_way_the_ring_lies():
    for yaw in np.linspace(0.0, 2.0 * math.pi, 25):
        ring = np.eye(4)
        ring[:3, :3] = turned(np.array([0.0, 0.0, 1.0]), yaw)
        grip = grip_towards(ring, np.array([-1.0, 0.0, 0.0]))
        assert (ring[:3, :3] @ grip.point)[0] < -0.005
        over = ring.copy()
        over[:3, :3] = ring[:3, :3] @ turned(np.array([1.0, 0.0, 0.0]), math.pi)
        assert upright(over)[2, 2] > 0.0


@pytest.mark.parametrize('q', [(0.0, 0.0), (0.4, -0.3), (-1.2, 0.7)])
def test_a_shaft_is_pointed_as_its_joints_say(q):
    shaft = psm.forward(np.array([*q, 0.1, 0.0, 0.0, 0.0]))[:3, 1]
    assert np.allclose(towards(0.3 * shaft), q)


def test_the_onlooker_turns_to_the_middle_between_the_tips():
    looks = Looks(tip_pose(np.array([0.03, 0.02, -0.12]), DOWN, np.array([1.0, 0.0, 0.0])))
    onlooker = Onlooker(looks.sight, 'ECM', 'psm')
    assert onlooker.aim_error(looks.hand.tip()[:3, 3]) > 0.2
    looks.run(onlooker.follow([looks.hand], looks.hand.wait(8.0)))
    assert onlooker.aim_error(looks.hand.tip()[:3, 3]) < 1e-3


def test_one_ring_is_handed_over_and_put_on_its_peg_by_friction_alone():
    arms = InProcessArms(WORLD, {'PSM1': 'psm1', 'PSM2': 'psm2'})
    task = PegTransfer(arms.sight, *arms.hands)
    centre = 0.0

    def look():
        nonlocal centre
        centre = max(centre, *(hand.remote_centre_error() for hand in arms.hands))

    arms.run(task.transfer(True, (5,)), look)
    assert task.placed(5, True), task.said
    assert task.handed_over == 1 and task.retries == 0, task.said
    assert centre < 1e-4, 'the shafts stay in their remote centres [m]'
    assert task.placed_count(False) == 5, 'the others are where they were'
