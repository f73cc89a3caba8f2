# SPDX-License-Identifier: BSD-3-Clause
"""A process for each node: one that crashes takes no other with it, and is started again.

A physics node that refuses its world or its parameters says so once and stays away.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, NotEqualsSubstitution
from launch_ros.actions import Node

from ambf_bringup.arguments import common_arguments, physics_parameters, recorder_command, render_parameters
from ambf_bringup.arms import PACKAGE, PROGRAM, arm_nodes, as_texts
from ambf_bringup.kept_alive import kept_alive
from ambf_physics_node.transport import transport_environment


def nodes(context):
    common = {
        'namespace': LaunchConfiguration('namespace'),
        'output': 'screen',
        'additional_env': transport_environment(),
        'arguments': ['--ros-args', '--log-level', LaunchConfiguration('log_level')],
    }

    def node(**description):
        return Node(respawn=LaunchConfiguration('respawn'), respawn_delay=1.0, **common, **description)

    physics = kept_alive(
        'physics',
        package='ambf_physics_node',
        executable='physics_node',
        parameters=physics_parameters(context),
        **common,
    )
    renderer = node(
        package='ambf_render_node',
        executable='render_node',
        name='render',
        condition=IfCondition(LaunchConfiguration('render')),
        parameters=render_parameters(context),
    )
    adapter = node(
        package='ambf_simulation_interfaces',
        executable='adapter',
        name='simulation_interfaces',
        condition=IfCondition(LaunchConfiguration('simulation_interfaces')),
    )
    arms = [
        kept_alive(
            arm.name,
            package=PACKAGE,
            executable=PROGRAM,
            parameters=[LaunchConfiguration('params_file'), as_texts(arm.parameters)],
            **common,
        )
        for arm in arm_nodes(context)
    ]
    recorder = ExecuteProcess(
        cmd=recorder_command(context),
        name='recorder',
        output='screen',
        condition=IfCondition(NotEqualsSubstitution(LaunchConfiguration('record'), '')),
    )
    return [physics, renderer, adapter, *arms, recorder]


def generate_launch_description():
    return LaunchDescription(
        [
            *common_arguments(),
            DeclareLaunchArgument(
                'respawn', default_value='true', choices=['true', 'false'], description='start a node again that died'
            ),
            OpaqueFunction(function=nodes),
        ]
    )
