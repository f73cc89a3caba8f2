# SPDX-License-Identifier: BSD-3-Clause
"""The same task through ROS and in process."""

import os
import pathlib
import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest

pytest.importorskip('gymnasium', reason='gymnasium is not installed: pip install gymnasium')
from conftest import slider_task, wait_for
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv

from ambf_py.env import AmbfEnv
from ambf_py.errors import AmbfError, SimulatorGone, SpaceMismatch
from ambf_py.simulator import Simulator
from ambf_py.task import Start
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
    # Not after the time-out, which knows no code.
    with pytest.raises(SimulatorGone, match='ended with code'):
        env.step(np.zeros(6))
    env.close()


def test_a_world_that_does_not_load_says_why(tmp_path):
    broken = tmp_path / 'broken.yaml'
    broken.write_text('bodies: [BODY a]\nBODY a: [')
    with pytest.raises(SimulatorGone, match='broken.yaml:2'):
        AmbfEnv(slider_task(models=(str(broken),)), backend='ros')


def wait_for_complaint(action):
    """Until two simulators are noticed: the second takes a while until it is there."""

    def refused():
        try:
            action()
            return False
        except AmbfError as error:
            return f'in ROS_DOMAIN_ID {DOMAIN}: end the others' in str(error)

    wait_for(refused, 'complaint', 240.0)  # each reset takes its time on a busy machine


def test_an_environment_notices_another_simulator_in_its_domain():
    with Simulator(models=slider_task().models, mode='lockstep'):
        wait_for_complaint(lambda: AmbfEnv(slider_task(), backend='ros').close())
    # Also when the other one comes later.
    env = AmbfEnv(slider_task(), backend='ros')
    try:
        assert hashes(env, 0, 5) == hashes(AmbfEnv(slider_task()), 0, 5)
        with Simulator(models=slider_task().models, mode='lockstep'):
            wait_for_complaint(lambda: env.reset(seed=0))
    finally:
        env.close()


@pytest.mark.parametrize('how', [signal.SIGKILL, signal.SIGTERM])
def test_a_simulator_ends_with_the_program_that_started_it(how):
    # From a thread that ends when the world is there: Linux would take its end for that of the parent. A world that
    # answers after it, and tells of no signal, is alive.
    text = (
        'import os, threading, time\nfrom ambf_py import Client, Simulator\nfound = []\n'
        'def work():\n    simulator = Simulator(namespace="/orphan", mode="lockstep")\n'
        '    client = Client(namespace="/orphan", alive=simulator.reason_of_end).connect()\n'
        '    found.extend((simulator, client, threading.get_native_id()))\n'
        'thread = threading.Thread(target=work)\nthread.start()\nthread.join()\nsimulator, client, ended = found\n'
        'while os.path.exists(f"/proc/self/task/{ended}"):\n    time.sleep(0.001)\n'
        'client.world.step(1)\n'
        'print(simulator.pid, simulator.reason_of_end(), "signal" in simulator.output(), flush=True)\ntime.sleep(600)\n'
    )
    process = subprocess.Popen([sys.executable, '-c', text], stdout=subprocess.PIPE, text=True)
    pid, *ends = process.stdout.readline().split()
    assert ends == ['None', 'False']
    process.send_signal(how)
    process.wait(90.0)
    command = pathlib.Path(f'/proc/{pid}/cmdline')
    wait_for(lambda: not command.exists() or not command.read_bytes(), 'end of the simulator')


def test_an_environment_goes_on_when_its_world_was_restarted():
    def running(*models):
        return Simulator(models=models or slider_task().models, mode='lockstep', watchdog_timeout=0.0)

    truth = hashes(AmbfEnv(slider_task()), 4, 3)
    with running() as simulator:
        env = AmbfEnv(slider_task(), backend='ros', connect=True, timeout=6.0)
        assert hashes(env, 4, 3) == truth
        simulator.kill()
        with pytest.raises(SimulatorGone):
            env.step(np.zeros(1))
    with running(*slider_task().models, 'package://ambf_description/adf/pendulum.yaml') as simulator:
        env._backend.client.wait_for_world(60.0)
        with pytest.raises(SimulatorGone, match='call reset'):
            env.step(np.zeros(1))
        env.reset(seed=4)
        start = env.step(np.zeros(1))[4]
        env.reset(seed=4)
        assert env.step(np.zeros(1))[4] == start
    with running():
        env._backend.client.wait_for_world(60.0)
        assert hashes(env, 4, 3) == truth
    env.close()
    with pytest.raises(AmbfError, match='closed'):
        env.step(np.zeros(1))


def test_placing_what_the_model_lacks_is_refused():
    env = AmbfEnv(slider_task(start=lambda self, rng: Start({'rig/cup': np.zeros(7)}, np.zeros(1))), backend='ros')
    try:
        with pytest.raises(SpaceMismatch, match='no body'):
            env.reset(seed=0)
    finally:
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


def test_workers_that_are_forked_after_ros_was_used_say_what_to_do(capfd):
    # gymnasium makes, and closes, one environment in this process, and then forks.
    with pytest.raises((EOFError, ConnectionError, AmbfError)):
        AsyncVectorEnv([MakeWorker(i) for i in range(2)], context='fork')
    assert 'AsyncVectorEnv(..., context="spawn")' in capfd.readouterr().err
