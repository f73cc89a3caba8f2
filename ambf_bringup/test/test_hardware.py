# SPDX-License-Identifier: BSD-3-Clause
"""The configuration of each piece of hardware beside a stand-in for its public driver. None of them was there."""

import math
import os
import pathlib
import signal
import subprocess
import time

import hardware_stand_in
import pytest
import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile, ReliabilityPolicy

from ambf_bringup.devices import device_nodes, read_drivers
from ambf_msgs.msg import DeviceSample

DRIVERS = pathlib.Path(get_package_share_directory('ambf_bringup')) / 'config/drivers'
PROGRAMS = pathlib.Path(get_package_prefix('ambf_device_nodes')) / 'lib/ambf_device_nodes'
BEST_EFFORT = QoSProfile(depth=100, reliability=ReliabilityPolicy.BEST_EFFORT)
SOFT = 50.0  # [N/m], against an echo 2 cm beside the hand: 1 N

CASES = [
    ('Touch', 'touch', lambda node: hardware_stand_in.Crtk(node, '/arm', 'front')),
    ('Falcon', 'falcon', lambda node: hardware_stand_in.Crtk(node, '/Falcon00', 'center')),
    ('omega.7', 'omega', lambda node: hardware_stand_in.Crtk(node, '/omega', gripper=True)),
    ('Razer Hydra', 'hydra', hardware_stand_in.Hydra),
    ('Haply Inverse3', 'haply', hardware_stand_in.Haply),
    ('Quest', 'quest', hardware_stand_in.Quest),
]


def argument(value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, list):
        return '[' + ', '.join(argument(one) for one in value) + ']'
    return repr(value)


@pytest.mark.parametrize('hardware, file, make', CASES, ids=[case[1] for case in CASES])
def test_a_device_is_found_moves_presses_grips_and_is_given_force(tmp_path, hardware, file, make):
    (tmp_path / 'launch.yaml').write_text('input devices config: ./devices.yaml\n')
    (tmp_path / 'devices.yaml').write_text(
        f'input devices: [hand]\nhand: {{hardware name: {hardware}, haptic gain: {{linear: {SOFT}, angular: 0}}}}\n'
    )
    (device,) = device_nodes(tmp_path / 'launch.yaml', read_drivers(file, '', DRIVERS))
    log = open(tmp_path / 'log', 'w+')
    commands = [
        [str(PROGRAMS / device.executable), '--ros-args'],
        [str(PROGRAMS / 'proxy_echo'), '--ros-args', '-p', 'device:=hand'],
    ]
    # The stand-in is this process, which a busy machine lets wait for longer than the 30 ms of a device's watchdog.
    patient = {'retry_period': 0.1, 'timeout': 1.0, 'fade_from': 0.5}
    for name, value in {**device.parameters, **patient}.items():
        commands[0] += ['-p', f'{name}:={argument(value)}']
    rclpy.init()
    node = rclpy.create_node('hardware')
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    processes = [
        subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=os.environ) for command in commands
    ]
    samples = []
    node.create_subscription(DeviceSample, '/ambf/env/hand/Sample', samples.append, BEST_EFFORT)

    def wait_for(condition, what: str):
        end = time.monotonic() + 90.0
        while not condition():
            assert time.monotonic() < end, f'no {what} within 90 s\n{(tmp_path / "log").read_text()}'
            executor.spin_once(timeout_sec=0.02)

    try:
        stand_in = make(node)
        wait_for(lambda: len({round(s.pose.position.x, 3) for s in samples}) > 5, 'motion of the hand')
        radius = [math.hypot(s.pose.position.x, s.pose.position.y) for s in samples]
        assert max(abs(r - 0.05) for r in radius) < 1e-6
        assert all(abs(s.pose.position.z - 0.1) < 1e-6 for s in samples), 'up is up'
        if file not in ('omega', 'haply'):  # which have no buttons
            pressed = lambda s: s.position_clutch or any(s.actions)
            stand_in.press(True)
            wait_for(lambda: pressed(samples[-1]), 'button')
            stand_in.press(False)
            wait_for(lambda: not pressed(samples[-1]), 'button released')
        grips = {'omega': 1.0, 'hydra': 0.0, 'quest': 0.0}
        assert samples[-1].gripper == pytest.approx(grips.get(file, 0.5))
        if file in ('hydra', 'quest'):
            assert stand_in.force is None
        else:
            wait_for(lambda: stand_in.force and abs(math.hypot(*stand_in.force) - 1.0) < 0.1, 'force of 1 N')
    finally:
        for process in processes:
            process.send_signal(signal.SIGINT)
        codes = [process.wait(timeout=90) for process in processes]
        executor.shutdown()
        node.destroy_node()
        rclpy.shutdown()
        log.close()
    assert all(code in (0, -signal.SIGINT) for code in codes), (codes, (tmp_path / 'log').read_text())
