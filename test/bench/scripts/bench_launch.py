#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Start-up: `ros2 launch` of the composed simulator beside its container started directly; `ros2 --help`."""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from ament_index_python.packages import get_package_prefix, get_package_share_directory

from ambf_bench import pairs

WORLD = os.path.join(get_package_share_directory('ambf_description'), 'worlds', 'demo', 'launch.yaml')
CONTAINER = os.path.join(get_package_prefix('rclcpp_components'), 'lib', 'rclcpp_components', 'component_container_mt')


class Watch:
    """Starts a simulator and waits for the first state of its world, in a domain of its own."""

    def __enter__(self):
        os.environ['ROS_DOMAIN_ID'] = str(random.randint(1, 100))
        import rclpy

        from ambf_msgs.msg import WorldState

        self.rclpy = rclpy
        rclpy.init()
        self.node = rclpy.create_node('bench_launch')
        self.states = []
        self.node.create_subscription(WorldState, '/ambf/env/World/State', self.states.append, 1)
        return self

    def __exit__(self, *_):
        self.node.destroy_node()
        self.rclpy.shutdown()

    def wait_for(self, condition, what: str, seconds: float = 60.0):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError(f'{what} did not come within {seconds} s')
            self.rclpy.spin_once(self.node, timeout_sec=0.005)

    def time_of(self, command: list, after_start=lambda: None) -> float:
        """Seconds from the start of the command to the first state."""
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            after_start()
            self.wait_for(lambda: self.states, 'the first state')
            return time.monotonic() - start
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)

    def launch(self) -> float:
        return self.time_of(['ros2', 'launch', 'ambf_bringup', 'composed.launch.py', 'render:=false'])

    def direct(self) -> float:
        """The same container and component, loaded from here."""
        from composition_interfaces.srv import LoadNode
        from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue

        client = self.node.create_client(LoadNode, '/ambf/_container/load_node')

        def load():
            self.wait_for(client.service_is_ready, 'the container')
            text = ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=WORLD)
            client.call_async(
                LoadNode.Request(
                    package_name='ambf_physics_node',
                    plugin_name='ambf_physics::PhysicsNode',
                    node_name='physics',
                    parameters=[Parameter(name='world', value=text)],
                )
            )

        try:
            return self.time_of([CONTAINER, '--ros-args', '-r', '__node:=ambf'], load)
        finally:
            self.node.destroy_client(client)


def seconds_of(command: list) -> float:
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=7, help='interleaved pairs for each row (default 7)')
    parser.add_argument('--json', type=pathlib.Path, default=pathlib.Path('bench_launch.json'))
    args = parser.parse_args()

    def first_state(start) -> float:
        with Watch() as watch:
            return start(watch)

    rows = [
        pairs.measure(
            'ros2 launch to the first state, above the container',
            's',
            lambda: first_state(Watch.launch),
            lambda: first_state(Watch.direct),
            args.pairs,
        ),
        pairs.measure(
            'ros2 --help beside import rclpy',
            's',
            lambda: seconds_of(['ros2', '--help']),
            lambda: seconds_of([sys.executable, '-c', 'import rclpy']),
            args.pairs,
            1.5,
        ),
    ]
    print(pairs.table(rows))
    pairs.write_json(args.json, rows)
    return 0


if __name__ == '__main__':
    sys.exit(main())
