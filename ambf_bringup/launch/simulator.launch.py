"""Start the simulator: one world, in one container or as separate processes.

  ros2 launch ambf_bringup simulator.launch.py
  ros2 launch ambf_bringup simulator.launch.py world:=/path/to/launch.yaml mode:=lockstep
"""
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.conditions import IfCondition, UnlessCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('ambf_bringup')
    arguments = [
        DeclareLaunchArgument(
            'world', default_value=PathJoinSubstitution(
                [FindPackageShare('ambf_description'), 'worlds', 'demo', 'launch.yaml']),
            description='ADF launch file of the world'),
        DeclareLaunchArgument(
            'models', default_value="['']", description='further ADF model files, as a YAML list'),
        DeclareLaunchArgument(
            'mode', default_value='realtime', choices=['realtime', 'free', 'lockstep', 'paused'],
            description='who owns time'),
        DeclareLaunchArgument(
            'use_composition', default_value='true', choices=['true', 'false'],
            description='all nodes in one process (no copies between them), or a process for each'),
        DeclareLaunchArgument(
            'namespace', default_value='', description='namespace of the nodes and of the world'),
        DeclareLaunchArgument(
            'params_file', default_value=PathJoinSubstitution([share, 'config', 'simulator.yaml']),
            description='parameters of all nodes'),
        DeclareLaunchArgument(
            'log_level', default_value='info', choices=['debug', 'info', 'warn', 'error', 'fatal'],
            description='log level of all nodes'),
    ]
    names = ['world', 'models', 'mode', 'namespace', 'params_file', 'log_level']
    passed = {name: LaunchConfiguration(name) for name in names}.items()
    composed = LaunchConfiguration('use_composition')

    def include(file, condition):
        return IncludeLaunchDescription(
            PythonLaunchDescriptionSource(PathJoinSubstitution([share, 'launch', file])),
            launch_arguments=passed, condition=condition)

    return LaunchDescription(arguments + [
        include('composed.launch.py', IfCondition(composed)),
        include('distributed.launch.py', UnlessCondition(composed)),
    ])
