"""Hands in the world: the simulator, and one process for every device that the world's input-device file lists.

Every node is a process of its own and is started again when it dies; devices and world find each other again.

  ros2 launch ambf_bringup teleop.launch.py                             # two people solve the puzzle, by mock devices
  ros2 launch ambf_bringup teleop.launch.py demo:=gamepad                # a gamepad, or the keyboard
  ros2 launch ambf_bringup teleop.launch.py demo:=shared_proxy
  ros2 launch ambf_bringup teleop.launch.py world:=/path/launch.yaml drivers:=/path/drivers.yaml
"""
import atexit
import pathlib
import shutil
import tempfile

import yaml
from ambf_bringup.arguments import common_arguments, common_configurations
from ambf_bringup.devices import device_nodes
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def start_devices(context):
    """A device with force output has a process of its own: nothing else can delay or crash it."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix='ambf_teleop_'))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    text = LaunchConfiguration('drivers').perform(context)
    file = pathlib.Path(text)
    if not text:
        demo = LaunchConfiguration('demo').perform(context)
        share = FindPackageShare('ambf_bringup').perform(context)
        file = pathlib.Path(share) / 'config' / 'drivers' / f'{demo}.yaml'
    elif not file.is_file():
        raise FileNotFoundError(f"drivers: found '{text}', expected a YAML file that maps devices to drivers")
    drivers = (yaml.safe_load(file.read_text()) or {}) if file.is_file() else {}
    world = pathlib.Path(LaunchConfiguration('world').perform(context))
    return [
        Node(package='ambf_device_nodes', executable=device.executable, name=device.name,
             namespace=LaunchConfiguration('namespace'), parameters=[device.parameters], output='screen',
             respawn=True, respawn_delay=1.0,
             arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')])
        for device in device_nodes(world, drivers, folder)]


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument(
            'demo', default_value='two_user_puzzle', choices=['two_user_puzzle', 'shared_proxy', 'gamepad'],
            description='a world of ambf_description with devices, where no other world is given'),
        DeclareLaunchArgument(
            'world', default_value=PathJoinSubstitution(
                [FindPackageShare('ambf_description'), 'worlds', LaunchConfiguration('demo'), 'launch.yaml']),
            description='ADF launch file of the world; its input-device file lists the devices'),
        DeclareLaunchArgument(
            'drivers', default_value='',
            description='YAML file: which driver each device has, {device: {executable: ..., parameters: {...}}}; '
                        'a mock where it names none. Default: the demo\'s'),
        *[argument for argument in common_arguments() if argument.name != 'world'],
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([FindPackageShare('ambf_bringup'), 'launch', 'distributed.launch.py'])),
            launch_arguments=common_configurations().items()),
        OpaqueFunction(function=start_devices),
    ])
