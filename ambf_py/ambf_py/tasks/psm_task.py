# SPDX-License-Identifier: BSD-3-Clause
"""What tasks with a patient-side manipulator share: its names, its motion by waypoints."""

from collections.abc import Sequence

import numpy as np

from .. import psm
from ..rotations import transform
from ..task import GraspAction, JointAction, Task

# Per environment step of 20 ms: 1 rad/s, 0.1 m/s, wrist 2.5 rad/s.
RATES = (0.02, 0.02, 0.002, 0.05, 0.05, 0.05)


def arm_names(arm: str) -> tuple[list[str], list[str]]:
    """Full names of an arm's six joints and of its two jaws."""
    return [f'{arm}/{j}' for j in psm.JOINTS], [f'{arm}/{j}' for j in psm.JAWS]


def arm_actions(arm: str, grasp: bool) -> list:
    """Six joints, and a hand that holds what the sensor between the jaws senses."""
    joints, _ = arm_names(arm)
    actions: list = [JointAction(j, rate=r) for j, r in zip(joints, RATES)]
    if grasp:
        actions.append(GraspAction(f'{arm}/jaw_constraint', f'{arm}/jaw_proximity'))
    return actions


class WaypointPolicy:
    """Drives one arm from waypoint to waypoint; knows the poses that the task's view shows.

    Subclasses say where to go (`waypoint`) as a point of the world with a downward tool, whether to hold, and for how
    many steps to stay there.
    """

    arm: str  # name of the arm that is driven
    phases = 1
    tolerance = 0.0008  # [m] of the tip, before a waypoint counts as reached
    patience = 25  # environment steps at a waypoint whose tolerance is not met, e.g. in contact

    def __init__(self, task: Task):
        self.task = task
        self.reset()

    def reset(self):
        """Before every episode."""
        self.phase = 0
        self._goal: np.ndarray | None = None
        self._point: np.ndarray | None = None  # for subclasses: where to take hold or let go
        self._waited = self._tried = 0

    def after(self, phase: int) -> int | None:
        """Which phase follows; None: this one is repeated until the episode ends."""
        return phase + 1 if phase + 1 < self.phases else None

    def waypoint(self, phase: int, view, goal: np.ndarray) -> tuple[np.ndarray, float, int]:
        """Tip position in the world, grasp (-1 or 1), steps to stay; `self._goal` is None when the phase begins."""
        raise NotImplementedError

    def __call__(self, view, goal: np.ndarray, index: int = 0) -> np.ndarray:
        """The action of environment `index`."""
        base = transform(view.pose(f'{self.arm}/baselink')[index])
        position, grasp, stay = self.waypoint(self.phase, _Row(view, index), goal[index])
        if self._goal is None:
            down = base[:3, :3].T @ np.array([0.0, 0.0, -1.0])
            start = view.targets[index][:6]
            self._goal, _ = psm.inverse(base[:3, :3].T @ (position - base[:3, 3]), down, start=start)
        left = self._goal - view.targets[index][:6]
        ratio = left / np.array(RATES)
        # All joints arrive together, so that the tip moves on a smooth path.
        action = ratio / max(1.0, np.abs(ratio).max())
        tip = view.point(f'{self.arm}/toolyawlink', psm.TIP)[index]
        if np.abs(ratio).max() < 1e-3:
            self._tried += 1
            near = np.linalg.norm(tip - position) < self.tolerance
            self._waited += near or self._tried > self.patience
            following = self.after(self.phase)
            if self._waited > stay and following is not None:
                self.phase, self._goal, self._waited, self._tried = following, None, 0, 0
        return np.concatenate([action, [grasp]])[: len(self.task.actions)]


class _Row:
    """One environment of a view."""

    def __init__(self, view, index: int):
        self._view, self._index = view, index

    def pose(self, name: str) -> np.ndarray:
        return self._view.pose(name)[self._index]

    def point(self, name: str, offset: Sequence[float]) -> np.ndarray:
        return self._view.point(name, offset)[self._index]
