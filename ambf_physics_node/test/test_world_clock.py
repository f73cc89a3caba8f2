# SPDX-License-Identifier: BSD-3-Clause
"""The world clock keeps its word."""

import multiprocessing
import os
import signal
import socket
import time

import pytest
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from std_msgs.msg import Empty
from world_fixture import *

from ambf_msgs.msg import AgentHello, BarrierMember, RigidBodyCmd, RigidBodyState, StepDone, WorldCmd, WorldSnapshot

LONG = os.environ.get('AMBF_TEST_LONG') == '1'


@pytest.fixture(scope='module')
def world():
    with World('adf/four_bar.yaml', 'adf/pendulum.yaml', mode='lockstep') as w:
        yield w


def test_step_calls_take_exactly_the_steps_asked_for(world):
    first = world.step(0).step
    for count in (1, 7, 100):
        before = world.step(0).step
        reply = world.step(count)
        assert reply.ok and reply.step == before + count
    calls = 10000 if LONG else 150
    for _ in range(calls):
        reply = world.step(3)
    assert reply.step == first + 108 + 3 * calls
    assert reply.sim_time.sec + 1e-9 * reply.sim_time.nanosec == pytest.approx(reply.step * 0.001, abs=1e-9)


def test_what_a_step_publishes_is_out_before_its_reply(world):
    states, clocks, snapshots = [], [], []
    subscriptions = [
        world.node.create_subscription(RigidBodyState, world.manifest.bodies[1].topic + '/State', states.append, 10),
        world.node.create_subscription(
            Clock, '/clock', clocks.append, QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
        ),
        world.node.create_subscription(WorldSnapshot, '/ambf/env/World/Snapshot', snapshots.append, 10),
    ]
    world.wait_for(lambda: (world.step(1), states and clocks and snapshots)[1], 'first messages')
    for _ in range(50):
        step = world.step(2).step
        world.wait_for(lambda: snapshots[-1].step >= step and states[-1].sim_step >= step, 'messages of the step')
        assert snapshots[-1].step == step and states[-1].sim_step == step
    stamps = [c.clock.sec * 10**9 + c.clock.nanosec for c in clocks]
    assert stamps == sorted(set(stamps)), 'the clock must increase strictly'
    for subscription in subscriptions:
        world.node.destroy_subscription(subscription)


def test_a_reply_waits_for_the_members_of_the_barrier(world):
    hello = world.node.create_publisher(BarrierMember, '/ambf/env/World/Barrier', MEMBERS)
    done = world.node.create_publisher(StepDone, '/ambf/env/World/StepDone', 100)
    handled = []

    def work(snapshot):
        handled.append(snapshot.step)
        done.publish(StepDone(member='camera', step=snapshot.step, ok=True))

    subscription = world.node.create_subscription(WorldSnapshot, '/ambf/env/World/Snapshot', work, 1)
    world.wait_for(
        lambda: (hello.publish(BarrierMember(name='camera')), world.step(1, barrier=['camera']).ok)[1],
        'a first barrier',
    )
    for _ in range(10000 if LONG else 200):
        reply = world.step(1, barrier=['camera'], barrier_timeout=60.0)
        assert reply.ok, reply.message
        assert handled[-1] == reply.step
    world.node.destroy_subscription(subscription)
    reply = world.step(1, barrier=['camera', 'ghost'], barrier_timeout=0.2)
    assert not reply.ok and reply.code == StepWorld.Response.CODE_BARRIER_TIMEOUT
    assert 'camera' in reply.message and 'ghost' in reply.message
    world.node.destroy_publisher(hello)


def test_a_second_agent_must_join(world):
    def second_is_refused():
        began = time.monotonic()
        if not world.step(1, agent='first').ok:
            return False  # the lease of whoever stepped before
        reply = world.step(1, agent='second')
        if reply.ok:
            assert time.monotonic() - began > 2.0, 'the lease of the first had not ended'
            return False
        assert reply.code == StepWorld.Response.CODE_NOT_JOINED
        assert 'first' in reply.message and 'join' in reply.message
        assert reply.message.endswith("it is free when that one has been silent for 'agent_lease'")
        return True

    world.wait_for(second_is_refused, 'the refusal')
    world.wait_for(lambda: world.step(1).ok, 'the end of the lease')


