# SPDX-License-Identifier: BSD-3-Clause
import os
import stat
import sys

import pytest

from launch import LaunchDescription, LaunchService
import launch.logging

# Prints what it is called and what it was given, then ends: no other process is needed to see
# what the launch system hands to a node.
_NODE = f'''#!{sys.executable}
import sys
import rclpy
from rclpy.node import Node
rclpy.init(args=sys.argv)
node = Node('unnamed', automatically_declare_parameters_from_overrides=True)
publisher = node.create_publisher(__import__('std_msgs.msg', fromlist=['x']).String, 'topic', 1)
print('NODE', node.get_fully_qualified_name(), publisher.topic_name, flush=True)
for name, parameter in sorted(node.get_parameters_by_prefix('').items()):
    print('PARAM', name, repr(parameter.value), flush=True)
print('ARGS', rclpy.utilities.remove_ros_args(sys.argv)[1:], flush=True)
'''


@pytest.fixture(autouse=True)
def own_log_directory(tmp_path, monkeypatch):
    monkeypatch.setenv('ROS_LOG_DIR', str(tmp_path / 'log'))
    launch.logging.reset()
    yield
    launch.logging.reset()


@pytest.fixture
def run(capsys):
    def run_entities(*entities):
        service = LaunchService(noninteractive=True)
        service.include_launch_description(LaunchDescription(list(entities)))
        code = service.run()
        return code, capsys.readouterr().out
    return run_entities


@pytest.fixture
def program(tmp_path):
    path = tmp_path / 'show_node'
    path.write_text(_NODE)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture
def package(tmp_path, program, monkeypatch):
    """Give the name of an installed package that holds the program."""
    prefix = tmp_path / 'prefix'
    marker = prefix / 'share' / 'ament_index' / 'resource_index' / 'packages'
    marker.mkdir(parents=True)
    (marker / 'shown').write_text('')
    folder = prefix / 'lib' / 'shown'
    folder.mkdir(parents=True)
    os.rename(program, folder / 'show_node')
    (prefix / 'share' / 'shown').mkdir()
    monkeypatch.setenv(
        'AMENT_PREFIX_PATH', f"{prefix}{os.pathsep}{os.environ['AMENT_PREFIX_PATH']}")
    return 'shown'
