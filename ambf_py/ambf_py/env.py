# SPDX-License-Identifier: BSD-3-Clause
"""A gymnasium environment around a task."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from .episodes import Episodes, make_backend, numbers
from .errors import BadValue
from .task import Task


def spaces_of(episodes: Episodes) -> tuple[spaces.Box, spaces.Box]:
    """Action and observation space of one environment."""
    action = spaces.Box(-1.0, 1.0, (episodes.actions.size,), dtype=np.float32)
    observation = spaces.Box(-np.inf, np.inf, (episodes.size,), dtype=np.float32)
    return action, observation


class AmbfEnv(gymnasium.Env):
    """One world, in this process (`backend='inprocess'`) or through a physics node (`backend='ros'`).

    The same task, seed and actions give the same hashes (`info['state_hash']`) on both. Further options go to the
    backend, e.g. `domain_id=5` or `connect=True` for ROS.

    >>> env = AmbfEnv(ReachTask())                         # doctest: +SKIP
    >>> observation, info = env.reset(seed=1)              # doctest: +SKIP
    """

    metadata = {'render_modes': ['rgb_array'], 'render_fps': 25}

    def __init__(self, task: Task, backend: str = 'inprocess', render_mode: str | None = None, **options: Any):
        if render_mode not in (None, *self.metadata['render_modes']):
            raise BadValue(f"render_mode: found '{render_mode}', expected None or 'rgb_array'")
        self.task = task
        self.render_mode = render_mode
        self._backend = make_backend(task, backend, **options)
        try:
            self.episodes = Episodes(task, self._backend)
        except Exception:
            self._backend.close()
            raise
        self.action_space, self.observation_space = spaces_of(self.episodes)
        self._count = 0
        self._picture = None

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        super().reset(seed=seed)
        self.episodes.start({0: self.np_random})
        self._count = 0
        return self.episodes.observation()[0], self._info()

    def step(self, action):
        action = numbers(action).reshape(1, -1)
        self.episodes.step(action)
        self._count += 1
        task, view, goal = self.task, self.episodes.view, self.episodes.goal
        terminated = bool(task.success(view, goal)[0])
        reward = float(task.reward(view, goal, action)[0])
        truncated = self._count >= task.max_steps and not terminated
        return self.episodes.observation()[0], reward, terminated, truncated, self._info()

    def _info(self) -> dict[str, Any]:
        episodes = self.episodes
        # Hashes need all 64 bits, which gymnasium's vectors keep for numpy's type only.
        info = {
            'state_hash': np.uint64(episodes.hashes[0]),
            'sim_step': int(episodes.steps[0]),
            'is_success': bool(self.task.success(episodes.view, episodes.goal)[0]),
        }
        return info | {k: float(v[0]) for k, v in self.task.metrics(episodes.view, episodes.goal).items()}

    def render(self):
        """A picture, height x width x 3: drawn here, or over ROS by the render node, which must run."""
        if self.render_mode is None:
            return None
        if hasattr(self._backend, 'picture'):
            return self._backend.picture()
        if self._picture is None:
            from .drawing import Picture

            self._picture = Picture(self.task)
        return self._picture.draw(self._backend, self.episodes.goal[0])

    def close(self):
        self._backend.close()
