"""Everything in one container: the nodes share messages without a copy."""
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import ComposableNodeContainer
from launch_ros.descriptions import ComposableNode, ParameterValue


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument('world', default_value='', description='ADF launch file of the world'),
        DeclareLaunchArgument('models', default_value="['']", description='further ADF model files'),
        DeclareLaunchArgument('mode', default_value='realtime', description='who owns time'),
        DeclareLaunchArgument('namespace', default_value='', description='namespace of nodes and world'),
        DeclareLaunchArgument('params_file', description='parameters of all nodes'),
        DeclareLaunchArgument('log_level', default_value='info', description='log level'),
        DeclareLaunchArgument('container_name', default_value='ambf', description='name of the container'),
    ]
    physics = ComposableNode(
        package='ambf_physics_node', plugin='ambf_physics::PhysicsNode', name='physics',
        namespace=LaunchConfiguration('namespace'),
        parameters=[LaunchConfiguration('params_file'), {
            'world': LaunchConfiguration('world'),
            'models': ParameterValue(LaunchConfiguration('models')),
            'mode': LaunchConfiguration('mode')}],
        extra_arguments=[{'use_intra_process_comms': True}])
    container = ComposableNodeContainer(
        name=LaunchConfiguration('container_name'), namespace=LaunchConfiguration('namespace'),
        package='rclcpp_components', executable='component_container_mt',
        composable_node_descriptions=[physics], output='screen',
        arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')])
    return LaunchDescription(arguments + [container])
