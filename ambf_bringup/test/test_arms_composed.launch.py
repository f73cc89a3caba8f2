# SPDX-License-Identifier: BSD-3-Clause
"""The arms that a world declares, in the container: each homes, knows its own model, and moves it."""

import time
import unittest

import launch_testing
import launch_testing.asserts
from composition_interfaces.srv import ListNodes
from crtk_msgs.msg import OperatingState, StringStamped
from launch import LaunchDescription
from sensor_msgs.msg import JointState
from world_watch import WorldWatch, bring_up, world_file

INSTRUMENTS = ('PSM1', 'PSM2', 'PSM3', 'ECM')
# Nodes of the arms; the topics of set-up joints are below /SUJ.
ARMS = {
    'two_psms_ecm': ('PSM1', 'PSM2', 'ECM'),
    'patient_cart': (*INSTRUMENTS, *(f'SUJ_{name}' for name in INSTRUMENTS)),
    'surgeon_console': ('MTML', 'MTMR'),
}
MOVED = 1  # the joint that turns in all of them: pitch, shoulder, the first turn of set-up joints


@launch_testing.parametrize('world', ARMS)
def generate_test_description(world):
    return LaunchDescription(
        [bring_up('simulator.launch.py', world=world_file(world), render='false'), launch_testing.actions.ReadyToTest()]
    )


class Arm:
    """What one arm says, newest last, and what is said to it."""

    def __init__(self, node, name: str):
        topic = '/' + name.replace('SUJ_', 'SUJ/')
        self.states, self.measured, self.asked = [], [], []
        node.create_subscription(OperatingState, f'{topic}/operating_state', self.states.append, 100)
        node.create_subscription(JointState, f'{topic}/measured_js', self.measured.append, 10)
        node.create_subscription(JointState, f'{topic}/setpoint_js', self.asked.append, 10)
        self.commands = node.create_publisher(StringStamped, f'{topic}/state_command', 10)
        self.moves = node.create_publisher(JointState, f'{topic}/move_jp', 10)

    def heard(self) -> bool:
        return all(publisher.get_subscription_count() > 0 for publisher in (self.commands, self.moves))

    def homed(self) -> bool:
        return bool(self.states) and self.states[-1].is_homed and not self.states[-1].is_busy

    def is_at(self, goal) -> bool:
        return bool(self.measured) and max(abs(a - b) for a, b in zip(self.measured[-1].position, goal)) < 5e-4


class ArmsComposed(WorldWatch):
    def test_every_declared_arm_homes_and_moves_its_own_joints(self, world):
        wanted = {f'/{name}' for name in ARMS[world]}
        self.wait_for(
            lambda: wanted <= set(self.call(ListNodes, '/ambf/_container/list_nodes').full_node_names),
            f'the nodes {wanted}',
        )
        arms = {name: Arm(self.node, name) for name in ARMS[world]}
        self.wait_for(lambda: all(arm.heard() for arm in arms.values()), 'the arms')
        for text in ('enable', 'home'):
            for arm in arms.values():
                message = StringStamped(string=text)
                message.header.stamp = self.node.get_clock().now().to_msg()
                arm.commands.publish(message)
        self.wait_for(lambda: all(arm.homed() for arm in arms.values()), 'homed arms')
        # To places of their own: who moved the joints of another arm would be found out. Not far: the arms of the cart
        # stand close together.
        goals = {}
        for i, (name, arm) in enumerate(arms.items()):
            arm.asked.clear()
            self.wait_for(lambda: arm.asked, f'the set-point of {name}')
            goals[name] = list(arm.asked[-1].position)
            goals[name][MOVED] += 0.006 + 0.002 * i
            arm.moves.publish(JointState(position=goals[name]))
        for name, arm in arms.items():
            self.wait_for(lambda: arm.is_at(goals[name]), f'{name} at {goals[name]}')
        for arm in arms.values():
            self.assertGreater(arm.measured[-1].header.stamp.sec, time.time() - 60.0)


@launch_testing.post_shutdown_test()
class AfterShutdown(unittest.TestCase):
    def test_the_container_ends_with_code_0(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
