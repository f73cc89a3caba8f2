# SPDX-License-Identifier: BSD-3-Clause
"""Device processes that cannot start, that are interrupted at any moment, and components that come and go."""

import os
import signal
import subprocess
import threading
import time

import pytest
from ament_index_python.packages import get_package_prefix
from composition_interfaces.srv import LoadNode, UnloadNode
from device_fixture import BEST_EFFORT, PROGRAMS, Lab
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue

from ambf_msgs.msg import DeviceSample

# Which of them were built is what CMake says; by hand, all.
CRTK = pytest.mark.skipif(os.environ.get('AMBF_WITH_CRTK') == '0', reason='built without crtk_msgs, see ambf.repos')
KINDS = (
    'mock_device',
    'joy_device',
    'sdl_device',
    'spacenav_device',
    'proxy_echo',
    pytest.param('crtk_device', marks=CRTK),
    pytest.param('mock_mtm', marks=CRTK),
)
QUIET = {**os.environ, 'SDL_VIDEODRIVER': 'dummy'}


def start(program: str, *parameters: str) -> subprocess.Popen:
    command = [str(PROGRAMS / program), '--ros-args']
    for parameter in parameters:
        command += ['-p', parameter]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=QUIET)


@pytest.mark.parametrize(
    'program, parameter, words',
    [
        ('mock_device', 'rate:=.nan', "parameter 'rate'"),
        ('mock_device', 'rate:=100', 'a number with a point'),
        ('mock_device', 'linear_stiffness:=[1.0, 2.0]', 'three: [x, y, z]'),
        ('mock_device', 'angular_stiffness:=[10000.0]', '2 (b - |B|) / T'),
        ('mock_device', 'linear_damping:=[1000.0]', 'linear damping along x'),
        ('mock_device', 'recording:=/nowhere.csv', 'cannot be opened'),
        ('mock_device', 'world_namespace:=/a b', "parameter 'world_namespace'"),
        pytest.param('crtk_device', 'arm:=/MTMR/', "parameter 'arm'", marks=CRTK),
        pytest.param('crtk_device', 'auto_home:=perhaps', 'never, once or always', marks=CRTK),
        ('joy_device', 'topic:=joy stick', "parameter 'topic'"),
        ('sdl_device', 'input:=mind', 'auto, gamepad or keyboard'),
        ('spacenav_device', "modes:=['x=+99']", 'from 0 to 15'),
        pytest.param('mock_mtm', 'rate:=0.0', "parameter 'rate'", marks=CRTK),
    ],
)
def test_a_parameter_that_means_nothing_ends_the_program_with_words(program, parameter, words):
    process = start(program, parameter)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 1, output
    assert words in output and 'terminate' not in output, output


@pytest.mark.parametrize('program', KINDS)
def test_an_interrupt_at_any_moment_ends_it_in_order(program):
    processes = [(delay, start(program)) for delay in (0.0, 0.1, 0.4, 1.5)]
    began = time.monotonic()
    for delay, process in processes:
        time.sleep(max(0.0, began + delay - time.monotonic()))
        process.send_signal(signal.SIGINT)
    for delay, process in processes:
        output, _ = process.communicate(timeout=120)
        # Before rclcpp listens to the signal it ends the process as such.
        assert process.returncode in (0, -signal.SIGINT), (delay, process.returncode, output)


@pytest.mark.parametrize(
    'parameter, words',
    [
        ('blocking_read:=0.3', 'opened: '),
        ('blocking_write:=0.3', 'opened: '),
        ("faults:=['lost 0 100']", 'cannot be opened: '),
        ("faults:=['not_finite 0 100']", 'reading refused: '),
    ],
)
def test_an_interrupt_ends_a_device_in_trouble(parameter, words):
    process = start('mock_device', parameter)
    limit = threading.Timer(90.0, process.kill)
    limit.start()
    said = ''
    while words not in said:
        line = process.stdout.readline()
        assert line, said
        said += line
    limit.cancel()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, said + output


def text_parameter(name: str, value: str) -> Parameter:
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=value))


def test_components_come_and_go_in_a_container_that_goes_on():
    container = os.path.join(get_package_prefix('rclcpp_components'), 'lib/rclcpp_components/component_container_mt')
    with Lab() as lab:
        # All devices have the same name: who loads the next one too early is warned of the second one.
        lab.start('proxy_echo', device='mock', copies=5)
        process = subprocess.Popen(
            [container, '--ros-args', '-r', '__node:=box'], stdout=lab.log, stderr=subprocess.STDOUT, env=QUIET
        )
        lab.processes.append(process)
        loading = lab.node.create_client(LoadNode, '/box/_container/load_node')
        unloading = lab.node.create_client(UnloadNode, '/box/_container/unload_node')
        lab.wait_for(lambda: loading.service_is_ready() and unloading.service_is_ready(), 'container')

        def call(client, request):
            future = client.call_async(request)
            lab.wait_for(future.done, 'answer of the container')
            return future.result()

        samples = lab.listen(DeviceSample, '/ambf/env/mock/Sample', BEST_EFFORT)
        for round_ in range(20):
            plugin = ('MockDevice', 'JoyDevice', 'SdlDevice', 'CrtkDevice', 'SpaceNavDevice')[round_ % 5]
            loaded = call(
                loading,
                LoadNode.Request(
                    package_name='ambf_device_nodes',
                    plugin_name='ambf_device_nodes::' + plugin,
                    parameters=[text_parameter('device', 'mock')],
                ),
            )
            assert loaded.success, loaded.error_message
            if plugin == 'MockDevice':
                samples.clear()
                lab.wait_for(lambda: samples, 'samples')
            assert call(unloading, UnloadNode.Request(unique_id=loaded.unique_id)).success
            assert process.poll() is None, lab.output()
        refused = call(
            loading,
            LoadNode.Request(
                package_name='ambf_device_nodes',
                plugin_name='ambf_device_nodes::MockDevice',
                parameters=[text_parameter('device', 'no name')],
            ),
        )
        assert not refused.success and "parameter 'device'" in refused.error_message


def test_a_second_device_of_the_same_name_is_reported():
    with Lab() as lab:
        lab.start('mock_device')
        lab.start('mock_device')
        lab.wait_for(lambda: 'two devices have the name' in lab.output(), 'the warning of a second device of that name')
