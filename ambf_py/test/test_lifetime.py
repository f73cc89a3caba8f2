# SPDX-License-Identifier: BSD-3-Clause
"""Clients and simulators that come, go, die and come back."""

import logging
import threading

import numpy as np
import pytest
import rclpy
from conftest import PENDULUM, wait_for
from rclpy.executors import SingleThreadedExecutor

from ambf_py import AmbfError, Client, SimulatorGone
from ambf_py.simulator import Simulator


def test_a_long_step_does_not_hold_up_other_calls_and_ends_when_its_client_is_closed():
    with Simulator(models=[PENDULUM], namespace='/busy', mode='lockstep') as simulator:
        client = Client('stepper', namespace='/busy', alive=simulator.reason_of_end).connect()
        world, problems = client.world, []

        def step():
            try:
                world.step(2**31, timeout=600.0)
            except AmbfError as error:
                problems.append(error)

        thread = threading.Thread(target=step)
        begin = world.read().step
        thread.start()
        wait_for(lambda: world.read().step > begin, 'steps')
        assert world.mode == 'lockstep' and thread.is_alive()
        with pytest.raises(SimulatorGone, match='another thread'):
            world.step(1, timeout=0.3)
        client.clean_up()
        thread.join(90.0)
        assert not thread.is_alive()
        assert isinstance(problems[0], SimulatorGone) and 'closed' in str(problems[0])
        with pytest.raises(SimulatorGone, match='not connected'):
            world.step(1)


def test_handles_of_a_client_that_was_cleaned_up_say_so(simulator):
    with Client('short', alive=simulator.reason_of_end) as client:
        body, sensor = client.get_obj_handle('psm/toolyawlink'), client.get_obj_handle('jaw_proximity')
    for read in (lambda: body.pose, lambda: body.wrench, sensor.get_count, lambda: client.world):
        with pytest.raises(SimulatorGone, match='not connected'):
            read()


def test_a_step_that_the_end_of_the_simulator_cancels_is_no_refusal():
    with (
        Simulator(models=[PENDULUM], namespace='/ending', mode='lockstep') as simulator,
        Client('stepper', namespace='/ending', timeout=60.0) as client,
    ):
        begin, ender = client.world.read().step, Client('looker', namespace='/ending', timeout=60.0).connect()

        def end():
            wait_for(lambda: ender.world.read().step > begin, 'steps')
            simulator.stop()

        thread = threading.Thread(target=end)
        thread.start()
        with pytest.raises(SimulatorGone):
            client.world.step(2**31, timeout=600.0)
        thread.join(90.0)
        ender.clean_up()


def test_two_simulators_of_one_world_are_noticed():
    options = {'models': [PENDULUM], 'namespace': '/twice', 'mode': 'lockstep'}
    with Simulator(**options), Simulator(**options):

        def refused():
            # The second one takes a while until it is there.
            try:
                Client('confused', namespace='/twice').connect().clean_up()
                return False
            except AmbfError as error:
                return 'more than one simulator' in str(error)

        wait_for(refused, 'complaint')


def test_a_dead_simulator_in_the_graph_is_not_taken_for_a_second_one():
    with Simulator(models=[PENDULUM], namespace='/reborn', mode='lockstep') as simulator:
        with Client('first', namespace='/reborn', alive=simulator.reason_of_end) as client:
            assert client.world.mode == 'lockstep'
        simulator.kill()
        simulator.start()
        with Client('second', namespace='/reborn', alive=simulator.reason_of_end) as client:
            assert client.wait_for_world(90.0) == 'lockstep' and client.world.step(1).step == 1


def test_a_client_in_a_node_that_nobody_spins_says_so(simulator):
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('asleep', context=context)
    with pytest.raises(SimulatorGone, match='does the executor of the given node spin'):
        Client(node=node).connect(timeout=0.5)
    node.destroy_node()
    rclpy.shutdown(context=context)


def test_a_client_gives_back_what_it_made_in_a_node(simulator):
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('landlord', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    thread = threading.Thread(target=executor.spin, daemon=True)
    thread.start()
    before = [len(list(things)) for things in (node.publishers, node.subscriptions, node.clients)]
    with Client(node=node) as client:
        client.world.set_mode('lockstep')
        client.get_obj_handle('psm/baselink').set_joint_pos(0, 0.1)
        client.world.join('tenant')
        client.world.step(1)
        client.world.be_barrier_member('neighbour', lambda snapshot: None)
        assert client.world.get_sim_step() >= 0
        client.world.leave()
    assert [len(list(things)) for things in (node.publishers, node.subscriptions, node.clients)] == before
    executor.shutdown()
    node.destroy_node()
    rclpy.shutdown(context=context)


def test_without_a_world_connecting_says_where_it_looked():
    with pytest.raises(SimulatorGone, match='/nowhere/ambf/env/World/Manifest'):
        Client(namespace='/nowhere').connect(timeout=0.5)


def test_waiting_for_a_world_takes_no_longer_than_it_is_told():
    with (
        Simulator(models=[PENDULUM], namespace='/brief', mode='lockstep') as brief,
        Client('waiter', namespace='/brief', timeout=60.0) as client,
    ):
        brief.stop()
        with pytest.raises(SimulatorGone, match=r'within 0\.[0-9]+ s|left the graph'):
            client.wait_for_world(0.5)


def test_a_simulator_that_dies_is_reported_and_work_goes_on_when_it_is_back(caplog):
    with Simulator(models=[PENDULUM], namespace='/mortal', mode='lockstep') as mortal:
        # Without the process at hand, as a client on another machine: only the time-out can tell.
        with Client('survivor', namespace='/mortal', timeout=60.0) as client, caplog.at_level(logging.INFO):
            handle = client.get_obj_handle('pendulum/bob')
            assert client.world.step(10).step == 10
            assert np.isfinite(handle.pose).all()
            wait_for(lambda: client._heard is not None, 'a sign of life')
            mortal.kill()
            with pytest.raises(SimulatorGone):
                client.world.step(1, timeout=1.0)
            wait_for(lambda: client.silent, 'the notice that it left')
            assert 'the simulator left' in caplog.text
            mortal.start()
            assert client.wait_for_world(90.0) == 'lockstep'
            wait_for(lambda: client.view.manifests >= 2, 'the new manifest')
            # The new world began at 0.
            assert client.world.step(5).step == 5
            assert np.isfinite(handle.pose).all()
            wait_for(lambda: not client.silent, 'the notice that it is back')
            assert 'the simulator is back' in caplog.text
