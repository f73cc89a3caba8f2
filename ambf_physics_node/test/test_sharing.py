# SPDX-License-Identifier: BSD-3-Clause
"""Several who would step one world, and those who watch while it is stepped."""

import multiprocessing
import os
import signal
import socket
import time

import pytest
import rclpy
from world_fixture import *

from ambf_msgs.msg import BarrierMember, RigidBodyState, StepDone, WorldCmd, WorldSnapshot

LEASE = 2.0  # the default
Code = StepWorld.Response


@pytest.fixture(scope='module')
def world():
    with World('adf/four_bar.yaml', 'adf/pendulum.yaml', mode='lockstep') as w:
        yield w


@pytest.fixture
def other(world):
    """A second node, with clients of its own."""
    node = rclpy.create_node('other', context=world.context)
    world.executor.add_node(node)
    yield node
    world.executor.remove_node(node)
    node.destroy_node()


@pytest.fixture(autouse=True)
def nobody_has_the_world(world):
    world.set_mode(PAUSED)
    world.set_mode(LOCKSTEP)


def count(world) -> int:
    return world.call(GetWorldMode, 'get_mode').step


def spin(world, seconds: float):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        world.executor.spin_once(timeout_sec=0.05)


def test_a_long_call_keeps_the_world_to_its_agent_however_long(world):
    long = world.start_call(StepWorld, 'step', steps=4_000_000_000, agent='long')
    before = count(world)
    world.wait_for(lambda: count(world) > before, 'steps')
    spin(world, 1.3 * LEASE)
    refused = world.step(1, agent='second')
    assert refused.code == Code.CODE_NOT_JOINED and "'long'" in refused.message
    assert not long.done(), 'the refusal did not wait for the end of the long call'
    world.set_mode(PAUSED)
    world.wait_for(long.done, 'the end of the long call')
    # Who leaves lockstep leaves it to everybody.
    world.set_mode(LOCKSTEP)
    assert world.step(1, agent='second').ok


def start_long_call(world, agent: str):
    """A call that does not end by itself, under way."""
    long = world.start_call(StepWorld, 'step', steps=4_000_000_000, agent=agent)
    before = count(world)
    world.wait_for(lambda: count(world) > before, 'steps')
    return long


def test_lockstep_says_whose_call_is_under_way_and_what_ends_it(world):
    assert world.set_mode(LOCKSTEP).message == ''
    long = start_long_call(world, 'long')
    said = world.set_mode(LOCKSTEP).message
    assert "a step call of 4000000000 steps by 'long' is under way; what ends it: set_mode to " in said
    for word in ('realtime', 'free', 'paused', 'reset', 'restore_state', 'load_world', 'the end of whoever called'):
        assert word in said
    refused = world.step(1, agent='second')
    assert refused.code == Code.CODE_NOT_JOINED
    assert refused.message.startswith("agent 'second' steps a world that 'long' is stepping; agents that share a world")
    assert refused.message.endswith(said)
    assert not long.done(), 'neither question ended it'
    world.set_mode(PAUSED)
    world.wait_for(long.done, 'the end of the long call')
    assert world.set_mode(LOCKSTEP).message == ''


@pytest.mark.parametrize('end', ['realtime', 'free', 'paused', 'reset', 'restore_state'])
def test_what_is_said_to_end_a_call_ends_it(world, end):
    assert world.call(SaveState, 'save_state', name='before').ok
    long = start_long_call(world, 'long')
    if end == 'reset':
        assert world.call(ResetWorld, 'reset', scope=2).ok
    elif end == 'restore_state':
        assert world.call(RestoreState, 'restore_state', name='before').ok
    else:
        world.set_mode({'realtime': REALTIME, 'free': FREE, 'paused': PAUSED}[end])
    world.wait_for(long.done, 'the end of the long call')
    assert long.result().code == Code.CODE_CANCELED
    assert 'of 4000000000 steps' in long.result().message and end.split('_')[0] in long.result().message


def test_lockstep_says_for_whom_a_call_waits(world):
    x, y = Agent(world, 'x'), Agent(world, 'y')
    waiting = x.grant(1)
    twice = x.grant(1)
    world.wait_for(twice.done, 'the sign that the grant is there')
    said = world.set_mode(LOCKSTEP).message
    assert "a step call by 'x' waits for the agents that have not granted: y; what ends it: set_mode" in said
    other = y.grant(1)
    for future in (waiting, other):
        world.wait_for(future.done, 'the reply')
        assert future.result().ok, future.result().message
    x.leave()
    y.leave()


