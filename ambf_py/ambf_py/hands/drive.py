# SPDX-License-Identifier: BSD-3-Clause
"""Hands in this process: the dynamics without ROS, arms driven joint by joint."""

import numpy as np

from .. import psm
from ..backends import InProcess
from .hand import T_LINK_TIP, Hand
from .sight import Sight

LOOK = 20  # steps between two looks


class InProcessArms:
    """A world with PSMs, stepped here; each hand's goal goes through inverse kinematics to its joints."""

    def __init__(self, world: str, places: dict[str, str], home=(0.0, 0.0, 0.08, 0.0, 0.0, 0.0)):
        self.backend = InProcess(world)
        layout = self.backend.layout
        self.sight = Sight(lambda name: layout.index(name, 'body'))
        self.hands = [Hand(self.sight, arm, place) for arm, place in places.items()]
        names = [f'{hand.place}/{joint}' for hand in self.hands for joint in (*psm.JOINTS, *psm.JAWS)]
        joints = [layout.index(name, 'joint') for name in names]
        bodies = list(range(len(self.backend.worlds[0].bodies())))
        self.backend.configure(joints, ['position'] * len(joints), [], [], bodies, joints)
        self.joints = [np.array(home) for _ in self.hands]
        self.hash = 0
        self.step(1)
        for _ in range(100):
            self.step()
        for hand in self.hands:
            hand.begin()

    def solve(self, hand: Hand, start: np.ndarray) -> np.ndarray:
        base = hand.base()
        goal = np.linalg.inv(base) @ hand.goal @ np.linalg.inv(T_LINK_TIP)
        position = (np.linalg.inv(base) @ hand.goal)[:3, 3]
        joints, _ = psm.inverse(position, goal[:3, 1], goal[:3, 2], start=start, iterations=12)
        return joints

    def step(self, steps: int = LOOK):
        values = []
        for i, hand in enumerate(self.hands):
            if hand.goal is not None:
                self.joints[i] = self.solve(hand, self.joints[i])
            values.extend([*self.joints[i], hand.jaw / 2.0, hand.jaw / 2.0])
        done, hashes, bodies, _ = self.backend.step(np.array([values]), np.zeros((1, 0)), steps)
        self.hash = int(hashes[0])
        self.sight.take(float(done[0]) * 0.001, bodies[0])

    def run(self, work, look=None):
        """Until the work has ended; `look` is called after every look."""
        for _ in work:
            self.step()
            if look is not None:
                look()
