# SPDX-License-Identifier: BSD-3-Clause
import pytest

from launch.actions import ExecuteProcess
from launch.substitutions import LaunchConfiguration
import launch_testing

_HEAD = '''
import sys
import unittest
import launch
from launch.actions import ExecuteProcess, RegisterEventHandler, TimerAction
import launch_testing
from launch_testing.actions import ReadyToTest
from launch_testing.asserts import *
SERVER = """
import signal, sys
signal.signal(signal.SIGINT, lambda *_: sys.exit(int(sys.argv[1])))
print('one', flush=True)
print('two', flush=True)
print('problem', file=sys.stderr, flush=True)
signal.pause()
"""
def server(code=0):
    return ExecuteProcess(cmd=[sys.executable, '-c', SERVER, str(code)], name='server')
'''


def test_tests_beside_and_after_the_processes_share_one_suite(launch_test):
    code, out, suites = launch_test(_HEAD + '''
def generate_test_description():
    process = server()
    return launch.LaunchDescription([process, ReadyToTest()]), {'process': process}
class Beside(unittest.TestCase):
    def test_output(self, proc_output, process):
        proc_output.assertWaitFor('two', process=process, stream='stdout')
        proc_output.assertWaitFor('problem', process=process)
        assert not proc_output.waitFor('problem', process=process, stream='stdout', timeout=0.1)
    def test_attributes(self):
        self.proc_info.assertWaitForStartup('server', timeout=90)
        assert self.proc_info.process_names() == ['server-1']
        with self.assertRaises(AssertionError):
            self.proc_info.assertWaitForShutdown('server', timeout=0.1)
@launch_testing.post_shutdown_test()
class After(unittest.TestCase):
    def test_order(self, proc_output, process):
        with assertSequentialStdout(proc_output, process) as stdout:
            stdout.assertInStdout('one')
            stdout.assertInStdout('two')
        assertInStderr(proc_output, 'problem', 'server')
        with self.assertRaises(AssertionError):
            assertInStdout(proc_output, 'problem', process)
        with self.assertRaises(NoMatchingProcessException):
            assertInStdout(proc_output, 'x', 'client')
    def test_exit_codes(self, proc_info):
        assertExitCodes(proc_info)
''')
    assert code == 0, out
    assert suites == [{'test_output': ['passed'], 'test_attributes': ['passed'],
                       'test_order': ['passed'], 'test_exit_codes': ['passed']}]


def test_failures_and_errors_are_told_apart_and_fail_the_run(launch_test):
    code, out, suites = launch_test(_HEAD + '''
def generate_test_description():
    return launch.LaunchDescription([server(3), ReadyToTest()])
class Beside(unittest.TestCase):
    def test_fails(self, proc_output):
        proc_output.assertWaitFor('one', stream='stdout')
        assert False
    def test_errs(self):
        raise RuntimeError('broken')
    @unittest.skip('not here')
    def test_skipped(self):
        pass
@launch_testing.post_shutdown_test()
class After(unittest.TestCase):
    def test_exit_codes(self, proc_info):
        assertExitCodes(proc_info)
''')
    assert code == 1
    assert suites == [{'test_fails': ['failure'], 'test_errs': ['error'],
                       'test_skipped': ['skipped'], 'test_exit_codes': ['failure']}]
    assert 'exited with code 3' in out


def test_processes_that_end_early_fail_the_run_unless_kept_alive(launch_test):
    source = _HEAD + '''
@MARK
def generate_test_description():
    return launch.LaunchDescription([ExecuteProcess(cmd=['true']), ReadyToTest()])
class Beside(unittest.TestCase):
    def test_passes(self):
        import time
        time.sleep(0.7)
'''
    code, out, _ = launch_test(source.replace('@MARK', ''))
    assert code == 1 and 'stopped before tests completed' in out
    source += '''
    def test_no_process_is_added(self, proc_info):
        proc_info.assertWaitForShutdown('true', timeout=90)
        assert proc_info.process_names() == ['true-1']
'''
    code, out, suites = launch_test(
        source.replace('@MARK', '@launch_testing.markers.keep_alive'))
    assert code == 0, out
    assert suites == [{'test_passes': ['passed'], 'test_no_process_is_added': ['passed']}]


