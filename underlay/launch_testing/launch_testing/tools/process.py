# SPDX-License-Identifier: BSD-3-Clause
"""Processes that a test starts while the launch runs."""

import contextlib
from typing import Any, Callable, Iterator, Optional

import launch
from launch.actions import ExecuteProcess, OpaqueFunction
from launch.events.process import ShutdownProcess
from launch.events.matchers import matches_action


class ProcessProxy:
    """A process under test as seen by a test method."""

    def __init__(self, process_action: ExecuteProcess, proc_info: Any, proc_output: Any,
                 *, output_filter: Optional[Callable[[str], str]] = None) -> None:
        self._action = process_action
        self._proc_info = proc_info
        self._proc_output = proc_output
        self._output_filter = output_filter

    def wait_for_shutdown(self, timeout: Optional[float] = None) -> bool:
        """Wait until the process has ended."""
        try:
            self._proc_info.assertWaitForShutdown(process=self._action, timeout=timeout)
            return True
        except AssertionError:
            return False

    def wait_for_output(self, condition: Any = None, timeout: Optional[float] = None) -> bool:
        """Wait for output that fits."""
        if condition is None:
            def condition(text: str) -> bool:
                return bool(text)
        return self._proc_output.waitFor(
            condition, process=self._action, timeout=timeout or 10,
            output_filter=self._output_filter, stream='stdout') or self._proc_output.waitFor(
            condition, process=self._action, timeout=0.1, output_filter=self._output_filter,
            stream='stderr')

    @property
    def running(self) -> bool:
        """Return whether the process runs."""
        return self._action.process_details is not None and not self.terminated

    @property
    def terminated(self) -> bool:
        """Return whether the process has ended."""
        return self._action.return_code is not None

    @property
    def exit_code(self) -> Optional[int]:
        """Return the exit code."""
        return self._action.return_code

    def _text(self, from_stderr: Optional[bool]) -> str:
        text = ''.join(event.text.decode(errors='replace')
                       for event in self._proc_output[self._action]
                       if from_stderr is None or event.from_stderr == from_stderr)
        return self._output_filter(text) if self._output_filter else text

    @property
    def stdout(self) -> str:
        """Return what the process wrote to stdout."""
        return self._text(False)

    @property
    def stderr(self) -> str:
        """Return what the process wrote to stderr."""
        return self._text(True)

    @property
    def output(self) -> str:
        """Return all that the process wrote."""
        return self._text(None)


@contextlib.contextmanager
def launch_process(
    launch_service: 'launch.LaunchService', process_action: ExecuteProcess, proc_info: Any,
    proc_output: Any, *, output_filter: Optional[Callable[[str], str]] = None,
) -> Iterator[ProcessProxy]:
    """Run a process for the time of a `with` block."""
    launch_service.include_launch_description(launch.LaunchDescription([
        OpaqueFunction(function=lambda context: [process_action])]))
    proc_info.assertWaitForStartup(process=process_action, timeout=10)
    proc_output.track(process_action)
    try:
        yield ProcessProxy(process_action, proc_info, proc_output, output_filter=output_filter)
    finally:
        if process_action.return_code is None:
            launch_service.emit_event(ShutdownProcess(
                process_matcher=matches_action(process_action)))
            proc_info.assertWaitForShutdown(process=process_action, timeout=15)
