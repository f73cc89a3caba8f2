# SPDX-License-Identifier: BSD-3-Clause
"""Runs a task on a backend: starts, steps, observations. What AmbfEnv and AmbfVectorEnv share."""

from typing import Any

import numpy as np

from .backends import InProcess, OverRos
from .errors import BadValue, Refused, SpaceMismatch
from .task import ActionMap, Task, View

BACKENDS = {'inprocess': InProcess, 'ros': OverRos}
HOME = 'home'


def check_task(task):
    """BadValue for what is no task, most often its class."""
    if not isinstance(task, Task):
        raise BadValue(f'task: found {task!r}, expected a task that was made, such as ReachTask()')


def make_backend(task: Task, backend: str, **options: Any):
    """The worlds of a task."""
    check_task(task)
    if backend not in BACKENDS:
        raise BadValue(f"backend: found '{backend}', expected one of {', '.join(BACKENDS)}")
    return BACKENDS[backend](task.world, task.models, step_size=task.step_size, **options)


def numbers(action) -> np.ndarray:
    """What a policy returned, as numbers; BadValue in words."""
    try:
        return np.array(action, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadValue(f'action: found {action!r}, expected numbers') from None


class Episodes:
    """`count` episodes of one task side by side."""

    def __init__(self, task: Task, backend):
        self.task, self.backend, self.count = task, backend, backend.count
        for name, least in (('home_steps', 0), ('settle_steps', 0), ('frame_skip', 1), ('max_steps', 1)):
            value = getattr(task, name)
            if not least <= value < 2**32 or int(value) != value:
                raise BadValue(f'{name}: found {value!r}, expected a whole number, {least} or more')
        self.view = View(task.bodies, task.joints, self.count)
        self.goal = np.zeros((self.count, task.goal_size))
        self.hashes = np.zeros(self.count, dtype=np.uint64)
        self.steps = np.zeros(self.count, dtype=np.uint64)
        self._prepare()
        self.size = self._check_observation()

    def _prepare(self):
        """Find what the task names and drive home: once, and again in a world that is another one since."""
        self.backend.refresh()
        task, layout = self.task, self.backend.layout
        self.actions = ActionMap(task, layout)
        bodies = [layout.index(n, 'body') for n in task.bodies]
        joints = [layout.index(n, 'joint') for n in task.joints]
        self.backend.configure(
            self.actions.joints,
            [a.mode for a in self.actions.joint_actions],
            self.actions.actuators,
            self.actions.sensors,
            bodies,
            joints,
        )
        self.targets = np.tile(self._home_targets(), (self.count, 1))
        self.home_targets = self.targets.copy()
        self._open_hands = np.full((self.count, len(self.actions.actuators)), -1.0)
        self._grasps = self._open_hands
        self._drive_home()

    def _home_targets(self) -> np.ndarray:
        """Joints that the task does not mention start at 0, or the nearest value that they can have."""
        known = {action.joint: i for i, action in enumerate(self.actions.joint_actions) if action.mode == 'position'}
        home = np.clip(np.zeros(len(self.actions.joint_actions)), self.actions.low, self.actions.high)
        for joint, value in self.task.home.items():
            if joint not in known:
                raise SpaceMismatch(f"home: joint '{joint}' is not among the actions in position mode")
            low, high = self.actions.low[known[joint]], self.actions.high[known[joint]]
            if not low <= value <= high:
                raise SpaceMismatch(f"home: found {value} for joint '{joint}', expected {low} to {high}")
            home[known[joint]] = value
        return home

    def _drive_home(self):
        """Moves the arm as a robot would; every episode starts from the state that was reached."""
        for which in range(self.count):
            self.backend.reset(which)
        start, rounds = np.clip(np.zeros_like(self.targets), self.actions.low, self.actions.high), 50
        for i in range(1, rounds + 1):
            self._advance(
                start + (self.targets - start) * min(1.0, i / 40),
                self._open_hands,
                max(1, self.task.home_steps // rounds),
            )
        for which in range(self.count):
            self.backend.save(HOME, which)

    def _check_observation(self) -> int:
        try:
            seen = np.asarray(self.task.observe(self.view, self.goal))
        except (ValueError, KeyError, IndexError) as error:
            raise SpaceMismatch(
                f'observe: failed with {error!r}; it sees the bodies, joints and goal (goal_size '
                f'{self.task.goal_size}) that the task names'
            ) from error
        if seen.ndim != 2 or len(seen) != self.count:
            raise SpaceMismatch(f'observe: found the shape {seen.shape}, expected ({self.count}, size)')
        return seen.shape[1]

    def _advance(self, values: np.ndarray, grasps: np.ndarray, steps: int | np.ndarray):
        """`steps` of all worlds, or of each."""
        self.steps, self.hashes, self.view.bodies, self.view.joints = self.backend.step(values, grasps, steps)
        self._grasps = grasps
        self.view.targets = self.targets

    def _begin(self, generators: dict[int, np.random.Generator]) -> np.ndarray:
        """New episodes in the worlds with these indices; which of all that are."""
        starts = {which: self.task.start(rng) for which, rng in generators.items()}
        for start in starts.values():
            shape = np.shape(start.goal)
            if shape != (self.task.goal_size,):
                raise SpaceMismatch(f'start: found a goal of shape {shape}, expected ({self.task.goal_size},)')
        if self.backend.changed():
            self._prepare()
        fresh = np.zeros(self.count, dtype=bool)
        for which, start in starts.items():
            self._restore_home(which)
            if start.placements:
                self.backend.place(start.placements, which)
            self.goal[which] = start.goal
            self.targets[which] = self.home_targets[which]
            fresh[which] = True
        return fresh

    def _restore_home(self, which: int):
        try:
            self.backend.restore(HOME, which)
        except Refused:
            # A simulator that was restarted knows no saved states; its manifest may still be on its way.
            if not self.backend.wait_for_change():
                raise
            self._prepare()
            self.backend.restore(HOME, which)

    def start(self, generators: dict[int, np.random.Generator]):
        """New episodes in the worlds with these indices, until placed bodies came to rest; the others stand still."""
        fresh = self._begin(generators)
        self._advance(
            self.targets,
            np.where(fresh[:, None], self._open_hands, self._grasps),
            np.where(fresh, self.task.settle_steps, 0),
        )

    def step(self, actions: np.ndarray, generators: dict[int, np.random.Generator] | None = None):
        """One environment step of all worlds, except those with these indices: they start as `start` does it."""
        if actions.shape != (self.count, self.actions.size):
            raise SpaceMismatch(f'action: found the shape {actions.shape[1:]}, expected ({self.actions.size},)')
        if not np.isfinite(actions).all():
            raise BadValue(f'action: found {actions.tolist()}, expected finite numbers')
        self.backend.check_same()
        fresh = self._begin(generators or {})
        values, grasps = self.actions.commands(actions, self.targets)
        self.targets = np.where(fresh[:, None], self.targets, values)
        self._advance(
            self.targets,
            np.where(fresh[:, None], self._open_hands, grasps),
            np.where(fresh, self.task.settle_steps, self.task.frame_skip),
        )

    def observation(self) -> np.ndarray:
        return np.asarray(self.task.observe(self.view, self.goal), dtype=np.float32)
