"""A process for each node: one that crashes takes no other with it, and is started again.

A physics node that refuses its world or its parameters says so once and stays away.
"""
from ambf_bringup.arguments import common_arguments, physics_parameters
from ambf_bringup.kept_alive import kept_alive
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, NotEqualsSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue


def nodes(context):
    common = {'namespace': LaunchConfiguration('namespace'), 'output': 'screen',
              'arguments': ['--ros-args', '--log-level', LaunchConfiguration('log_level')]}

    def node(**description):
        return Node(respawn=LaunchConfiguration('respawn'), respawn_delay=1.0, **common, **description)

    physics = kept_alive(
        'physics', package='ambf_physics_node', executable='physics_node', parameters=physics_parameters(context),
        **common)
    renderer = node(
        package='ambf_render_node', executable='render_node', name='render',
        condition=IfCondition(LaunchConfiguration('render')),
        parameters=[LaunchConfiguration('params_file'), {'headless': ParameterValue(
            LaunchConfiguration('headless'), value_type=bool)}])
    adapter = node(
        package='ambf_simulation_interfaces', executable='adapter', name='simulation_interfaces',
        condition=IfCondition(LaunchConfiguration('simulation_interfaces')))
    recorder = ExecuteProcess(
        cmd=['ros2', 'bag', 'record', '-a', '-o', LaunchConfiguration('record')], name='recorder',
        output='screen', condition=IfCondition(NotEqualsSubstitution(LaunchConfiguration('record'), '')))
    return [physics, renderer, adapter, recorder]


def generate_launch_description():
    return LaunchDescription([
        *common_arguments(),
        DeclareLaunchArgument(
            'respawn', default_value='true', choices=['true', 'false'],
            description='start a node again that died'),
        OpaqueFunction(function=nodes),
    ])