def test_parametrised_description_gives_a_suite_for_each_value(launch_test):
    code, out, suites = launch_test(_HEAD + '''
@launch_testing.parametrize('code', [0, 5])
def generate_test_description(code):
    process = server(code)
    ready = launch_testing.event_handlers.StdoutReadyListener(
        target_action=process, ready_txt='two', actions=[ReadyToTest()])
    return launch.LaunchDescription([process, RegisterEventHandler(ready)])
class Beside(unittest.TestCase):
    def test_has_value(self, code):
        assert code in (0, 5)
@launch_testing.post_shutdown_test()
class After(unittest.TestCase):
    def test_exit_code(self, proc_info, code):
        assertExitCodes(proc_info, [code])
''')
    assert code == 0, out
    assert suites == [{'test_has_value': ['passed'], 'test_exit_code': ['passed']}] * 2


def test_parametrised_function_yields_what_to_call_with_its_values():
    @launch_testing.parametrize('a', [(1,), 2])
    @launch_testing.markers.keep_alive
    @launch_testing.parametrize('b, c', [(3, 4)])
    def describe(a, b, c, d):
        return a, b, c, d
    runs = list(describe())
    assert [function(d=5) for function, _ in runs] == [(1, 3, 4, 5), (2, 3, 4, 5)]
    assert runs[0][1] == {'a': 1, 'b': 3, 'c': 4}
    assert runs[0][0].__markers__ == {'keep_alive': True}


def test_failed_order_shows_the_lines_around_the_last_match():
    checker = launch_testing.asserts.SequentialTextChecker(['1\n2\n3\n', '4\n5\n6x\n7\n8\n9\n'])
    checker.assertInText('6')
    with pytest.raises(AssertionError, match='last matched line:\n4\n5\n6x\n7\n8$'):
        checker.assertInStdout('1')


def test_process_that_was_not_launched_is_told_by_its_command():
    for command, text in ((['a', '-b'], 'proc a -b'),
                          ([LaunchConfiguration('x')], 'proc Unknown - Process not launched yet')):
        with pytest.raises(launch_testing.util.NoMatchingProcessException, match=text):
            launch_testing.util.resolveProcesses(
                launch_testing.ProcInfoHandler(), process=ExecuteProcess(cmd=command))


def test_never_being_ready_fails_after_the_timeout(launch_test):
    code, out, _ = launch_test(_HEAD + '''
@launch_testing.ready_to_test_action_timeout(0.3)
def generate_test_description():
    return launch.LaunchDescription([server(), TimerAction(period=60.0, actions=[ReadyToTest()])])
class Beside(unittest.TestCase):
    def test_never_runs(self):
        pass
''')
    assert code == 1 and 'Timed out waiting for processes to start up' in out


def test_tests_can_launch_processes_themselves(launch_test):
    code, out, suites = launch_test(_HEAD + '''
from launch_testing.tools import launch_process, expect_output
def generate_test_description():
    return launch.LaunchDescription([server(), ReadyToTest()])
class Beside(unittest.TestCase):
    def test_launches(self, launch_service, proc_info, proc_output):
        action = ExecuteProcess(cmd=['sh', '-c', 'echo alpha; echo beta; exit 4'])
        with launch_process(launch_service, action, proc_info, proc_output) as command:
            assert command.wait_for_shutdown(timeout=90)
        assert command.terminated and command.exit_code == 4
        assert expect_output(expected_lines=['alpha', 'beta'], text=command.output, strict=True)
''')
    assert code == 0, out


def test_bad_files_and_arguments_are_refused(launch_test):
    code, out, _ = launch_test('x = 1\n')
    assert code == 2 and "missing the 'generate_test_description' function" in out
    code, out, _ = launch_test(_HEAD + '''
def generate_test_description():
    return launch.LaunchDescription([
        launch.actions.DeclareLaunchArgument('needed'), ReadyToTest()])
class Beside(unittest.TestCase):
    def test_passes(self, test_args):
        assert test_args == {'needed': 'yes'}
''', )
    assert code == 1 and "missing required argument 'needed'" in out
