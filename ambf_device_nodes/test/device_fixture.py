# SPDX-License-Identifier: BSD-3-Clause
"""Device processes, and an rclpy node that listens to them."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time

import rclpy
from ament_index_python.packages import get_package_prefix
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile, ReliabilityPolicy

PROGRAMS = pathlib.Path(get_package_prefix('ambf_device_nodes')) / 'lib/ambf_device_nodes'
BEST_EFFORT = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)


def seconds(stamp) -> float:
    return stamp.sec + 1e-9 * stamp.nanosec


class Lab:
    """Starts programs and ends them; a context manager."""

    def __enter__(self):
        self.log = tempfile.TemporaryFile('a+')
        self.processes = []
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('tester', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
        codes = [process.wait(timeout=90) for process in self.processes]
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)
        output = self.output()
        self.log.close()
        # Killed ones by our own hand.
        assert all(code in (0, -signal.SIGKILL) for code in codes), (codes, output)

    def start(self, program: str, environment: dict | None = None, **parameters):
        """A device node, or the stand-in for the physics, with its parameters."""
        command = [str(PROGRAMS / program), '--ros-args']
        for name, value in parameters.items():
            command += ['-p', f'{name}:={value}']
        process = subprocess.Popen(
            command, stdout=self.log, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})}
        )
        self.processes.append(process)
        return process

    def output(self) -> str:
        self.log.flush()
        self.log.seek(0)
        return self.log.read()

    def listen(self, kind, topic: str, qos=1000) -> list:
        """Messages of the topic from now on, in a list that grows."""
        messages = []
        self.node.create_subscription(kind, topic, messages.append, qos)
        return messages

    def spin(self, duration: float):
        end = time.monotonic() + duration
        while time.monotonic() < end:
            self.executor.spin_once(timeout_sec=0.01)

    def wait_for(self, condition, what: str, timeout: float = 90.0):
        end = time.monotonic() + timeout
        while not condition():
            assert time.monotonic() < end, f'no {what} within {timeout} s\n{self.output()}'
            self.executor.spin_once(timeout_sec=0.02)
