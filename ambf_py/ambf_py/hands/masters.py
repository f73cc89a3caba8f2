# SPDX-License-Identifier: BSD-3-Clause
"""The masters of a surgeon's console draw a figure of eight, each the mirror image of the other."""

import math

import numpy as np

from .hand import Work
from .machines import MachinePerformance, smooth

WIDTH, HEIGHT = 0.04, 0.025  # of half the figure [m]
ROUNDS, ROUND = 2, 5.0  # [s]
EXACT = 1e-3  # of each from the figure [m]
ALIKE = 5e-3  # of both at one moment: in real time one arm is asked after the other [m]
MIRROR = np.array([-1.0, 1.0, 1.0])  # in the world: the console is symmetric about x = 0


def figure(angle: float) -> np.ndarray:
    """A point of the right hand's figure, from its middle, axes of the world: x to the right, z up."""
    return np.array([WIDTH * math.sin(angle), 0.0, HEIGHT * math.sin(2.0 * angle)])


FIGURE = np.array([figure(angle) for angle in np.linspace(0.0, 2.0 * math.pi, 721)])


class Masters(MachinePerformance):
    title = 'two masters draw a figure of eight in the air, each the mirror image of the other'
    arms_needed = ('MTMR', 'MTML')

    def __init__(self, arms):
        super().__init__(arms)
        self.starts: dict[str, np.ndarray] = {}
        self.drawing, self.rounds = False, 0
        self.off = self.unlike = 0.0

    def way(self, arm: str) -> np.ndarray:
        """Of the handle since the start, axes of the world."""
        return self.arms.sight.pose(f'{arm.lower()}/wristrolllink')[:3, 3] - self.starts[arm]

    def look(self):
        if not self.drawing:
            return
        right, left = self.way('MTMR'), MIRROR * self.way('MTML')
        for way in (right, left):
            self.off = max(self.off, float(np.linalg.norm(FIGURE - way, axis=1).min()))
        self.unlike = max(self.unlike, float(np.linalg.norm(right - left)))

    def forth(self, parts: tuple[int, ...]) -> Work:
        self.doing = 'Two masters draw a figure of eight, each the mirror image of the other'
        starts, frames = {}, {}
        for arm in self.arms_needed:
            frames[arm] = self.arms.frame(arm)[:3, :3]
            starts[arm] = self.arms.arms[arm].setpoint_cp(fresh=True)
            self.starts[arm] = self.arms.sight.pose(f'{arm.lower()}/wristrolllink')[:3, 3].copy()
        self.drawing = True
        for share in self.during(ROUNDS * ROUND):
            way = figure(2.0 * math.pi * ROUNDS * smooth(share))
            for arm, sign in (('MTMR', np.ones(3)), ('MTML', MIRROR)):
                goal = starts[arm].copy()
                goal[:3, 3] += frames[arm].T @ (sign * way)
                self.arms.tips[arm] = goal
            yield
        yield from self.wait(0.5)
        self.drawing = False
        self.rounds += ROUNDS
        self.say(
            f'the figures are within {1e3 * self.off:.3f} mm, their mirror images within {1e3 * self.unlike:.3f} mm'
        )
        self.doing = ''

    def done(self, parts: tuple[int, ...]) -> bool:
        return self.rounds >= ROUNDS and self.off < EXACT and self.unlike < ALIKE

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {'off the figure [mm]': f'{1e3 * self.off:.3f}', 'unlike [mm]': f'{1e3 * self.unlike:.3f}'}
