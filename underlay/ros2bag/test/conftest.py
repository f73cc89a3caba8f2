# SPDX-License-Identifier: BSD-3-Clause
"""Publishers, recorders and players for the tests of `ros2 bag`."""
from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import subprocess
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import rclpy
from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import String

LATCHED = QoSProfile(depth=5, durability=DurabilityPolicy.TRANSIENT_LOCAL)
BEST_EFFORT = QoSProfile(depth=100, reliability=ReliabilityPolicy.BEST_EFFORT)


def wait_until(condition: Callable[[], bool], seconds: float = 90.0) -> None:
    """Wait for a condition; fail when it does not come true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f'did not happen within {seconds} s'
        time.sleep(0.02)


class Bag:
    """A `ros2 bag` process and what it prints, with a terminal to press keys on or without."""

    def __init__(self, log: Path, *arguments, terminal: bool = False) -> None:
        self._log = log
        self._keys, stdin = pty.openpty() if terminal else (None, subprocess.DEVNULL)
        with open(log, 'w') as out:
            self.process = subprocess.Popen(
                ['ros2', 'bag', *map(str, arguments)], stdout=out, stderr=subprocess.STDOUT, stdin=stdin,
                start_new_session=terminal,
                preexec_fn=(lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) if terminal else None)
        if terminal:
            os.close(stdin)

    def resume_when_heard(self, *topics: str) -> None:
        """Press the space bar of a paused player (with --log-level debug) once it has met a subscription of each."""
        self.wait_for('Press SPACE')
        for topic in topics:
            self.wait_for(f"Topic '{topic}' has [1-9]")
        os.write(self._keys, b' ')

    @property
    def text(self) -> str:
        return self._log.read_text()

    def wait_for(self, pattern: str) -> None:
        """Wait until the pattern is printed."""
        wait_until(lambda: re.search(pattern, self.text) is not None)

    def end(self, number: int = signal.SIGINT) -> str:
        """Send a signal and wait for the end; returns what was printed."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> str:
        """Wait for the end by itself; returns what was printed."""
        self.process.wait(timeout=90)
        return self.text


@pytest.fixture
def bag(tmp_path):
    """Start `ros2 bag` in the background; whatever still runs at the end is killed."""
    started: list[Bag] = []

    def start(*arguments, terminal: bool = False) -> Bag:
        started.append(Bag(tmp_path / f'log{len(started)}', *arguments, terminal=terminal))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


def arrived(*publishers) -> None:
    """Wait until reliable subscriptions have all that was published; a recorder takes it from there when it ends."""
    for publisher in publishers:
        assert publisher.wait_for_all_acked(Duration(seconds=90))


def spin_until(node, condition: Callable[[], bool], seconds: float = 90.0) -> None:
    """Take in messages until a condition holds; fail when it does not come true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f'did not happen within {seconds} s'
        rclpy.spin_once(node, timeout_sec=0.05)


def run_bag(*arguments) -> subprocess.CompletedProcess:
    """Run `ros2 bag` to its end."""
    return subprocess.run(['ros2', 'bag', *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, stdin=subprocess.DEVNULL)


@pytest.fixture(scope='session')
def node():
    """Give a node that lives for all tests."""
    rclpy.init()
    node = rclpy.create_node('bag_test')
    yield node
    node.destroy_node()
    rclpy.shutdown()


@pytest.fixture
def publish(node):
    """Publish texts on a topic once a recorder is there, and wait until it has them; gives the publisher."""
    publishers = {}

    def send(topic: str, texts: list[str], qos=10, wait: bool = True):
        if topic not in publishers:
            publishers[topic] = node.create_publisher(String, topic, qos)
        publisher = publishers[topic]
        if wait:
            wait_until(lambda: publisher.get_subscription_count() > 0)
        for text in texts:
            publisher.publish(String(data=text))
            time.sleep(0.002)
        if wait:
            arrived(publisher)
        return publisher

    yield send
    for publisher in publishers.values():
        node.destroy_publisher(publisher)
