# SPDX-License-Identifier: BSD-3-Clause
"""teleop.launch.py: world and devices find each other, also after a kill -9 of either."""

import os
import pathlib
import signal
import tempfile

import launch_testing
from launch import LaunchDescription
from process_watch import process_of
from rclpy.qos import QoSProfile, ReliabilityPolicy
from world_watch import WorldWatch, bring_up, world_file

from ambf_msgs.msg import ProxyState

BEST_EFFORT = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
DRIVERS = pathlib.Path(tempfile.mkdtemp()) / 'drivers.yaml'


def generate_test_description():
    # Slow enough for any machine that runs tests.
    DRIVERS.write_text(
        ''.join(
            f'{name}: {{executable: mock_device, parameters: {{rate: 200.0, trajectory_scale: 0.01}}}}\n'
            for name in ('teacher', 'pupil', 'helper')
        )
    )
    return LaunchDescription(
        [
            bring_up('teleop.launch.py', world=world_file('shared_proxy'), drivers=str(DRIVERS)),
            launch_testing.actions.ReadyToTest(),
        ]
    )


class Teleop(WorldWatch):
    def wait_for_hands(self):
        self.states[''].clear()
        self.wait_for(lambda: self.states[''] and self.states[''][-1].n_devices == 3, 'three live hands', 60.0)

    def test_all_hands_are_live_and_come_back_after_a_kill(self):
        self.wait_for(lambda: self.manifests[''], 'the manifest', 60.0)
        self.assertEqual([d.name for d in self.manifests[''][-1].devices], ['teacher', 'pupil', 'helper'])
        self.wait_for_hands()
        proxies = []
        self.node.create_subscription(ProxyState, '/ambf/env/pupil/Proxy', proxies.append, BEST_EFFORT)
        self.wait_for(lambda: proxies and proxies[-1].sequence > 0, 'proxy states')
        for program in ('ambf_physics_node/physics_node', 'ambf_device_nodes/mock_device'):
            first = process_of(program)
            os.kill(first, signal.SIGKILL)
            self.wait_for(lambda: process_of(program) not in (None, first), f'another {program}')
            self.wait_for_hands()
            proxies.clear()
            self.wait_for(lambda: proxies and proxies[-1].sequence > 0, 'proxy states again')
