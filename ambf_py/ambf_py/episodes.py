"""Runs a task on a backend: starts, steps, observations. What AmbfEnv and AmbfVectorEnv share."""
from typing import Any, Optional

import numpy as np

from .backends import InProcess, OverRos
from .errors import BadValue, SpaceMismatch
from .task import ActionMap, Task, View

BACKENDS = {'inprocess': InProcess, 'ros': OverRos}
HOME = 'home'


def make_backend(task: Task, backend: str, **options: Any):
    """The worlds of a task."""
    if backend not in BACKENDS:
        raise BadValue(f"backend: found '{backend}', expected one of {', '.join(BACKENDS)}")
    return BACKENDS[backend](task.world, task.models, step_size=task.step_size, **options)


class Episodes:
    """`count` episodes of one task side by side."""

    def __init__(self, task: Task, backend):
        self.task, self.backend, self.count = task, backend, backend.count
        layout = backend.layout
        self.actions = ActionMap(task, layout)
        bodies = [layout.index(n, 'body') for n in task.bodies]
        joints = [layout.index(n, 'joint') for n in task.joints]
        backend.configure(self.actions.joints, [a.mode for a in self.actions.joint_actions],
                          self.actions.actuators, self.actions.sensors, bodies, joints)
        self.view = View(task.bodies, task.joints, self.count)
        self.goal = np.zeros((self.count, task.goal_size))
        self.targets = np.tile(self._home_targets(), (self.count, 1))
        self.hashes = np.zeros(self.count, dtype=np.uint64)
        self.steps = np.zeros(self.count, dtype=np.uint64)
        self._open_hands = np.full((self.count, len(self.actions.actuators)), -1.0)
        self._drive_home()
        self.size = self._check_observation()

    def _home_targets(self) -> np.ndarray:
        """Joints that the task does not mention start at 0, or the nearest value that they can have."""
        known = {action.joint for action in self.actions.joint_actions}
        for joint in self.task.home:
            if joint not in known:
                raise SpaceMismatch(f"home: joint '{joint}' is not among the actions")
        home = np.array([self.task.home.get(a.joint, 0.0) if a.mode == 'position' else 0.0
                         for a in self.actions.joint_actions])
        return np.clip(home, self.actions.low, self.actions.high)

    def _drive_home(self):
        """Moves the arm as a robot would, once; every episode starts from the state that was reached."""
        for which in range(self.count):
            self.backend.reset(which)
        start, rounds = np.clip(np.zeros_like(self.targets), self.actions.low, self.actions.high), 50
        for i in range(1, rounds + 1):
            self._advance(start + (self.targets - start) * min(1.0, i / 40), self._open_hands,
                          max(1, self.task.home_steps // rounds))
        for which in range(self.count):
            self.backend.save(HOME, which)
        self.home_targets = self.targets.copy()

    def _check_observation(self) -> int:
        try:
            seen = np.asarray(self.task.observe(self.view, self.goal))
        except (ValueError, KeyError, IndexError) as error:
            raise SpaceMismatch(f'observe: failed with {error!r}; it sees the bodies, joints and goal (goal_size '
                                f'{self.task.goal_size}) that the task names') from error
        if seen.ndim != 2 or len(seen) != self.count:
            raise SpaceMismatch(f'observe: found the shape {seen.shape}, expected ({self.count}, size)')
        return seen.shape[1]

    def _advance(self, values: np.ndarray, grasps: np.ndarray, steps: int):
        self.steps, self.hashes, self.view.bodies, self.view.joints = self.backend.step(values, grasps, steps)
        self.view.targets = self.targets

    def begin(self, generators: dict[int, np.random.Generator]):
        """New episodes in the worlds with these indices; the others are not touched unless they must be."""
        for which, rng in generators.items():
            start = self.task.start(rng)
            goal = np.asarray(start.goal, dtype=float)
            if goal.shape != (self.task.goal_size,):
                raise SpaceMismatch(f'start: found a goal of shape {goal.shape}, expected ({self.task.goal_size},)')
            self.backend.restore(HOME, which)
            self.backend.place(start.placements, which) if start.placements else None
            self.goal[which] = goal
            self.targets[which] = self.home_targets[which]

    def settle(self, steps: Optional[int] = None):
        """Let placed bodies come to rest; all worlds move."""
        self._advance(self.targets, self._open_hands, self.task.settle_steps if steps is None else steps)

    def step(self, actions: np.ndarray):
        """One environment step of all worlds."""
        if actions.shape != (self.count, self.actions.size):
            raise SpaceMismatch(f'action: found the shape {actions.shape[1:]}, expected ({self.actions.size},)')
        if not np.isfinite(actions).all():
            raise BadValue(f'action: found {actions.tolist()}, expected finite numbers')
        values, grasps = self.actions.commands(actions, self.targets)
        self.targets = values
        self._advance(values, grasps, self.task.frame_skip)

    def observation(self) -> np.ndarray:
        return np.asarray(self.task.observe(self.view, self.goal), dtype=np.float32)
