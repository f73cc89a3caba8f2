# SPDX-License-Identifier: BSD-3-Clause
"""Training with stable-baselines3 (an optional extra), and the evaluation of any policy on many worlds at once."""

import dataclasses
import json
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np

from .env import AmbfEnv
from .task import Task
from .vector_env import AmbfVectorEnv

# Seeds of goals that no training sees; training draws its own below this.
UNSEEN = 10**6


@dataclasses.dataclass
class Settings:
    """Soft actor-critic with small networks: one gradient step of one thread for each step of the world."""

    steps: int = 8000
    random_steps: int = 500  # before learning begins
    learning_rate: float = 1e-3  # at the start; falls to a tenth in a straight line, so that the policy settles
    discount: float = 0.95  # looks about 20 steps ahead, which is how long a good reach takes
    batch: int = 256
    width: int = 64  # of the two hidden layers


@dataclasses.dataclass
class Episode:
    """One episode of training: when it ended, and how."""

    step: int
    reward: float
    success: bool
    metric: float


class MissingExtra(ImportError):
    """stable-baselines3 is not part of the environment."""


def need_sb3():
    """The package, or what to type to get it."""
    try:
        import stable_baselines3
    except ImportError as error:
        raise MissingExtra(
            '--method sac needs stable-baselines3 (with PyTorch, 5.5 GB): '
            './ambf exec pip install stable-baselines3==2.9.2'
        ) from error
    return stable_baselines3


def train(
    task: Task,
    seed: int = 0,
    settings: Settings = Settings(),
    metric: str = 'distance',
    report: Callable[[Episode], None] | None = None,
) -> tuple[Any, list[Episode]]:
    """A model of stable-baselines3, and its learning curve: every episode of the training."""
    sb3 = need_sb3()
    import torch
    from stable_baselines3.common.callbacks import BaseCallback

    torch.set_num_threads(1)  # the networks are too small to share
    episodes: list[Episode] = []

    class Watch(BaseCallback):
        """Notes how every episode ended."""

        def _on_step(self) -> bool:
            for done, info in zip(self.locals['dones'], self.locals['infos']):
                if done:
                    episodes.append(
                        Episode(
                            self.num_timesteps,
                            float(info['episode']['r']),
                            bool(info['is_success']),
                            float(info[metric]),
                        )
                    )
                    if report is not None:
                        report(episodes[-1])
            return True

    model = sb3.SAC(
        'MlpPolicy',
        AmbfEnv(task),
        seed=seed,
        device='cpu',
        learning_rate=lambda left: settings.learning_rate * (0.1 + 0.9 * left),
        learning_starts=settings.random_steps,
        gamma=settings.discount,
        batch_size=settings.batch,
        policy_kwargs={'net_arch': [settings.width, settings.width]},
    )
    model.learn(settings.steps, callback=Watch())
    return model, episodes


def policy_of(model) -> Callable[[np.ndarray], np.ndarray]:
    """Actions for observations, without the noise of exploration."""
    return lambda observations: model.predict(observations, deterministic=True)[0]


def evaluate(
    task: Task, policy: Callable[[np.ndarray], np.ndarray] | None, seeds: range, metric: str
) -> dict[str, float]:
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


def write_curves(file: pathlib.Path, curves: dict[int, list[Episode]], results: dict[str, dict]):
    """What a run produced, for plots and docs."""
    rows = {seed: [dataclasses.astuple(e) for e in curve] for seed, curve in curves.items()}
    file.write_text(
        json.dumps(
            {'columns': [f.name for f in dataclasses.fields(Episode)], 'curves': rows, 'results': results}, indent=1
        )
    )