@pytest.mark.parametrize(
    'fields, words',
    [
        ({'joints': [0], 'joint_modes': [2], 'joint_values': [float('nan')]}, ['not finite']),
        ({'joints': [0, 1], 'joint_modes': [2], 'joint_values': [1.0]}, ['equal lengths']),
        ({'joints': [999], 'joint_modes': [1], 'joint_values': [1.0]}, ['999', 'expected less than']),
        ({'joints': [0], 'joint_modes': [17], 'joint_values': [1.0]}, ['mode 17']),
        ({'observe_bodies': [999]}, ['observe_bodies', '999']),
        ({'manifest_revision': 12345}, ['manifest_revision', 'read the manifest again']),
        ({'barrier_timeout': 1e300}, ['barrier_timeout', '3600']),
        ({'barrier_timeout': float('nan')}, ['barrier_timeout', '3600']),
    ],
)
def test_a_bad_request_is_refused_whole(world, fields, words):
    before = world.step(0)
    reply = world.step(1, **fields)
    assert not reply.ok
    for word in words:
        assert word in reply.message
    assert world.step(0).state_hash == before.state_hash


def test_steps_are_refused_where_the_world_keeps_its_own_time(world):
    for mode, name in ((PAUSED, 'paused'), (REALTIME, 'realtime'), (FREE, 'free')):
        world.set_mode(mode)
        reply = world.step(1)
        assert reply.code == StepWorld.Response.CODE_WRONG_MODE and name in reply.message
    world.set_mode(LOCKSTEP)
    assert world.step(1).ok


def test_the_same_commands_give_the_same_hashes(world):
    crank = world.joint('frame-crank')

    def run():
        assert world.call(ResetWorld, 'reset', scope=3).ok
        hashes = []
        for i in range(3000 if LONG else 100):
            reply = world.step(2, joints=[crank], joint_modes=[EFFORT], joint_values=[0.01 * (i % 7)])
            hashes.append(reply.state_hash)
        return hashes

    first = run()
    assert first == run()
    assert len(set(first)) == len(first)


@pytest.mark.parametrize('name, time_too', [('Reset', True), ('ResetBodies', False), ('Reset/Bodies', False)])
def test_ambfs_topics_reset_the_world(world, name, time_too):
    assert world.call(ResetWorld, 'reset', scope=3).ok
    start = world.step(0, observe_all=True)
    moved = world.step(100, observe_all=True)
    assert list(moved.bodies) != list(start.bodies)
    publisher = world.node.create_publisher(Empty, f'/ambf/env/World/Command/{name}', 1)
    world.wait_for(lambda: publisher.get_subscription_count() > 0, 'a reader of the reset')
    publisher.publish(Empty())
    world.wait_for(lambda: list(world.step(0, observe_all=True).bodies) == list(start.bodies), 'the reset')
    assert world.step(0).step == (start.step if time_too else moved.step)
    world.node.destroy_publisher(publisher)


def test_save_and_restore_continue_bit_for_bit(world):
    world.step(50)
    saved = world.call(SaveState, 'save_state', name='here', return_bytes=True)
    assert saved.ok
    first = [world.step(1).state_hash for _ in range(50)]
    restored = world.call(RestoreState, 'restore_state', name='here')
    assert restored.ok and restored.step == saved.step and restored.state_hash == saved.state_hash
    assert [world.step(1).state_hash for _ in range(50)] == first
    assert world.call(RestoreState, 'restore_state', data=saved.data).ok
    assert [world.step(1).state_hash for _ in range(50)] == first
    refused = world.call(RestoreState, 'restore_state', name='nowhere')
    assert not refused.ok and 'here' in refused.message
    for change in (lambda d: [1, 2, 3], lambda d: d[:-20], lambda d: d[:200] + [d[200] ^ 1] + d[201:]):
        refused = world.call(RestoreState, 'restore_state', data=change(list(saved.data)))
        assert not refused.ok and 'changed' in refused.message


