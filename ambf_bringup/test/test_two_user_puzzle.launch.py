# SPDX-License-Identifier: BSD-3-Clause
"""Two people solve the puzzle in real time: two mock MTMs at 1 kHz, two mock trackers at 300 Hz, each a process.

Long tier. Scripted hands do not look: on a machine that cannot keep the rates a hand is lost, taken anew where it is
then, and misses. That is no verdict on the simulator, and the test says so and is skipped. The same hands solve the puzzle
step by step on any machine: test_puzzle of ambf_physics_node.
"""

import math
import os
import unittest

import launch_testing
from launch import LaunchDescription
from launch.actions import TimerAction
from rclpy.qos import QoSProfile, ReliabilityPolicy
from world_watch import WorldWatch, bring_up, world_file

from ambf_msgs.msg import ProxyState, WorldSnapshot

BEST_EFFORT = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
LONG = os.environ.get('AMBF_TEST_LONG') == '1'
POSTS = {'triangle piece': 0.085, 'square piece': -0.085, 'round piece': 0.0}


def generate_test_description():
    # Without anything to do the launch would end before the test has said that it is skipped.
    actions = (
        [bring_up('teleop.launch.py', world=world_file('two_user_puzzle'))]
        if LONG
        else [TimerAction(period=60.0, actions=[])]
    )
    return LaunchDescription([*actions, launch_testing.actions.ReadyToTest()])


@unittest.skipUnless(LONG, 'AMBF_TEST_LONG=1 asks for it')
class TwoUserPuzzle(WorldWatch):
    def test_is_solved_by_friction(self):
        self.wait_for(lambda: self.manifests[''], 'the manifest', 60.0)
        names = [body.identifier.rsplit('BODY ', 1)[-1] for body in self.manifests[''][-1].bodies]
        snapshots, pulls = [], {'tracker_right': 0.0, 'tracker_left': 0.0}
        self.node.create_subscription(
            WorldSnapshot, '/ambf/env/World/Snapshot', lambda m: snapshots.__setitem__(slice(None), [m]), BEST_EFFORT
        )
        for name in pulls:
            self.node.create_subscription(
                ProxyState,
                f'/ambf/env/{name}/Proxy',
                lambda m, n=name: pulls.__setitem__(n, max(pulls[n], abs(m.contact_wrench.force.x))),
                BEST_EFFORT,
            )

        def place(name):
            first = 13 * names.index(name)
            return snapshots[-1].bodies[first : first + 3]

        self.wait_for(lambda: self.states[''] and self.states[''][-1].n_devices == 4, 'four live hands', 60.0)
        self.wait_for(lambda: snapshots, 'a snapshot')
        self.states[''].clear()
        chain = place('chain plate 2')[2]
        lifts = [0.0]

        def solved():
            lifts.append(max(lifts[-1], place('chain plate 2')[2] - chain))
            base = place('puzzle base')
            return all(
                math.hypot(place(piece)[0] - base[0] - x, place(piece)[1] - base[1]) < 0.004
                and abs(place(piece)[2] - base[2] - 0.025) < 0.002
                for piece, x in POSTS.items()
            )

        try:
            self.wait_for(solved, 'the solution', 60.0)
        except AssertionError:
            base = place('puzzle base')
            print(
                'from the base [mm]:',
                {piece: [round(1e3 * (a - b), 1) for a, b in zip(place(piece), base)] for piece in POSTS},
            )
            fewest = min(state.n_devices for state in self.states[''])
            if fewest < 4:
                self.skipTest(f'the machine did not keep up: {4 - fewest} hands lost at once')
            raise
        print(f'chain lifted by {1e3 * lifts[-1]:.1f} mm, pulls {pulls}')
        self.assertGreater(lifts[-1], 0.045)
        self.assertTrue(all(pull > 0.3 for pull in pulls.values()), pulls)
