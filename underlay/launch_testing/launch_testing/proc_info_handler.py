# SPDX-License-Identifier: BSD-3-Clause
"""Starts and ends of the processes under test."""

import threading
import time
from typing import Any, Dict, Iterator, List, Optional

from launch.actions import ExecuteProcess
from launch.events.process import ProcessExited, RunningProcessEvent

from .util import NoMatchingProcessException, resolveProcesses


class ProcInfoHandler:
    """The newest event of each process."""

    def __init__(self) -> None:
        self._proc_info: Dict[ExecuteProcess, RunningProcessEvent] = {}

    def append(self, process_info: RunningProcessEvent) -> None:
        """Record a start or an end."""
        self._proc_info[process_info.action] = process_info

    def __iter__(self) -> Iterator[RunningProcessEvent]:
        return iter(list(self._proc_info.values()))

    def processes(self) -> List[ExecuteProcess]:
        """Return the processes."""
        return list(self._proc_info)

    def process_names(self) -> List[str]:
        """Return their names."""
        return [action.process_details['name'] for action in self._proc_info]

    def __getitem__(self, key: Any) -> RunningProcessEvent:
        """Return the newest event of a process, given by its action or its name."""
        if isinstance(key, str):
            for action, event in self._proc_info.items():
                if action.process_details['name'] == key:
                    return event
            raise KeyError(key)
        return self._proc_info[key]


class ActiveProcInfoHandler(ProcInfoHandler):
    """Processes that still run: starts and ends can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition()

    @property
    def proc_event(self) -> threading.Condition:
        """Return what is notified of each change."""
        return self._changed

    def append(self, process_info: RunningProcessEvent) -> None:
        """Record a start or an end and wake up those who wait."""
        with self._changed:
            super().append(process_info)
            self._changed.notify_all()

    def _wait(self, process: Any, cmd_args: Optional[str], timeout: Optional[float],
              accept) -> bool:
        deadline = time.monotonic() + (10 if timeout is None else timeout)
        with self._changed:
            while True:
                try:
                    found = resolveProcesses(self, process=process, cmd_args=cmd_args)
                    if all(accept(self._proc_info[action]) for action in found):
                        return True
                except NoMatchingProcessException:
                    pass
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)

    def assertWaitForShutdown(self, process: Any, cmd_args: Optional[str] = None, *,
                              timeout: Optional[float] = 10) -> None:
        """Wait for the end of a process; fail when it does not end in time."""
        if not self._wait(process, cmd_args, timeout,
                          lambda event: isinstance(event, ProcessExited)):
            raise AssertionError(f'Timed out waiting for process {process} to finish')

    def assertWaitForStartup(self, process: Any, cmd_args: Optional[str] = None, *,
                             timeout: Optional[float] = 10) -> None:
        """Wait for the start of a process; fail when it does not start in time."""
        if not self._wait(process, cmd_args, timeout, lambda event: True):
            raise AssertionError(f'Timed out waiting for process {process} to start')