def test_a_running_call_ends_when_all_who_called_have_left(world):
    x, y = Agent(world, 'x'), Agent(world, 'y')
    calls = [agent.grant(4_000_000_000) for agent in (x, y)]
    before = count(world)
    world.wait_for(lambda: count(world) > before, 'steps')
    assert "by 'x, y' is under way" in world.set_mode(LOCKSTEP).message
    x.leave()
    before = count(world)
    world.wait_for(lambda: count(world) > before, 'steps for the other one')
    y.leave()
    for call in calls:
        world.wait_for(call.done, 'the end of the call')
        assert call.result().code == Code.CODE_CANCELED and 'the agent left' in call.result().message
    assert "a step call of 4000000000 steps by 'x, y' is canceled: the agent left" in world.output()


def test_clients_without_a_name_are_kept_apart(world, other):
    def second_is_refused():
        began = time.monotonic()
        first = world.start_call(StepWorld, 'step', steps=1)
        world.wait_for(first.done, 'the first reply')
        second = world.start_call(StepWorld, 'step', node=other, steps=1)
        world.wait_for(second.done, 'the second reply')
        if not first.result().ok or second.result().ok:
            assert time.monotonic() - began > LEASE or not first.result().ok, 'two clients stepped in turns'
            return False
        assert second.result().code == Code.CODE_NOT_JOINED and 'client' in second.result().message
        return True

    world.wait_for(second_is_refused, 'the refusal')


def test_the_toggle_clock_and_an_agent_do_not_mix_their_steps(world):
    command = world.node.create_publisher(WorldCmd, '/ambf/env/World/Command', 10)
    world.wait_for(command.get_subscription_count, 'the world')
    # The first level is no edge.
    command.publish(WorldCmd(enable_step_throttling=True, step_clock=False, n_skip_steps=5))
    clock, taken, before = False, 0, count(world)

    def agent_goes_on():
        nonlocal clock, taken
        clock = not clock
        command.publish(WorldCmd(enable_step_throttling=True, step_clock=clock, n_skip_steps=5))
        assert world.step(2, agent='learner').ok
        taken += 2
        return "the toggle clock is ignored: 'learner' is stepping" in world.output()

    assert world.step(2, agent='learner').ok
    taken += 2
    world.wait_for(agent_goes_on, 'the report')
    assert count(world) == before + taken
    # A silent agent loses the world to the clock, and has to wait in turn.
    spin(world, 1.5 * LEASE)

    def clock_steps():
        nonlocal clock
        clock = not clock
        start = count(world)
        command.publish(WorldCmd(enable_step_throttling=True, step_clock=clock, n_skip_steps=5))
        world.wait_for(lambda: count(world) == start + 5, 'five steps')

    clock_steps()
    clock_steps()
    refused = world.step(1, agent='learner')
    assert refused.code == Code.CODE_NOT_JOINED and 'World/Command' in refused.message
    command.publish(WorldCmd(enable_step_throttling=False, step_clock=clock))
    spin(world, 0.3)
    world.node.destroy_publisher(command)


def test_the_toggle_clock_takes_no_world_from_agents_that_joined(world):
    command = world.node.create_publisher(WorldCmd, '/ambf/env/World/Command', 10)
    world.wait_for(command.get_subscription_count, 'the world')
    x, y = Agent(world, 'x'), Agent(world, 'y')
    waiting = x.grant(1)
    said = world.output().count('agents have joined: x, y')
    world.wait_for(
        lambda: (
            command.publish(WorldCmd(enable_step_throttling=True)),
            world.output().count('agents have joined: x, y') > said,
        )[1],
        'the report',
    )
    command.publish(WorldCmd(enable_step_throttling=False))
    assert world.call(GetWorldMode, 'get_mode').mode == LOCKSTEP
    other = y.grant(1)
    for future in (waiting, other):
        world.wait_for(future.done, 'the reply')
        assert future.result().ok, future.result().message
    x.leave()
    y.leave()
    # A world that was in lockstep before it was throttled is so afterwards.
    for enable in (True, False):
        command.publish(WorldCmd(enable_step_throttling=enable))
    spin(world, 0.5)
    assert world.call(GetWorldMode, 'get_mode').mode == LOCKSTEP
    world.node.destroy_publisher(command)


