# SPDX-License-Identifier: BSD-3-Clause
import os
import signal
import threading
import time

from launch import LaunchDescription, LaunchService
from launch.actions import ExecuteProcess, LogInfo, OpaqueFunction, RegisterEventHandler
from launch.actions import EmitEvent, SetLaunchConfiguration, Shutdown, TimerAction
from launch.event_handlers import OnProcessExit, OnProcessIO, OnProcessStart
from launch.events import matches_action
from launch.events.process import ShutdownProcess, SignalProcess
from launch.substitutions import LaunchConfiguration, SubstitutionFailure

WAIT = 'import signal; print("up"); signal.pause()'
STUBBORN = '''
import signal, sys
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda n, _: print("got", n) if str(n) in sys.argv[1:] else sys.exit(0))
print("up")
while True:
    signal.pause()
'''


def when_up(action, *then):
    """React to the first output of a process."""
    return RegisterEventHandler(OnProcessIO(
        target_action=action, on_stdout=lambda event: list(then) if b'up' in event.text else None))


def test_output_goes_where_it_was_told(run, python, tmp_path):
    def speak(name, **kwargs):
        return ExecuteProcess(
            cmd=python(f'import sys; print("{name} out"); print("{name} err", file=sys.stderr)'),
            name=name, **kwargs)
    code, out = run(speak('default'), speak('screen', output='screen'),
                    speak('both', output='both'), speak('own', output='own_log'),
                    speak('split', output={'stdout': 'screen', 'stderr': ['log', 'own_log']}),
                    speak('formatted', output='screen', output_format='<{line}>'))
    assert code == 0
    (folder,) = (tmp_path / 'log').iterdir()
    log = (folder / 'launch.log').read_text()
    assert 'default err' in out and 'default out' not in out and 'default out' in log
    assert '] screen out' in out and '] screen err' in out and '] screen out' not in log
    assert '] both out' in out and '] both out' in log
    own = {path.name: path.read_text() for path in folder.glob('own-*')}
    assert any('own out' in text for name, text in own.items() if 'stdout' in name)
    assert any('own err' in text for name, text in own.items() if 'stderr' in name)
    assert '] split out' in out and '] split err' not in out
    assert '\n<formatted out>' in out


def test_exit_codes_are_reported_and_do_not_fail_the_launch(run, python):
    process = ExecuteProcess(cmd=python('raise SystemExit(7)'))
    code, out = run(process, ExecuteProcess(cmd=python('pass')))
    assert code == 0 and process.return_code == 7
    assert 'exit code 7' in out and 'process has finished cleanly' in out


def test_missing_program_is_logged_and_the_rest_goes_on(run):
    code, out = run(ExecuteProcess(cmd=['no_such_program', 'x']), LogInfo(msg='went on'),
                    ExecuteProcess(cmd=['true']))
    assert code == 0 and 'went on' in out and 'process has finished cleanly' in out
    assert 'exception occurred while executing process' in out and 'no_such_program' in out


def test_working_directory_environment_prefix_and_shell(run, python, tmp_path):
    show = 'import os; print(os.getcwd(), os.environ.get("A"), os.environ.get("PATH") is None)'
    code, out = run(
        ExecuteProcess(cmd=python(show), cwd=str(tmp_path), additional_env={'A': 'more'},
                       output='screen'),
        ExecuteProcess(cmd=python(show), env={'A': 'only'}, output='screen'),
        SetLaunchConfiguration('word', 'joined'),
        ExecuteProcess(cmd=[['echo ', LaunchConfiguration('word'), ' | tr a-z A-Z']], shell=True,
                       output='screen'),
        ExecuteProcess(cmd=['text'], prefix='echo prefixed', output='screen'))
    assert code == 0
    assert f'{tmp_path} more False' in out and 'only True' in out
    assert 'JOINED' in out and 'prefixed text' in out


def test_emulated_terminal_is_a_terminal(run, python):
    code = 'import os; print("tty", os.isatty(1), os.isatty(2))'
    _, out = run(ExecuteProcess(cmd=python(code), emulate_tty=True, output='screen'),
                 ExecuteProcess(cmd=python(code), output='screen'))
    assert 'tty True True' in out and 'tty False False' in out and '\r' not in out


def test_cached_output_is_kept(run, python):
    process = ExecuteProcess(cmd=python('print("kept")'), cached_output=True)
    run(process)
    assert process.get_stdout() == b'kept\n' and process.get_stderr() == b''


def test_start_and_exit_handlers_chain_processes(run, python):
    first = ExecuteProcess(cmd=python('print("first")'), output='screen')
    second = ExecuteProcess(cmd=python('print("second")'), output='screen')
    seen = []
    _, out = run(
        first,
        RegisterEventHandler(OnProcessStart(
            target_action=first, on_start=lambda event, context: seen.append(event.pid))),
        RegisterEventHandler(OnProcessExit(target_action=first, on_exit=[second])),
        RegisterEventHandler(OnProcessExit(
            target_action=second,
            on_exit=lambda event, context: seen.append(event.returncode))))
    assert out.index('first') < out.index('second') and len(seen) == 2 and seen[1] == 0


