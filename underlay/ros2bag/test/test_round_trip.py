# SPDX-License-Identifier: BSD-3-Clause
"""What is recorded is what was sent; what is played is what was recorded."""
import signal
import time

import bags
import pytest
import yaml
from conftest import BEST_EFFORT, LATCHED, arrived, run_bag, spin_until
from rosgraph_msgs.msg import Clock
from std_msgs.msg import String

TEXTS = [f'hello {i}' for i in range(100)]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp('bags')


@pytest.fixture(scope='module')
def recorded(folder, node):
    """Give one bag for several tests: two topics, and a latched one sent before the recorder came."""
    from conftest import Bag, wait_until
    latched = node.create_publisher(String, '/latched', LATCHED)
    latched.publish(String(data='before'))
    chat = node.create_publisher(String, '/chat', 10)
    best = node.create_publisher(String, '/best_effort', BEST_EFFORT)
    other = node.create_publisher(String, '/other', 10)
    path = folder / 'recorded'
    recorder = Bag(folder / 'log', 'record', '-o', path, '--topics', '/chat', '/latched', '/best_effort')
    wait_until(lambda: all(p.get_subscription_count() > 0 for p in (latched, chat, best)))
    for text in TEXTS:
        # What is best effort is not acknowledged; it is there when what was sent after it is.
        for publisher in (best, other, chat):
            publisher.publish(String(data=text))
        time.sleep(0.005)
    arrived(latched, chat)
    text = recorder.end()
    assert recorder.process.returncode == 0, text
    for publisher in (latched, chat, best, other):
        node.destroy_publisher(publisher)
    return path, text


def test_records_every_message_of_the_topics_asked_for(recorded):
    path, _ = recorded
    assert [m.data for m in bags.decoded(path, '/chat')] == TEXTS
    assert [m.data for m in bags.decoded(path, '/latched')] == ['before']
    assert '/other' not in bags.messages(path)


def test_sequence_numbers_have_no_gap_and_the_report_says_so(recorded):
    path, text = recorded
    numbers = bags.sequences(path, '/chat')
    assert numbers == list(range(numbers[0], numbers[0] + len(TEXTS)))
    assert 'lost before the recorder: 0, in it: 0' in text


def test_metadata_is_that_of_jazzy(recorded):
    path, _ = recorded
    info = yaml.safe_load((path / 'metadata.yaml').read_text())['rosbag2_bagfile_information']
    assert list(info) == [
        'version', 'storage_identifier', 'duration', 'starting_time', 'message_count',
        'topics_with_message_count', 'compression_format', 'compression_mode', 'relative_file_paths',
        'files', 'custom_data', 'ros_distro']
    assert info['version'] == 9 and info['storage_identifier'] == 'mcap'
    assert info['relative_file_paths'] == ['recorded_0.mcap']
    by_name = {t['topic_metadata']['name']: t for t in info['topics_with_message_count']}
    latched = by_name['/latched']['topic_metadata']
    assert latched['offered_qos_profiles'][0]['durability'] == 'transient_local'
    assert latched['type_description_hash'].startswith('RIHS01_')
    assert by_name['/best_effort']['topic_metadata']['offered_qos_profiles'][0]['reliability'] == 'best_effort'
    assert info['message_count'] == sum(t['message_count'] for t in by_name.values())


def test_mcap_has_summary_index_and_schemas(recorded):
    path, _ = recorded
    summary = bags.summary(path)
    assert summary.statistics.message_count == 201
    assert len(summary.chunk_indexes) == summary.statistics.chunk_count >= 1
    assert {s.name: s.encoding for s in summary.schemas.values()} == {'std_msgs/msg/String': 'ros2msg'}
    channel = next(c for c in summary.channels.values() if c.topic == '/chat')
    assert yaml.safe_load(channel.metadata['offered_qos_profiles'])[0]['reliability'] == 'reliable'
    assert channel.metadata['topic_type_hash'].startswith('RIHS01_')