def test_a_long_call_does_not_block_and_ends_with_the_mode(world):
    future = world.start_call(StepWorld, 'step', steps=4_000_000_000, agent='tester')
    before = world.call(GetWorldMode, 'get_mode').step
    world.wait_for(lambda: world.call(GetWorldMode, 'get_mode').step > before, 'steps')
    world.set_mode(PAUSED)
    world.wait_for(future.done, 'the end of the long call')
    assert future.result().code == StepWorld.Response.CODE_CANCELED
    world.set_mode(LOCKSTEP)
    assert world.step(1).ok


def test_the_toggle_clock_of_ambf_steps_and_ignores_repetitions(world):
    world.set_mode(REALTIME)
    command = world.node.create_publisher(WorldCmd, '/ambf/env/World/Command', 1)
    world.wait_for(command.get_subscription_count, 'the world')
    step = lambda: world.call(GetWorldMode, 'get_mode').step
    mode = lambda: world.call(GetWorldMode, 'get_mode').mode

    def publish_until(condition, what, **fields):
        """The same message again and again: a first one can be lost, and repetitions must not count."""
        message = WorldCmd(**fields)
        world.wait_for(lambda: (command.publish(message), condition())[1], what)

    publish_until(lambda: mode() == LOCKSTEP, 'lockstep', enable_step_throttling=True, step_clock=False, n_skip_steps=5)
    start = step()
    for i in range(4):
        fields = dict(enable_step_throttling=True, step_clock=i % 2 == 0, n_skip_steps=5)
        publish_until(lambda: step() == start + 5 * (i + 1), 'five steps', **fields)
        command.publish(WorldCmd(**fields))
        world.call(GetWorldMode, 'get_mode')
        assert step() == start + 5 * (i + 1)

    # A grant of very many steps holds up nobody, and ends with the mode.
    before = step()
    publish_until(
        lambda: step() > before, 'many steps', enable_step_throttling=True, step_clock=True, n_skip_steps=4_000_000_000
    )
    world.set_mode(PAUSED)
    # Another edge while the world is paused is refused, as a step call would be.
    before = step()
    publish_until(
        lambda: 'the toggle clock is ignored: the world was set to paused' in world.output(),
        'the refusal',
        enable_step_throttling=True,
        step_clock=False,
        n_skip_steps=5,
    )
    assert step() == before
    # Who chose a mode meanwhile keeps it.
    rounds = iter(range(20))
    publish_until(lambda: next(rounds) == 10, 'ten times off', enable_step_throttling=False)
    assert mode() == PAUSED
    world.set_mode(REALTIME)
    publish_until(lambda: mode() == LOCKSTEP, 'lockstep', enable_step_throttling=True)
    publish_until(lambda: mode() == REALTIME, 'realtime', enable_step_throttling=False)
    world.set_mode(LOCKSTEP)


def run_client(steps: int):
    """A client in its own process that asks for steps and waits for the reply."""
    import rclpy

    rclpy.init()
    node = rclpy.create_node('doomed')
    step = node.create_client(StepWorld, '/ambf/env/World/step')
    step.wait_for_service()
    rclpy.spin_until_future_complete(node, step.call_async(StepWorld.Request(agent='doomed', steps=steps)))


def test_a_client_that_dies_in_mid_step_leaves_a_world_that_works(world):
    count = lambda: world.call(GetWorldMode, 'get_mode').step
    client = multiprocessing.get_context('spawn').Process(target=run_client, args=(4_000_000_000,), daemon=True)
    world.wait_for(lambda: world.step(0, agent='doomed').ok, 'the end of the lease of others')
    before = count()
    client.start()
    world.wait_for(lambda: count() > before + 1000, 'the long step', 60.0)
    client.kill()
    client.join()
    queued = world.start_call(StepWorld, 'step', steps=1, agent='doomed')
    world.set_mode(PAUSED)
    world.wait_for(queued.done, 'the reply to a call that waited')
    assert queued.result().code in (StepWorld.Response.CODE_CANCELED, StepWorld.Response.CODE_WRONG_MODE)
    world.set_mode(LOCKSTEP)
    world.wait_for(lambda: world.step(1).ok, 'the end of the lease')


