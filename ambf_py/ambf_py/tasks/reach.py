# SPDX-License-Identifier: BSD-3-Clause
"""Reach: the tip of a closed-loop arm to a point."""

import numpy as np

from .. import psm
from ..task import Start, Task, View
from .psm_task import WaypointPolicy, arm_actions, arm_names

ARM = 'psm'
FINE = 0.005  # [m] at which the fine parts of observation and reward saturate


class ReachTask(Task):
    """The goal is in the world frame.

    The reward is minus the distance in units of 5 cm, minus a part that matters in the last centimetre only, plus 1
    within `tolerance`. With the distance alone, agents learn to hover some millimetres beside the goal.
    """

    models = ('package://ambf_description/adf/psm.yaml',)
    actions = arm_actions(ARM, grasp=False)
    bodies = (f'{ARM}/baselink', f'{ARM}/toolyawlink')
    joints = arm_names(ARM)[0]
    home = dict(zip(arm_names(ARM)[0], (0.0, 0.0, 0.12, 0.0, 0.0, 0.0)))
    settle_steps = 20
    frame_skip = 20
    max_steps = 100
    goal_size = 3
    tolerance = 0.003  # [m]
    camera = ((0.22, -0.28, 0.02), (0.0, 0.0, -0.11))

    def start(self, rng: np.random.Generator) -> Start:
        """A goal in a box of 10 x 10 x 8 cm below the remote centre."""
        return Start(goal=rng.uniform([-0.05, -0.05, -0.17], [0.05, 0.05, -0.09]))

    def distance(self, view: View, goal: np.ndarray) -> np.ndarray:
        return np.linalg.norm(view.point(f'{ARM}/toolyawlink', psm.TIP) - goal, axis=1)

    def observe(self, view: View, goal: np.ndarray) -> np.ndarray:
        """Joint targets and the way from the tip to the goal, in units near 1: of 5 cm, and of 5 mm near the goal."""
        left = goal - view.point(f'{ARM}/toolyawlink', psm.TIP)
        scale = np.array([1.0, 1.0, 0.1, 1.0, 1.0, 1.0])
        return np.concatenate([view.targets / scale, left / 0.05, np.clip(left / FINE, -1.0, 1.0)], axis=1)

    def reward(self, view: View, goal: np.ndarray, action: np.ndarray) -> np.ndarray:
        distance = self.distance(view, goal)
        return -distance / 0.05 - np.tanh(distance / FINE) + (distance < self.tolerance)

    def success(self, view: View, goal: np.ndarray) -> np.ndarray:
        return self.distance(view, goal) < self.tolerance

    def marker(self, goal: np.ndarray) -> np.ndarray:
        """The point that pictures mark."""
        return goal

    def metrics(self, view: View, goal: np.ndarray) -> dict[str, np.ndarray]:
        return {'distance': self.distance(view, goal)}


class ReachPolicy(WaypointPolicy):
    """Inverse kinematics to the goal."""

    arm = ARM

    def waypoint(self, phase: int, view, goal: np.ndarray):
        return goal, -1.0, 0
