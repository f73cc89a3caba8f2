# SPDX-License-Identifier: BSD-3-Clause
"""The program with AMBF's flags: what each becomes, what is refused, and that it runs and ends."""

import os
import pathlib
import signal
import subprocess
import time

import pytest
import rclpy
from rclpy.qos import DurabilityPolicy, QoSProfile

from ambf_bringup.ambf_simulator import FLAGS, NO_EFFECT, plan
from ambf_msgs.msg import WorldManifest

QUIET = ['-g', '0']


@pytest.fixture
def launch(tmp_path) -> pathlib.Path:
    for name in 'abc':
        (tmp_path / f'{name}.yaml').write_text(f'bodies: [BODY {name}]\nBODY {name}: {{name: {name}, mass: 1.0}}\n')
    (tmp_path / 'world.yaml').write_text('max iterations: 10\nlights: []\ncameras: []\n')
    file = tmp_path / 'launch.yaml'
    file.write_text('world config: world.yaml\nmultibody configs: [a.yaml, b.yaml, c.yaml, gone.yaml]\n')
    return file


@pytest.mark.parametrize(
    'flags, arguments',
    [
        (['-l', '0,1,2'], ['model_indices:=0,1,2']),
        (['-l0,1'], ['model_indices:=0,1']),
        (['--load_multibodies=3'], ['model_indices:=3']),
        (['--load_multibodies', '0, 2'], ['model_indices:=0, 2']),
        (['-a', '/x/a.yaml, /y/b.yaml'], ['models:=["/x/a.yaml", "/y/b.yaml"]', 'model_indices:=none']),
        (['-a', '/x/a.yaml', '-l', '2'], ['model_indices:=2', 'models:=["/x/a.yaml"]']),
        (['-n', '2'], ['n_devices:=2']),
        (['-i', '0,3'], ['device_indices:=0,3']),
        (['--override_max_comm_freq', '100', '--override_min_comm_freq', '50'], ['max_rate:=100.0', 'min_rate:=50.0']),
        (['-t1', '-s', '0.5'], ['real_time_factor:=0.5']),
        (['-s', '0.5'], []),
        (['--ns', '/left/'], ['namespace:=left']),
        (['--ns', ''], []),
        (['mode:=lockstep'], ['mode:=lockstep']),
    ],
)
def test_flags_become_arguments(flags, arguments):
    assert sorted(plan(flags + QUIET, '').arguments) == sorted([*arguments, 'render:=false'])


def test_windows_are_opened_where_there_is_a_display_and_its_absence_is_said():
    assert plan([], ':0').arguments == [] and plan([], ':0').notes == []
    assert plan(['-g', 'false'], ':0').arguments == ['render:=false']
    nothing = plan([], '')
    assert 'render:=false' in nothing.arguments and 'physics only' in nothing.notes[0]
    drawn = plan(['--offscreen', '1'], '')
    assert drawn.arguments == ['render:=true', 'headless:=true'] and 'no windows' in drawn.notes[0]


@pytest.mark.parametrize('flag', [flag for flag in FLAGS if flag.outcome == NO_EFFECT], ids=lambda flag: flag.long)
def test_flags_without_effect_are_named(flag):
    for name in flag.names:
        start = plan([name, '1', *QUIET], '')
        assert start.arguments == ['render:=false'], name
        assert any(flag.long in note and 'no effect' in note for note in start.notes), name


@pytest.mark.parametrize(
    'flags, words',
    [
        (['--launchfile', 'x.yaml'], "unknown flag '--launchfile', did you mean --launch_file?"),
        (['--override_max_com_freq=3'], 'did you mean --override_max_comm_freq?'),
        (['-z'], "unknown flag '-z'"),
        (['-l', '1', '2'], "'2' belongs to no flag"),
        (['-p', 'often'], "'often'"),
        (['-t', 'maybe'], "found 'maybe', expected 0 or 1"),
        (['-l'], 'expected one argument'),
    ],
)
def test_what_means_nothing_is_refused_with_code_2(flags, words, capsys):
    with pytest.raises(SystemExit) as end:
        plan(flags, '')
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert words in told and len(told.splitlines()) == 1 and 'ambf_simulator' in told


def test_a_launch_file_that_is_not_there_is_told(capsys):
    with pytest.raises(SystemExit) as end:
        plan(['--launch_file', 'nowhere.yaml'], '')
    assert end.value.code == 1
    assert 'nowhere.yaml' in capsys.readouterr().err


def test_help_names_every_flag(capsys):
    with pytest.raises(SystemExit) as end:
        plan(['--help'], '')
    assert end.value.code == 0
    told = capsys.readouterr().out
    assert all(name in told for flag in FLAGS for name in flag.names)


def test_it_runs_the_chosen_models_and_ends_with_an_interrupt(launch):
    """By its name on the PATH and with a relative path, as in scripts made for AMBF."""
    environment = {**os.environ, 'DISPLAY': ''}
    process = subprocess.Popen(
        ['bash', '-c', 'exec ambf_simulator --launch_file launch.yaml -l 2,0 -p 200 -t1 --override_max_comm_freq 100'],
        cwd=launch.parent,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('watch', context=context)
    executor = rclpy.executors.SingleThreadedExecutor(context=context)
    executor.add_node(node)
    manifests = []
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    node.create_subscription(WorldManifest, '/ambf/env/World/Manifest', manifests.append, latched)
    try:
        end = time.monotonic() + 90.0
        while not manifests and process.poll() is None and time.monotonic() < end:
            executor.spin_once(timeout_sec=0.1)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=60)[0]
    finally:
        process.kill()
        executor.shutdown()
        node.destroy_node()
        rclpy.shutdown(context=context)
    assert manifests, output
    assert [model.name for model in manifests[-1].models] == ['c', 'a'], output
    assert process.returncode == 0, output
    assert '-p/--phx_frequency has no effect' in output and 'physics only' in output, output
    assert not [line for line in output.splitlines() if '[WARN]' in line and '[physics]' in line], output
    assert 'Traceback' not in output, output
