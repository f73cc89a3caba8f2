"""The distributed bring-up: a process for each node; one that is killed comes back by itself."""
import os
import re
import signal
import unittest

import launch_testing
from launch import LaunchDescription
from world_watch import WorldWatch, bring_up


def generate_test_description():
    return LaunchDescription([
        bring_up('simulator.launch.py', use_composition='false'), launch_testing.actions.ReadyToTest()])


def physics_process():
    """Process number of the physics node that belongs to this launch, None where there is none."""
    for folder in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{folder}/cmdline') as file:
                command = file.read()
            with open(f'/proc/{folder}/status') as file:
                status = file.read()
        except OSError:
            continue
        parent = int(re.search(r'PPid:\s+(\d+)', status).group(1))
        if 'lib/ambf_physics_node/physics_node' in command and parent == os.getpid():
            return int(folder)
    return None


class Distributed(WorldWatch):

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