def test_info_prints_what_stock_prints(recorded):
    path, _ = recorded
    done = run_bag('info', path)
    assert done.returncode == 0 and done.stderr == ''
    lines = done.stdout.split('\n')
    assert lines[0] == '' and lines[1] == 'Files:             recorded_0.mcap'
    assert [line[:19] for line in lines[2:9]] == [
        'Bag size:          ', 'Storage id:        ', 'ROS Distro:        ', 'Duration:          ',
        'Start:             ', 'End:               ', 'Messages:          ']
    assert 'Messages:          201' in lines
    assert 'Topic: /chat | Type: std_msgs/msg/String | Count: 100 | Serialization Format: cdr' in done.stdout
    assert set(run_bag('info', '-t', path).stdout.split()) == {'/chat', '/latched', '/best_effort'}


def test_record_play_record_gives_the_same_bytes(recorded, bag, tmp_path):
    path, _ = recorded
    again = tmp_path / 'again'
    recorder = bag('record', '-e', '^/(chat|latched|best_effort)$', '-o', again, '--storage-preset-profile', 'zstd_fast')
    recorder.wait_for('Recording...')
    player = bag('play', path, '-p', '-r', '2', '--log-level', 'debug', terminal=True)
    player.resume_when_heard('/chat', '/latched', '/best_effort')
    text = player.wait()
    assert 'Resuming play.' in text
    assert player.process.returncode == 0, text
    assert 'lost before the recorder: 0, in it: 0' in recorder.end(signal.SIGTERM)
    assert recorder.process.returncode == 0
    first, second = bags.messages(path), bags.messages(again)
    assert second == first
    assert {i.compression for i in bags.summary(again).chunk_indexes} == {'zstd'}


def test_play_remaps_selects_and_keeps_the_rate(recorded, bag, node):
    path, _ = recorded
    got, clocks = [], []
    subscriptions = [
        node.create_subscription(String, '/renamed', lambda m: got.append((time.monotonic(), m.data)), 200),
        node.create_subscription(String, '/best_effort', lambda m: got.append((0, 'wrong topic')), BEST_EFFORT),
        node.create_subscription(Clock, '/clock', lambda m: clocks.append(m.clock), BEST_EFFORT)]
    player = bag('play', path, '--topics', '/chat', '--remap', '/chat:=/renamed', '-r', '0.5', '-p',
                 '--clock', '100', '--log-level', 'debug', terminal=True)
    start = time.monotonic()
    player.resume_when_heard('/chat')
    spin_until(node, lambda: len(got) >= len(TEXTS) and player.process.poll() is not None)
    for subscription in subscriptions:
        node.destroy_subscription(subscription)
    assert [text for _, text in got] == TEXTS
    with bags.rosbags.Reader(path) as reader:
        stamps = [t for c, t, _ in reader.messages() if c.topic == '/chat']
    # At half the rate each comes at twice the time at the earliest; a busy machine adds to it.
    assert all(at - start > 2.0 * 1e-9 * (stamp - stamps[0]) for (at, _), stamp in zip(got, stamps))
    assert clocks
    times = [c.sec * 10**9 + c.nanosec for c in clocks]
    assert stamps[0] - 10**9 < times[-1] < stamps[-1] + 60 * 10**9


def test_start_offset_skips_the_beginning(recorded, bag, node):
    path, _ = recorded
    with bags.rosbags.Reader(path) as reader:
        start = reader.start_time
        late = [d for c, t, d in reader.messages() if c.topic == '/chat' and t >= start + 200_000_000]
    got = []
    subscription = node.create_subscription(String, '/chat', lambda m: got.append(m.data), 200)
    player = bag('play', path, '--topics', '/chat', '--start-offset', '0.2', '-p', '--log-level', 'debug', terminal=True)
    player.resume_when_heard('/chat')
    spin_until(node, lambda: len(got) >= len(late) and player.process.poll() is not None)
    node.destroy_subscription(subscription)
    assert 0 < len(late) < len(TEXTS)
    assert got == TEXTS[-len(late):]
