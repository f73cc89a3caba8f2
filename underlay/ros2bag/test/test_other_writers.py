# SPDX-License-Identifier: BSD-3-Clause
"""Files that another library wrote are read."""
import struct

import pytest
import rclpy
from conftest import run_bag, wait_until
from std_msgs.msg import String

writer = pytest.importorskip('mcap.writer')


@pytest.mark.parametrize('compression', ['NONE', 'LZ4', 'ZSTD'])
@pytest.mark.parametrize('whole', [True, False])
def test_chunks_of_every_compression_are_read_whole_or_cut(tmp_path, compression, whole):
    file = tmp_path / 'other.mcap'
    with open(file, 'wb') as stream:
        out = writer.Writer(stream, chunk_size=20_000, compression=writer.CompressionType[compression])
        out.start(profile='ros2', library='test')
        schema = out.register_schema('std_msgs/msg/String', 'ros2msg', b'string data')
        channel = out.register_channel('/chat', 'cdr', schema, {})
        for i in range(1000):
            out.add_message(channel, 10**18 + i, f'message {i} {i * i * i % 9973}'.encode() * 5, 10**18 + i)
        out.finish()
    if not whole:
        content = file.read_bytes()
        file.write_bytes(content[:len(content) // 2])
    done = run_bag('info', file)
    assert done.returncode == 0
    count = int(done.stdout.split('Count: ')[1].split()[0])
    if whole:
        assert count == 1000 and done.stderr == ''
    else:
        assert 200 < count < 600 and 'ends too early' in done.stderr


@pytest.mark.parametrize('mode', ['NONE', 'FILE', 'MESSAGE'])
def test_sqlite_bags_of_rosbags_are_read_with_every_compression(tmp_path, mode, bag, node):
    rosbag2 = pytest.importorskip('rosbags.rosbag2')
    typesys = pytest.importorskip('rosbags.typesys')
    store = typesys.get_typestore(typesys.Stores.ROS2_JAZZY)
    out = rosbag2.Writer(tmp_path / 'b', version=8, storage_plugin=rosbag2.StoragePlugin.SQLITE3)
    if mode != 'NONE':
        out.set_compression(rosbag2.CompressionMode[mode], rosbag2.CompressionFormat.ZSTD)
    with out:
        topic = out.add_connection('/of_rosbags', 'std_msgs/msg/String', typestore=store)
        for i in range(3):
            text = store.types['std_msgs/msg/String'](data=f'm{i}')
            out.write(topic, 10**18 + i, store.serialize_cdr(text, 'std_msgs/msg/String'))
    done = run_bag('info', tmp_path / 'b')
    assert done.returncode == 0 and '/of_rosbags | Type: std_msgs/msg/String | Count: 3' in done.stdout
    heard = []
    subscription = node.create_subscription(String, '/of_rosbags', lambda m: heard.append(m.data), 10)
    player = bag('play', tmp_path / 'b', '--start-paused', '--log-level', 'debug', terminal=True)
    player.resume_when_heard('/of_rosbags')
    wait_until(lambda: rclpy.spin_once(node, timeout_sec=0.1) or len(heard) == 3)
    player.wait()
    node.destroy_subscription(subscription)
    assert heard == ['m0', 'm1', 'm2']


def test_verbose_info_counts_requests_and_responses_once(tmp_path):
    file = tmp_path / 'calls.mcap'
    with open(file, 'wb') as stream:
        out = writer.Writer(stream)
        out.start(profile='ros2', library='test')
        schema = out.register_schema('std_srvs/srv/Empty_Event', 'ros2msg', b'')
        channel = out.register_channel('/clear/_service_event', 'cdr', schema, {})
        # Event type, stamp, client and number; call 1 is seen by both sides, call 2 has no answer.
        for kind, number in ((0, 1), (1, 1), (2, 1), (3, 1), (0, 2)):
            event = struct.pack('<4xB3xiI16s4xq', kind, 0, 0, b'client', number)
            out.add_message(channel, 10**18, event, 10**18)
        out.finish()
    service = 'Service: /clear | Type: std_srvs/srv/Empty | '
    assert service + 'Event Count: 5 |' in run_bag('info', file).stdout
    assert service + 'Request Count: 2 | Response Count: 1 |' in run_bag('info', '-v', file).stdout
