"""The launch arguments that the bring-up files share, declared once."""
from launch.actions import DeclareLaunchArgument
from launch.substitutions import (EnvironmentVariable, EqualsSubstitution, IfElseSubstitution, LaunchConfiguration,
                                  NotEqualsSubstitution, PathJoinSubstitution)
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def common_arguments() -> list[DeclareLaunchArgument]:
    """Arguments of every bring-up file; each has a default that works."""
    return [
        DeclareLaunchArgument(
            'world', default_value=PathJoinSubstitution(
                [FindPackageShare('ambf_description'), 'worlds', 'demo', 'launch.yaml']),
            description='ADF launch file of the world'),
        DeclareLaunchArgument(
            'models', default_value="['']",
            description="further ADF model files, as a YAML list: \"['/path/a.yaml', '/path/b.yaml']\""),
        DeclareLaunchArgument(
            'mode', default_value='realtime', choices=['realtime', 'free', 'lockstep', 'paused'],
            description='who owns time: the wall clock, nobody (as fast as it goes), the callers of '
                        'World/step, or it stands'),
        DeclareLaunchArgument(
            'namespace', default_value='',
            description='namespace of the nodes and of the world; two simulators need two'),
        DeclareLaunchArgument(
            'params_file', default_value=PathJoinSubstitution(
                [FindPackageShare('ambf_bringup'), 'config', 'simulator.yaml']),
            description='parameters of all nodes; the default file lists and explains every one'),
        DeclareLaunchArgument(
            'log_level', default_value='info', choices=['debug', 'info', 'warn', 'error', 'fatal'],
            description='log level of all nodes'),
        DeclareLaunchArgument(
            'render', default_value='true', choices=['true', 'false'],
            description='draw the world: windows, camera images, pictures'),
        DeclareLaunchArgument(
            'headless', default_value=EqualsSubstitution(EnvironmentVariable('DISPLAY', default_value=''), ''),
            description='open no window; images and pictures only. By default where there is no display'),
        DeclareLaunchArgument(
            'simulation_interfaces', default_value='false', choices=['true', 'false'],
            description='offer the services and the action of the standard simulation_interfaces too'),
        DeclareLaunchArgument(
            'record', default_value='',
            description='folder of a bag to record all topics into; empty: record nothing'),
        DeclareLaunchArgument(
            'qos_file', default_value=PathJoinSubstitution([
                FindPackageShare('ambf_bringup'), 'config', IfElseSubstitution(
                    NotEqualsSubstitution(LaunchConfiguration('record'), ''), 'qos_recording.yaml', 'qos.yaml')]),
            description='quality of service of the world\'s topics; by default qos.yaml, while recording '
                        'qos_recording.yaml with deeper queues'),
    ]


def physics_parameters() -> list:
    """Parameters of the physics node: the files, then what the arguments say."""
    return [
        LaunchConfiguration('params_file'), LaunchConfiguration('qos_file'), {
            # Text also where it reads as a number.
            'world': ParameterValue(LaunchConfiguration('world'), value_type=str),
            'models': ParameterValue(LaunchConfiguration('models')),
            'mode': ParameterValue(LaunchConfiguration('mode'), value_type=str)}]


def common_configurations() -> dict[str, LaunchConfiguration]:
    """Values of the shared arguments, to hand on to an included file."""
    return {argument.name: LaunchConfiguration(argument.name) for argument in common_arguments()}
