#!/usr/bin/env python3
# Copyright 2026 AMBF for ROS 2 developers
# SPDX-License-Identifier: BSD-3-Clause
"""
Compose the two example components in a container and print the latency between them.

Ticker and Latency are loaded into one `component_container` with intra-process communication, into
one without it, and into two containers; each time for a small and a large message.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import rclpy
from ament_index_python.packages import get_package_prefix
from composition_interfaces.srv import LoadNode
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rclpy.node import Node
from rclpy.qos import QoSDurabilityPolicy, QoSProfile
from std_msgs.msg import Float64MultiArray

PATIENCE = 30.0
REPORT_QOS = QoSProfile(depth=1, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)


def whole(name: str, value: int) -> Parameter:
    """Return an integer parameter."""
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_INTEGER, integer_value=value))


def flag(name: str, value: bool) -> Parameter:
    """Return a boolean parameter."""
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=value))


class Container:
    """A container process with its load service."""

    def __init__(self, node: Node, name: str) -> None:
        program = Path(get_package_prefix('rclcpp_components')) / 'lib' / 'rclcpp_components' / 'component_container'
        self._node = node
        self._process = subprocess.Popen([str(program), '--ros-args', '-r', f'__node:={name}', '--log-level', 'warn'])
        self._load = node.create_client(LoadNode, f'/{name}/_container/load_node')

    def load(self, plugin: str, topic: str, intra: bool, parameters: list[Parameter]) -> None:
        """Load one of our components, or say why not."""
        if not self._load.wait_for_service(PATIENCE):
            raise RuntimeError('the container did not start: is rclcpp_components installed?')
        future = self._load.call_async(
            LoadNode.Request(
                package_name='ambf_conformance',
                plugin_name=f'ambf_conformance::{plugin}',
                remap_rules=[f'ticks:={topic}'],
                parameters=parameters,
                extra_arguments=[flag('use_intra_process_comms', intra)],
            )
        )
        rclpy.spin_until_future_complete(self._node, future, timeout_sec=PATIENCE)
        if not future.done() or not future.result().success:
            reason = future.result().error_message if future.done() else 'no answer'
            raise RuntimeError(f'{plugin} was not loaded: {reason}')

    def stop(self) -> None:
        """End the process and wait for it."""
        self._process.terminate()
        self._process.wait(PATIENCE)


def measure(node: Node, number: int, intra: bool, apart: bool, size: int, samples: int):
    """Return one report of Latency: [samples, q1, median, q3, maximum, intra-process]."""
    reports: list = []
    subscription = node.create_subscription(
        Float64MultiArray, '/latency/report', lambda m: reports.append(list(m.data)), REPORT_QOS
    )
    containers = [Container(node, f'demo_{number}_0')]
    try:
        if apart:
            containers.append(Container(node, f'demo_{number}_1'))
        topic = f'/demo_ticks_{number}'
        containers[-1].load('Latency', topic, intra, [whole('samples', samples)])
        containers[0].load('Ticker', topic, intra, [whole('size', size)])
        # The first report holds the start, with caches cold: the second one counts.
        end = node.get_clock().now().nanoseconds + int(PATIENCE * 1e9)
        while len(reports) < 2 and node.get_clock().now().nanoseconds < end:
            rclpy.spin_once(node, timeout_sec=0.1)
    finally:
        for container in containers:
            container.stop()
        node.destroy_subscription(subscription)
    if len(reports) < 2:
        raise RuntimeError(f'no latency was reported within {PATIENCE:.0f} s')
    return reports[1]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n\n')[0])
    parser.add_argument('--samples', type=int, default=300, help='messages per figure')
    options = parser.parse_args()
    rclpy.init()
    node = rclpy.create_node('latency_demo')
    ways = [
        ('one container, intra-process', True, False),
        ('one container', False, False),
        ('two containers', False, True),
    ]
    print(f'{"":30} {"bytes":>8} {"q1":>9} {"median":>9} {"q3":>9}  us', flush=True)
    number = 0
    status = 0
    for name, intra, apart in ways:
        for size in (64, 1 << 20):
            number += 1
            try:
                _, first, median, third, _, was_intra = measure(node, number, intra, apart, size, options.samples)
            except RuntimeError as error:
                print(f'{name}: {error}', file=sys.stderr)
                status = 1
                continue
            if bool(was_intra) != intra:
                print(f'{name}: messages came by the wrong way', file=sys.stderr)
                status = 1
            print(f'{name:30} {size:8d} {first:9.1f} {median:9.1f} {third:9.1f}', flush=True)
    node.destroy_node()
    rclpy.shutdown()
    return status


if __name__ == '__main__':
    sys.exit(main())
