# SPDX-License-Identifier: BSD-3-Clause
"""What people are told: by a simulator that cannot start, and by one whose hands do what they should not."""

import pathlib
import signal
import subprocess
import time

import pytest
from ament_index_python.packages import get_package_prefix
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import QoSProfile, ReliabilityPolicy
from world_fixture import LoadWorld, World, description

from ambf_msgs.msg import CameraCmd, DeviceSample

PROGRAM = pathlib.Path(get_package_prefix('ambf_physics_node')) / 'lib/ambf_physics_node/physics_node'


def start(*parameters: str) -> subprocess.Popen:
    command = [str(PROGRAM), '--ros-args']
    for parameter in parameters:
        command += ['-p', parameter]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def end_of(process: subprocess.Popen) -> str:
    """What it said until it ended; one that goes on is killed."""
    try:
        return process.communicate(timeout=60)[0]
    finally:
        process.kill()


def write_world(folder: pathlib.Path, devices: str, model: str = '') -> str:
    """A launch file beside its input devices."""
    (folder / 'devices.yaml').write_text(devices)
    (folder / 'broken.yaml').write_text('bodies: [BODY nothing]\n')
    (folder / 'launch.yaml').write_text(
        f'world config: {description("worlds/gamepad/world.yaml")}\ninput devices config: ./devices.yaml\n'
        f'multibody configs: [{model or description("adf/gripper.yaml")}]\n'
    )
    return str(folder / 'launch.yaml')


@pytest.mark.parametrize(
    'key, value',
    [('workspace_scale', '-3.0'), ('loss_timeout', '-1.0'), ('max_force', '-2.0'), ('linear_stiffness', '[-1.0]')],
)
def test_a_negative_number_ends_the_program_with_words(key, value):
    process = start("devices:=['c']", f'device.c.{key}:={value}')
    output = end_of(process)
    assert process.returncode == 1, output
    assert f"parameter 'device.c.{key}'" in output and 'not negative' in output and 'terminate' not in output, output


def test_a_world_that_cannot_be_loaded_ends_the_program_with_one_line(tmp_path):
    world = write_world(tmp_path, 'input devices: []\n', './broken.yaml')
    process = start(f'world:={world}')
    output = end_of(process)
    assert process.returncode == 1, output
    lines = [line for line in output.splitlines() if 'BODY nothing' in line]
    assert len(lines) == 1 and lines[0].startswith('physics_node: the world was not loaded: '), output
    assert 'terminate' not in output, output


def test_an_interrupt_at_any_moment_ends_it_in_order():
    processes = [(delay, start()) for delay in (0.0, 0.1, 0.4, 1.5)]
    began = time.monotonic()
    for delay, process in processes:
        time.sleep(max(0.0, began + delay - time.monotonic()))
        process.send_signal(signal.SIGINT)
    for delay, process in processes:
        output = end_of(process)
        # Before rclcpp listens to the signal it ends the process as such.
        assert process.returncode in (0, -signal.SIGINT), (delay, process.returncode, output)


def test_a_broken_device_is_told_and_the_world_runs(tmp_path):
    world = write_world(
        tmp_path,
        """
input devices: [bad_value, bad_file, good]
bad_value: {hardware name: a, workspace scaling: [2], root link: palm}
bad_file: {hardware name: b, simulated multibody: ./broken.yaml}
good: {hardware name: c, root link: palm, max jerk: 2}
""",
    )
    with World(world=world, n_devices=-1) as physics:
        parents = {device.name: device.parent for device in physics.manifest.devices}
        assert parents == {'bad_value': '', 'bad_file': '', 'good': '/ambf/env/gripper/BODY palm'}
        output = physics.output()
    assert "device 'bad_value':" in output and 'workspace scaling' in output, output
    assert "device 'bad_file': simulated multibody:" in output, output
    assert output.count('max jerk') == 1, output


