# SPDX-License-Identifier: BSD-3-Clause
"""The hand on the endoscope: it keeps the tips of the instruments in the middle of the picture."""

import math
from collections.abc import Iterable

import numpy as np

from .hand import Hand, Work
from .sight import Sight

INSERTION = 0.05  # of the endoscope: above what the instruments do [m]
PACE = 1.0  # of following: what is left shrinks by half in about 0.7 s [1/s]


def towards(direction: np.ndarray) -> tuple[float, float]:
    """Yaw and pitch of a remote-centre arm whose shaft points along a direction of its base frame (dVRK's first two rows)."""
    x, y, z = direction / np.linalg.norm(direction)
    return math.atan2(x, -z), math.asin(float(np.clip(-y, -1.0, 1.0)))


class Onlooker:
    """`joints` (yaw, pitch, insertion, roll) is what the arm is asked for at every look."""

    def __init__(self, sight: Sight, arm: str, place: str):
        self.sight, self.arm, self.place = sight, arm, place
        self.joints = np.array([0.0, 0.0, INSERTION, 0.0])

    def begin(self, joints: np.ndarray):
        """Take the arm over where it is."""
        self.joints = np.array(joints, dtype=float)

    def base(self) -> np.ndarray:
        """T_world_base; its origin is the remote centre."""
        return self.sight.pose(f'{self.place}/baselink')

    def aim_error(self, point: np.ndarray) -> float:
        """Angle between the shaft and the line from the remote centre to a point of the world [rad]."""
        way = self.base()[:3, :3].T @ (point - self.base()[:3, 3])
        yaw, pitch, *_ = self.joints
        shaft = np.array([math.sin(yaw) * math.cos(pitch), -math.sin(pitch), -math.cos(yaw) * math.cos(pitch)])
        return math.acos(float(np.clip(np.dot(shaft, way) / np.linalg.norm(way), -1.0, 1.0)))

    def follow(self, hands: Iterable[Hand], work: Work) -> Work:
        """Look at the middle between the tips while `work` goes on."""
        hands, before = list(hands), self.sight.clock
        for _ in work:
            middle = np.mean([hand.tip()[:3, 3] for hand in hands], axis=0)
            base = self.base()
            yaw, pitch = towards(base[:3, :3].T @ (middle - base[:3, 3]))
            share = min(1.0, PACE * (self.sight.clock - before))
            self.joints += share * (np.array([yaw, pitch, INSERTION, 0.0]) - self.joints)
            before = self.sight.clock
            yield
