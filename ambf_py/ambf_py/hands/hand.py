# SPDX-License-Identifier: BSD-3-Clause
"""One hand: the tip and the jaw of one PSM, moved along straight lines at a person's pace."""

import math
from collections.abc import Generator, Iterable

import numpy as np

from .sight import Sight

JAW_LENGTH = 0.0102  # from the axis of the fingers to their ends [m]
# The tip, between the ends of the fingers, in the frame of the tool's last link. Its axes are those of the dVRK's tip: z points
# out of the tool, y opens the jaw.
T_LINK_TIP = np.array([[0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, JAW_LENGTH], [-1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
SHAFT = 'toolrolllink'  # its z axis is the line of the shaft
SQUEEZE = math.radians(-10.0)  # asked of a jaw that holds; more and the drives are at their limit and hold no place
NEAR = 0.0008  # [m] of the tip, before a motion counts as done
PATIENCE = 0.6  # [s] for the rest of a motion, e.g. against something

Work = Generator[None, None, None]


def together(*works: Iterable) -> Work:
    """Several works side by side, until all have ended."""
    running = [iter(work) for work in works]
    while running:
        still = []
        for work in running:
            try:
                next(work)
                still.append(work)
            except StopIteration:
                pass
        running = still
        if running:
            yield


def turned(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation matrix about a unit axis."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross


def turn_between(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float]:
    """Axis (in a's frame) and angle of the rotation from a to b."""
    r = a.T @ b
    angle = math.acos(float(np.clip((np.trace(r) - 1.0) / 2.0, -1.0, 1.0)))
    if angle < 1e-9:
        return np.array([0.0, 0.0, 1.0]), 0.0
    if angle > math.pi - 1e-6:  # the antisymmetric part is gone: the axis is a column of r + 1
        column = (r + np.eye(3))[:, int(np.argmax(np.diag(r)))]
        return column / np.linalg.norm(column), angle
    axis = np.array([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
    return axis / (2.0 * math.sin(angle)), angle


def tip_pose(position: np.ndarray, out: np.ndarray, opens: np.ndarray) -> np.ndarray:
    """Tip at a position, with the tool pointing along `out` and the jaw opening along `opens` (made perpendicular)."""
    z = out / np.linalg.norm(out)
    y = opens - np.dot(opens, z) * z
    y /= np.linalg.norm(y)
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack([np.cross(y, z), y, z])
    pose[:3, 3] = position
    return pose


def half_turn(pose: np.ndarray) -> np.ndarray:
    """The same grip with the fingers exchanged."""
    other = pose.copy()
    other[:3, :2] *= -1.0
    return other


class Hand:
    """`goal` (T_world_tip) and `jaw` (angle between the fingers [rad]) are what the arm is asked for at every look."""

    near = NEAR

    def __init__(self, sight: Sight, arm: str, place: str):
        self.sight = sight
        self.arm = arm  # what clients call it
        self.place = place  # of its bodies in the world, e.g. psm1
        self.goal: np.ndarray | None = None
        self.jaw = 0.0
        self.doing = ''

    def begin(self):
        """Take the arm over where it is."""
        self.goal, self.jaw = self.tip(), 0.0

    def base(self) -> np.ndarray:
        """T_world_base; its origin is the remote centre."""
        return self.sight.pose(f'{self.place}/baselink')

    def tip(self) -> np.ndarray:
        """Where the tip is, T_world_tip."""
        return self.sight.pose(f'{self.place}/toolyawlink') @ T_LINK_TIP

    def remote_centre_error(self) -> float:
        """Distance of the shaft's line from the remote centre [m]."""
        shaft = self.sight.pose(f'{self.place}/{SHAFT}')
        away = self.base()[:3, 3] - shaft[:3, 3]
        return float(np.linalg.norm(np.cross(away, shaft[:3, 2])))

    def nearest(self, pose: np.ndarray) -> np.ndarray:
        """The one of two equal grips that needs less turning."""
        other = half_turn(pose)
        return min((pose, other), key=lambda p: turn_between(self.goal[:3, :3], p[:3, :3])[1])

    def wait(self, seconds: float) -> Work:
        end = self.sight.clock + seconds
        while self.sight.clock < end:
            yield

    def go(self, pose: np.ndarray, speed: float = 0.06, turning: float = 1.2) -> Work:
        """The tip along a straight line, and turned about one axis; speeds are means [m/s, rad/s]."""
        start, begun = self.goal, self.sight.clock
        axis, angle = turn_between(start[:3, :3], pose[:3, :3])
        way = pose[:3, 3] - start[:3, 3]
        takes = max(float(np.linalg.norm(way)) / speed, angle / turning, 0.05)
        share = 0.0
        while share < 1.0:
            yield
            share = min(1.0, (self.sight.clock - begun) / takes)
            smooth = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
            self.goal = np.eye(4)
            self.goal[:3, :3] = start[:3, :3] @ turned(axis, smooth * angle)
            self.goal[:3, 3] = start[:3, 3] + smooth * way
        self.goal = pose.copy()
        end = self.sight.clock + PATIENCE
        while np.linalg.norm(self.tip()[:3, 3] - pose[:3, 3]) > self.near and self.sight.clock < end:
            yield

    def set_jaw(self, angle: float, seconds: float = 0.3) -> Work:
        """Open or close the jaw evenly."""
        start, begun = self.jaw, self.sight.clock
        share = 0.0
        while share < 1.0:
            yield
            share = min(1.0, (self.sight.clock - begun) / seconds)
            self.jaw = start + share * (angle - start)
