# SPDX-License-Identifier: BSD-3-Clause
"""The composed bring-up: one container, intra-process, parameters from a file."""

import os
import tempfile
import unittest

import launch_testing
import launch_testing.asserts
from composition_interfaces.srv import ListNodes
from launch import LaunchDescription
from rcl_interfaces.srv import GetParameters
from world_watch import WorldWatch, bring_up

from ambf_msgs.srv import GetWorldMode, SavePicture

PARAMETERS = """
/**:
  ros__parameters:
    step_size: 0.002
    watchdog_timeout: 1.25
"""


def generate_test_description():
    with tempfile.NamedTemporaryFile('w', suffix='.yaml', delete=False) as file:
        file.write(PARAMETERS)
    return LaunchDescription(
        [
            bring_up(
                'simulator.launch.py',
                params_file=file.name,
                mode='lockstep',
                render='true',
                headless='true',
                simulation_interfaces='true',
            ),
            launch_testing.actions.ReadyToTest(),
        ]
    )


class Composed(WorldWatch):
    def test_one_container_holds_all_nodes(self):
        wanted = {'/physics', '/render', '/simulation_interfaces'}
        self.wait_for(
            lambda: wanted <= set(self.call(ListNodes, '/ambf/_container/list_nodes').full_node_names),
            f'the nodes {wanted}',
        )

    def test_the_renderer_saves_a_picture(self):
        picture = os.path.join(tempfile.mkdtemp(), 'view.png')
        reply = self.call(SavePicture, '/render/save_picture', file=picture)
        self.assertTrue(reply.ok, reply.message)
        with open(picture, 'rb') as file:
            self.assertEqual(file.read(8), b'\x89PNG\r\n\x1a\n')

    def test_the_parameter_file_and_the_arguments_reach_the_node(self):
        self.wait_for(lambda: self.manifests[''], 'the manifest')
        values = self.call(GetParameters, '/physics/get_parameters', names=['step_size', 'watchdog_timeout']).values
        self.assertEqual([v.double_value for v in values], [0.002, 1.25])
        mode = self.call(GetWorldMode, '/ambf/env/World/get_mode')
        self.assertEqual(mode.mode, 2)


@launch_testing.post_shutdown_test()
class AfterShutdown(unittest.TestCase):
    def test_the_container_ends_with_code_0(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
