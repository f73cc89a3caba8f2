# SPDX-License-Identifier: BSD-3-Clause
import os
import signal

import pytest

SLEEPER = '''
import sys
from launch import LaunchDescription
from launch.actions import ExecuteProcess, DeclareLaunchArgument
WAIT = """
import signal, sys, os
stubborn = sys.argv[1] == 'stubborn'
signal.signal(signal.SIGINT, lambda *_: print('INT', flush=True) or (stubborn or sys.exit(0)))
print('PID', os.getpid(), flush=True)
while True: signal.pause()
"""
def generate_launch_description():
    return LaunchDescription([
        ExecuteProcess(cmd=[sys.executable, '-c', WAIT, 'plain'], output='screen'),
        ExecuteProcess(cmd=[sys.executable, '-c', WAIT, 'KIND'], output='screen'),
    ])
'''
ARGUMENTS = '''
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription, LogInfo
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution, ThisLaunchFileDir
from launch_ros.substitutions import FindPackageShare
def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('mode', default_value='a', choices=['a', 'b'], description='How.'),
        DeclareLaunchArgument('needed', description='What'),
        IncludeLaunchDescription(PathJoinSubstitution([
            FindPackageShare('sample'), 'launch', 'inner.launch.py'])),
        LogInfo(msg=['mode ', LaunchConfiguration('mode'), ' inner ',
                     LaunchConfiguration('inner'), ' in ', ThisLaunchFileDir()]),
    ])
'''
INNER = '''
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, GroupAction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('inner', default_value=['x', LaunchConfiguration('mode')]),
        GroupAction([DeclareLaunchArgument('rare', default_value='1')],
                    condition=IfCondition('false')),
    ])
'''


@pytest.fixture(scope='module')
def files(package):
    package.add_launch_file('inner.launch.py', INNER)
    return {
        'sleeper': package.add_launch_file('sleeper.launch.py', SLEEPER),
        'stubborn': package.add_launch_file(
            'stubborn.launch.py', SLEEPER.replace('KIND', 'stubborn')),
        'arguments': package.add_launch_file('arguments.launch.py', ARGUMENTS),
    }


def start_and_get_pids(ros2_process, *arguments, count=2):
    process = ros2_process('launch', *arguments)
    text, pids = '', []
    while len(pids) < count:
        line = process.stdout.readline()
        assert line, text
        text += line
        if 'PID ' in line:
            pids.append(int(line.split()[-1]))
    return process, pids


def alive(pid):
    try:
        with open(f'/proc/{pid}/stat') as file:
            # Who has ended may stay in the list until its parent, or process 1, has asked for it.
            return file.read().rpartition(')')[2].split()[0] != 'Z'
    except FileNotFoundError:
        return False


def test_arguments_are_shown_with_those_of_includes(ros2, files):
    assert ros2('launch', 'sample', 'arguments.launch.py', '--show-args').out == (
        "Arguments (pass arguments as '<name>:=<value>'):\n"
        "\n    'mode':\n        How. Valid choices are: ['a', 'b']\n        (default: 'a')\n"
        "\n    'needed':\n        What\n"
        "\n    'inner':\n        no description given\n"
        "        (default: 'x' + LaunchConfiguration('mode'))\n"
        "\n    'rare'*:\n        no description given\n        (default: '1')\n"
        '\n* argument(s) which are only used if specific conditions occur\n')


def test_description_is_printed_without_launching(ros2, files):
    result = ros2('launch', files['sleeper'], '--print')
    assert result.code == 0 and result.out.count('ExecuteProcess(cmd=') == 2
    assert 'started' not in result.out


def test_arguments_reach_the_file_and_its_include(ros2, files):
    result = ros2('launch', 'sample', 'arguments.launch.py', 'mode:=b', '-n', 'needed:=1',
                  'mode:=a')
    assert result.code == 0
    assert f"mode a inner xa in {os.path.dirname(files['arguments'])}\n" in result.out


WRONG = [
    (['sample', 'arguments.launch.py'],
     "Included launch description missing required argument 'needed' (description: 'What')"),
    (['sample', 'arguments.launch.py', 'needed:=1', 'mode:=c'], 'provided value "c" is not valid'),
    (['sample', 'arguments.launch.py', 'needed'], "malformed launch argument 'needed'"),
    (['sample', 'nothing.launch.py'], "file 'nothing.launch.py' was not found"),
    (['no_such_package', 'x.launch.py'], "Package 'no_such_package' not found"),
    (['./nothing.launch.py'], "launch file './nothing.launch.py' does not exist"),
]


def test_wrong_launches_exit_one_with_a_reason(ros2_each, files):
    results = ros2_each(*(('launch', *arguments) for arguments, _ in WRONG))
    for result, (_, message) in zip(results, WRONG):
        assert result.code == 1 and message in result.out + result.err
        assert 'Traceback' not in result.out + result.err


def test_unused_argument_is_mentioned(ros2, files):
    result = ros2('launch', 'sample', 'arguments.launch.py', 'needed:=1', 'typo:=1')
    assert result.code == 0 and "argument 'typo' is not used" in result.out


def test_interrupt_stops_all_and_exits_zero(ros2_process, files):
    process, pids = start_and_get_pids(ros2_process, 'sample', 'sleeper.launch.py')
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=120)[0]
    assert process.returncode == 0
    assert 'user interrupted with ctrl-c (SIGINT)' in out
    assert out.count('process has finished cleanly') == 2
    assert not any(alive(pid) for pid in pids)


def test_second_interrupt_is_ignored_and_stubborn_processes_are_ended(ros2_process, files):
    process, pids = start_and_get_pids(
        ros2_process, files['stubborn'], 'sigterm_timeout:=3')
    process.send_signal(signal.SIGINT)
    # Two signals that come before the first is handled are one.
    out = ''
    while 'user interrupted with ctrl-c (SIGINT)' not in out:
        out += process.stdout.readline()
        assert process.poll() is None, out
    process.send_signal(signal.SIGINT)
    out += process.communicate(timeout=120)[0]
    assert process.returncode == 0
    assert 'user interrupted with ctrl-c (SIGINT) again, ignoring...' in out
    assert "escalating to 'SIGTERM'" in out
    assert not any(alive(pid) for pid in pids)


def test_termination_leaves_no_orphans(ros2_process, files):
    process, pids = start_and_get_pids(ros2_process, files['sleeper'])
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=120)
    assert process.returncode != 0
    assert not any(alive(pid) for pid in pids)


# Python tells of every import, in the order of their ends: the command line, its verb, the launch
# system, and the launch file's first process.
@pytest.mark.parametrize('moment', [
    'argparse', 'ament_index_python', 'launch.logging', 'process started with pid'])
def test_interrupt_during_start_up_ends_it_without_orphans_or_a_traceback(
        ros2_program, files, moment):
    process = ros2_program('launch', files['sleeper'], PYTHONPROFILEIMPORTTIME='1')
    out = ''
    while moment not in out:
        line = process.stdout.readline()
        assert line, out
        out += line
    process.send_signal(signal.SIGINT)
    out += process.communicate(timeout=120)[0]
    assert process.returncode in (0, -signal.SIGINT)
    # What was started just before may be interrupted in the start of its own Python.
    own = [line for line in out.splitlines() if not line.startswith('[python')]
    assert not any('Traceback' in line or 'KeyboardInterrupt' in line for line in own)
    pids = [int(line.split()[-1].strip('[]')) for line in out.splitlines()
            if 'process started with pid' in line]
    assert not any(alive(pid) for pid in pids)
