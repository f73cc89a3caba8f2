# SPDX-License-Identifier: BSD-3-Clause
"""A dVRK's system file, brought up: its arms through `ambf_py.Arm`, and through a client with the manners of others."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import rclpy
from crtk_client import CrtkClient
from rcl_interfaces.srv import GetParameters
from rclpy.executors import SingleThreadedExecutor
from test_dvrk_system import PSM, TOOL

from ambf_py import Arm, Client

PATIENCE = 90.0
HOME = [0.0, 0.0, 0.12, 0.0, 0.0, 0.0]


@pytest.fixture(scope='module')
def served(tmp_path_factory):
    """PSM1 of files of our own, served by `dvrk_system`."""
    folder = tmp_path_factory.mktemp('share')
    files = {
        'kinematic/PSM.json': PSM,
        'tool/T.json': TOOL,
        'tool/index.json': {
            'instruments': [
                {'model': '400006', 'names': ['LARGE_NEEDLE_DRIVER'], 'generation': 'Classic', 'file': 'T.json'}
            ]
        },
        'arm/PSM.json': {
            'kinematic': 'kinematic/PSM.json',
            'generation': 'Classic',
            'tool_detection': 'FIXED',
            'tool': 'LARGE_NEEDLE_DRIVER:400006',
        },
        'system.json': {
            'arms': [{'name': 'PSM1', 'type': 'PSM', 'simulation': 'KINEMATIC', 'arm_file': 'arm/PSM.json'}]
        },
    }
    for name, data in files.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(data))
    program = [sys.executable, '-c', 'import sys; from ambf_bringup.dvrk_system import main; sys.exit(main())']
    words = ['-j', str(folder / 'system.json'), '-p', '0.004', '-P', '0.1']
    words += ['--output', str(folder / 'out'), 'render:=false']
    log = open(folder / 'log', 'w+')
    process = subprocess.Popen([*program, *words], stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        yield folder
    finally:
        os.killpg(process.pid, signal.SIGINT)
        code = process.wait(timeout=PATIENCE)
        text = pathlib.Path(log.name).read_text()
        log.close()
    assert code == 0, text


@pytest.fixture
def arm(served):
    with Arm('PSM1', timeout=PATIENCE, freshness=PATIENCE) as arm:
        arm.enable(timeout=PATIENCE)
        arm.home(timeout=PATIENCE)
        yield arm


def test_an_arm_is_where_its_files_say(arm):
    assert arm.joint_names()[:3] == ['yaw', 'pitch', 'insertion']
    assert arm.tool_type().startswith('LARGE_NEEDLE_DRIVER:400006')
    goal = [0.3, -0.2, 0.15, 0.5, -0.4, 0.6]
    assert arm.move_jp(goal).wait(timeout=PATIENCE)
    assert np.allclose(arm.setpoint_jp(fresh=True), goal, atol=1e-9)
    tip = arm.setpoint_cp(fresh=True)
    assert np.allclose(tip[:3, 3], [0.042795, 0.031415, -0.132593], atol=3e-6)
    assert np.allclose(arm.forward_kinematics(goal), tip, atol=1e-9)
    assert np.allclose(arm.inverse_kinematics(tip, goal), goal, atol=1e-6)
    assert arm.jacobian().shape == (6, 6)
    assert arm.jaw.open().wait(timeout=PATIENCE)
    assert abs(arm.jaw.setpoint_jp(fresh=True)[0] - np.radians(60.0)) < 1e-6
    back = tip.copy()
    back[2, 3] -= 0.01
    assert arm.move_cp(back).wait(timeout=PATIENCE)
    assert np.allclose(arm.setpoint_cp(fresh=True), back, atol=1e-6)
    assert arm.move_jp(HOME).wait(timeout=PATIENCE)


def test_the_periods_are_the_arms(arm):
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('asker', context=context)
    try:
        client = node.create_client(GetParameters, '/PSM1/get_parameters')
        assert client.wait_for_service(timeout_sec=PATIENCE)
        future = client.call_async(GetParameters.Request(names=['rate', 'tf_rate']))
        executor = SingleThreadedExecutor(context=context)
        rclpy.spin_until_future_complete(node, future, executor, timeout_sec=PATIENCE)
        assert [value.double_value for value in future.result().values] == [250.0, 10.0]
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)


def test_an_arm_moves_while_its_client_steps_the_world(arm):
    with Client('stepper', timeout=PATIENCE) as client:
        world = client.world
        world.set_mode('lockstep')
        try:
            arm.step = lambda: world.step(10)
            goal = [0.1, 0.0, 0.13, 0.0, 0.0, 0.0]
            assert arm.move_jp(goal).wait(timeout=PATIENCE)
            assert np.allclose(arm.setpoint_jp(fresh=True), goal, atol=1e-9)
        finally:
            arm.step = None
            world.set_mode('realtime')


def test_a_client_with_the_manners_of_others_is_served(served):
    with CrtkClient('/PSM1') as client:
        # Before anybody can have found anybody: as a script does whose first line it is.
        client.command('enable')
        assert client.wait(lambda: client.state.state == 'ENABLED')
        client.command('home')
        assert client.wait(lambda: client.state.is_homed and not client.state.is_busy)
        # Each command is answered, also where it changes nothing.
        for _ in range(3):
            client.command('enable')
            assert client.wait(lambda: client.state.state == 'ENABLED')
        assert all(a < b for a, b in zip(client.stamps, client.stamps[1:], strict=False))
        assert abs(client.stamps[-1] - client.now()) < 60 * 10**9  # the wall's, not the world's
        end = time.monotonic() + PATIENCE
        while len(client.data) < 3:
            assert time.monotonic() < end
            time.sleep(0.005)
        goal = [0.2, 0.1, 0.14, 0.0, 0.0, 0.0]
        assert client.move(client.joints, goal)
        # Data and events are topics of their own: an older set-point may be served after the event.
        while not np.allclose(client.read('setpoint_js').position, goal, atol=0.01):
            assert time.monotonic() < end
            time.sleep(0.005)
        assert client.move(client.joints, goal)  # where it is already
        assert client.move(client.jaw, [0.3])
        for leaf in ('measured_js', 'measured_cp'):
            stamp = client.read(leaf).header.stamp
            assert stamp.sec > 0
        assert client.move(client.joints, HOME)
