# SPDX-License-Identifier: BSD-3-Clause
"""The examples build against the installed packages as in a workspace of a user's own, and do what they say.

In: AMBF_EXAMPLES, their folder; AMBF_EXAMPLES_BUILT, where they are built and installed.
"""

import os
import pathlib
import re
import subprocess

import pytest
import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from composition_interfaces.srv import LoadNode
from rclpy.parameter import Parameter
from std_msgs.msg import Float64

SOURCES = pathlib.Path(os.environ['AMBF_EXAMPLES'])
BUILT = pathlib.Path(os.environ['AMBF_EXAMPLES_BUILT'])
PATIENCE = 300  # [s]
NAMES = sorted(file.parent.name for file in SOURCES.glob('*/package.xml'))


def program(package: str, name: str) -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


def environment() -> dict:
    """That of a shell in which the workspace with the examples is sourced."""
    before = {key: os.environ.get(key, '') for key in ('AMENT_PREFIX_PATH', 'LD_LIBRARY_PATH')}
    return os.environ | {
        'AMENT_PREFIX_PATH': f'{BUILT / "install"}:{before["AMENT_PREFIX_PATH"]}',
        'LD_LIBRARY_PATH': f'{BUILT / "install/lib"}:{before["LD_LIBRARY_PATH"]}',
        'PYTHONUNBUFFERED': '1',
    }


def run(*command: object) -> str:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE, env=environment()
    )
    assert done.returncode == 0, f'{command}\n{done.stdout}{done.stderr}'
    return done.stdout


@pytest.fixture(scope='module')
def installed():
    for name in NAMES:
        run('cmake', '-S', SOURCES / name, '-B', BUILT / name, f'-DCMAKE_INSTALL_PREFIX={BUILT / "install"}')
        run('cmake', '--build', BUILT / name, '--target', 'install')
    return BUILT / 'install'


@pytest.fixture
def start(request):
    def start_one(*command: str) -> subprocess.Popen:
        process = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL)
        request.addfinalizer(lambda: process.wait(PATIENCE))
        request.addfinalizer(process.terminate)
        return process

    return start_one


def models(*names: str) -> list:
    folder = pathlib.Path(get_package_share_directory('ambf_description')) / 'adf'
    return [str(folder / f'{name}.yaml') for name in names]


def test_there_are_examples():
    assert NAMES == ['drive_joint', 'lowest_body']


def test_the_client_drives_a_joint_in_lockstep(installed, start):
    words = ['-p', f'models:={models("psm")}', '-p', 'mode:=lockstep']
    start(program('ambf_physics_node', 'physics_node'), '--ros-args', *words)
    drive = installed / 'lib/drive_joint/drive_joint'
    said = run(drive, 'psm/baselink-yawlink', '0.4')
    found = re.fullmatch(r'step 1000: joint baselink-yawlink is at (\S+)\n', said)
    assert found and abs(float(found[1]) - 0.4) < 0.01, said
    wrong = subprocess.run([drive, 'nothing', '0'], capture_output=True, text=True, timeout=PATIENCE, env=environment())
    assert wrong.returncode == 1 and "the world has no joint 'nothing'" in wrong.stderr


@pytest.fixture
def node():
    rclpy.init()
    yield rclpy.create_node('visitor')
    rclpy.shutdown()


def load(node, package: str, plugin: str, **parameters: object) -> None:
    """A component into the running container, sharing messages with the others there."""
    client = node.create_client(LoadNode, '/ComponentManager/_container/load_node')
    assert client.wait_for_service(PATIENCE)
    given = [Parameter(name, value=value).to_parameter_msg() for name, value in parameters.items()]
    composed = [Parameter('use_intra_process_comms', value=True).to_parameter_msg()]
    request = LoadNode.Request(package_name=package, plugin_name=plugin, parameters=given, extra_arguments=composed)
    future = client.call_async(request)
    rclpy.spin_until_future_complete(node, future, timeout_sec=PATIENCE)
    assert future.done() and future.result().success, future.result()


def test_the_component_reads_the_world_in_its_container(installed, start, node):
    start(program('rclcpp_components', 'component_container_mt'))
    load(node, 'ambf_physics_node', 'ambf_physics::PhysicsNode', models=models('floor', 'ball'))
    load(node, 'lowest_body', 'my_nodes::LowestBody', floor=-0.005)
    heard = rclpy.task.Future()
    node.create_subscription(Float64, '/ambf/env/World/Lowest', heard.set_result, 1)
    rclpy.spin_until_future_complete(node, heard, timeout_sec=PATIENCE)
    assert heard.done() and -0.005 <= heard.result().data < 1.0


def test_the_components_program_refuses_a_wrong_parameter_in_one_line(installed):
    done = subprocess.run(
        [installed / 'lib/lowest_body/lowest_body_node', '--ros-args', '-p', 'floor:=deep'],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(),
    )
    assert done.returncode == 1
    assert "lowest_body_node: parameter 'floor': expected a number with a point, -1000 to 1000" in done.stderr
