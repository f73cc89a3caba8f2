# SPDX-License-Identifier: BSD-3-Clause
"""Learning without a learning library: a linear policy, improved by an evolution strategy in numpy."""

import dataclasses
import pathlib
from collections.abc import Callable

import numpy as np

from .errors import BadValue
from .task import Task
from .vector_env import AmbfVectorEnv


class LinearPolicy:
    """Actions are weights times observations, cut at -1 and 1."""

    def __init__(self, weights: np.ndarray):
        self.weights = np.asarray(weights, dtype=float)

    def __call__(self, observations: np.ndarray) -> np.ndarray:
        return np.clip(np.asarray(observations) @ self.weights.T, -1.0, 1.0)

    def save(self, file: pathlib.Path):
        """As text: one line for each number of the action."""
        np.savetxt(file, self.weights, fmt='%.5g', header='weights of a linear policy: a row for each action')

    @classmethod
    def load(cls, file: pathlib.Path) -> 'LinearPolicy':
        try:
            return cls(np.loadtxt(file, ndmin=2))
        except (OSError, ValueError) as error:
            raise BadValue(f"'{file}': no policy that ambf-train wrote: {error}") from error


@dataclasses.dataclass
class Settings:
    """Each iteration tries pairs of changes to the weights, each on the same goals, and goes where it was better."""

    iterations: int = 80
    pairs: int = 8
    goals: int = 2
    horizon: int = 30  # steps of an episode in training
    spread: float = 0.1  # of the changes that are tried
    rate: float = 0.15  # of the weights: length of a step of each


@dataclasses.dataclass
class Iteration:
    """How the policies that were tried in an iteration did."""

    number: int
    step: int  # of all worlds together, so far
    reward: float  # mean of a step
    success: float  # share of the episodes


def play(envs: AmbfVectorEnv, weights: np.ndarray, seeds: list[int], horizon: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean reward of a step, and success, of each world; one row of `weights` for each."""
    observations, _ = envs.reset(seed=seeds)
    count = len(seeds)
    total, last = np.zeros(count), np.zeros(count)
    success, running = np.zeros(count, dtype=bool), np.ones(count, dtype=bool)
    step = 0
    while step < horizon:
        step += 1
        actions = np.clip(np.einsum('nao,no->na', weights, observations), -1.0, 1.0)
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        last = np.where(running, rewards, last)  # who has arrived stays there
        total += last
        success |= terminated & running
        running &= ~(terminated | truncated)
        if not running.any():
            break
    return (total + last * (horizon - step)) / horizon, success


def evolve(
    task: Task, seed: int = 0, settings: Settings = Settings(), report: Callable[[Iteration], None] | None = None
) -> tuple[LinearPolicy, list[Iteration]]:
    """The policy that was found, and how it came to be. The same seed gives the same policy."""
    rng = np.random.default_rng(seed)
    envs = AmbfVectorEnv(task, 2 * settings.pairs * settings.goals)
    shape = (envs.single_action_space.shape[0], envs.single_observation_space.shape[0])
    weights, mean, square = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    history: list[Iteration] = []
    for number in range(1, settings.iterations + 1):
        noise = rng.standard_normal((settings.pairs, *shape))
        changes = np.concatenate([noise, -noise])
        seeds = rng.integers(0, 10**6, settings.goals)
        tried = np.repeat(weights + settings.spread * changes, settings.goals, axis=0)
        rewards, success = play(envs, tried, [int(s) for s in seeds] * len(changes), settings.horizon)
        # Ranks instead of rewards: one lucky try counts no more than the best of an ordinary round.
        score = rewards.reshape(len(changes), settings.goals).mean(axis=1).argsort().argsort()
        score = score / (len(changes) - 1) - 0.5
        gradient = np.tensordot(score, changes, axes=1) / len(changes)
        # Adam, with a rate that falls to a tenth.
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        step = mean / (1 - 0.9**number) / (np.sqrt(square / (1 - 0.99**number)) + 1e-8)
        weights = weights + settings.rate * (1.0 - 0.9 * number / settings.iterations) * step
        history.append(
            Iteration(number, number * envs.num_envs * settings.horizon, float(rewards.mean()), float(success.mean()))
        )
        if report is not None:
            report(history[-1])
    envs.close()
    return LinearPolicy(weights), history
