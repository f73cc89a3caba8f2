"""A process for each node: one that crashes takes no other with it, and is started again."""
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument('world', default_value='', description='ADF launch file of the world'),
        DeclareLaunchArgument('models', default_value="['']", description='further ADF model files'),
        DeclareLaunchArgument('mode', default_value='realtime', description='who owns time'),
        DeclareLaunchArgument('namespace', default_value='', description='namespace of nodes and world'),
        DeclareLaunchArgument('params_file', description='parameters of all nodes'),
        DeclareLaunchArgument('log_level', default_value='info', description='log level'),
        DeclareLaunchArgument(
            'respawn', default_value='true', description='start a node that died again'),
    ]
    physics = Node(
        package='ambf_physics_node', executable='physics_node', name='physics',
        namespace=LaunchConfiguration('namespace'), output='screen',
        respawn=LaunchConfiguration('respawn'), respawn_delay=1.0,
        parameters=[LaunchConfiguration('params_file'), {
            'world': LaunchConfiguration('world'),
            'models': ParameterValue(LaunchConfiguration('models')),
            'mode': LaunchConfiguration('mode')}],
        arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')])
    return LaunchDescription(arguments + [physics])