def test_on_exit_shutdown_stops_the_others(run, python):
    waiting = ExecuteProcess(cmd=python(WAIT), output='screen')
    required = ExecuteProcess(cmd=python('pass'), on_exit=[Shutdown()])
    code, out = run(waiting, when_up(waiting, required))
    assert code == 0 and 'was required: shutting down launched system' in out
    assert waiting.return_code == -signal.SIGINT


def test_respawn_counts_retries_and_stops_with_the_shutdown(run, python):
    code, out = run(ExecuteProcess(cmd=python('raise SystemExit(1)'), respawn=True,
                                   respawn_max_retries=2, respawn_delay=0.01))
    assert code == 0 and out.count('process started with pid') == 3
    process = ExecuteProcess(cmd=python(WAIT), respawn=True, respawn_delay=0.01, output='screen')
    starts = []

    def on_output(event):
        if b'up' not in event.text:
            return None
        starts.append(event.pid)
        if len(starts) == 1:
            os.kill(event.pid, signal.SIGKILL)
            return None
        return [Shutdown()]
    _, out = run(process, RegisterEventHandler(OnProcessIO(
        target_action=process, on_stdout=on_output)))
    assert len(starts) == 2 and out.count('process started with pid') == 2


def test_signals_escalate_until_the_process_ends(run, python):
    process = ExecuteProcess(cmd=python(STUBBORN, '2', '15'), output='screen',
                             sigterm_timeout='0.3', sigkill_timeout='0.3')
    start = time.monotonic()
    code, out = run(process, when_up(process, Shutdown()))
    assert code == 0 and process.return_code == -signal.SIGKILL
    assert 'got 2' in out and 'got 15' in out
    assert "escalating to 'SIGTERM'" in out and "escalating to 'SIGKILL'" in out
    assert time.monotonic() - start >= 0.6


def test_timeouts_come_from_launch_configurations(run, python):
    process = ExecuteProcess(cmd=python(STUBBORN, '2'), output='screen')
    code, out = run(SetLaunchConfiguration('sigterm_timeout', '0.2'), process,
                    when_up(process, Shutdown()))
    assert code == 0 and process.return_code == 0
    assert "failed to terminate '0.2' seconds after receiving 'SIGINT'" in out


def test_events_signal_and_stop_single_processes(run, python):
    signalled = ExecuteProcess(cmd=python(WAIT), output='screen')
    stopped = ExecuteProcess(cmd=python(WAIT), output='screen')
    run(signalled, stopped,
        when_up(signalled, EmitEvent(event=SignalProcess(
            signal_number='SIGUSR1', process_matcher=matches_action(signalled)))),
        when_up(stopped, EmitEvent(event=ShutdownProcess(
            process_matcher=matches_action(stopped)))))
    assert signalled.return_code == -signal.SIGUSR1 and stopped.return_code == -signal.SIGINT


def test_what_a_shell_started_ends_with_it(run, alive):
    process = ExecuteProcess(cmd=['sleep 1000 & echo child $! up; wait; sleep 1000'], shell=True,
                             output='screen', sigterm_timeout='0.3', sigkill_timeout='0.3')
    _, out = run(process, when_up(process, Shutdown()))
    child = int(out.partition('child ')[2].split()[0])
    assert not alive(child)


def test_started_processes_end_when_the_description_raises_later(run, python, alive):
    process = ExecuteProcess(cmd=python(WAIT), output='screen')

    def fail(context):
        raise SubstitutionFailure('no such package')
    code, out = run(process, when_up(process, OpaqueFunction(function=fail)))
    assert code == 1 and 'no such package' in out
    assert not alive(process.process_details['pid'])


def test_service_can_be_stopped_from_another_thread():
    service = LaunchService(noninteractive=True)
    process = ExecuteProcess(cmd=['sleep', '1000'])
    timer = threading.Timer(0.5, service.shutdown)
    service.include_launch_description(LaunchDescription([process]))
    timer.start()
    assert service.run() == 0
    assert process.return_code == -signal.SIGINT


def test_service_runs_on_a_thread_and_without_idle_shutdown(python):
    service = LaunchService(noninteractive=True)
    codes = []
    thread = threading.Thread(
        target=lambda: codes.append(service.run(shutdown_when_idle=False)))
    thread.start()
    process = ExecuteProcess(cmd=python('pass'))
    service.include_launch_description(LaunchDescription([
        process, RegisterEventHandler(OnProcessExit(target_action=process, on_exit=[
            TimerAction(period=0.05, actions=[Shutdown()])]))]))
    thread.join(10)
    assert codes == [0] and process.return_code == 0
