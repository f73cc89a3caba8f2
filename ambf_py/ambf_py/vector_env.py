# SPDX-License-Identifier: BSD-3-Clause
"""Many worlds in one process, stepped together on a pool of threads."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .backends import InProcess
from .env import spaces_of
from .episodes import Episodes, check_task, numbers
from .errors import BadValue, SpaceMismatch
from .task import Task


class AmbfVectorEnv(VectorEnv):
    """Implements gymnasium's VectorEnv with autoreset in the next step (`AutoresetMode.NEXT_STEP`).

    An environment that ended is reset by the following `step`, which ignores its action and returns reward 0: the same
    start as that of `reset`. Without seeds every vector draws its own.

    >>> envs = AmbfVectorEnv(ReachTask(), 8)               # doctest: +SKIP
    >>> observations, infos = envs.reset(seed=1)           # doctest: +SKIP
    """

    metadata = {'render_modes': [], 'autoreset_mode': AutoresetMode.NEXT_STEP}

    def __init__(self, task: Task, num_envs: int, threads: int | None = None):
        if int(num_envs) != num_envs or num_envs < 1:
            raise BadValue(f'num_envs: found {num_envs!r}, expected a whole number above 0')
        check_task(task)
        self.task = task
        self.num_envs = int(num_envs)
        self.render_mode = None
        self._backend = InProcess(task.world, task.models, self.num_envs, threads, task.step_size)
        self.episodes = Episodes(task, self._backend)
        self.single_action_space, self.single_observation_space = spaces_of(self.episodes)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._generators = [np.random.default_rng() for _ in range(self.num_envs)]
        self._counts = np.zeros(self.num_envs, dtype=int)
        self._ended = np.zeros(self.num_envs, dtype=bool)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict | None = None):
        """Environment i gets seed + i, so that it does what a single environment with that seed does.

        `options={'reset_mask': booleans}` resets those environments only, as gymnasium's vectors do.
        """
        mask = np.asarray((options or {}).get('reset_mask', np.ones(self.num_envs, dtype=bool)))
        if mask.dtype != bool or mask.shape != (self.num_envs,):
            raise BadValue(f'reset_mask: found {mask!r}, expected {self.num_envs} booleans')
        if seed is not None:
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else list(seed)
            if len(seeds) != self.num_envs:
                raise BadValue(f'seed: found {len(seeds)} seeds, expected one or {self.num_envs}')
            for i, own in enumerate(seeds):
                if own is not None and mask[i]:
                    self._generators[i] = np.random.Generator(np.random.PCG64(np.random.SeedSequence(int(own))))
        self.episodes.start(self._generators_of(mask))
        self._counts[mask] = 0
        self._ended[mask] = False
        return self.episodes.observation(), self._infos()

    def step(self, actions: np.ndarray):
        actions = numbers(actions)
        if actions.ndim != 2 or len(actions) != self.num_envs:
            raise SpaceMismatch(f'actions: found the shape {actions.shape}, expected {self.action_space.shape}')
        fresh = self._ended.copy()
        actions[fresh] = 0.0
        self.episodes.step(actions, self._generators_of(fresh))
        task, view, goal = self.task, self.episodes.view, self.episodes.goal
        self._counts = np.where(fresh, 0, self._counts + 1)
        terminated = np.asarray(task.success(view, goal), dtype=bool) & ~fresh
        truncated = (self._counts >= task.max_steps) & ~terminated & ~fresh
        rewards = np.where(fresh, 0.0, task.reward(view, goal, actions))
        self._ended = terminated | truncated
        return self.episodes.observation(), rewards, terminated, truncated, self._infos()

    def _generators_of(self, mask: np.ndarray) -> dict[int, np.random.Generator]:
        return {int(i): self._generators[i] for i in np.flatnonzero(mask)}

    def _infos(self) -> dict[str, Any]:
        episodes = self.episodes
        infos = {
            'state_hash': episodes.hashes.copy(),
            'sim_step': episodes.steps.copy(),
            'is_success': np.asarray(self.task.success(episodes.view, episodes.goal), dtype=bool),
        }
        infos |= {k: np.asarray(v) for k, v in self.task.metrics(episodes.view, episodes.goal).items()}
        everyone = np.ones(self.num_envs, dtype=bool)
        return infos | {f'_{key}': everyone for key in infos}

    def close_extras(self, **_):
        self._backend.close()