def test_a_switch_of_the_toggle_clock_that_was_ignored_is_one_later(world):
    command = world.node.create_publisher(WorldCmd, '/ambf/env/World/Command', 10)
    world.wait_for(command.get_subscription_count, 'the world')
    world.set_mode(REALTIME)
    x = Agent(world, 'x')
    said = world.output().count('agents have joined: x')
    world.wait_for(
        lambda: (
            command.publish(WorldCmd(enable_step_throttling=True)),
            world.output().count('agents have joined: x') > said,
        )[1],
        'the report',
    )
    assert world.call(GetWorldMode, 'get_mode').mode == REALTIME
    x.leave()
    for enable, mode in ((True, LOCKSTEP), (False, REALTIME)):
        world.wait_for(
            lambda: (
                command.publish(WorldCmd(enable_step_throttling=enable)),
                world.call(GetWorldMode, 'get_mode').mode == mode,
            )[1],
            'the switch',
        )
    world.node.destroy_publisher(command)


def test_waiting_calls_of_an_agent_that_leaves_are_not_executed(world):
    x = Agent(world, 'x')
    hello = world.node.create_publisher(BarrierMember, '/ambf/env/World/Barrier', MEMBERS)
    world.wait_for(
        lambda: (
            hello.publish(BarrierMember(name='slow')),
            'has not announced' not in world.step(0, agent='x', barrier=['slow'], barrier_timeout=0.05).message,
        )[1],
        'the member',
    )
    before = count(world)
    first = x.grant(1, barrier=['slow'], barrier_timeout=3.0)
    second = x.grant(7)
    spin(world, 0.3)
    x.leave()
    world.wait_for(lambda: first.done() and second.done(), 'both replies')
    assert second.result().code == Code.CODE_CANCELED and count(world) == before + 1
    world.node.destroy_publisher(hello)


def test_a_call_that_a_restore_interrupts_is_canceled_wherever_it_ends(world):
    target = 30_000
    assert world.call(ResetWorld, 'reset', scope=3).ok
    assert world.step(target).ok
    assert world.call(SaveState, 'save_state', name='there').ok
    assert world.call(ResetWorld, 'reset', scope=3).ok
    long = world.start_call(StepWorld, 'step', steps=target, agent='tester')
    world.wait_for(lambda: count(world) > 0, 'steps')
    assert world.call(RestoreState, 'restore_state', name='there').ok
    world.wait_for(long.done, 'the reply')
    assert count(world) == target and long.result().code == Code.CODE_CANCELED, long.result()
    assert world.call(ResetWorld, 'reset', scope=3).ok


def test_a_mute_agent_is_not_dropped_while_its_own_call_runs(world):
    assert world.call(JoinWorld, 'join', name='mute').ok
    long = world.start_call(StepWorld, 'step', steps=4_000_000_000, agent='mute')
    spin(world, 1.5 * LEASE)
    assert "'mute' is gone" not in world.output() and not long.done()
    world.set_mode(PAUSED)
    world.wait_for(long.done, 'the end of the call')
    assert world.call(LeaveWorld, 'leave', name='mute').ok


def watch(topic: str, ready):
    """A reader in its own process."""
    import rclpy

    rclpy.init()
    node = rclpy.create_node('reader')
    node.create_subscription(RigidBodyState, topic, lambda _: ready.set(), 1)
    rclpy.spin(node)


def test_a_reader_that_is_stuck_holds_nobody_but_who_waits_for_it(world):
    spawn = multiprocessing.get_context('spawn')
    ready = spawn.Event()
    reader = spawn.Process(target=watch, args=(world.manifest.bodies[1].topic + '/State', ready), daemon=True)
    reader.start()
    world.wait_for(lambda: (world.step(1), ready.is_set())[1], 'the reader')
    world.wait_for(lambda: world.step(1, wait_for_acked=True, barrier_timeout=60.0).ok, 'an acknowledgement')
    os.kill(reader.pid, signal.SIGSTOP)
    try:
        waiting = world.start_call(
            StepWorld, 'step', steps=1, agent='tester', wait_for_acked=True, barrier_timeout=600.0
        )
        for _ in range(3):
            world.call(GetWorldMode, 'get_mode')
            assert world.call(QueryObject, 'query', name='crank').ok
            assert world.call(JoinWorld, 'join', name='newcomer').ok
            assert world.call(LeaveWorld, 'leave', name='newcomer').ok
        assert not waiting.done(), 'the others were answered meanwhile'
        # An end of lockstep does not wait for it, either.
        world.set_mode(REALTIME)
        world.wait_for(waiting.done, 'the end of the call')
        before = count(world)
        world.wait_for(lambda: count(world) > before + 10, 'steps in real time')
        world.set_mode(LOCKSTEP)
        reply = world.step(1, wait_for_acked=True, barrier_timeout=0.5)
        assert reply.code == Code.CODE_BARRIER_TIMEOUT and 'no acknowledgement' in reply.message
    finally:
        os.kill(reader.pid, signal.SIGCONT)
    world.wait_for(lambda: world.step(1, wait_for_acked=True, barrier_timeout=60.0).ok, 'an acknowledgement')
    reader.kill()
    reader.join()


