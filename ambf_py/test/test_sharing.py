# SPDX-License-Identifier: BSD-3-Clause
"""Several hands on one gripper: the law of sharing, and a hand that finds its reference through any camera."""

import numpy as np
import pytest

from ambf_msgs.msg import ProxyState
from ambf_py.base_object import set_xyz
from ambf_py.hands.hand import turned
from ambf_py.hands.shared import FARTHEST, Person
from ambf_py.hands.sharing import balance
from ambf_py.hands.sight import Sight
from ambf_py.rotations import pose_of, transform

VIEW = turned(np.array([0.6, 0.0, 0.8]), 1.1)


def test_springs_to_several_places_balance_a_load():
    gains, wanted, load = [100.0, 50.0, 25.0], np.array([[0.01, 0, 0], [-0.02, 0.01, 0], [0, 0, 0.03]]), [0, 0, -0.9]
    place = balance(gains, wanted, np.array(load))
    forces = np.array(gains)[:, None] * (wanted - place)
    assert np.allclose(forces.sum(axis=0) + load, 0.0), 'what all of them give bears the load'
    assert np.allclose(balance([1.0, 0.0], wanted[:2], 0.0), wanted[0]), 'an axis without a gain is left to others'


class Gripper:
    """A world with one palm that stands still, and what it makes of samples: increments through a camera, from anywhere."""

    def __init__(self):
        self.palm = np.eye(4)
        self.palm[:3, 3] = [0.1, -0.2, 0.9]
        self.reference = self.palm.copy()
        sight = Sight({'gripper/palm': 0}.__getitem__)
        row = np.zeros((1, 13))
        row[0, :7] = pose_of(self.palm)
        sight.take(0.0, row)
        self.person = Person(sight, 'one', 'gripper')
        self.last = None

    def look(self):
        sample = self.person.sample()
        q = sample.pose.orientation
        hand = transform([sample.pose.position.x, sample.pose.position.y, sample.pose.position.z, q.x, q.y, q.z, q.w])
        if self.last is not None:
            self.reference[:3, 3] += VIEW @ (hand[:3, 3] - self.last[:3, 3])
            turn = VIEW @ hand[:3, :3] @ self.last[:3, :3].T @ VIEW.T
            self.reference[:3, :3] = turn @ self.reference[:3, :3]
        self.last = hand
        told = ProxyState(sequence=sample.sequence)
        for pose, at in (
            (told.reference_pose, self.reference),
            (told.active_camera_pose, transform([0, 0, 0, 0, 0, 0, 1])),
        ):
            at = at.copy()
            if pose is told.active_camera_pose:
                at[:3, :3] = VIEW
            numbers = pose_of(at)
            set_xyz(pose.position, numbers[:3])
            pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w = map(float, numbers[3:])
        self.person.proxy = told


def test_a_person_brings_the_reference_to_the_goal_through_the_camera():
    world = Gripper()
    world.person.join()
    world.look()
    assert np.allclose(world.reference, world.palm), 'nothing jumps'
    goal = world.person.goal.copy()
    goal[:3, :3] = turned(np.array([0.0, 0.0, 1.0]), 0.4)
    goal[:3, 3] += [0.05, -0.03, 0.02]
    world.person.goal = goal
    for _ in range(5):
        before = world.reference[:3, 3].copy()
        world.look()
        assert np.linalg.norm(world.reference[:3, 3] - before) < FARTHEST + 1e-9, (
            'a hand that moves too far is elsewhere'
        )
    assert np.allclose(world.reference @ world.person.palm_to_tip(), goal, atol=1e-9)


def test_a_button_is_held_until_the_world_has_seen_it():
    world = Gripper()
    world.person.join()
    world.look()
    pressing, seen = world.person.press(2, 2), []
    for _ in pressing:
        world.look()
        seen.append(world.person.actions)
    assert seen == [4, 0, 4, 0]
    assert world.person.sample().actions == pytest.approx([False] * 4)
