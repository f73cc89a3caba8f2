# SPDX-License-Identifier: BSD-3-Clause
"""Arguments that cannot work end the launch with words and a code, instead of a simulator without a world."""

import os
import subprocess

import pytest
from launch import LaunchContext

from ambf_bringup.arguments import common_arguments, recorder_command, recorder_parameters, world_file


def given(**arguments) -> LaunchContext:
    context = LaunchContext()
    for argument in common_arguments():
        argument.visit(context)
    context.launch_configurations.update(arguments)
    return context


def test_what_is_recorded_is_chosen_by_a_preset_or_by_names():
    everything = recorder_parameters(given(record='run'))
    assert everything['record.all_topics'] and everything['use_sim_time'] and everything['storage.uri'] == 'run'
    assert everything['record.exclude_topics'] == ['/clock'], "the bag's own time is the world's"
    few = recorder_parameters(given(record='run', record_topics='no_images'))
    assert 'sensor_msgs/msg/Image' in few['record.exclude_topic_types']
    some = recorder_parameters(given(record='run', record_topics='/a/State, /clock', record_time='wall'))
    assert some['record.topics'] == ['/a/State', '/clock'] and not some['use_sim_time']
    with pytest.raises(RuntimeError, match="record_topics: found 'sates'"):
        recorder_parameters(given(record='run', record_topics='sates'))


@pytest.mark.parametrize(
    'topics, words',
    [
        ('all', ['--use-sim-time', '--all-topics', '--exclude-topics', '/clock']),
        ('/a,/b', ['--use-sim-time', '--topics', '/a', '/b']),
    ],
)
def test_the_command_line_says_the_same(topics, words):
    command = recorder_command(given(record='run', record_topics=topics))
    assert command == ['ros2', 'bag', 'record', '-o', 'run', '-s', 'mcap', *words]


@pytest.mark.parametrize('composition', ['true', 'false'])
@pytest.mark.parametrize('argument', ['world', 'record'])
def test_a_world_that_is_absent_and_a_recording_that_is_there_end_the_launch(argument, composition, tmp_path):
    value = tmp_path / 'absent.yaml' if argument == 'world' else tmp_path
    launch = subprocess.run(
        [
            'ros2',
            'launch',
            'ambf_bringup',
            'simulator.launch.py',
            f'{argument}:={value}',
            f'use_composition:={composition}',
            'render:=false',
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert launch.returncode != 0
    assert f"{argument}: found '{value}'" in launch.stdout + launch.stderr


MECHANISMS = 'package://ambf_description/worlds/mechanisms/launch.yaml'


def test_a_world_is_named_by_a_path_or_an_address():
    file = world_file(given(world=MECHANISMS))
    assert file.is_file() and file == world_file(given(world=f'{MECHANISMS}?models=0'))
    assert world_file(given(world=f'file://{file}')) == file == world_file(given(world=str(file)))
    assert world_file(given(world='')) is None


@pytest.mark.parametrize(
    'address, words',
    [
        ('file:///nowhere/launch.yaml', 'which is no file'),
        (MECHANISMS.replace('launch', 'lunch'), 'which is no file'),
        ('package://ambf_worlds/launch.yaml', "there is no package 'ambf_worlds'"),
        ('package://', "there is no package ''"),
        ('http://example.org/launch.yaml', 'expected a path, file://... or package://NAME/...'),
    ],
)
def test_an_address_where_nothing_is_is_told(address, words):
    with pytest.raises(RuntimeError) as told:
        world_file(given(world=address))
    assert str(told.value).startswith(f"world: found '{address}'") and words in str(told.value)


@pytest.mark.parametrize(
    'file, address',
    [
        ('simulator.launch.py', 'file:///nowhere/launch.yaml'),
        ('teleop.launch.py', 'package://ambf_worlds/launch.yaml'),
        ('teleop.launch.py', ''),
    ],
)
def test_an_address_where_nothing_is_ends_the_launch_before_anything_starts(file, address):
    launch = subprocess.Popen(
        ['ros2', 'launch', 'ambf_bringup', file, f'world:={address}'],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    said, _ = launch.communicate(timeout=120)
    assert launch.returncode != 0
    assert said.count(f"world: found '{address}'") == 1 and 'process started' not in said, said
    with pytest.raises(ProcessLookupError):
        os.killpg(launch.pid, 0)


@pytest.mark.parametrize('argument, words', [('pairs', 'pairs hands with arms'), ('drivers', 'drivers')])
def test_a_file_of_hands_that_is_not_there_ends_the_launch_before_anything_starts(argument, words):
    launch = subprocess.run(
        ['ros2', 'launch', 'ambf_bringup', 'teleop.launch.py', 'demo:=peg_transfer', f'{argument}:=/nowhere.yaml'],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    assert launch.returncode != 0
    assert words in launch.stdout and 'process started' not in launch.stdout, launch.stdout


def test_a_world_that_is_refused_ends_the_composed_launch(tmp_path):
    world = tmp_path / 'launch.yaml'
    world.write_text('world config: ./world.yaml\nmultibody configs: [a.yaml]\n')
    launch = subprocess.run(
        [
            'ros2',
            'launch',
            'ambf_bringup',
            'simulator.launch.py',
            f'world:={world}',
            'model_indices:=7',
            'render:=false',
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert launch.returncode != 0
    assert 'a node was not made' in launch.stdout + launch.stderr
