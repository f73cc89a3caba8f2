# SPDX-License-Identifier: BSD-3-Clause
"""How a ring of the peg board is taken: six places, near both ends of its three bars, from above."""

import math

import numpy as np

from .hand import tip_pose

MIDDLE = 0.0065  # of a bar, from the ring's axis [m]
ALONG = 0.0039  # from the middle of the bar: the finger in the hole stands beside the peg, not between peg and bar [m]
TOP = 0.005  # upper face of a ring above its middle [m]
DEPTH = 0.0025  # of the jaw's ends below the upper face [m]
OPEN = 0.46  # angle of a jaw that goes down around a bar [rad]


class Grip:
    """One place: `point` of the tip, `out` of the tool, `opens` of the jaw, all in the ring's frame."""

    def __init__(self, bar: int, end: float):
        turn = math.radians(90.0 + 120.0 * bar)
        normal = np.array([math.cos(turn), math.sin(turn), 0.0])
        along = np.array([-math.sin(turn), math.cos(turn), 0.0])
        self.point = MIDDLE * normal + end * ALONG * along + np.array([0.0, 0.0, TOP - DEPTH])
        self.out = np.array([0.0, 0.0, -1.0])
        self.opens = normal
        self.side = self.point[:2] / np.linalg.norm(self.point[:2])

    def pose(self, ring: np.ndarray) -> np.ndarray:
        """T_world_tip for a ring at T_world_ring."""
        r = ring[:3, :3]
        return tip_pose(ring[:3, 3] + r @ self.point, r @ self.out, r @ self.opens)

    def other(self) -> 'Grip':
        """Where a second jaw takes the same ring: as far away as there is."""
        return min(GRIPS, key=lambda g: float(np.dot(g.side, self.side)))


GRIPS = tuple(Grip(bar, end) for bar in range(3) for end in (1.0, -1.0))


def upright(ring: np.ndarray) -> np.ndarray:
    """The ring with its nearer face up: both are the same."""
    if ring[2, 2] >= 0.0:
        return ring
    turned = ring.copy()
    turned[:3, [0, 2]] *= -1.0  # half a turn about the normal of a bar
    return turned


def grip_towards(ring: np.ndarray, direction: np.ndarray) -> Grip:
    """The grip that lies nearest to a horizontal direction of the world, seen from the ring's middle."""
    return max(GRIPS, key=lambda g: float(np.dot((ring[:3, :3] @ np.append(g.side, 0.0))[:2], direction[:2])))
