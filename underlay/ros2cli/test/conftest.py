# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor

import pytest

# The program beside this checkout's sources, or the installed one.
_ROS2 = [sys.executable, '-c', 'import sys; from ros2cli.cli import main; sys.exit(main())']


@pytest.fixture(scope='session')
def environment(tmp_path_factory):
    # Without shared memory: of two programs that start at once, in whatever domains, Fast DDS lets
    # one say on its standard output that the other has a port.
    return dict(os.environ, ROS_LOG_DIR=str(tmp_path_factory.mktemp('log')),
                PYTHONUNBUFFERED='1', COLUMNS='200', FASTDDS_BUILTIN_TRANSPORTS='UDPv4')


@pytest.fixture(scope='session')
def ros2(environment):
    """Run a command line to its end; return code, stdout and stderr."""
    def run(*arguments, timeout=120, text=None, env=None):
        result = subprocess.run(
            [*_ROS2, *arguments], env={**environment, **(env or {})}, text=True,
            timeout=timeout, capture_output=True, input=text or '')
        return types.SimpleNamespace(
            code=result.returncode, out=result.stdout, err=result.stderr)
    return run


@pytest.fixture(scope='session')
def ros2_each(ros2):
    """Run command lines side by side: most of their time is waiting for discovery."""
    def run(*command_lines):
        with ThreadPoolExecutor(max_workers=8) as pool:
            return list(pool.map(lambda words: ros2(*words), command_lines))
    return run


@pytest.fixture
def ros2_process(environment):
    """Start a command line; what still runs at the end of the test is killed."""
    started = []

    def start(*arguments, **kwargs):
        process = subprocess.Popen(
            [*_ROS2, *arguments], env=environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **kwargs)
        started.append(process)
        return process
    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def ros2_program(environment):
    """Start the installed program; what still runs at the end of the test is killed."""
    started = []

    def start(*arguments, **variables):
        started.append(subprocess.Popen(
            [shutil.which('ros2'), *arguments], env={**environment, **variables}, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        return started[-1]
    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture(scope='session')
def package(tmp_path_factory, environment):
    """Give the prefix of an installed package `sample` with programs and launch files."""
    prefix = tmp_path_factory.mktemp('prefix')
    index = prefix / 'share' / 'ament_index' / 'resource_index'
    for resource, content in (('packages', ''),
                              ('rclcpp_components', 'sample::Node;lib/libsample.so\n')):
        (index / resource).mkdir(parents=True)
        (index / resource / 'sample').write_text(content)
    libexec = prefix / 'lib' / 'sample'
    libexec.mkdir(parents=True)
    share = prefix / 'share' / 'sample'
    (share / 'launch').mkdir(parents=True)
    (share / 'package.xml').write_text(
        '<package format="3"><name>sample</name><version>1.2.3</version></package>')
    environment['AMENT_PREFIX_PATH'] = f"{prefix}{os.pathsep}{os.environ['AMENT_PREFIX_PATH']}"

    def add_program(name, text):
        (libexec / name).write_text(text)
        (libexec / name).chmod(0o755)
        return libexec / name

    def add_launch_file(name, text):
        (share / 'launch' / name).write_text(text)
        return str(share / 'launch' / name)
    return types.SimpleNamespace(prefix=prefix, add_program=add_program,
                                 add_launch_file=add_launch_file)
