"""Everything in one container: the nodes share messages without a copy."""
from ambf_bringup.arguments import common_arguments
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, NotEqualsSubstitution
from launch_ros.actions import ComposableNodeContainer, LoadComposableNodes
from launch_ros.descriptions import ComposableNode
from launch_ros.parameter_descriptions import ParameterValue


def generate_launch_description():
    namespace = LaunchConfiguration('namespace')
    container_name = LaunchConfiguration('container_name')
    physics = ComposableNode(
        package='ambf_physics_node', plugin='ambf_physics::PhysicsNode', name='physics', namespace=namespace,
        parameters=[LaunchConfiguration('params_file'), {
            'world': LaunchConfiguration('world'),
            'models': ParameterValue(LaunchConfiguration('models')),
            'mode': LaunchConfiguration('mode')}],
        extra_arguments=[{'use_intra_process_comms': True}])
    container = ComposableNodeContainer(
        name=container_name, namespace=namespace,
        package='rclcpp_components', executable='component_container_mt',
        composable_node_descriptions=[physics], output='screen',
        arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')])
    recorder = LoadComposableNodes(
        target_container=container,
        composable_node_descriptions=[ComposableNode(
            package='rosbag2_transport', plugin='rosbag2_transport::Recorder', name='recorder', namespace=namespace,
            parameters=[{
                'storage.uri': LaunchConfiguration('record'), 'storage.storage_id': 'mcap',
                'record.all_topics': True}])],
        condition=IfCondition(NotEqualsSubstitution(LaunchConfiguration('record'), '')))
    return LaunchDescription([
        *common_arguments(),
        DeclareLaunchArgument('container_name', default_value='ambf', description='name of the container'),
        container, recorder,
    ])
