# SPDX-License-Identifier: BSD-3-Clause
"""Everything in one container: the nodes share messages without a copy."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction, RegisterEventHandler
from launch.conditions import IfCondition
from launch.event_handlers import OnProcessIO
from launch.substitutions import LaunchConfiguration, NotEqualsSubstitution
from launch_ros.actions import ComposableNodeContainer, LoadComposableNodes
from launch_ros.descriptions import ComposableNode
from launch_ros.parameter_descriptions import ParameterValue

from ambf_bringup.arguments import common_arguments, physics_parameters, recorder_parameters, render_parameters
from ambf_bringup.arms import PACKAGE, PLUGIN, arm_nodes, as_texts
from ambf_physics_node.transport import transport_environment


def end_if_refused(event):
    """A node that refuses its world or its parameters ends the launch: a container without it serves nobody."""
    if b'Component constructor threw' in event.text:
        raise RuntimeError('a node was not made: what it was given is wrong, see its words above')


def nodes(context):
    namespace = LaunchConfiguration('namespace')
    container_name = LaunchConfiguration('container_name')
    physics = ComposableNode(
        package='ambf_physics_node',
        plugin='ambf_physics::PhysicsNode',
        name='physics',
        namespace=namespace,
        parameters=physics_parameters(context),
        extra_arguments=[{'use_intra_process_comms': True}],
    )
    container = ComposableNodeContainer(
        name=container_name,
        namespace=namespace,
        package='rclcpp_components',
        executable='component_container_mt',
        composable_node_descriptions=[physics],
        output='screen',
        additional_env=transport_environment(),
        arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')],
    )

    def also(condition, **description):
        """Load a further component into the container where the condition holds."""
        return LoadComposableNodes(
            target_container=container,
            condition=IfCondition(condition),
            composable_node_descriptions=[ComposableNode(namespace=namespace, **description)],
        )

    renderer = also(
        LaunchConfiguration('render'),
        package='ambf_render_node',
        plugin='ambf_render::RenderNode',
        name='render',
        parameters=render_parameters(context),
        extra_arguments=[{'use_intra_process_comms': True}],
    )
    adapter = also(
        LaunchConfiguration('simulation_interfaces'),
        package='ambf_simulation_interfaces',
        plugin='ambf_simulation_interfaces::AdapterNode',
        name='simulation_interfaces',
    )
    recorder = also(
        NotEqualsSubstitution(LaunchConfiguration('record'), ''),
        package='rosbag2_transport',
        plugin='rosbag2_transport::Recorder',
        name='recorder',
        parameters=[
            {
                name: ParameterValue(value, value_type=str) if isinstance(value, str) else value
                for name, value in recorder_parameters(context).items()
            }
        ],
    )
    arms = [
        ComposableNode(
            package=PACKAGE,
            plugin=PLUGIN,
            name=arm.name,
            namespace=namespace,
            parameters=[LaunchConfiguration('params_file'), as_texts(arm.parameters)],
            extra_arguments=[{'use_intra_process_comms': True}],
        )
        for arm in arm_nodes(context)
    ]
    served = [LoadComposableNodes(target_container=container, composable_node_descriptions=arms)] if arms else []
    refused = RegisterEventHandler(
        OnProcessIO(target_action=container, on_stdout=end_if_refused, on_stderr=end_if_refused)
    )
    return [refused, container, renderer, adapter, *served, recorder]


def generate_launch_description():
    return LaunchDescription(
        [
            *common_arguments(),
            DeclareLaunchArgument('container_name', default_value='ambf', description='name of the container'),
            OpaqueFunction(function=nodes),
        ]
    )
