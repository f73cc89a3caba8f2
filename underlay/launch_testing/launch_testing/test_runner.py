# SPDX-License-Identifier: BSD-3-Clause
"""Launches and tests side by side."""

import sys
import threading
import unittest
from typing import Any, Dict, List, Optional

import launch
from launch.actions import IncludeLaunchDescription, RegisterEventHandler
from launch.event_handlers import OnProcessExit, OnProcessIO, OnProcessStart

from .actions.ready import _READY_KEY
from .io_handler import ActiveIoHandler
from .loader import TestRun
from .proc_info_handler import ActiveProcInfoHandler
from .test_result import FailResult, TestResult


class _RunnerWorker:
    """One run: the launch on this thread, its tests on another."""

    def __init__(self, test_run: TestRun, launch_arguments: List, debug: bool) -> None:
        self._run = test_run
        self._arguments = launch_arguments
        self._debug = debug
        self._ready = threading.Event()
        self._done = threading.Event()
        self._launch_ended = threading.Event()
        self._proc_info = ActiveProcInfoHandler()
        self._proc_output = ActiveIoHandler()
        self._result: Optional[unittest.TestResult] = None
        self._timed_out = False

    def run(self) -> List[unittest.TestResult]:
        """Return the results of the tests beside and after the launch."""
        description, context = self._run.normalized_test_description(self._ready.set)
        service = launch.LaunchService(debug=self._debug, noninteractive=True)
        service.context.extend_globals({_READY_KEY: self._ready.set})
        # Handlers first: the launch description may start processes at once.
        service.include_launch_description(launch.LaunchDescription([
            RegisterEventHandler(OnProcessStart(on_start=lambda event, _: self._note(event))),
            RegisterEventHandler(OnProcessExit(on_exit=lambda event, _: self._note(event))),
            RegisterEventHandler(OnProcessIO(on_stdout=self._proc_output.append,
                                             on_stderr=self._proc_output.append)),
            IncludeLaunchDescription(
                launch.LaunchDescriptionSource(description), launch_arguments=self._arguments),
        ]))
        attributes = {'proc_info': self._proc_info, 'proc_output': self._proc_output,
                      'test_args': dict(self._arguments), 'launch_service': service}
        arguments = {**attributes, **context, **self._run.param_args}
        thread = threading.Thread(target=self._run_tests, args=(service, attributes, arguments))
        thread.start()
        code = service.run(shutdown_when_idle=not self._run.markers.get('keep_alive', False))
        finished_before_the_end = self._done.is_set()
        self._launch_ended.set()
        self._ready.set()
        thread.join()
        if self._timed_out:
            return [FailResult(self._run, 'Timed out waiting for processes to start up')]
        if code != 0:
            return [FailResult(self._run, 'The launch description failed, see the output')]
        if not finished_before_the_end:
            self._print_summary()
            return [FailResult(self._run,
                               'Processes under test stopped before tests completed')]
        after = dict(attributes)
        self._run.bind(self._run.post_shutdown_tests, after, {**arguments, **after})
        print('\nTests after shutdown:')
        return [self._result, _run_suite(self._run.post_shutdown_tests)]

    def _note(self, event: Any) -> None:
        self._proc_info.append(event)

    def _run_tests(self, service: Any, attributes: Dict[str, Any],
                   arguments: Dict[str, Any]) -> None:
        try:
            if not self._ready.wait(self._run.ready_timeout):
                print('Timed out waiting for processes to start up')
                self._timed_out = True
                return
            if self._launch_ended.is_set():
                return
            self._run.bind(self._run.pre_shutdown_tests, attributes, arguments)
            self._result = _run_suite(self._run.pre_shutdown_tests)
            if not self._launch_ended.is_set():
                self._done.set()
        finally:
            service.shutdown()

    def _print_summary(self) -> None:
        print('Processes under test stopped before tests completed')
        for event in self._proc_output:
            sys.stdout.write(event.text.decode(errors='replace'))
        for action in self._proc_info.processes():
            print(f"{action.process_details['name']}: exit code {action.return_code}")


def _run_suite(suite: unittest.TestSuite) -> TestResult:
    return unittest.TextTestRunner(
        stream=sys.stdout, verbosity=2, resultclass=TestResult).run(suite)


class LaunchTestRunner:
    """Runs test runs one after the other."""

    def __init__(self, test_runs: List[TestRun], launch_file_arguments: List[str] = (),
                 debug: bool = False) -> None:
        self._test_runs = test_runs
        self._arguments = []
        for text in launch_file_arguments:
            name, separator, value = text.partition(':=')
            if not separator:
                raise RuntimeError(f"malformed launch argument '{text}', expected format "
                                   "'<name>:=<value>'")
            self._arguments.append((name, value))
        self._debug = debug

    def validate(self) -> None:
        """Raise an exception where a test description cannot be made."""
        for run in self._test_runs:
            run.normalized_test_description(lambda: None)

    def run(self) -> Dict[TestRun, List[unittest.TestResult]]:
        """Return the results of each run."""
        results = {}
        for run in self._test_runs:
            if len(self._test_runs) > 1:
                print(f'\nStarting test run {run}')
            results[run] = _RunnerWorker(run, self._arguments, self._debug).run()
        return results