def test_the_world_advances_only_when_all_agents_have_granted(world):
    agents = [Agent(world, name) for name in ('x', 'y', 'z')]
    assert not world.call(JoinWorld, 'join', name='x').ok, 'a name is taken once'
    step = lambda: world.call(GetWorldMode, 'get_mode').step
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        start = step()
        futures = [agents[i].grant(3) for i in order[:2]]
        twice = agents[order[0]].grant(3)
        world.wait_for(twice.done, 'the refusal of a second grant')
        assert 'granted already' in twice.result().message and agents[order[2]].name in twice.result().message
        stranger = world.step(1, agent='stranger')
        assert stranger.code == StepWorld.Response.CODE_NOT_JOINED
        other = agents[order[2]].grant(5)
        world.wait_for(other.done, 'the refusal of another number of steps')
        assert other.result().code == StepWorld.Response.CODE_BAD_REQUEST
        quiet = time.monotonic() + 0.3
        while time.monotonic() < quiet:
            assert step() == start and not any(f.done() for f in futures), 'one agent has not granted'
        futures.append(agents[order[2]].grant(3))
        for future in futures:
            world.wait_for(future.done, 'the reply')
            assert future.result().ok and future.result().step == start + 3
    waiting = agents[0].grant()
    agents[1].leave()
    agents[2].leave()
    world.wait_for(waiting.done, 'the grant that is complete when the others have left')
    assert waiting.result().ok
    agents[0].leave()
    world.wait_for(lambda: world.step(1, agent='x').ok, 'the end of the lease of who stepped before')


def test_a_model_may_go_while_a_grant_that_commands_it_waits(world):
    """The indices of the grant belong to a world that is no more: refused, never applied to something else."""
    loaded = world.call(LoadModel, 'load_model', uri=description('adf/pendulum.yaml'), ns='/guest')
    assert loaded.ok, loaded.message
    world.wait_for(lambda: world.manifest.revision == loaded.manifest_revision, 'the manifest')
    last = len(world.manifest.joints) - 1
    topic = world.manifest.bodies[-1].topic
    x, y = Agent(world, 'x'), Agent(world, 'y')
    by_index = dict(joints=[last], joint_modes=[EFFORT], joint_values=[0.1])
    by_name = dict(body_cmds=[RigidBodyCmd(name=topic, cartesian_cmd_type=RigidBodyCmd.TYPE_FORCE)])
    for fields, words in ((by_index, 'expected less than'), (by_name, 'expected a body')):
        before = world.call(GetWorldMode, 'get_mode').step
        waiting = x.grant(1, **fields)
        twice = x.grant(1)
        world.wait_for(twice.done, 'the sign that the grant is there')
        removed = world.call(RemoveObject, 'remove', name=loaded.names[0])
        assert removed.ok, removed.message
        other = y.grant(1)
        world.wait_for(waiting.done, 'the refusal')
        assert 'the world changed while the call waited' in waiting.result().message
        assert words in waiting.result().message
        assert world.call(GetWorldMode, 'get_mode').step == before and not other.done(), 'x has to grant anew'
        again = x.grant(1)
        for future in (other, again):
            world.wait_for(future.done, 'the reply')
            assert future.result().ok and future.result().step == before + 1
        loaded = world.call(LoadModel, 'load_model', uri=description('adf/pendulum.yaml'), ns='/guest')
        assert loaded.ok, loaded.message
    # What still fits the new world is taken.
    waiting = x.grant(1, joints=[0], joint_modes=[RELEASE], joint_values=[0.0])
    twice = x.grant(1)
    world.wait_for(twice.done, 'the sign that the grant is there')
    assert world.call(RemoveObject, 'remove', name=loaded.names[0]).ok
    other = y.grant(1)
    for future in (waiting, other):
        world.wait_for(future.done, 'the reply')
        assert future.result().ok, future.result().message
    x.leave()
    y.leave()


