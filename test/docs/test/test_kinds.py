# SPDX-License-Identifier: BSD-3-Clause
"""Which commands of a page run until Ctrl-C, and which nodes are theirs."""

import pytest
from page_session import COMPANION, ENDLESS, SIMULATOR, programs


@pytest.mark.parametrize(
    'command, kinds',
    [
        ('ros2 launch ambf_bringup simulator.launch.py', 's'),
        ('./ambf exec ros2 launch ambf_bringup simulator.launch.py', 's'),
        ('ros2 launch ambf_bringup simulator.launch.py --show-args', ''),
        ('./ambf demo', 's'),
        ('./ambf demo --list', ''),
        ('ros2 run ambf_device_nodes mock_device', 'c'),
        ('ros2 run ambf_device_nodes bag_to_device_csv session hand.csv', ''),
        ('ros2 topic pub -r 50 /a/Command ambf_msgs/msg/RigidBodyCmd "{}"', 'e'),
        ('ros2 topic pub --once /a std_msgs/msg/String "{data: x}"', ''),
        ('ros2 topic hz /a', 'e'),
        ('ros2 topic echo /a', 'e'),
        ('ros2 topic echo --once /a', ''),
        ('ros2 topic list', ''),
        ('ros2 bag record -o session /a', 'e'),
        ('ros2 bag info session', ''),
    ],
)
def test_kind(command, kinds):
    found = ''.join(
        letter for letter, pattern in (('s', SIMULATOR), ('c', COMPANION), ('e', ENDLESS)) if pattern.match(command)
    )
    assert found == kinds


def test_a_command_that_looks_at_the_graph_is_no_program():
    daemon = '_ros2cli_daemon_0_6b1f0c52a3d34d0f8d5c3a9e7f2b1c44'
    assert programs(['physics', 'docs_watch', '_ros2cli_4711', daemon]) == {'physics'}
