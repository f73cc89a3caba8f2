# SPDX-License-Identifier: BSD-3-Clause
"""The steps of docs/devices.md for a dVRK console, `drivers:=dvrk`, with two mock masters in processes of their own."""

import time

import launch_testing
from crtk_msgs.msg import OperatingState
from geometry_msgs.msg import Vector3, WrenchStamped
from launch import LaunchDescription
from launch_ros.actions import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import Joy
from world_watch import WorldWatch, bring_up, world_file

from ambf_msgs.msg import DeviceSample

BEST_EFFORT = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
MASTERS = {'mtm_left': 'MTML', 'mtm_right': 'MTMR'}


def generate_test_description():
    # Slow enough for any machine that runs tests. One console has the pedals of both arms.
    arms = [
        Node(
            package='ambf_device_nodes',
            executable='mock_mtm',
            name=f'mock_{arm}',
            output='screen',
            parameters=[
                {'arm': f'/{arm}', 'console': console, 'rate': 200.0, 'homing_time': 0.2, 'trajectory_scale': 0.02}
            ],
        )
        for arm, console in (('MTML', '/console'), ('MTMR', ''))
    ]
    return LaunchDescription(
        [
            *arms,
            bring_up('teleop.launch.py', world=world_file('two_user_puzzle'), drivers='dvrk'),
            launch_testing.actions.ReadyToTest(),
        ]
    )


class Dvrk(WorldWatch):
    def setUp(self):
        super().setUp()
        self.arm_states, self.forces, self.samples = {}, {}, {}
        for device, arm in MASTERS.items():
            self.keep_newest(OperatingState, f'/{arm}/operating_state', self.arm_states, device, LATCHED)
            self.keep_newest(WrenchStamped, f'/{arm}/body/measured_cf', self.forces, device, 10)
            self.keep_newest(DeviceSample, f'/ambf/env/{device}/Sample', self.samples, device, BEST_EFFORT)

    def keep_newest(self, kind, topic, messages, device, qos):
        self.node.create_subscription(kind, topic, lambda m: messages.__setitem__(device, m), qos)

    def both(self, messages, condition) -> bool:
        return len(messages) == len(MASTERS) and all(condition(m) for m in messages.values())

    def press(self, pedal: str, value: int, done, what: str):
        """Ask, and ask again, until it is done: a first message may be lost before the console is found."""
        pedals = self.node.create_publisher(Joy, f'/console/emulate_{pedal}', LATCHED)
        asked = 0.0

        def is_done():
            nonlocal asked
            if time.monotonic() - asked > 1.0:
                asked = time.monotonic()
                pedals.publish(Joy(buttons=[value]))
            return done()

        self.wait_for(is_done, what)
        self.node.destroy_publisher(pedals)

    def felt(self) -> bool:
        return self.both(self.forces, lambda m: m.wrench.force != Vector3())

    def unfelt(self) -> bool:
        return self.both(self.forces, lambda m: m.wrench.force == Vector3())

    def clutched(self) -> bool:
        return self.both(self.samples, lambda m: m.position_clutch)

    def test_two_masters_are_homed_felt_and_clutched_by_the_pedals_of_the_console(self):
        self.wait_for(lambda: self.both(self.arm_states, lambda m: m.state == 'ENABLED' and m.is_homed), 'homed arms')
        self.wait_for(lambda: self.states[''] and self.states[''][-1].n_devices == 4, 'four live hands')
        self.wait_for(self.clutched, 'hands that do not count without a head in the console')
        self.wait_for(self.unfelt, 'arms without force')

        free = lambda: self.both(self.samples, lambda m: not m.position_clutch)
        self.press('operator_present', 1, free, 'free hands')
        self.wait_for(self.felt, 'forces at both arms')

        self.press('clutch', 1, self.clutched, 'the clutch of both hands')
        self.wait_for(self.unfelt, 'hands without force')
        self.press('clutch', 0, free, 'the release')
        self.press('camera', 1, lambda: self.both(self.samples, lambda m: m.camera_clutch), 'the camera clutch')
        self.press('camera', 0, lambda: self.both(self.samples, lambda m: not m.camera_clutch), 'its release')
        self.wait_for(self.felt, 'forces again')

        self.press('operator_present', 0, self.clutched, 'hands that rest')
        self.wait_for(self.unfelt, 'no force without a person')
        self.press('operator_present', 1, free, 'free hands again')
        self.wait_for(self.felt, 'forces for the person who is back')
