# SPDX-License-Identifier: BSD-3-Clause
import os
import sys

import pytest

from launch import LaunchDescription, LaunchService
import launch.logging


@pytest.fixture(autouse=True)
def own_log_directory(tmp_path, monkeypatch):
    monkeypatch.setenv('ROS_LOG_DIR', str(tmp_path / 'log'))
    launch.logging.reset()
    yield
    launch.logging.reset()


@pytest.fixture
def run(capsys):
    """Run entities to their end; return exit code and what was shown."""
    def run_entities(*entities, noninteractive=True):
        service = LaunchService(noninteractive=noninteractive)
        service.include_launch_description(LaunchDescription(list(entities)))
        code = service.run()
        return code, capsys.readouterr().out
    return run_entities


@pytest.fixture
def python():
    """Give a command line that runs Python code."""
    return lambda code, *args: [sys.executable, '-u', '-c', code, *args]


@pytest.fixture
def alive():
    def is_alive(pid):
        try:
            with open(f'/proc/{pid}/stat') as file:
                return file.read().rpartition(')')[2].split()[0] != 'Z'
        except OSError:
            return False
    return is_alive


assert os.path.isdir('/proc')
