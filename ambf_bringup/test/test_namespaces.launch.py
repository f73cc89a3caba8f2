# SPDX-License-Identifier: BSD-3-Clause
"""Two simulators in two namespaces share a graph and nothing else."""

import launch_testing
from launch import LaunchDescription
from launch.actions import GroupAction
from world_watch import WorldWatch, bring_up

from ambf_msgs.srv import SetWorldMode, StepWorld


def generate_test_description():
    return LaunchDescription(
        [
            GroupAction([bring_up('simulator.launch.py', namespace='left', mode='lockstep')]),
            GroupAction([bring_up('simulator.launch.py', namespace='right')]),
            launch_testing.actions.ReadyToTest(),
        ]
    )


class Namespaces(WorldWatch):
    worlds = ('/left', '/right')

    def test_one_steps_on_request_while_the_other_runs(self):
        for world in self.worlds:
            self.wait_for(lambda: self.manifests[world], f'the manifest of {world}')
        self.wait_for_steps('/right')
        first = self.call(StepWorld, '/left/ambf/env/World/step', agent='test', steps=0)
        self.assertTrue(first.ok, first.message)
        self.wait_for_steps('/right')
        reply = self.call(StepWorld, '/left/ambf/env/World/step', agent='test', steps=7)
        self.assertEqual(reply.step, first.step + 7)
        self.assertTrue(self.call(SetWorldMode, '/right/ambf/env/World/set_mode', mode=3).ok)
        after = self.call(StepWorld, '/left/ambf/env/World/step', agent='test', steps=5)
        self.assertTrue(after.ok, after.message)
        self.assertEqual(after.step, reply.step + 5)
