"""Augmented random search with a linear policy (Mania, Guy, Recht 2018), on many worlds at once; numpy only.

Good enough to learn reaching in minutes on two cores; for anything else use a library such as stable-baselines3, which
takes `AmbfEnv` as it is (docs/tutorial_reach.md).
"""
import dataclasses
import json
import pathlib
from typing import Callable, Optional

import numpy as np

from .task import Task
from .vector_env import AmbfVectorEnv


@dataclasses.dataclass
class Settings:
    """Names follow the paper: step size alpha, noise nu, directions N, the best b of them."""

    rounds: int = 120
    directions: int = 16
    best: int = 8
    step: float = 0.2
    noise: float = 0.1
    length: int = 30  # environment steps of a trial


class LinearPolicy:
    """action = clip(M (observation - mean) / deviation)."""

    def __init__(self, observations: int, actions: int):
        self.matrix = np.zeros((actions, observations))
        self.mean = np.zeros(observations)
        self.deviation = np.ones(observations)

    def __call__(self, observations: np.ndarray) -> np.ndarray:
        """n actions for n observations."""
        return np.clip((observations - self.mean) / self.deviation @ self.matrix.T, -1.0, 1.0)

    def save(self, file: str):
        np.savez(file, matrix=self.matrix, mean=self.mean, deviation=self.deviation)

    @staticmethod
    def load(file: str) -> 'LinearPolicy':
        data = np.load(file)
        policy = LinearPolicy(data['matrix'].shape[1], data['matrix'].shape[0])
        policy.matrix, policy.mean, policy.deviation = data['matrix'], data['mean'], data['deviation']
        return policy


def trial(envs: AmbfVectorEnv, matrices: np.ndarray, policy: LinearPolicy, seeds: list[int], length: int):
    """Return of one trial per world, each with its own matrix; and the observations seen."""
    observations, _ = envs.reset(seed=seeds)
    returns, alive, seen = np.zeros(envs.num_envs), np.ones(envs.num_envs, dtype=bool), []
    for _ in range(length):
        seen.append(observations[alive])
        scaled = (observations - policy.mean) / policy.deviation
        actions = np.clip(np.einsum('nij,nj->ni', matrices, scaled), -1.0, 1.0)
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        returns += np.where(alive, rewards, 0.0)
        alive &= ~(terminated | truncated)
        if not alive.any():
            break
    return returns, np.concatenate(seen)


def train(task: Task, seed: int = 0, settings: Settings = Settings(),
          report: Optional[Callable[[int, float], None]] = None) -> tuple[LinearPolicy, list[float]]:
    """A policy and its learning curve: the mean return of each round's trials."""
    rng = np.random.default_rng(seed)
    envs = AmbfVectorEnv(task, 2 * settings.directions)
    policy = LinearPolicy(envs.single_observation_space.shape[0], envs.single_action_space.shape[0])
    count, total, squares, curve = 0, 0.0, 0.0, []
    for round_number in range(settings.rounds):
        noise = rng.standard_normal((settings.directions, *policy.matrix.shape))
        signs = np.concatenate([noise, -noise]) * settings.noise
        # Both trials of a direction see the same goal; seeds of training stay below 10^6.
        goals = rng.integers(0, 10**6, settings.directions)
        returns, seen = trial(envs, policy.matrix + signs, policy, [int(g) for g in np.tile(goals, 2)], settings.length)
        plus, minus = returns[:settings.directions], returns[settings.directions:]
        order = np.argsort(-np.maximum(plus, minus))[:settings.best]
        spread = np.concatenate([plus[order], minus[order]]).std() + 1e-8
        step = np.einsum('k,kij->ij', plus[order] - minus[order], noise[order])
        # Steps shrink towards the end: the last rounds settle instead of wandering.
        size = settings.step * (1.0 - round_number / settings.rounds)
        policy.matrix = policy.matrix + size / (settings.best * spread) * step
        count, total, squares = count + len(seen), total + seen.sum(axis=0), squares + (seen**2).sum(axis=0)
        policy.mean = total / count
        policy.deviation = np.sqrt(np.maximum(squares / count - policy.mean**2, 1e-4))
        curve.append(float(returns.mean()))
        if report is not None:
            report(round_number, curve[-1])
    envs.close()
    return policy, curve


def evaluate(task: Task, policy: Optional[LinearPolicy], seeds: range, metric: str) -> dict[str, float]:
    """Success and final metric over one episode per seed; without a policy, actions are 0."""
    envs = AmbfVectorEnv(task, len(seeds))
    observations, infos = envs.reset(seed=list(seeds))
    done = np.zeros(len(seeds), dtype=bool)
    final, success = np.asarray(infos[metric]).copy(), np.zeros(len(seeds), dtype=bool)
    for _ in range(task.max_steps):
        actions = np.zeros(envs.action_space.shape) if policy is None else policy(observations)
        observations, _, terminated, truncated, infos = envs.step(actions)
        final = np.where(done, final, infos[metric])
        success |= terminated & ~done
        done |= terminated | truncated
        if done.all():
            break
    envs.close()
    return {'success': float(success.mean()), metric: float(np.mean(final)), f'worst_{metric}': float(np.max(final))}


def write_curves(file: pathlib.Path, curves: dict[int, list[float]], results: dict[int, dict]):
    """What a run produced, for plots and docs."""
    file.write_text(json.dumps({'curves': curves, 'results': results}, indent=1))
