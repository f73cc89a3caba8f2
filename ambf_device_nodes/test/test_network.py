# SPDX-License-Identifier: BSD-3-Clause
"""The network between a device and the physics is cut: two network namespaces with a wire between them. Long tier."""

import os
import pathlib
import subprocess
import sys
import time

import pytest
from device_fixture import PROGRAMS

FAR, NEAR = 'ambf_far', 'ambf_near'
LISTENER = pathlib.Path(__file__).parent / 'force_log.py'


def ip(*words) -> bool:
    return subprocess.run(['ip', *words], capture_output=True).returncode == 0


@pytest.fixture
def wire():
    if os.environ.get('AMBF_TEST_LONG') != '1':
        pytest.skip('long tier: set AMBF_TEST_LONG=1')
    if not (ip('netns', 'add', FAR) and ip('netns', 'add', NEAR)):
        ip('netns', 'del', FAR)
        pytest.skip('network namespaces are not permitted here')
    made = ip('link', 'add', 'ambf_w0', 'netns', FAR, 'type', 'veth', 'peer', 'name', 'ambf_w1', 'netns', NEAR)
    for space, end, address in ((FAR, 'ambf_w0', '10.77.0.1/24'), (NEAR, 'ambf_w1', '10.77.0.2/24')):
        made = made and ip('-n', space, 'addr', 'add', address, 'dev', end)
        made = made and ip('-n', space, 'link', 'set', end, 'up') and ip('-n', space, 'link', 'set', 'lo', 'up')
        made = made and ip('-n', space, 'route', 'add', '224.0.0.0/4', 'dev', end)
    yield made
    ip('netns', 'del', FAR)
    ip('netns', 'del', NEAR)


def start(space, *command, **options):
    environment = {**os.environ, 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET'}
    return subprocess.Popen(['ip', 'netns', 'exec', space, *map(str, command)], env=environment, text=True, **options)


def test_force_ends_after_a_cut_and_comes_back_with_the_wire(wire, tmp_path):
    if not wire:
        pytest.skip('a wire between network namespaces is not permitted here')
    log = tmp_path / 'forces'
    processes = [
        start(FAR, PROGRAMS / 'proxy_echo'),
        start(NEAR, PROGRAMS / 'mock_device', '--ros-args', '-p', 'rate:=500.0', '-p', 'linear_stiffness:=[100.0]'),
        start(NEAR, sys.executable, LISTENER, log),
    ]

    def forces():
        lines = log.read_text().splitlines()[:-1] if log.exists() else []
        return [tuple(map(float, line.split())) for line in lines]

    def wait_for_force(after: float, timeout: float = 90.0):
        end = time.monotonic() + timeout
        while not any(stamp > after and force > 1.8 for stamp, force in forces()[-200:]):
            assert time.monotonic() < end, 'no force'
            time.sleep(0.1)

    try:
        wait_for_force(0.0)
        assert ip('-n', FAR, 'link', 'set', 'ambf_w0', 'down')
        end = time.monotonic() + 90.0
        while not (len(forces()) > 100 and max(force for _, force in forces()[-100:]) == 0.0):
            assert time.monotonic() < end, 'the force does not end'
            time.sleep(0.1)
        joined_at = time.time()
        assert ip('-n', FAR, 'link', 'set', 'ambf_w0', 'up')
        ip('-n', FAR, 'route', 'add', '224.0.0.0/4', 'dev', 'ambf_w0')
        wait_for_force(joined_at)
    finally:
        for process in processes:
            process.kill()
            process.wait()
