"""The launch arguments that the bring-up files share, declared once."""
from launch import LaunchContext
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
            'model_indices', default_value='',
            description="which entries of the launch file's 'multibody configs' to load, from 0 (AMBF's -l): "
                        "0,3,5 or all. Empty: what the file says ('default multibodies'), else entry 1 as in AMBF"),
        DeclareLaunchArgument(
            'models', default_value="['']",
            description="further ADF model files, as a YAML list: \"['/path/a.yaml', '/path/b.yaml']\" (AMBF's -a)"),
        DeclareLaunchArgument(
            'n_devices', default_value='',
            description="how many devices of the world's input-device file to bind, from the first one (AMBF's -n); "
                        '-1: all. Empty: none, unless params_file says so'),
        DeclareLaunchArgument(
            'device_indices', default_value='',
            description="which of them to bind, from 0 (AMBF's -i): 0,2 or all. Empty: as n_devices says"),
        DeclareLaunchArgument(
            'step_size', default_value='', description='simulated time of one step [s]; empty: as params_file says'),
        DeclareLaunchArgument(
            'real_time_factor', default_value='',
            description='simulated seconds per wall second in realtime mode; empty: as params_file says'),
        DeclareLaunchArgument(
            'min_rate', default_value='',
            description='rate of State topics that nobody commands [Hz]; 0: as the description says; empty: as '
                        'params_file says'),
        DeclareLaunchArgument(
            'max_rate', default_value='',
            description='rate of State topics that somebody commands [Hz]; 0, empty: as above'),
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


# Arguments that stand over the parameter file where they are given, and only there.
OVERRIDES = {'model_indices': str, 'device_indices': str, 'n_devices': int, 'step_size': float,
             'real_time_factor': float, 'min_rate': float, 'max_rate': float}


def physics_parameters(context: LaunchContext) -> list:
    """Parameters of the physics node: the files, then what the arguments say."""
    given = {name: ParameterValue(LaunchConfiguration(name), value_type=kind) for name, kind in OVERRIDES.items()
             if LaunchConfiguration(name).perform(context)}
    return [
        LaunchConfiguration('params_file'), LaunchConfiguration('qos_file'), {
            # Text also where it reads as a number.
            'world': ParameterValue(LaunchConfiguration('world'), value_type=str),
            'models': ParameterValue(LaunchConfiguration('models')),
            'mode': ParameterValue(LaunchConfiguration('mode'), value_type=str), **given}]


def common_configurations() -> dict[str, LaunchConfiguration]:
    """Values of the shared arguments, to hand on to an included file."""
    return {argument.name: LaunchConfiguration(argument.name) for argument in common_arguments()}