def take_part(process: str):
    """A member of the barrier in its own process."""
    import rclpy

    rclpy.init()
    node = rclpy.create_node('lens')
    hello = node.create_publisher(BarrierMember, '/ambf/env/World/Barrier', MEMBERS)
    done = node.create_publisher(StepDone, '/ambf/env/World/StepDone', 100)
    node.create_subscription(
        WorldSnapshot,
        '/ambf/env/World/Snapshot',
        lambda s: done.publish(StepDone(member='lens', step=s.step, ok=True)),
        1,
    )
    process = process or f'{socket.gethostname()}:{os.getpid()}'
    node.create_timer(0.1, lambda: hello.publish(BarrierMember(name='lens', process=process)))
    rclpy.spin(node)


def test_a_member_that_was_killed_is_named_at_once_and_forgotten(world):
    member = multiprocessing.get_context('spawn').Process(target=take_part, args=('',), daemon=True)
    member.start()
    world.wait_for(lambda: world.step(1, barrier=['lens'], barrier_timeout=5.0).ok, 'the member')
    os.kill(member.pid, signal.SIGKILL)
    member.join()
    began = time.monotonic()
    reply = world.step(1, barrier=['lens'], barrier_timeout=100.0)
    assert reply.code == Code.CODE_BARRIER_TIMEOUT and 'lens (is gone)' in reply.message
    assert time.monotonic() - began < 50.0, 'a dead member is not waited for'
    reply = world.step(1, barrier=['lens'], barrier_timeout=100.0)
    assert reply.code == Code.CODE_BARRIER_TIMEOUT and 'has not announced itself' in reply.message


def test_a_barrier_says_which_member_knows_an_older_world(world):
    hello = world.node.create_publisher(BarrierMember, '/ambf/env/World/Barrier', MEMBERS)
    known = world.manifest.revision
    member = BarrierMember(name='behind', manifest_revision=known)
    missing = lambda: world.step(0, barrier=['behind'], barrier_timeout=0.05).message
    world.wait_for(lambda: (hello.publish(member), 'has not announced' not in missing())[1], 'the member')
    assert 'behind (no answer within' in missing() and 'manifest' not in missing()
    loaded = world.call(LoadModel, 'load_model', uri=description('adf/pendulum.yaml'), ns='/guest')
    assert loaded.ok, loaded.message
    assert f'it knows manifest {known}, and the world has {loaded.manifest_revision}' in missing()
    assert world.call(RemoveObject, 'remove', name=loaded.names[0]).ok
    world.node.destroy_publisher(hello)


def test_what_is_refused_disturbs_nobody_who_waits(world, tmp_path):
    saved = world.call(SaveState, 'save_state', name='before', return_bytes=True)
    guest = world.call(LoadModel, 'load_model', uri=description('adf/pendulum.yaml'), ns='/guest')
    assert guest.ok, guest.message
    x, y = Agent(world, 'x'), Agent(world, 'y')
    waiting = x.grant(1)
    twice = x.grant(1)
    world.wait_for(twice.done, 'the sign that the grant is there')
    before = count(world)
    for fields in ({'name': 'before'}, {'data': saved.data}):
        refused = world.call(RestoreState, 'restore_state', **fields)
        assert not refused.ok and 'other models' in refused.message
        assert refused.step == before
    broken = tmp_path / 'launch.yaml'
    broken.write_text('world config: nowhere.yaml\n')
    refused = world.call(LoadWorld, 'load_world', uri=str(broken))
    assert not refused.ok and 'nothing was changed' in refused.message
    assert refused.problem != LoadWorld.Response.PROBLEM_NONE
    spin(world, 0.3)
    assert not waiting.done(), 'the grant of x still stands'
    other = y.grant(1)
    for future in (waiting, other):
        world.wait_for(future.done, 'the reply')
        assert future.result().ok and future.result().step == before + 1
    x.leave()
    y.leave()
    assert world.call(RemoveObject, 'remove', name=guest.names[0]).ok
    assert world.call(RestoreState, 'restore_state', name='before').ok
