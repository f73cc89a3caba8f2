# SPDX-License-Identifier: BSD-3-Clause
"""Bags and arguments that are wrong: a clear message and stock's exit code."""
import signal
import sqlite3
import struct
import time

import pytest
from conftest import run_bag, spin_until


@pytest.fixture(scope='module')
def sqlite_bag(tmp_path_factory):
    """Make a bag as Humble wrote it, with QoS policies as numbers."""
    folder = tmp_path_factory.mktemp('sqlite') / 'old'
    folder.mkdir()
    database = sqlite3.connect(folder / 'old_0.db3')
    database.execute('CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,'
                     ' serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL)')
    database.execute('CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL,'
                     ' timestamp INTEGER NOT NULL, data BLOB NOT NULL)')
    database.execute("INSERT INTO topics VALUES(1, '/old', 'std_msgs/msg/String', 'cdr', '')")
    for i in range(20):
        text = f'old {i}'.encode() + b'\0'
        data = b'\0\1\0\0' + struct.pack('<I', len(text)) + text
        database.execute('INSERT INTO messages VALUES(?, 1, ?, ?)', (i + 1, 10**18 + i * 10**7, data))
    database.commit()
    database.close()
    (folder / 'metadata.yaml').write_text(
        'rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: sqlite3\n'
        '  duration: {nanoseconds: 190000000}\n'
        '  starting_time: {nanoseconds_since_epoch: 1000000000000000000}\n  message_count: 20\n'
        '  topics_with_message_count:\n    - topic_metadata: {name: /old, type: std_msgs/msg/String,'
        ' serialization_format: cdr, offered_qos_profiles: ""}\n      message_count: 20\n'
        '  compression_format: ""\n  compression_mode: ""\n  relative_file_paths: [old_0.db3]\n'
        '  files: [{path: old_0.db3, starting_time: {nanoseconds_since_epoch: 1000000000000000000},'
        ' duration: {nanoseconds: 190000000}, message_count: 20}]\n')
    return folder


def test_a_bag_of_sqlite3_is_described_and_played(sqlite_bag, bag, node):
    from std_msgs.msg import String
    done = run_bag('info', sqlite_bag)
    assert 'Storage id:        sqlite3' in done.stdout and 'Count: 20 ' in done.stdout
    got = []
    subscription = node.create_subscription(String, '/old', lambda m: got.append(m.data), 100)
    player = bag('play', sqlite_bag, '-p', '-r', '10', '--log-level', 'debug', terminal=True)
    player.resume_when_heard('/old')
    spin_until(node, lambda: len(got) >= 20 and player.process.poll() is not None)
    node.destroy_subscription(subscription)
    assert got == [f'old {i}' for i in range(20)]


def test_a_cut_bag_is_described_and_played_as_far_as_it_goes(bag, publish, tmp_path):
    path = tmp_path / 'bag'
    recorder = bag('record', '--topics', '/chat', '-o', path)
    publish('/chat', [])
    publish('/chat', [f'{i}' + 'x' * 5000 for i in range(400)])
    recorder.end()
    file = path / 'bag_0.mcap'
    file.write_bytes(file.read_bytes()[:1_000_000])
    done = run_bag('info', path)
    assert done.returncode == 0
    assert 'bag_0.mcap' in done.stderr and 'ends too early' in done.stderr
    count = int(done.stdout.split('Messages:')[1].split()[0])
    assert 180 < count < 200, 'a million bytes hold that many messages of 5000'
    player = run_bag('play', path, '-r', '100')
    assert player.returncode == 0 and 'ends too early' in player.stderr


@pytest.mark.parametrize('arguments, code, words', [
    (['info', 'no_such_bag'], 2, "Bag path 'no_such_bag' does not exist!"),
    (['play', 'no_such_bag'], 2, "Bag path 'no_such_bag' does not exist!"),
    (['info', __file__], 1, 'No plugin detected that could open file'),
    (['play', __file__], 1, 'No plugin detected that could open file'),
    (['record'], 1, 'Need to specify at least one option'),
    (['record', '-a', '--no-such-option'], 2, '--no-such-option'),
    (['record', '-a', '-o', '.'], 1, "Output folder '.' already exists."),
    (['record', '-e', '(', '-o', 'never'], 1, 'no regular expression'),
    (['record', '-a', '-o', 'never', '--compression-mode', 'message'], 1, 'message compression'),
    (['record', '-a', '-o', '/proc/none/bag'], 1, '/proc/none/bag'),
    (['record', '-a', '--compression-format', 'zstd'], 1, 'without a compression mode'),
    (['record', '-a', '--qos-profile-overrides-path', 'none.yaml'], 2, 'none.yaml'),
    (['play', '.', '-r', '0'], 2, '> 0.0'),
    (['nothing'], 2, 'nothing'),
])
def test_wrong_arguments(arguments, code, words):
    done = run_bag(*arguments)
    assert words in done.stdout + done.stderr
    assert done.returncode == code
    assert 'Traceback' not in done.stderr


def test_two_interrupts_at_any_time_leave_a_whole_bag_or_none(bag, tmp_path):
    for i, delay in enumerate((0.1, 0.3, 0.6, 1.0)):
        path = tmp_path / f'bag{i}'
        recorder = bag('record', '-a', '-o', path)
        time.sleep(delay)
        recorder.process.send_signal(signal.SIGINT)
        recorder.end(signal.SIGINT)
        # Until the recorder has taken over, the process is Python, which dies of it.
        assert recorder.process.returncode == 0 or not path.exists()
        assert recorder.process.returncode != 0 or (path / 'metadata.yaml').exists()
