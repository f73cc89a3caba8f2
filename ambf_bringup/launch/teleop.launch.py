# SPDX-License-Identifier: BSD-3-Clause
"""Hands in the world: the simulator, one process for every device that the world's input-device file lists, and for
every pair of a hand and an arm of the file teleoperation.yaml beside the world's launch file.

Every node is a process of its own and is started again when it dies; devices and world find each other again. A device
that refuses its parameters says so once and stays away.

  ros2 launch ambf_bringup teleop.launch.py                             # two people solve the puzzle, by mock devices
  ros2 launch ambf_bringup teleop.launch.py demo:=gamepad                # a gamepad, or the keyboard
  ros2 launch ambf_bringup teleop.launch.py demo:=shared_proxy
  ros2 launch ambf_bringup teleop.launch.py demo:=peg_transfer hands:=gamepad      # two hands on two arms
  ros2 launch ambf_bringup teleop.launch.py demo:=training_cast hands:=gamepad     # two hands on two floating grippers
  ros2 launch ambf_bringup teleop.launch.py drivers:=dvrk                # the masters of a dVRK console
  ros2 launch ambf_bringup teleop.launch.py world:=/path/launch.yaml drivers:=hardware     # by each device's hardware name
  ros2 launch ambf_bringup teleop.launch.py world:=/path/launch.yaml drivers:=/path/drivers.yaml
"""

import pathlib

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from ambf_bringup.arguments import common_arguments, common_configurations, world_file
from ambf_bringup.devices import device_nodes, read_drivers
from ambf_bringup.kept_alive import kept_alive
from ambf_bringup.programs import check_program
from ambf_bringup.teleoperation import DEVICES, teleoperation_nodes
from ambf_physics_node.transport import transport_environment


def process(name, package, executable, parameters):
    """A node in a process of its own, started again when it dies."""
    return kept_alive(
        name,
        package=package,
        executable=executable,
        namespace=LaunchConfiguration('namespace'),
        parameters=[parameters],
        output='screen',
        additional_env=transport_environment(),
        arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')],
    )


def check_files(context):
    """RuntimeError, which ends the launch, before anything starts: without a world there are no devices, and no hands
    without files that say which."""
    if world_file(context) is None:
        raise RuntimeError("world: found '', expected an ADF launch file: its input-device file lists the devices")
    start_devices(context)
    start_teleoperation(context)
    return []


def start_teleoperation(context):
    """Hands on arms, where the world says so."""
    nodes = teleoperation_nodes(
        world_file(context),
        LaunchConfiguration('hands').perform(context),
        LaunchConfiguration('pairs').perform(context),
    )
    for node in nodes:
        check_program('hands', node.package, node.executable)
    return [process(node.name, node.package, node.executable, node.parameters) for node in nodes]


def start_devices(context):
    """A device with force output has a process of its own: nothing else can delay or crash it."""
    hands, chosen = (LaunchConfiguration(name).perform(context) for name in ('hands', 'drivers'))
    drivers = read_drivers(
        chosen or ('hardware' if hands == 'dvrk' else ''),
        LaunchConfiguration('demo').perform(context) if hands == 'mock' else '',
        pathlib.Path(FindPackageShare('ambf_bringup').perform(context)) / 'config' / 'drivers',
    )
    devices = device_nodes(
        world_file(context),
        drivers,
        LaunchConfiguration('device_indices').perform(context),
        LaunchConfiguration('n_devices').perform(context),
        hands,
    )
    for device in devices:
        check_program('drivers', 'ambf_device_nodes', device.executable)
    return [process(device.name, 'ambf_device_nodes', device.executable, device.parameters) for device in devices]


def generate_launch_description():
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                'demo',
                default_value='two_user_puzzle',
                choices=[
                    'two_user_puzzle',
                    'shared_proxy',
                    'gamepad',
                    'puzzle',
                    'peg_in_hole',
                    'training_cast',
                    'grippers',
                    'peg_transfer',
                    'two_psms_ecm',
                    'needle',
                ],
                description='a world of ambf_description with devices, where no other world is given',
            ),
            DeclareLaunchArgument(
                'world',
                default_value=PathJoinSubstitution(
                    [FindPackageShare('ambf_description'), 'worlds', LaunchConfiguration('demo'), 'launch.yaml']
                ),
                description='ADF launch file of the world; its input-device file lists the devices',
            ),
            DeclareLaunchArgument(
                'drivers',
                default_value='',
                description='YAML file: which driver each device has, {device: {executable: ..., parameters: {...}}}; '
                "a mock where it names none. Or dvrk: the masters of a dVRK console; hardware: by each device's "
                "hardware name; touch, falcon, omega, hydra, haply, quest: that alone. Default: the demo's",
            ),
            DeclareLaunchArgument(
                'hands',
                default_value='mock',
                choices=list(DEVICES),
                description='who leads the arms of the world, where its teleoperation.yaml pairs hands with arms, and its '
                'devices that `drivers` does not name: a device for each hand, none (their samples come from elsewhere), or '
                'the masters of a dVRK',
            ),
            DeclareLaunchArgument(
                'pairs',
                default_value='',
                description='file that pairs hands with arms; empty: teleoperation.yaml beside the world, if it is there',
            ),
            # Devices are off unless asked for; here they are what it is about.
            DeclareLaunchArgument(
                'n_devices', default_value='-1', description='how many of them, from the first one; -1: all'
            ),
            *[argument for argument in common_arguments() if argument.name not in ('world', 'n_devices')],
            OpaqueFunction(function=check_files),
            IncludeLaunchDescription(
                PythonLaunchDescriptionSource(
                    PathJoinSubstitution([FindPackageShare('ambf_bringup'), 'launch', 'distributed.launch.py'])
                ),
                launch_arguments=common_configurations().items(),
            ),
            OpaqueFunction(function=start_devices),
            OpaqueFunction(function=start_teleoperation),
        ]
    )
