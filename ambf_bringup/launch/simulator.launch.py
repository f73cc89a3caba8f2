# SPDX-License-Identifier: BSD-3-Clause
"""Start the simulator: one world, in one container or as separate processes.

ros2 launch ambf_bringup simulator.launch.py
ros2 launch ambf_bringup simulator.launch.py world:=/path/to/launch.yaml mode:=lockstep
ros2 launch ambf_bringup simulator.launch.py use_composition:=false namespace:=lab record:=first_run
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.conditions import IfCondition, UnlessCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from ambf_bringup.arguments import common_arguments, common_configurations


def generate_launch_description():
    composed = LaunchConfiguration('use_composition')

    def include(file, condition):
        return IncludeLaunchDescription(
            PythonLaunchDescriptionSource(PathJoinSubstitution([FindPackageShare('ambf_bringup'), 'launch', file])),
            launch_arguments=common_configurations().items(),
            condition=condition,
        )

    return LaunchDescription(
        [
            *common_arguments(),
            DeclareLaunchArgument(
                'use_composition',
                default_value='true',
                choices=['true', 'false'],
                description='all nodes in one process (no copies between them), or a process for each',
            ),
            include('composed.launch.py', IfCondition(composed)),
            include('distributed.launch.py', UnlessCondition(composed)),
        ]
    )
