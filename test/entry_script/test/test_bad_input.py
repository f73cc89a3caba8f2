# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with a machine is said in one message with what to do, and the same command goes on afterwards."""

import os
import signal
import time

import pytest

# What pip says without a network.
NO_NETWORK = (
    'echo "NewConnectionError: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution"\n'
    'exit 1\n'
)


def test_a_good_machine_builds(machine):
    code, text = machine.run('build')
    assert code == 0, text
    assert len(machine.calls('colcon')) == 2, 'underlay and workspace'
    code, text = machine.run('build')
    assert code == 0 and len(machine.calls('colcon')) == 2, 'the second time there is nothing to do'


def test_a_python_without_wheels(machine):
    machine.fake('python3', '#!/bin/sh\ncase "$*" in *exit*) exit 1;; *) echo 3.13;; esac\n')
    code, text = machine.run('build')
    assert code == 1
    assert 'python3 is 3.13' in text and 'Python 3.11 or 3.12 is needed' in text and 'AMBF_PYTHON=' in text
    assert not machine.calls('pip')


def test_another_python_beside_it_is_taken(machine):
    good = (machine.fakes / 'python3').read_text()
    machine.fake('python3.12', good)
    machine.fake(
        'python3',
        '#!/bin/sh\ncase "$*" in *exit*) exit 1;; *packages.py*) exec "$REAL_PYTHON" "$@";; *) echo 3.13;; esac\n',
    )
    code, text = machine.run('build', AMBF_PYTHON='')
    assert code == 0, text


def test_a_compiler_that_is_too_old(machine):
    machine.fake('c++', '#!/bin/sh\ncase $1 in --version) echo "c++ (Ubuntu) 9.4.0";; *) echo 9.4.0;; esac\n')
    code, text = machine.run('build')
    assert code == 1
    assert '9.4.0' in text and 'g++ 12 or newer' in text and 'CXX=g++-12' in text
    machine.fake('g++-12', '#!/bin/sh\necho 12.2.0\n')
    code, text = machine.run('build', CXX='g++-12')
    assert code == 0, text


def test_another_distribution_is_sourced(machine):
    humble = machine.prefix('humble', '16.0.8')
    code, text = machine.run('build', AMENT_PREFIX_PATH=str(humble), ROS_DISTRO='humble')
    assert code == 1
    assert 'humble' in text and str(humble) in text and 'jazzy' in text and 'env -i' in text
    assert not machine.out.exists() or not list(machine.out.glob('*/build'))


def test_an_overlay_with_another_rclcpp(machine):
    jazzy, overlay = machine.prefix('jazzy', '28.1.5'), machine.prefix('overlay', '29.0.0')
    code, text = machine.run('build', AMENT_PREFIX_PATH=f'{overlay}:{jazzy}', ROS_DISTRO='jazzy')
    assert code == 1
    assert f'29.0.0 in {overlay} hides 28.1.5 in {jazzy}' in text


def test_an_overlay_with_the_same_rclcpp_is_used(machine):
    jazzy, overlay = machine.prefix('jazzy', '28.1.5'), machine.prefix('overlay', '28.1.5')
    code, text = machine.run('build', AMENT_PREFIX_PATH=f'{overlay}:{jazzy}', ROS_DISTRO='jazzy')
    assert code == 0, text
    assert len(machine.calls('colcon')) == 1, 'the workspace alone'


def test_a_folder_keeps_its_ros(machine):
    assert machine.run('build')[0] == 0
    jazzy = machine.prefix('jazzy', '28.1.5')
    code, text = machine.run('build', AMENT_PREFIX_PATH=str(jazzy), ROS_DISTRO='jazzy')
    assert code == 1 and 'was built with ROS 2 from "wheels"' in text and './ambf clean' in text


