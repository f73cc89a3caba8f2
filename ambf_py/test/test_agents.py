# SPDX-License-Identifier: BSD-3-Clause
"""Agents whose simulator restarts, whose step is canceled, or who end right after a command."""

import subprocess
import sys
import threading
import time

import pytest
from conftest import PENDULUM, wait_for

from ambf_py import Client, NotJoined, SimulatorGone, StepRefused
from ambf_py.simulator import Simulator


def test_two_agents_join_again_after_a_restart_and_neither_steps_alone():
    options = {'models': [PENDULUM], 'namespace': '/restarted', 'mode': 'lockstep'}
    agents = [Client(name, namespace='/restarted', timeout=60.0) for name in ('left', 'right')]
    try:
        with Simulator(**options) as simulator:
            for agent in agents:
                agent.connect()
                agent.world.join()
            simulator.kill()
            simulator.start()
            left, right = (agent.world for agent in agents)
            for agent in agents:
                agent.wait_for_world(90.0)
            with pytest.raises(NotJoined, match='join again'):
                left.step(1)
            left.join()
            with pytest.raises(NotJoined):
                right.step(1)
            right.join()
            assert left.join() is left  # who is still in it may ask once more
            thread = threading.Thread(target=lambda: right.step(3))
            thread.start()
            assert left.step(3).step == 3
            thread.join(90.0)
    finally:
        for agent in agents:
            agent.clean_up()


def test_a_step_that_a_reset_cancels_is_refused_and_the_simulator_is_not_taken_for_gone():
    with (
        Simulator(models=[PENDULUM], namespace='/canceled', mode='lockstep'),
        Client('waiting', namespace='/canceled', timeout=60.0) as waiting,
        Client('other', namespace='/canceled', timeout=60.0) as other,
    ):
        waiting.world.join()
        other.world.join()
        problems = []

        def step():
            try:
                waiting.world.step(1)  # waits for the other agent's grant
            except Exception as error:
                problems.append(error)

        thread = threading.Thread(target=step)
        thread.start()
        wait_for(lambda: other.world.reset() and problems, 'canceled step')
        thread.join(90.0)
        assert isinstance(problems[0], StepRefused) and not isinstance(problems[0], SimulatorGone)


def test_a_command_that_was_given_just_before_the_end_arrives():
    script = (
        'from ambf_py import Client\n'
        'client = Client(namespace="/last", timeout=60.0)\n'
        'client.connect()\n'
        'client.get_obj_handle("pendulum/support").set_joint_vel(0, 1.0)\n'
    )
    with (
        Simulator(models=[PENDULUM], namespace='/last') as simulator,
        Client('looker', namespace='/last', alive=simulator.reason_of_end) as client,
    ):
        joint = client.get_obj_handle('pendulum/support')
        start = joint.get_joint_pos(0)
        subprocess.run([sys.executable, '-c', script], check=True, timeout=120)
        wait_for(lambda: abs(joint.get_joint_pos(0) - start) > 0.01, 'motion')


def test_a_caller_that_is_killed_in_the_middle_of_a_long_step_does_not_keep_the_world_stepping(caplog):
    script = (
        'from ambf_py import Client\n'
        'client = Client("parent", namespace="/orphan", timeout=60.0)\n'
        'client.connect()\n'
        'client.world.step(2**31, timeout=600.0)\n'
    )
    with (
        Simulator(models=[PENDULUM], namespace='/orphan', mode='lockstep') as simulator,
        Client('looker', namespace='/orphan', alive=simulator.reason_of_end) as client,
    ):
        caller = subprocess.Popen([sys.executable, '-c', script])
        wait_for(lambda: client.world.read().step > 0, 'steps')
        client.world.set_mode('lockstep')  # what one tries first
        words = f"a step call of 2147483648 steps by 'parent_{caller.pid}' is under way; what ends it: set_mode to"
        assert words in caplog.text
        caller.kill()
        caller.wait()

        def still() -> bool:
            before = client.world.read().step
            time.sleep(0.1)
            return client.world.read().step == before

        wait_for(still, 'end of the steps')


def test_handles_show_what_reset_restore_and_placing_did_when_the_call_returns():
    with (
        Simulator(models=[PENDULUM], namespace='/fresh', mode='lockstep') as simulator,
        Client('looker', namespace='/fresh', alive=simulator.reason_of_end) as client,
    ):
        world, bob = client.world, client.get_obj_handle('pendulum/bob')
        start = list(bob.pose)
        for _ in range(5):
            world.step(300, {0: ('velocity', 1.0)})
            moved = list(bob.pose)
            assert moved != start
            world.save('moved')
            world.reset()
            assert list(bob.pose) == start
            world.restore('moved')
            assert list(bob.pose) == moved
            world.reset()