def test_an_agent_that_never_said_hello_is_dropped_and_its_call_answered(world):
    other = Agent(world, 'other')
    assert world.call(JoinWorld, 'join', name='mute').ok
    world.wait_for(lambda: "'mute' is gone" in world.output(), 'the report')
    refused = world.step(1, agent='mute')
    assert refused.code == StepWorld.Response.CODE_NOT_JOINED
    # One that uses up its budget while it holds the others is dropped as well; those go on.
    assert world.call(JoinWorld, 'join', name='slow', delay_budget=0.2).ok
    waiting = other.grant()
    world.wait_for(waiting.done, 'the reply without the slow one')
    assert waiting.result().ok
    other.leave()


def test_the_pace_is_refused_where_no_clock_could_keep_it(world):
    for factor in (1e-9, -1.0, 1e6, float('nan'), float('inf')):
        reply = world.call(SetWorldMode, 'set_mode', mode=LOCKSTEP, real_time_factor=factor)
        assert not reply.ok and '0.001 to 1000' in reply.message


def run_agent(name: str, steps: int, known: bool):
    """An agent in its own process: joins, says hello, grants."""
    import rclpy

    rclpy.init()
    node = rclpy.create_node(name)
    hello = node.create_publisher(AgentHello, '/ambf/env/World/Agents', MEMBERS)
    join = node.create_client(JoinWorld, '/ambf/env/World/join')
    step = node.create_client(StepWorld, '/ambf/env/World/step')
    join.wait_for_service()
    step.wait_for_service()
    while hello.get_subscription_count() == 0:
        rclpy.spin_once(node, timeout_sec=0.01)
    future = join.call_async(JoinWorld.Request(name=name))
    rclpy.spin_until_future_complete(node, future)
    assert future.result().ok, future.result().message
    process = f'{socket.gethostname()}:{os.getpid()}' if known else ''
    left = [20]  # hellos: a first one can be lost, and a world must also bear agents that say no more

    def say_hello():
        hello.publish(AgentHello(name=name, process=process))
        left[0] -= 1
        if left[0] == 0:
            timer.cancel()

    timer = node.create_timer(0.1, say_hello)
    for _ in range(steps):
        future = step.call_async(StepWorld.Request(agent=name, steps=1))
        rclpy.spin_until_future_complete(node, future)


@pytest.mark.parametrize('known', [True, False] if LONG else [True], ids=lambda k: 'named' if k else 'nameless')
def test_an_agent_killed_with_sigkill_is_reported_and_dropped_after_its_lease(world, known):
    spawn = multiprocessing.get_context('spawn')
    names = [f'{letter}{int(known)}' for letter in 'abc']
    agents = [spawn.Process(target=run_agent, args=(name, 10**6, known), daemon=True) for name in names]
    count = lambda: world.call(GetWorldMode, 'get_mode').step
    for agent, name in zip(agents, names):
        agent.start()
        world.wait_for(lambda: f"'{name}' joined" in world.output(), f'agent {name}', 60.0)
    before = count()
    world.wait_for(lambda: count() > before + 50, 'three agents stepping', 60.0)
    os.kill(agents[1].pid, signal.SIGKILL)
    world.wait_for(lambda: f"'{names[1]}' is gone" in world.output(), 'the report of the dead agent')
    before = count()
    world.wait_for(lambda: count() > before + 50, 'the other two go on')
    assert not any(f"'{name}' is gone" in world.output() for name in (names[0], names[2]))
    for agent in agents:
        agent.kill()
        agent.join()
    if LONG:
        world.wait_for(lambda: world.step(1).ok, 'the end of all leases')