def test_no_root_and_no_sudo(machine):
    machine.fake('id', '#!/bin/sh\necho 1000\n')
    machine.fake('sudo', '#!/bin/sh\nexit 1\n')
    machine.fake('dpkg-query', '#!/bin/sh\ncase "$*" in *libbullet-dev*) exit 1;; esac\necho "install ok installed"\n')
    code, text = machine.run('build')
    assert code == 1
    assert 'apt-get install --no-install-recommends libbullet-dev' in text and 'same command again' in text
    machine.fake('dpkg-query', '#!/bin/sh\necho "install ok installed"\n')
    code, text = machine.run('build')
    assert code == 0, 'nothing is missing, so nobody needs root: ' + text


def test_packages_that_were_left_half_installed(machine):
    machine.fake('id', '#!/bin/sh\necho 0\n')
    machine.fake('dpkg-query', '#!/bin/sh\ncase "$*" in *libbullet-dev*) exit 1;; esac\necho "install ok installed"\n')
    machine.fake(
        'dpkg',
        '#!/bin/sh\necho "dpkg $*" >>"$FAKES/calls"\ncase $1 in\n'
        '  --audit) [ -e "$FAKES/whole" ] || echo "xvfb is only half configured" ;;\n'
        '  --configure) touch "$FAKES/whole" ;;\nesac\n',
    )
    machine.fake(
        'apt-get',
        '#!/bin/sh\n[ -e "$FAKES/whole" ] || case $1 in install) echo "E: dpkg was interrupted"; exit 100 ;; esac\n',
    )
    code, text = machine.run('build')
    assert code == 0, text
    assert 'dpkg --configure -a' in (machine.fakes / 'calls').read_text()


def test_no_network_for_apt(machine):
    machine.fake('id', '#!/bin/sh\necho 0\n')
    machine.fake('dpkg-query', '#!/bin/sh\nexit 1\n')
    machine.fake(
        'apt-get', '#!/bin/sh\necho "W: Failed to fetch http://deb.example.org/dists  Temporary failure resolving"\n'
    )
    machine.fake('apt-cache', '#!/bin/sh\nexit 1\n')
    code, text = machine.run('build')
    assert code == 1 and 'the network is not there' in text and 'deb.example.org' in text


def test_no_network_for_wheels(machine):
    (machine.fakes / 'pip').write_text(NO_NETWORK)
    code, text = machine.run('build')
    assert code == 1 and 'the network is not there' in text and 'same command again' in text
    assert len(text.splitlines()) <= 6, 'one message: ' + text
    (machine.fakes / 'pip').write_text('true\n')
    code, text = machine.run('build')
    assert code == 0, text
    assert '--force-reinstall' in machine.calls('pip')[1], 'what is half unpacked is unpacked again'
    assert '--force-reinstall' not in machine.calls('pip')[0]


def no_network_for(machine, command: str):
    """One message, and the same command goes on when the network is there."""
    (machine.fakes / 'pip').write_text(NO_NETWORK)
    code, text = machine.run(command)
    assert code == 1 and 'the network is not there' in text and 'same command again' in text
    assert 'command not found' not in text and len(text.splitlines()) <= 6, 'one message: ' + text
    assert not machine.calls('tool')
    (machine.fakes / 'pip').write_text('true\n')
    code, text = machine.run(command)
    assert code == 0 and machine.calls('tool'), text


def test_no_network_for_lint(machine):
    no_network_for(machine, 'lint')


def test_no_network_for_docs(machine):
    no_network_for(machine, 'docs')


def test_a_full_disk(machine):
    (machine.fakes / 'build').write_text('echo "fatal error: error writing to x.s: No space left on device"; exit 1\n')
    code, text = machine.run('build')
    assert code == 1 and 'the disk is full' in text and 'AMBF_OUT=' in text
    (machine.fakes / 'build').write_text('true\n')
    assert machine.run('build')[0] == 0


def test_a_folder_that_cannot_be_made(machine):
    (machine.fakes.parent / 'file').write_text('')
    code, text = machine.run('build', AMBF_OUT=str(machine.fakes.parent / 'file' / 'out'))
    assert code == 1 and 'cannot write to' in text and 'AMBF_OUT=/other/folder' in text


