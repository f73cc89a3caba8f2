# SPDX-License-Identifier: BSD-3-Clause
"""Nothing is lost silently."""
import os
import re
import signal
import time

import bags
from conftest import arrived, run_bag, wait_until
from rclpy.qos import QoSProfile
from std_msgs.msg import String


def test_messages_lost_before_the_recorder_are_counted(node, bag, tmp_path):
    path = tmp_path / 'bag'
    publisher = node.create_publisher(String, '/burst', QoSProfile(depth=1))
    recorder = bag('record', '--topics', '/burst', '-o', path)
    wait_until(lambda: publisher.get_subscription_count() > 0)
    sent = 0

    def send(count: int, arriving: bool = True) -> None:
        nonlocal sent
        for _ in range(count):
            publisher.publish(String(data='x' * 100_000))
            sent += 1
            if arriving:
                arrived(publisher)

    send(5)
    # While the recorder stands still, messages beyond the transport's buffers overwrite each other.
    os.kill(recorder.process.pid, signal.SIGSTOP)
    send(200, arriving=False)
    os.kill(recorder.process.pid, signal.SIGCONT)
    send(5)
    text = recorder.end()
    node.destroy_publisher(publisher)
    numbers = bags.sequences(path, '/burst')
    missing = numbers[-1] - numbers[0] + 1 - len(numbers)
    assert missing > 0, 'the test must lose something'
    assert sent == len(numbers) + missing
    assert f'lost before the recorder: {missing}, in it: 0' in text
    assert re.search(rf'/burst: {missing} in \d+ gaps of 1 publishers', text)


def test_a_cache_that_is_too_small_says_what_it_dropped(bag, publish, tmp_path):
    path = tmp_path / 'bag'
    recorder = bag('record', '--topics', '/chat', '-o', path, '--max-cache-size', '2000')
    publish('/chat', [], QoSProfile(depth=1000))
    # All of it waits in the transport, then comes at once.
    os.kill(recorder.process.pid, signal.SIGSTOP)
    publisher = publish('/chat', ['x' * 500] * 300, wait=False)
    os.kill(recorder.process.pid, signal.SIGCONT)
    arrived(publisher)
    text = recorder.end()
    assert 'lost before the recorder: 0' in text
    # Where the machine lets the writer run after each message nothing is lost: test_bag_writer shows that it can be.
    lost = re.search(r'Total lost: (\d+)', text)
    assert ('Cache buffers lost messages per topic' in text) == (lost is not None)
    assert len(bags.messages(path)['/chat']) + (int(lost[1]) if lost else 0) == 300


def test_a_full_disk_ends_the_recording_with_a_bag_that_opens(bag, publish, tmp_path):
    import resource
    path = tmp_path / 'bag'
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # A limit on the size of files stands in for a disk; children inherit it, and so may we.
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, before[1]))
    try:
        recorder = bag('record', '--topics', '/chat', '-o', path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    publish('/chat', [])
    end = time.monotonic() + 90
    while recorder.process.poll() is None and time.monotonic() < end:
        publish('/chat', ['x' * 20_000] * 20, wait=False)
    text = recorder.wait()
    assert recorder.process.returncode == 1
    assert 'Recording failed: cannot write' in text and 'free some space' in text
    count = len(bags.messages(path)['/chat'])
    assert count > 50
    done = run_bag('info', path)
    assert done.returncode == 0 and done.stderr == '' and f'Count: {count} ' in done.stdout
