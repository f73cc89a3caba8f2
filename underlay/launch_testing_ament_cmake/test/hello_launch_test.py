# SPDX-License-Identifier: BSD-3-Clause
import sys
import unittest

import launch
from launch.actions import DeclareLaunchArgument, ExecuteProcess
from launch.substitutions import LaunchConfiguration
import launch_testing
import launch_testing.actions
import launch_testing.asserts

_HELLO = """
import signal, sys
print('hello', sys.argv[1], flush=True)
signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
print('waiting', file=sys.stderr, flush=True)
signal.pause()
"""


def generate_test_description():
    hello = ExecuteProcess(cmd=[sys.executable, '-c', _HELLO, LaunchConfiguration('who')])
    return launch.LaunchDescription([
        DeclareLaunchArgument('who', description='Whom to greet'),
        hello,
        launch_testing.actions.ReadyToTest(),
    ]), {'hello': hello}


class TestWhileRunning(unittest.TestCase):

    def test_greets(self, proc_output, hello):
        proc_output.assertWaitFor('hello world', process=hello, stream='stdout', timeout=90)
        proc_output.assertWaitFor('waiting', process=hello, timeout=90)


@launch_testing.post_shutdown_test()
class TestAfterShutdown(unittest.TestCase):

    def test_ends_cleanly(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
