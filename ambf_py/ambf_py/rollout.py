# SPDX-License-Identifier: BSD-3-Clause
"""Runs policies: success over many seeds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from .env import AmbfEnv


@dataclass
class Outcome:
    """How one episode ended."""

    seed: int
    success: bool
    steps: int
    reward: float
    info: dict


def run(env: AmbfEnv, policy, seeds: Iterable[int], watch: Callable | None = None) -> list[Outcome]:
    """One episode per seed; `policy(view, goal)` gives the action, `watch(env, step)` may look on."""
    outcomes = []
    for seed in seeds:
        _, info = env.reset(seed=int(seed))
        policy.reset()
        total, steps, ended = 0.0, 0, False
        while not ended:
            if watch is not None:
                watch(env, steps)
            action = np.asarray(policy(env.episodes.view, env.episodes.goal))
            _, reward, terminated, truncated, info = env.step(action)
            total, steps, ended = total + reward, steps + 1, terminated or truncated
        outcomes.append(Outcome(int(seed), bool(info['is_success']), steps, total, info))
    return outcomes
