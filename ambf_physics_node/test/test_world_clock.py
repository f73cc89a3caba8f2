"""The world clock keeps its word."""
import multiprocessing
import os
import signal

import pytest
from rclpy.qos import DurabilityPolicy, LivelinessPolicy, QoSProfile, ReliabilityPolicy
from rclpy.duration import Duration
from rosgraph_msgs.msg import Clock

from ambf_msgs.msg import AgentHello, BarrierMember, RigidBodyState, StepDone, WorldCmd, WorldSnapshot
from world_fixture import *  # noqa: F403

LONG = os.environ.get('AMBF_TEST_LONG') == '1'
MEMBERS = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE, liveliness=LivelinessPolicy.AUTOMATIC,
                     liveliness_lease_duration=Duration(seconds=2))


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
    calls = 10000 if LONG else 300
    for _ in range(calls):
        reply = world.step(3)
    assert reply.step == first + 108 + 3 * calls
    assert reply.sim_time.sec + 1e-9 * reply.sim_time.nanosec == pytest.approx(reply.step * 0.001, abs=1e-9)


def test_what_a_step_publishes_is_out_before_its_reply(world):
    states, clocks, snapshots = [], [], []
    subscriptions = [
        world.node.create_subscription(RigidBodyState, world.manifest.bodies[1].topic + '/State', states.append, 10),
        world.node.create_subscription(Clock, '/clock', clocks.append,
                                       QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)),
        world.node.create_subscription(WorldSnapshot, '/ambf/env/World/Snapshot', snapshots.append, 10)]
    world.wait_for(lambda: (world.step(1), states and clocks and snapshots)[1], 'first messages')
    for _ in range(50):
        step = world.step(2).step
        world.wait_for(lambda: snapshots[-1].step >= step and states[-1].sim_step >= step, 'messages of the step', 2.0)
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
    world.wait_for(lambda: hello.get_subscription_count() and done.get_subscription_count(), 'the world')
    hello.publish(BarrierMember(name='camera'))
    world.wait_for(lambda: world.step(1, barrier=['camera']).ok, 'a first barrier')
    for _ in range(10000 if LONG else 200):
        reply = world.step(1, barrier=['camera'])
        assert reply.ok, reply.message
        assert handled[-1] == reply.step
    world.node.destroy_subscription(subscription)
    reply = world.step(1, barrier=['camera', 'ghost'], barrier_timeout=0.2)
    assert not reply.ok and reply.code == StepWorld.Response.CODE_BARRIER_TIMEOUT
    assert 'camera' in reply.message and 'ghost' in reply.message
    world.node.destroy_publisher(hello)


def test_a_second_agent_must_join(world):
    assert world.step(1, agent='first').ok or world.wait_for(lambda: world.step(1, agent='first').ok, 'the lease', 5.0) is None
    reply = world.step(1, agent='second')
    assert not reply.ok and reply.code == StepWorld.Response.CODE_NOT_JOINED
    assert 'first' in reply.message and 'join' in reply.message
    world.wait_for(lambda: world.step(1).ok, 'the end of the lease', 10.0)


@pytest.mark.parametrize('fields, words', [
    ({'joints': [0], 'joint_modes': [2], 'joint_values': [float('nan')]}, ['not finite']),
    ({'joints': [0, 1], 'joint_modes': [2], 'joint_values': [1.0]}, ['equal lengths']),
    ({'joints': [999], 'joint_modes': [1], 'joint_values': [1.0]}, ['999', 'expected less than']),
    ({'joints': [0], 'joint_modes': [17], 'joint_values': [1.0]}, ['mode 17']),
    ({'observe_bodies': [999]}, ['observe_bodies', '999']),
    ({'manifest_revision': 12345}, ['manifest_revision', 'read the manifest again']),
])
def test_a_bad_request_is_refused_whole(world, fields, words):
    before = world.step(0)
    reply = world.step(1, **fields)
    assert not reply.ok
    for word in words:
        assert word in reply.message
    assert world.step(0).state_hash == before.state_hash


def test_steps_are_refused_where_the_world_keeps_its_own_time(world):
    world.set_mode(PAUSED)
    reply = world.step(1)
    assert reply.code == StepWorld.Response.CODE_WRONG_MODE and 'paused' in reply.message
    world.set_mode(LOCKSTEP)
    assert world.step(1).ok


def test_the_same_commands_give_the_same_hashes(world):
    crank = world.joint('frame-crank')

    def run():
        assert world.call(ResetWorld, 'reset', scope=3).ok
        hashes = []
        for i in range(300):
            reply = world.step(2, joints=[crank], joint_modes=[EFFORT], joint_values=[0.01 * (i % 7)])
            hashes.append(reply.state_hash)
        return hashes
    first = run()
    assert first == run()
    assert len(set(first)) == len(first)


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
    assert not world.call(RestoreState, 'restore_state', data=[1, 2, 3]).ok


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
    step = lambda: world.call(GetWorldMode, 'get_mode').step  # noqa: E731
    mode = lambda: world.call(GetWorldMode, 'get_mode').mode  # noqa: E731
    command.publish(WorldCmd(enable_step_throttling=True, step_clock=False, n_skip_steps=5))
    world.wait_for(lambda: mode() == LOCKSTEP, 'lockstep')
    start = step()
    for i in range(4):
        message = WorldCmd(enable_step_throttling=True, step_clock=i % 2 == 0, n_skip_steps=5)
        command.publish(message)
        world.wait_for(lambda: step() == start + 5 * (i + 1), 'five steps')
        command.publish(message)
        world.call(GetWorldMode, 'get_mode')
        assert step() == start + 5 * (i + 1)
    command.publish(WorldCmd(enable_step_throttling=False))
    world.wait_for(lambda: mode() == REALTIME, 'realtime')
    world.set_mode(LOCKSTEP)


def run_agent(name: str, steps: int):
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
    hello.publish(AgentHello(name=name))
    for _ in range(steps):
        future = step.call_async(StepWorld.Request(agent=name, steps=1))
        rclpy.spin_until_future_complete(node, future)


def test_three_agents_share_the_clock_and_a_killed_one_is_dropped(world):
    spawn = multiprocessing.get_context('spawn')
    agents = [spawn.Process(target=run_agent, args=(name, 10**6), daemon=True) for name in ('a', 'b', 'c')]
    agents[0].start()
    agents[1].start()
    state = lambda: world.call(GetWorldMode, 'get_mode').step  # noqa: E731
    world.wait_for(lambda: "'a' joined" in world.output() and "'b' joined" in world.output(), 'two agents', 60.0)
    first = state()
    world.wait_for(lambda: state() > first + 20, 'two agents stepping', 60.0)
    agents[2].start()
    world.wait_for(lambda: "'c' joined" in world.output(), 'the third agent', 60.0)
    before = state()
    world.wait_for(lambda: state() > before + 50, 'three agents stepping', 60.0)
    os.kill(agents[1].pid, signal.SIGKILL)
    world.wait_for(lambda: "'b' is gone" in world.output(), 'the report of the dead agent', 30.0)
    before = state()
    world.wait_for(lambda: state() > before + 50, 'the other two go on', 30.0)
    for agent in agents:
        agent.kill()
        agent.join()