def wait_for(condition):
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_interrupt_ends_everything_and_the_next_run_goes_on(machine):
    started = machine.fakes / 'started'
    (machine.fakes / 'build').write_text(f'sleep 300 & echo $! >{started}.new; mv {started}.new {started}; wait\n')
    process = machine.start('build')
    wait_for(started.exists)
    child = int(started.read_text())
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate()
    assert process.returncode == 130, text
    assert 'interrupted in "Underlay"' in text and 'goes on where it stopped' in text

    def gone():
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return True
        return open(f'/proc/{child}/stat').read().split()[2] == 'Z'

    wait_for(gone)
    (machine.fakes / 'build').write_text('true\n')
    code, text = machine.run('build')
    assert code == 0 and 'Underlay' in text and len(machine.calls('pip')) == 1, text


@pytest.mark.parametrize('command', ['build', 'docs', 'lint'])
def test_an_environment_that_was_interrupted_is_made_good(machine, command):
    started = machine.fakes / 'started'
    (machine.fakes / 'pip').write_text(f'touch {started}; sleep 300\n')
    process = machine.start(command)
    wait_for(started.exists)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate()
    assert process.returncode == 130 and 'goes on where it stopped' in text
    (machine.fakes / 'pip').write_text('true\n')
    code, text = machine.run(command)
    assert code == 0, text
    assert ['--force-reinstall' in call for call in machine.calls('pip')] == [False, True]
    assert len(machine.calls('venv')) == 1, 'what is whole stays'
    assert not list(machine.out.rglob('unfinished'))


@pytest.mark.parametrize('command', ['build', 'docs', 'lint'])
def test_an_environment_without_pip_is_made_anew(machine, command):
    """It was interrupted while it was made."""
    (machine.fakes / 'pip').write_text('exit 1\n')
    assert machine.run(command)[0] == 1
    (machine.fakes / 'pip').write_text('true\n')
    (machine.fakes / 'no_pip').touch()
    code, text = machine.run(command)
    assert code == 0, text
    assert len(machine.calls('venv')) == 2 and '--clear' in machine.calls('venv')[1]


def test_a_second_build_waits_for_the_first(machine):
    (machine.fakes / 'build').write_text('touch "$FAKES/there"; while [ ! -e "$FAKES/go" ]; do sleep 0.05; done\n')
    first = machine.start('build')
    wait_for((machine.fakes / 'there').exists)
    second = machine.start('build')
    line = second.stdout.readline()
    assert 'another ./ambf is at work' in line
    (machine.fakes / 'go').touch()
    assert first.wait() == 0
    assert second.wait() == 0
    assert len(machine.calls('colcon')) == 2, 'the second one found everything done'


def test_the_shell_of_another_checkout(machine):
    other = machine.fakes.parent / 'elsewhere'
    prefix = other / '.ambf' / 'underlay' / 'install'
    (prefix / 'share' / 'rclcpp').mkdir(parents=True)
    (prefix / 'share' / 'rclcpp' / 'package.xml').write_text('<version>28.1.5</version>')
    code, text = machine.run(
        'exec',
        'env',
        AMBF_ROOT_OF_OUT=str(other),
        AMBF_OUT=str(other / '.ambf'),
        AMENT_PREFIX_PATH=str(prefix),
        ROS_DISTRO='jazzy',
    )
    assert f'AMBF_OUT={other}' not in text


def test_exec_before_anything_is_built(machine):
    code, text = machine.run('exec', 'true')
    assert code == 1 and 'run ./ambf build' in text


def test_too_little_memory(machine):
    (machine.fakes / 'build').write_text('echo "c++: fatal error: Killed signal terminated program cc1plus"; exit 1\n')
    code, text = machine.run('build')
    assert code == 1 and 'AMBF_JOBS=1' in text