def test_the_menu_of_a_launch_file_is_a_menu(tmp_path):
    for name in 'abc':
        (tmp_path / f'{name}.yaml').write_text(f'bodies: [BODY {name}]\nBODY {name}: {{name: {name}, mass: 1.0}}\n')
    (tmp_path / 'world.yaml').write_text('max iterations: 10\nlights: []\ncameras: []\n')
    launch = tmp_path / 'launch.yaml'
    launch.write_text('world config: world.yaml\nmultibody configs: [a.yaml, b.yaml, c.yaml, gone.yaml]\n')

    def loaded(**parameters):
        with World(world=str(launch), **parameters) as physics:
            names, output = [model.name for model in physics.manifest.models], physics.output()
            # Another choice while it runs.
            reply = physics.call(LoadWorld, 'load_world', uri=f'file://{launch}?models=1,0')
            assert reply.ok and not reply.warnings, reply
            physics.wait_for(
                lambda: [model.name for model in physics.manifest.models] == ['b', 'a'], 'the other choice'
            )
            for models, words in (('x', "found 'x'"), ('7', 'the index 7')):
                reply = physics.call(LoadWorld, 'load_world', uri=f'{launch}?models={models}')
                assert not reply.ok and words in reply.message, reply
            return names, output

    names, output = loaded()
    assert names == ['b'] and 'entry 1 is loaded as in AMBF' in output and 'WARN' not in output, output
    assert loaded(model_indices='"2,0"')[0] == ['c', 'a']
    assert loaded(model_indices=2)[0] == ['c']
    for value, words in (
        ('9', 'the index 9'),
        ('"all"', 'gone.yaml'),
        ('"one"', "found 'one', expected indices"),
        ('1.5', 'expected indices'),
    ):
        process = start(f'world:={launch}', f'model_indices:={value}')
        output = end_of(process)
        assert process.returncode == 1 and words in output and 'terminate' not in output, output


def most_steps(physics) -> str:
    """What the node says about the longest cycle, from now on."""
    arrays = []
    subscription = physics.node.create_subscription(DiagnosticArray, '/diagnostics', arrays.append, 10)
    physics.wait_for(
        lambda: any(status.name.endswith(': world') for array in arrays for status in array.status), 'diagnostics'
    )
    physics.node.destroy_subscription(subscription)
    status = next(status for status in arrays[-1].status if status.name.endswith(': world'))
    return next(entry.value for entry in status.values if entry.key == 'most steps per cycle')


def test_max_iterations_of_the_world_file_are_the_most_steps_of_a_cycle(tmp_path):
    for name, text in (('seven', 'max iterations: 7\n'), ('silent', 'gravity: {x: 0, y: 0, z: -9.8}\n')):
        (tmp_path / f'{name}_world.yaml').write_text(text)
        (tmp_path / f'{name}.yaml').write_text(f'world config: {name}_world.yaml\nmultibody configs: []\n')
    with World(world=str(tmp_path / 'seven.yaml')) as physics:
        assert most_steps(physics) == '7'
        assert physics.call(LoadWorld, 'load_world', uri=str(tmp_path / 'silent.yaml')).ok
        assert most_steps(physics) == '50'
    with World(world=str(tmp_path / 'seven.yaml'), max_steps_per_cycle=20) as physics:
        assert most_steps(physics) == '20'


@pytest.mark.parametrize(
    'world, words', [('worlds/demo/world.yaml', 'a world file'), ('worlds/demo/psm.yaml', 'a model file')]
)
def test_a_file_of_another_kind_is_recognised(world, words):
    process = start(f'world:={description(world)}')
    output = end_of(process)
    assert process.returncode == 1 and words in output and 'expected a launch file' in output, output


def test_jumps_and_commands_to_a_held_camera_are_told():
    with World(
        world=description('worlds/shared_proxy/launch.yaml'), device_indices='all', proxy_loss_timeout=5.0
    ) as physics:
        newest = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
        samples = physics.node.create_publisher(DeviceSample, '/ambf/env/teacher/Sample', newest)
        camera = next(c for c in physics.manifest.cameras if c.name == 'main_camera')
        commands = physics.node.create_publisher(CameraCmd, f'{camera.topic}/Command', 1)
        sample = DeviceSample(gripper=0.5)
        sample.pose.orientation.w = 1.0

        def told(words: str) -> bool:
            sample.sequence += 1
            samples.publish(sample)
            commands.publish(CameraCmd(enable_position_controller=True))
            return words in physics.output()

        def jumping() -> bool:
            sample.pose.position.x = 0.5 - sample.pose.position.x
            return told("device 'teacher' jumped")

        physics.wait_for(lambda: told("device 'teacher' is live"), 'a live hand')
        assert 'is held by device' not in physics.output()
        sample.camera_clutch = True
        physics.wait_for(lambda: told("camera 'main_camera' is held by device 'teacher'"), 'word about the camera')
        assert 'tester' in next(line for line in physics.output().splitlines() if 'is held by device' in line)
        sample.camera_clutch = False
        physics.wait_for(jumping, 'word about the jump')
