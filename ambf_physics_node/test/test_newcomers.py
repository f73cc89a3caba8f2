# SPDX-License-Identifier: BSD-3-Clause
"""What a newcomer to the graph finds: worlds that wait, and others that were there first."""

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from tf2_msgs.msg import TFMessage
from world_fixture import *

from ambf_msgs.msg import WorldSnapshot, WorldState

BEST_EFFORT = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)


def clock_owners(world) -> set[str]:
    """Nodes that publish /clock."""
    return {
        f'{info.node_namespace}/{info.node_name}'.replace('//', '/')
        for info in world.node.get_publishers_info_by_topic('/clock')
    }


def test_everyone_who_comes_to_a_waiting_world_hears_where_things_are():
    with World('adf/pendulum.yaml', mode='paused') as world:
        for _ in range(3):
            heard = {'/tf': [], '/ambf/env/World/Snapshot': []}
            subscriptions = [
                world.node.create_subscription(TFMessage, '/tf', heard['/tf'].append, 100),
                world.node.create_subscription(
                    WorldSnapshot, '/ambf/env/World/Snapshot', heard['/ambf/env/World/Snapshot'].append, 10
                ),
            ]
            world.wait_for(lambda: all(heard.values()), 'tf and snapshot of a paused world')
            assert len(heard['/tf'][-1].transforms) >= len(world.manifest.bodies)
            # The earlier ones stay: a newcomer is one more.
            assert subscriptions


def test_the_first_message_is_of_now():
    with World('adf/pendulum.yaml', mode='realtime') as world:
        for _ in range(2):
            world.wait_for(lambda: world.call(GetWorldMode, 'get_mode').step % 1000 > 500, 'half a second unheard')
            heard, step = [], world.call(GetWorldMode, 'get_mode').step
            subscription = world.node.create_subscription(WorldState, '/ambf/env/World/State', heard.append, 10)
            world.wait_for(lambda: heard, 'World/State')
            assert heard[0].sim_step >= step
            world.node.destroy_subscription(subscription)
            world.wait_for(lambda: world.call(GetWorldMode, 'get_mode').step % 1000 < 500, 'the next second')


def test_a_clock_that_was_there_first_keeps_its_topic():
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('wall', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    publisher = node.create_publisher(Clock, '/clock', 1)
    node.create_timer(0.05, lambda: publisher.publish(Clock()))
    with World('adf/pendulum.yaml', mode='realtime') as world:
        ticks = []
        world.node.create_subscription(Clock, '/ambf/env/clock', ticks.append, BEST_EFFORT)
        world.wait_for(lambda: (executor.spin_once(timeout_sec=0.01), len(ticks) > 3)[1], 'the clock below the world')
        assert '/clock is published by /wall already' in world.output()
        world.wait_for(lambda: clock_owners(world) == {'/wall'}, 'one clock')
    assert world.exit_code == 0
    executor.shutdown()
    node.destroy_node()
    rclpy.shutdown(context=context)


def test_readers_of_a_waiting_world_hear_of_its_changes():
    with World('adf/pendulum.yaml', mode='lockstep') as world:
        snapshots, frames = [], []
        world.node.create_subscription(WorldSnapshot, '/ambf/env/World/Snapshot', snapshots.append, 10)
        world.node.create_subscription(TFMessage, '/tf', lambda m: frames.append(len(m.transforms)), 100)
        world.wait_for(lambda: snapshots and frames, 'snapshot and tf')
        before = frames[-1]
        reply = world.call(LoadModel, 'load_model', uri=description('adf/ball.yaml'))
        assert reply.ok, reply.message
        world.wait_for(
            lambda: snapshots[-1].manifest_revision == reply.manifest_revision and frames[-1] > before,
            'snapshot and tf of the new world',
        )


def test_what_a_world_did_last_before_it_waits_is_told():
    with World('adf/pendulum.yaml', mode='realtime', snapshot_rate=2.0) as world:
        snapshots, clocks = [], []
        world.node.create_subscription(WorldSnapshot, '/ambf/env/World/Snapshot', snapshots.append, 10)
        world.node.create_subscription(Clock, '/clock', clocks.append, BEST_EFFORT)
        world.wait_for(lambda: len(snapshots) > 1 and clocks, 'snapshot and clock')
        for mode in (PAUSED, REALTIME, LOCKSTEP):
            world.set_mode(mode)
            if mode == REALTIME:
                continue
            step = world.call(GetWorldMode, 'get_mode').step
            world.wait_for(lambda: snapshots[-1].step == step, 'the snapshot of the last step')
            world.wait_for(
                lambda: round(1000 * clocks[-1].clock.sec + 1e-6 * clocks[-1].clock.nanosec) == step,
                'the time of the last step',
            )


def test_two_simulators_of_one_name_do_not_share_a_clock():
    with (
        World('adf/pendulum.yaml') as first,
        World('adf/pendulum.yaml', base='/second', world_namespace='second') as second,
    ):
        assert all(body.topic.startswith('/second/') for body in second.manifest.bodies)
        said = lambda: sum('/clock is published by /physics already' in w.output() for w in (first, second))
        first.wait_for(lambda: said() == 1, 'one of them giving way')
        first.wait_for(lambda: len(first.node.get_publishers_info_by_topic('/clock')) == 1, 'one clock')


def test_of_two_worlds_that_start_together_one_has_the_clock():
    with World('adf/pendulum.yaml', namespace='/a') as a, World('adf/pendulum.yaml', namespace='/b') as b:
        ticks = {'/clock': [], '/b/ambf/env/clock': []}
        for topic, heard in ticks.items():
            a.node.create_subscription(Clock, topic, heard.append, BEST_EFFORT)
        a.wait_for(lambda: all(len(heard) > 3 for heard in ticks.values()), 'both clocks')
        a.wait_for(lambda: clock_owners(a) == {'/a/physics'}, 'one clock')
    assert a.exit_code == 0 and b.exit_code == 0
