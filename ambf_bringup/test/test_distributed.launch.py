# SPDX-License-Identifier: BSD-3-Clause
"""The distributed bring-up: a process for each node; one that is killed comes back by itself."""

import os
import signal
import tempfile
import unittest

import launch_testing
from launch import LaunchDescription
from process_watch import process_of
from rclpy.qos import ReliabilityPolicy
from world_watch import WorldWatch, bring_up

SNAPSHOT = '/ambf/env/World/Snapshot'
QOS_FILE = os.path.join(tempfile.mkdtemp(), 'qos.yaml')


def generate_test_description():
    with open(QOS_FILE, 'w') as file:
        file.write(
            f'/**: {{ros__parameters: {{qos_overrides: {{{SNAPSHOT}: {{publisher: {{reliability: best_effort}}}}}}}}}}'
        )
    return LaunchDescription(
        [
            bring_up('simulator.launch.py', use_composition='false', qos_file=QOS_FILE),
            launch_testing.actions.ReadyToTest(),
        ]
    )


def physics_process():
    """Process number of the physics node that belongs to this launch, None where there is none."""
    return process_of('ambf_physics_node/physics_node')


class Distributed(WorldWatch):
    def test_the_quality_of_service_is_that_of_the_file(self):
        self.wait_for(lambda: self.node.count_publishers(SNAPSHOT) > 0, 'the snapshot')
        (endpoint,) = self.node.get_publishers_info_by_topic(SNAPSHOT)
        self.assertEqual(endpoint.qos_profile.reliability, ReliabilityPolicy.BEST_EFFORT)

    def test_a_killed_physics_node_is_started_again(self):
        self.wait_for(lambda: self.manifests[''], 'the manifest')
        self.wait_for_steps()
        first = physics_process()
        os.kill(first, signal.SIGKILL)
        self.wait_for(lambda: physics_process() not in (None, first), 'another physics process')
        self.wait_for_steps()


@launch_testing.post_shutdown_test()
class AfterShutdown(unittest.TestCase):
    def test_no_process_is_left(self):
        self.assertIsNone(physics_process())
