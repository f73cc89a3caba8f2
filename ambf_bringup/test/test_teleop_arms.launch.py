# SPDX-License-Identifier: BSD-3-Clause
"""teleop.launch.py: two hands lead two arms over the peg board, also after a kill -9 of hand, teleoperation or physics."""

import os
import pathlib
import signal
import tempfile
import unittest

import launch_testing
from geometry_msgs.msg import PoseStamped
from launch import LaunchDescription
from launch.actions import TimerAction
from process_watch import process_of
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import Bool
from world_watch import WorldWatch, bring_up, world_file

KEPT = QoSProfile(depth=20, durability=DurabilityPolicy.TRANSIENT_LOCAL)
LONG = os.environ.get('AMBF_TEST_LONG') == '1'
PAIRS = {'right': 'PSM1', 'left': 'PSM2'}
FILE = pathlib.Path(tempfile.mkdtemp()) / 'pairs.yaml'


def generate_test_description():
    # Patient enough for any machine that runs tests.
    FILE.write_text(
        'pairs: [{hand: right, arm: PSM1}, {hand: left, arm: PSM2}]\n'
        'parameters: {scale: 0.3, view: camera, view_of: main_camera, force: limits, hand_timeout: 0.7}\n'
    )
    world = world_file('peg_transfer')
    # Without anything to do the launch would end before the test has said that it is skipped.
    actions = [
        bring_up('teleop.launch.py', world=world, pairs=str(FILE)) if LONG else TimerAction(period=60.0, actions=[])
    ]
    return LaunchDescription([*actions, launch_testing.actions.ReadyToTest()])


@unittest.skipUnless(LONG, 'AMBF_TEST_LONG=1 asks for it')
class HandsOnArms(WorldWatch):
    def test_both_lead_and_come_back_after_a_kill(self):
        following = {hand: [] for hand in PAIRS}
        places = {arm: [] for arm in PAIRS.values()}
        for hand, arm in PAIRS.items():
            self.node.create_subscription(Bool, f'/{hand}_{arm}/following', following[hand].append, KEPT)
            self.node.create_subscription(PoseStamped, f'/{arm}/setpoint_cp', places[arm].append, 10)

        def wait_for_all(since=None):
            """Each leads; and, since then, one has said so anew. What it said in between may be lost: only the newest is kept."""

            def all_lead():
                anew = since is None or any(len(following[h]) > since[h] for h in PAIRS)
                return anew and all(following[hand] and following[hand][-1].data for hand in PAIRS)

            self.wait_for(all_lead, 'both hands to lead', 90.0)

        def moves(arm):
            xs = [m.pose.position.x for m in places[arm]]
            return len(xs) > 2 and max(xs) - min(xs) > 1e-3

        wait_for_all()
        for program in ('ambf_device_nodes/mock_device', 'ambf_arm_nodes/teleop_psm', 'ambf_physics_node/physics_node'):
            for messages in places.values():
                messages.clear()
            self.wait_for(lambda: all(moves(arm) for arm in places), 'arms that move', 90.0)
            since = {hand: len(following[hand]) for hand in PAIRS}
            os.kill(process_of(program), signal.SIGKILL)
            wait_for_all(since)
