# SPDX-License-Identifier: BSD-3-Clause
"""The arms that a world declares, in the container: each knows its own model, and moves it."""

import pathlib
import time
import unittest

import launch_testing
import launch_testing.asserts
from ament_index_python.packages import get_package_share_directory
from composition_interfaces.srv import ListNodes
from crtk_msgs.msg import OperatingState, StringStamped
from launch import LaunchDescription
from sensor_msgs.msg import JointState
from world_watch import WorldWatch, bring_up

WORLD = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds/two_psms_ecm/launch.yaml'
ARMS = ('PSM1', 'PSM2', 'ECM')


def generate_test_description():
    return LaunchDescription(
        [bring_up('simulator.launch.py', world=str(WORLD), render='false'), launch_testing.actions.ReadyToTest()]
    )


class ArmsComposed(WorldWatch):
    def test_every_declared_arm_is_served_and_moves_its_own_model(self):
        wanted = {f'/{name}' for name in ARMS}
        self.wait_for(
            lambda: wanted <= set(self.call(ListNodes, '/ambf/_container/list_nodes').full_node_names),
            f'the nodes {wanted}',
        )
        states, joints, commands = {}, {}, {}
        for name in ARMS:
            self.node.create_subscription(
                OperatingState, f'/{name}/operating_state', lambda m, n=name: states.__setitem__(n, m), 100
            )
            self.node.create_subscription(
                JointState, f'/{name}/measured_js', lambda m, n=name: joints.__setitem__(n, m), 10
            )
            commands[name] = self.node.create_publisher(StringStamped, f'/{name}/state_command', 10)
        self.wait_for(lambda: all(p.get_subscription_count() > 0 for p in commands.values()), 'the arms')
        for text in ('enable', 'home'):
            for publisher in commands.values():
                message = StringStamped(string=text)
                message.header.stamp = self.node.get_clock().now().to_msg()
                publisher.publish(message)
        self.wait_for(
            lambda: len(states) == 3 and all(s.is_homed and not s.is_busy for s in states.values()), 'homed arms'
        )
        move = self.node.create_publisher(JointState, '/PSM2/move_jp', 10)
        self.wait_for(lambda: move.get_subscription_count() > 0, 'PSM2')
        move.publish(JointState(position=[0.2, 0.0, 0.08, 0.0, 0.0, 0.0]))
        self.wait_for(lambda: abs(joints['PSM2'].position[0] - 0.2) < 2e-3, 'PSM2 at its goal')
        self.assertLess(abs(joints['PSM1'].position[0]), 2e-3, 'the other one stays')
        self.assertGreater(joints['PSM2'].header.stamp.sec, time.time() - 60.0)


@launch_testing.post_shutdown_test()
class AfterShutdown(unittest.TestCase):
    def test_the_container_ends_with_code_0(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
