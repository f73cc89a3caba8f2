# SPDX-License-Identifier: BSD-3-Clause
"""The recorder as a component, simulated time, and the player's delay and loop."""
import os
import signal
import subprocess

import bags
import pytest
from conftest import spin_until, wait_until
from rosgraph_msgs.msg import Clock
from std_msgs.msg import String


@pytest.fixture
def container(node):
    """Start a component container and wait for it; it is interrupted at the end."""
    process = subprocess.Popen(['ros2', 'run', 'rclcpp_components', 'component_container'],
                               start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: '/ComponentManager/_container/load_node' in dict(node.get_service_names_and_types()))
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=90)


def load_recorder(path, node_name):
    done = subprocess.run(
        ['ros2', 'component', 'load', '/ComponentManager', 'rosbag2_transport', 'rosbag2_transport::Recorder',
         '-n', node_name, '-p', f'storage.uri:={path}', '-p', 'record.topics:=[/chat]'],
        capture_output=True, text=True, timeout=120)
    return done


def test_a_recorder_takes_part_in_a_container(container, publish, tmp_path):
    unloaded, interrupted = tmp_path / 'unloaded', tmp_path / 'interrupted'
    done = load_recorder(unloaded, 'first')
    assert done.returncode == 0, done.stderr
    refused = load_recorder(unloaded, 'again')
    assert refused.returncode == 1 and 'already exists' in refused.stdout + refused.stderr
    publish('/chat', [])
    publisher = publish('/chat', ['one', 'two'])
    subprocess.run(['ros2', 'component', 'unload', '/ComponentManager', '1'], check=True, timeout=120,
                   stdout=subprocess.DEVNULL)
    wait_until(lambda: publisher.get_subscription_count() == 0)
    assert [m.data for m in bags.decoded(unloaded, '/chat')] == ['one', 'two']
    assert load_recorder(interrupted, 'second').returncode == 0
    publish('/chat', ['three'])
    os.killpg(container.pid, signal.SIGINT)
    container.wait(timeout=90)
    assert [m.data for m in bags.decoded(interrupted, '/chat')] == ['three']


def test_simulated_time_stamps_the_messages(node, bag, publish, tmp_path):
    path = tmp_path / 'bag'
    clock = node.create_publisher(Clock, '/clock', 10)
    recorder = bag('record', '--topics', '/chat', '-o', path, '--use-sim-time')
    chat = node.create_publisher(String, '/chat', 10)
    message = Clock()
    message.clock.sec = 1234

    def ticked() -> bool:
        clock.publish(message)
        return chat.get_subscription_count() > 0
    wait_until(ticked)
    node.destroy_publisher(chat)
    publish('/chat', [])
    publish('/chat', ['a', 'b'])
    recorder.end()
    node.destroy_publisher(clock)
    with bags.rosbags.Reader(path) as reader:
        assert [t for _, t, _ in reader.messages()] == [1234 * 10**9] * 2


def test_qos_overrides_are_asked_for(node, bag, publish, tmp_path):
    path, overrides = tmp_path / 'bag', tmp_path / 'qos.yaml'
    overrides.write_text('/chat:\n  reliability: best_effort\n  history: keep_last\n  depth: 7\n')
    recorder = bag('record', '--topics', '/chat', '-o', path, '--qos-profile-overrides-path', overrides)
    publish('/chat', ['x'])
    wait_until(lambda: len(node.get_subscriptions_info_by_topic('/chat')) == 1)
    qos = node.get_subscriptions_info_by_topic('/chat')[0].qos_profile
    assert qos.reliability.name == 'BEST_EFFORT'
    assert 'Overriding subscription profile for /chat' in recorder.end()


def test_play_loops_until_it_is_told_to_stop(node, bag, publish, tmp_path):
    path = tmp_path / 'bag'
    recorder = bag('record', '--topics', '/chat', '-o', path, '--compression-mode', 'file',
                   '--compression-format', 'zstd')
    publish('/chat', [])
    publish('/chat', ['1', '2', '3'])
    recorder.end()
    assert (path / 'bag_0.mcap.zstd').exists()
    assert len(bags.messages(path)['/chat']) == 3
    got = []
    subscription = node.create_subscription(String, '/chat', lambda m: got.append(m.data), 100)
    player = bag('play', path, '-l')
    spin_until(node, lambda: len(got) >= 50)
    player.end()
    node.destroy_subscription(subscription)
    assert player.process.returncode == 0
    start = got.index('1')
    assert got[start:start + 12] == ['1', '2', '3'] * 4
