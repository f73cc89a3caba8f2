# SPDX-License-Identifier: BSD-3-Clause
"""A view on running worlds for the system tests: manifest, state, services; waits end with a reason."""

import os
import time
import unittest

import rclpy
from ament_index_python.packages import get_package_share_directory
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from rclpy.qos import DurabilityPolicy, QoSProfile

from ambf_msgs.msg import WorldManifest, WorldState
from ambf_msgs.srv import StepWorld

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def world_file(name: str) -> str:
    """A launch file of ambf_description."""
    return os.path.join(get_package_share_directory('ambf_description'), 'worlds', name, 'launch.yaml')


def bring_up(file: str, **arguments: str) -> IncludeLaunchDescription:
    """One of the package's launch files, on a small world and without pictures unless told otherwise."""
    return IncludeLaunchDescription(
        PythonLaunchDescriptionSource(os.path.join(get_package_share_directory('ambf_bringup'), 'launch', file)),
        launch_arguments={'world': world_file('mechanisms'), 'render': 'false', **arguments}.items(),
    )


class WorldWatch(unittest.TestCase):
    """Watches the worlds of the namespaces in `worlds`."""

    worlds = ('',)

    def setUp(self):
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('watch', context=self.context)
        self.executor = rclpy.executors.SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.clients = {}
        self.manifests = {name: [] for name in self.worlds}
        self.states = {name: [] for name in self.worlds}
        for name in self.worlds:
            base = f'{name}/ambf/env/World'
            self.node.create_subscription(WorldManifest, f'{base}/Manifest', self.manifests[name].append, LATCHED)
            self.node.create_subscription(WorldState, f'{base}/State', self.states[name].append, 1)

    def tearDown(self):
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def wait_for(self, condition, what: str, seconds: float = 90.0):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                self.fail(f'{what} did not come within {seconds} s')
            self.executor.spin_once(timeout_sec=0.05)

    def wait_for_steps(self, world: str = '', count: int = 100):
        """The world runs: its step number rises by `count`."""
        self.states[world].clear()
        self.wait_for(lambda: self.states[world], f'a state of the world {world!r}')
        first = self.states[world][-1].sim_step
        self.wait_for(lambda: self.states[world][-1].sim_step >= first + count, f'{count} steps of the world {world!r}')

    def call(self, service_type, name: str, **fields):
        """The reply of a service. A step is asked for once, everything else may be asked again."""
        if name not in self.clients:
            self.clients[name] = self.node.create_client(service_type, name)
            self.wait_for(self.clients[name].service_is_ready, f'the service {name}')
            if service_type is StepWorld:
                self.ask(self.clients[name], StepWorld.Request(agent=fields['agent']))
        if service_type is not StepWorld:
            return self.ask(self.clients[name], service_type.Request(**fields))
        future = self.clients[name].call_async(service_type.Request(**fields))
        self.wait_for(future.done, f'the reply of {name}')
        return future.result()

    def ask(self, client, request):
        """Ask until there is an answer: it is lost as long as the server has not found the client."""
        end = time.monotonic() + 90.0
        while time.monotonic() < end:
            future = client.call_async(request)
            patience = time.monotonic() + 10.0
            while not future.done() and time.monotonic() < patience:
                self.executor.spin_once(timeout_sec=0.05)
            if future.done():
                return future.result()
        self.fail(f'{client.srv_name} did not answer')
