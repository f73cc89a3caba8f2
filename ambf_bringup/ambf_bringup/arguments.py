# SPDX-License-Identifier: BSD-3-Clause
"""The launch arguments that the bring-up files share, declared once."""

import pathlib

from launch import LaunchContext
from launch.actions import DeclareLaunchArgument
from launch.substitutions import (
    EnvironmentVariable,
    EqualsSubstitution,
    IfElseSubstitution,
    LaunchConfiguration,
    NotEqualsSubstitution,
    PathJoinSubstitution,
)
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from ambf_bringup.addresses import path_of
from ambf_bringup.programs import check_program


def common_arguments() -> list[DeclareLaunchArgument]:
    """Arguments of every bring-up file; each has a default that works."""
    return [
        DeclareLaunchArgument(
            'world',
            default_value=PathJoinSubstitution([FindPackageShare('ambf_description'), 'worlds', 'demo', 'launch.yaml']),
            description='ADF launch file of the world',
        ),
        DeclareLaunchArgument(
            'model_indices',
            default_value='',
            description="which entries of the launch file's 'multibody configs' to load, from 0 (AMBF's -l): "
            "0,3,5 or all. Empty: what the file says ('default multibodies'), else entry 1 as in AMBF",
        ),
        DeclareLaunchArgument(
            'models',
            default_value="['']",
            description="further ADF model files, as a YAML list: \"['/path/a.yaml', '/path/b.yaml']\" (AMBF's -a)",
        ),
        DeclareLaunchArgument(
            'n_devices',
            default_value='',
            description="how many devices of the world's input-device file to bind, from the first one (AMBF's -n); "
            '-1: all. Empty: none, unless params_file says so',
        ),
        DeclareLaunchArgument(
            'device_indices',
            default_value='',
            description="which of them to bind, from 0 (AMBF's -i): 0,2 or all. Empty: as n_devices says",
        ),
        DeclareLaunchArgument(
            'step_size', default_value='', description='simulated time of one step [s]; empty: as params_file says'
        ),
        DeclareLaunchArgument(
            'real_time_factor',
            default_value='',
            description='simulated seconds per wall second in realtime mode; empty: as params_file says',
        ),
        DeclareLaunchArgument(
            'min_rate',
            default_value='',
            description='rate of State topics that nobody commands [Hz]; 0: as the description says; empty: as '
            'params_file says',
        ),
        DeclareLaunchArgument(
            'max_rate',
            default_value='',
            description='rate of State topics that somebody commands [Hz]; 0, empty: as above',
        ),
        DeclareLaunchArgument(
            'mode',
            default_value='realtime',
            choices=['realtime', 'free', 'lockstep', 'paused'],
            description='who owns time: the wall clock, nobody (as fast as it goes), the callers of '
            'World/step, or it stands',
        ),
        DeclareLaunchArgument(
            'namespace',
            default_value='',
            description='namespace of the nodes and of the world; two simulators need two',
        ),
        DeclareLaunchArgument(
            'params_file',
            default_value=PathJoinSubstitution([FindPackageShare('ambf_bringup'), 'config', 'simulator.yaml']),
            description='parameters of all nodes; the default file lists and explains every one',
        ),
        DeclareLaunchArgument(
            'log_level',
            default_value='info',
            choices=['debug', 'info', 'warn', 'error', 'fatal'],
            description='log level of all nodes',
        ),
        DeclareLaunchArgument(
            'render',
            default_value='true',
            choices=['true', 'false'],
            description='draw the world: windows, camera images, pictures',
        ),
        DeclareLaunchArgument(
            'headless',
            default_value=EqualsSubstitution(EnvironmentVariable('DISPLAY', default_value=''), ''),
            description='open no window; images and pictures only. By default where there is no display',
        ),
        DeclareLaunchArgument(
            'quality',
            default_value='',
            choices=['', 'auto', 'low', 'high'],
            description='of what is drawn. high: 1280x720 with smooth edges, also in windows and camera images; low: what is '
            'fastest; auto: saved pictures and videos high, all else low. Empty: as params_file says, else auto',
        ),
        DeclareLaunchArgument(
            'simulation_interfaces',
            default_value='false',
            choices=['true', 'false'],
            description='offer the services and the action of the standard simulation_interfaces too',
        ),
        DeclareLaunchArgument(
            'arms',
            default_value='auto',
            description="arms on CRTK topics: auto (those that the world's launch file lists in 'arm configs'), none, or a "
            'file that describes arms of the world',
        ),
        DeclareLaunchArgument(
            'arm_names',
            default_value='dvrk',
            choices=['dvrk', 'crtk'],
            description='names of their topics: /PSM1/measured_cp, or /CRTK/psm1/measured_cp',
        ),
        DeclareLaunchArgument(
            'record', default_value='', description='folder of a bag to record into; empty: record nothing'
        ),
        DeclareLaunchArgument(
            'record_topics',
            default_value='all',
            description='what to record: all; no_images (all but images and point clouds); states (State topics, '
            'joint states, tf, the manifest); or names of topics with commas between them',
        ),
        DeclareLaunchArgument(
            'record_time',
            default_value='sim',
            choices=['sim', 'wall'],
            description="times in the bag: the world's, which 'ros2 bag play --clock' then tells; or those of the wall, "
            'which are there before the first step',
        ),
        DeclareLaunchArgument(
            'qos_file',
            default_value=PathJoinSubstitution(
                [
                    FindPackageShare('ambf_bringup'),
                    'config',
                    IfElseSubstitution(
                        NotEqualsSubstitution(LaunchConfiguration('record'), ''), 'qos_recording.yaml', 'qos.yaml'
                    ),
                ]
            ),
            description="quality of service of the world's topics; by default qos.yaml, while recording "
            'qos_recording.yaml with deeper queues',
        ),
    ]