def offer_ros_by_apt(machine) -> dict:
    """With apt's answers faked; it was not run with a real repository. The variables of a run that finds it."""
    prefix = machine.prefix('opt', '28.1.5')
    machine.fake('id', '#!/bin/sh\necho 0\n')
    machine.fake('apt-cache', '#!/bin/sh\ncase $1 in policy) echo "  Candidate: 0.11.0-1noble";; esac\n')
    machine.fake('apt-get', '#!/bin/sh\necho "apt-get $*" >>"$FAKES/calls"\n')
    machine.fake('dpkg-query', '#!/bin/sh\ncase "$*" in *ros-jazzy*) exit 1;; esac\necho "install ok installed"\n')
    (prefix / 'setup.bash').write_text(
        f'export ROS_DISTRO=jazzy AMENT_PREFIX_PATH={prefix}\n: $AMENT_TRACE_SETUP_FILES\n'
    )
    return {'AMBF_APT_ROS': str(prefix)}


def test_ros_from_apt(machine):
    apt = offer_ros_by_apt(machine)
    code, text = machine.run('build', **apt)
    assert code == 0, text
    assert any('ros-jazzy-ros-base' in call for call in machine.calls('apt-get'))
    assert len(machine.calls('colcon')) == 1 and not machine.calls('pip'), 'no wheels, no underlay'
    code, text = machine.run('exec', 'env', **apt)
    assert code == 0 and apt['AMBF_APT_ROS'] in text and 'VIRTUAL_ENV' not in text
    assert machine.run('build', AMBF_ROS='wheels')[0] == 1, 'the folder keeps its choice'


def test_a_shell_that_sources_the_ros_from_apt_goes_on(machine):
    apt = offer_ros_by_apt(machine)
    assert machine.run('build', **apt)[0] == 0
    code, text = machine.run('build', **apt, AMENT_PREFIX_PATH=apt['AMBF_APT_ROS'], ROS_DISTRO='jazzy')
    assert code == 0 and len(machine.calls('colcon')) == 1, 'it is the same ROS: ' + text
    other = machine.prefix('other', '28.1.5')
    code, text = machine.run('build', **apt, AMENT_PREFIX_PATH=str(other), ROS_DISTRO='jazzy')
    assert code == 1 and 'was built with ROS 2 from "apt"' in text


def test_exec_keeps_a_sourced_overlay_beside_the_ros_from_apt(machine):
    apt = offer_ros_by_apt(machine)
    assert machine.run('build', **apt)[0] == 0
    prefix, overlay, scripts = apt['AMBF_APT_ROS'], machine.out.parent / 'overlay', machine.out.parent / 'scripts'
    for folder in (overlay / 'lib', scripts):
        folder.mkdir(parents=True)
    code, text = machine.run(
        'exec',
        'env',
        **apt,
        AMENT_PREFIX_PATH=f'{overlay}:{prefix}',
        PYTHONPATH=str(scripts),
        ROS_DISTRO='jazzy',
    )
    assert code == 0, text
    variables = dict(line.split('=', 1) for line in text.splitlines() if '=' in line)
    assert variables['AMENT_PREFIX_PATH'] == f'{machine.out}/ws/install:{prefix}:{overlay}'
    assert variables['LD_LIBRARY_PATH'].endswith(f':{overlay}/lib') and variables['PYTHONPATH'].endswith(f':{scripts}')


def test_a_folder_that_was_built_with_a_sourced_ros_asks_for_it(machine):
    jazzy = machine.prefix('jazzy', '28.1.5')
    assert machine.run('build', AMENT_PREFIX_PATH=str(jazzy), ROS_DISTRO='jazzy')[0] == 0
    for command in (['build'], ['exec', 'true']):
        code, text = machine.run(*command)
        assert code == 1 and 'that was sourced, and here none is' in text and 'setup.bash' in text
    assert len(machine.calls('colcon')) == 1


def test_wheels_although_apt_offers_ros(machine):
    machine.fake('apt-cache', '#!/bin/sh\necho "  Candidate: 0.11.0-1noble"\n')
    code, text = machine.run('build', AMBF_ROS='wheels')
    assert code == 0 and len(machine.calls('colcon')) == 2, text


def test_a_list_of_benchmarks_costs_no_build(machine):
    code, text = machine.run('bench', '--list')
    assert code == 0 and ' physics ' in text, text
    code, text = machine.run('bench', 'phisics')
    assert code == 1 and "no benchmark 'phisics'" in text, text
    assert not machine.calls('colcon')
