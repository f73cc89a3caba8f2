# SPDX-License-Identifier: BSD-3-Clause
"""What mechanisms do by their closed forms, and how well loops of bodies are closed."""

import math
from dataclasses import dataclass

import numpy as np

GRAVITY = 9.81  # [m/s^2]


def place(pose: np.ndarray, point) -> np.ndarray:
    """A point of a body in the world."""
    return pose[:3, :3] @ np.asarray(point) + pose[:3, 3]


def gap(pose_a: np.ndarray, point_a, pose_b: np.ndarray, point_b) -> float:
    """Distance of two points, one of each of two bodies: 0 where a pivot holds them together [m]."""
    return float(np.linalg.norm(place(pose_a, point_a) - place(pose_b, point_b)))


def turn_about_y(base: np.ndarray, body: np.ndarray) -> float:
    """Angle of a body that turns about the y axis of another one, -pi to pi."""
    turn = base[:3, :3].T @ body[:3, :3]
    return math.atan2(turn[0, 2], turn[2, 2])


def difference(a: float, b: float) -> float:
    """Of two angles, -pi to pi."""
    return math.remainder(a - b, 2.0 * math.pi)


@dataclass(frozen=True)
class FourBar:
    """A crank-rocker linkage in the x-z plane of its frame; angles are about y, 0 as it is described."""

    crank_pivot: np.ndarray  # on the frame [m]
    rocker_pivot: np.ndarray
    crank: np.ndarray  # from its pivot to that of the coupler, at angle 0
    coupler: np.ndarray  # from the crank's to the rocker's pivot, at angle 0

    def rocker_angle(self, crank_angle: float) -> float:
        """The end of the coupler is where two circles meet, on the side where it is at angle 0."""
        s, c = math.sin(crank_angle), math.cos(crank_angle)
        x, z = self.crank
        elbow = self.crank_pivot + np.array([c * x + s * z, -s * x + c * z])
        rest = self.crank_pivot + self.crank + self.coupler - self.rocker_pivot
        length, rocker = np.linalg.norm(self.coupler), np.linalg.norm(rest)
        way = self.rocker_pivot - elbow
        distance = np.linalg.norm(way)
        along = (length**2 - rocker**2 + distance**2) / (2.0 * distance)
        across = math.sqrt(length**2 - along**2)
        first = self.rocker_pivot - self.crank_pivot - self.crank
        side = math.copysign(1.0, first[0] * self.coupler[1] - first[1] * self.coupler[0])
        end = elbow + (along * way + side * across * np.array([-way[1], way[0]])) / distance - self.rocker_pivot
        return difference(math.atan2(end[0], end[1]), math.atan2(rest[0], rest[1]))


# four_bar.yaml of ambf_description: x and z of its pivots [m].
FOUR_BAR = FourBar(
    crank_pivot=np.array([-0.15, 0.35]),
    rocker_pivot=np.array([0.15, 0.35]),
    crank=np.array([0.0, 0.1]),
    coupler=np.array([0.225879311, 0.107137933]),
)
COUPLER_END, ROCKER_END = (0.225879311, 0.0, 0.107137933), (-0.0741206888, 0.0, 0.207137933)


@dataclass(frozen=True)
class Pendulum:
    """A body that swings about a pivot without friction."""

    mass: float  # [kg]
    arm: float  # from the pivot to the centre of mass [m]
    inertia: float  # about the pivot [kg m^2]

    @property
    def weight(self) -> float:
        """Greatest torque of gravity [N m]."""
        return self.mass * GRAVITY * self.arm

    def energy(self, angle: float, speed: float) -> float:
        """Above that at rest [J]."""
        return 0.5 * self.inertia * speed**2 + self.weight * (1.0 - math.cos(angle))

    def period(self, amplitude: float) -> float:
        """The elliptic integral, by the arithmetic-geometric mean [s]."""
        a, g = 1.0, math.cos(0.5 * amplitude)
        while a - g > 1e-12:
            a, g = 0.5 * (a + g), math.sqrt(a * g)
        return 2.0 * math.pi * math.sqrt(self.inertia / self.weight) / a


# pendulum.yaml of ambf_description.
PENDULUM = Pendulum(mass=1.0, arm=0.455830173, inertia=0.0132918473 + 0.455830173**2)
