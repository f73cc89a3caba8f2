# SPDX-License-Identifier: BSD-3-Clause
"""The needle as hands see it: where it is taken, how it is turned, and how far it is through a hole of the lips of a wound."""

import math

import numpy as np

from .hand import tip_pose, turned

# The needle: a half circle about the origin of its frame, in the plane z = 0, from the eye at +x through +y to the tip at -x.
RADIUS = 0.0127
TUBE = 0.0009  # radius of the steel [m]
ARC = np.radians(np.arange(0.0, 181.0, 2.0))
POINTS = np.stack([RADIUS * np.cos(ARC), RADIUS * np.sin(ARC), 0.0 * ARC, 1.0 + 0.0 * ARC])

# The lips of the wound stand on two blocks, in the planes x = const of the world; their foremost holes are one behind the other.
HOLE = np.array([0.0, 0.012, 0.716])  # its middle, between the lips
HALF_HOLE = 0.003  # half of its width and height
LIPS = 0.004  # from the middle of the wound to the outer faces of the lips
FRONT, BACK, TOP = 0.004, 0.064, 0.7215  # where the lips begin and end along y, and end above
# Where the needle turns about: its arc then goes through the middle of the hole.
CENTRE = HOLE - np.array([0.0, RADIUS - 0.0003, 0.0])


def lying(centre: np.ndarray, yaw: float) -> np.ndarray:
    """T_world_needle of a level needle about a centre; the eye is at the angle `yaw` seen from above."""
    pose = np.eye(4)
    pose[:3, :3] = turned(np.array([0.0, 0.0, 1.0]), yaw)
    pose[:3, 3] = centre
    return pose


def yaw_of(needle: np.ndarray) -> float:
    """Angle of the eye about the centre, seen from above."""
    return math.atan2(needle[1, 0], needle[0, 0])


def grip_pose(needle: np.ndarray, at: float, depth: float) -> np.ndarray:
    """T_world_tip of a jaw that takes the needle from above at an angle from its eye, with its ends `depth` below the steel.

    The jaw opens along the needle's radius: one finger is inside the arc, one outside.
    """
    radial = np.array([math.cos(at), math.sin(at), 0.0])
    point = needle[:3, :3] @ (RADIUS * radial - [0.0, 0.0, depth]) + needle[:3, 3]
    return tip_pose(point, -needle[:3, 2], needle[:3, :3] @ radial)


class Passage:
    """How far the needle is through the hole, from poses alone: it must have gone in by its tip and out by its eye."""

    def __init__(self):
        self.tip_is_out = self.through = False
        self._last: float | None = (
            None  # angle from the eye of what was between the lips at the last look, nearest to the eye
        )

    def look(self, needle: np.ndarray):
        x, y, z = (needle @ POINTS)[:3]
        within = (np.abs(x) < LIPS) & (y > FRONT) & (y < BACK) & (z < TOP)
        if within.any():
            off = np.maximum(np.abs(y - HOLE[1]), np.abs(z - HOLE[2]))[within].max()
            in_hole = off < HALF_HOLE
            self._last = float(ARC[within].min())
            # The eye is still on the right, or between the lips.
            self.tip_is_out = bool(in_hole and x[-1] < -LIPS and x[0] > -LIPS) or (self.tip_is_out and bool(in_hole))
            return
        if self.tip_is_out and self._last is not None:
            # The last of it that was seen between the lips is the eye, not the tip that went back.
            self.through = self.through or (self._last < math.radians(30.0) and x[0] < -LIPS)
        self.tip_is_out, self._last = False, None


def drawn_through(links: list[np.ndarray]) -> int:
    """How many links of the thread, from the needle on, are on the left of the lips; positions in the order of the links."""
    count = 0
    for position in links:
        if position[0] > -LIPS:
            break
        count += 1
    return count