IMAGE_TYPES = ('sensor_msgs/msg/Image', 'sensor_msgs/msg/CompressedImage', 'sensor_msgs/msg/PointCloud2')
STATE_TOPICS = r'(/State|/joint_states|/robot_description|/World/Manifest|^/tf|^/tf_static)$'

# Arguments that stand over the parameter file where they are given, and only there.
OVERRIDES = {
    'model_indices': str,
    'device_indices': str,
    'n_devices': int,
    'step_size': float,
    'real_time_factor': float,
    'min_rate': float,
    'max_rate': float,
}


def world_file(context: LaunchContext) -> pathlib.Path | None:
    """The launch file of the world, None where there is to be none; RuntimeError, which ends the launch, if it is not there."""
    world = LaunchConfiguration('world').perform(context).split('?')[0]
    if not world:
        return None
    file = path_of(world, 'world')
    if not file.is_file():
        raise RuntimeError(f"world: found '{world}', which is no file; expected an ADF launch file")
    return file


def check_files(context: LaunchContext):
    """RuntimeError, which ends the launch, where the world or a program is not there or a recording would not be made."""
    world_file(context)
    folder = LaunchConfiguration('record').perform(context)
    if folder and pathlib.Path(folder).exists():
        raise RuntimeError(f"record: found '{folder}', which is there already; expected a folder that is to be made")
    if LaunchConfiguration('simulation_interfaces').perform(context) == 'true':
        check_program('simulation_interfaces', 'ambf_simulation_interfaces', 'adapter')


def recorder_parameters(context: LaunchContext) -> dict:
    """Parameters of rosbag2's recorder; RuntimeError, which ends the launch, for what cannot be recorded."""
    topics = LaunchConfiguration('record_topics').perform(context).strip()
    presets = {
        'all': {'record.all_topics': True},
        'no_images': {'record.all_topics': True, 'record.exclude_topic_types': list(IMAGE_TYPES)},
        'states': {'record.regex': STATE_TOPICS},
    }
    chosen = presets.get(topics)
    if chosen is None:
        names = [name.strip() for name in topics.split(',')]
        wrong = [name for name in names if not name.startswith('/')]
        if wrong:
            raise RuntimeError(
                f"record_topics: found '{wrong[0]}', expected {', '.join(presets)}, or names of topics, "
                'each with a slash before it and commas between them'
            )
        chosen = {'record.topics': names}
    sim = LaunchConfiguration('record_time').perform(context) == 'sim'
    if sim and 'record.topics' not in chosen:
        # Times of the bag are the world's: who plays it with --clock needs no second one.
        chosen['record.exclude_topics'] = ['/clock']
    return {
        'use_sim_time': sim,
        'storage.uri': LaunchConfiguration('record').perform(context),
        'storage.storage_id': 'mcap',
        **chosen,
    }


def recorder_command(context: LaunchContext) -> list[str]:
    """The same as a command line."""
    parameters = recorder_parameters(context)
    command = ['ros2', 'bag', 'record', '-o', parameters['storage.uri'], '-s', parameters['storage.storage_id']]
    flags = {
        'use_sim_time': '--use-sim-time',
        'record.all_topics': '--all-topics',
        'record.regex': '--regex',
        'record.topics': '--topics',
        'record.exclude_topics': '--exclude-topics',
        'record.exclude_topic_types': '--exclude-topic-types',
    }
    for name, flag in flags.items():
        value = parameters.get(name)
        if value:
            command += [flag, *([] if value is True else value if isinstance(value, list) else [value])]
    return command


def physics_parameters(context: LaunchContext) -> list:
    """Parameters of the physics node: the files, then what the arguments say."""
    check_files(context)
    given = {
        name: ParameterValue(LaunchConfiguration(name), value_type=kind)
        for name, kind in OVERRIDES.items()
        if LaunchConfiguration(name).perform(context)
    }
    return [
        LaunchConfiguration('params_file'),
        LaunchConfiguration('qos_file'),
        {
            # Text also where it reads as a number.
            'world': ParameterValue(LaunchConfiguration('world'), value_type=str),
            'models': ParameterValue(LaunchConfiguration('models')),
            'mode': ParameterValue(LaunchConfiguration('mode'), value_type=str),
            **given,
        },
    ]


def render_parameters(context: LaunchContext) -> list:
    """Parameters of the render node: the file, then what the arguments say."""
    quality = LaunchConfiguration('quality').perform(context)
    return [
        LaunchConfiguration('params_file'),
        {
            'headless': ParameterValue(LaunchConfiguration('headless'), value_type=bool),
            **({'quality': quality} if quality else {}),
        },
    ]


def common_configurations() -> dict[str, LaunchConfiguration]:
    """Values of the shared arguments, to hand on to an included file."""
    return {argument.name: LaunchConfiguration(argument.name) for argument in common_arguments()}
