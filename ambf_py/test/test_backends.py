"""The same task through ROS and in process."""
import os
import time
import warnings

import numpy as np
import pytest

pytest.importorskip('gymnasium', reason='gymnasium is not installed: pip install gymnasium')
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv

from ambf_py.env import AmbfEnv
from ambf_py.errors import SimulatorGone
from ambf_py.tasks import TASKS

LONG = os.environ.get('AMBF_TEST_LONG') == '1'
DOMAIN = int(os.environ.get('ROS_DOMAIN_ID', '0'))


def hashes(env: AmbfEnv, seed: int, steps: int) -> list[int]:
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    found = [info['state_hash']]
    for _ in range(steps):
        *_, info = env.step(rng.uniform(-1.0, 1.0, env.action_space.shape))
        found.append(info['state_hash'])
    return found


@pytest.mark.parametrize('name', TASKS if LONG else ['reach', 'peg_transfer'])
def test_both_paths_give_the_same_hashes(name):
    make_task = TASKS[name][0]
    over_ros, inside = AmbfEnv(make_task(), backend='ros'), AmbfEnv(make_task())
    for seed in (0, 1):
        count = 200 if LONG else 10
        assert hashes(over_ros, seed, count) == hashes(inside, seed, count)
    over_ros.close()


@pytest.mark.parametrize('name', TASKS if LONG else ['reach'])
def test_gymnasium_accepts_the_environment_through_ros(name):
    env = AmbfEnv(TASKS[name][0](), backend='ros')
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            check_env(env, skip_render_check=True, skip_close_check=True)
    finally:
        env.close()


def test_an_environment_whose_simulator_dies_says_so_at_once():
    env = AmbfEnv(TASKS['reach'][0](), backend='ros')
    env.reset(seed=0)
    env.step(np.zeros(6))
    env._backend.simulator.kill()
    start = time.monotonic()
    with pytest.raises(SimulatorGone, match='ended with code'):
        env.step(np.zeros(6))
    assert time.monotonic() - start < 2.0
    env.close()


class MakeWorker:
    """A simulator of its own, in a domain of its own, for each worker."""

    def __init__(self, index: int):
        self._index = index

    def __call__(self) -> AmbfEnv:
        # Domains above 215: their ports are free on Linux, and the test runner hands out lower ones.
        return AmbfEnv(TASKS['reach'][0](), backend='ros', domain_id=215 + (DOMAIN + self._index) % 17)


def test_four_simulators_work_side_by_side():
    workers = 4 if LONG else 2
    envs = AsyncVectorEnv([MakeWorker(i) for i in range(workers)], context='spawn')
    try:
        observations, infos = envs.reset(seed=5)
        assert observations.shape == (workers, 12)
        actions = np.random.default_rng(0).uniform(-1, 1, (5, workers, 6)).astype(np.float32)
        for batch in actions:
            *_, infos = envs.step(batch)
        single = AmbfEnv(TASKS['reach'][0]())
        single.reset(seed=5)
        for batch in actions:
            *_, info = single.step(batch[0])
        assert int(infos['state_hash'][0]) == info['state_hash']
    finally:
        envs.close()
