# SPDX-License-Identifier: BSD-3-Clause
"""The example of docs/devices.md: what the page shows is what is built here, and it runs."""

import os
import pathlib
import signal
import subprocess

import pytest
from device_fixture import BEST_EFFORT, Lab

from ambf_msgs.msg import DeviceSample

PACKAGE = pathlib.Path(__file__).resolve().parent.parent


def test_the_page_shows_the_code_that_is_built():
    page = PACKAGE.parent / 'docs/devices.md'
    if not page.exists():
        pytest.skip('the page is not here: the package is not in its repository')
    licence, code = (PACKAGE / 'examples/joystick_device.cpp').read_text().split('\n', 1)
    assert 'SPDX' in licence and code in page.read_text()
    driver = PACKAGE.parent / 'src/ambf_devices/examples/joystick_driver.hpp'
    assert len(driver.read_text().splitlines()) <= 60


def test_it_runs():
    with Lab() as lab:
        samples = lab.listen(DeviceSample, '/ambf/env/joystick/Sample', BEST_EFFORT)
        process = subprocess.Popen([os.environ['JOYSTICK']], stdout=lab.log, stderr=subprocess.STDOUT)
        lab.processes.append(process)
        lab.wait_for(lambda: samples, 'samples of the example device')
        process.send_signal(signal.SIGINT)
