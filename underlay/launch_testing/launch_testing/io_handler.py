# SPDX-License-Identifier: BSD-3-Clause
"""What the processes under test have written."""

import threading
import time
from typing import Any, Dict, Iterator, List, Optional

from launch.actions import ExecuteProcess
from launch.events.process import ProcessIO

from .tools.output import matches_output, remove_ansi_escape_sequences
from .util import NoMatchingProcessException, resolveProcesses


class IoHandler:
    """All output, in order and by process."""

    def __init__(self) -> None:
        self._sequence_list: List[ProcessIO] = []
        self._by_process: Dict[ExecuteProcess, List[ProcessIO]] = {}

    def __iter__(self) -> Iterator[ProcessIO]:
        return iter(self._sequence_list)

    def __getitem__(self, key: Any) -> List[ProcessIO]:
        """Return the output of a process, given by its action or its name."""
        if isinstance(key, str):
            for action, events in self._by_process.items():
                if key in (action.process_details['name'], action.name):
                    return list(events)
            raise KeyError(key)
        return list(self._by_process.get(key, []))

    def processes(self) -> List[ExecuteProcess]:
        """Return the processes that have written something."""
        return list(self._by_process)

    def process_names(self) -> List[str]:
        """Return their names."""
        return [action.process_details['name'] for action in self._by_process]

    def append(self, process_io: ProcessIO) -> None:
        """Record output."""
        self._sequence_list.append(process_io)
        self._by_process.setdefault(process_io.action, []).append(process_io)

    def track(self, process: ExecuteProcess) -> None:
        """Know a process that has written nothing yet."""
        self._by_process.setdefault(process, [])


class ActiveIoHandler(IoHandler):
    """Output that still grows: it can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition()

    @property
    def io_handler(self) -> IoHandler:
        """Return the records."""
        return self

    def append(self, process_io: ProcessIO) -> None:
        """Record output and wake up those who wait."""
        with self._changed:
            super().append(process_io)
            self._changed.notify_all()

    def __iter__(self) -> Iterator[ProcessIO]:
        with self._changed:
            return iter(list(self._sequence_list))

    def waitFor(
        self, expected_output: Any, process: Any = None, cmd_args: Optional[str] = None, *,
        strict_proc_matching: bool = True, output_filter: Any = None, timeout: float = 10,
        strip_ansi_escape_sequences: bool = True, stream: str = 'stderr',
    ) -> bool:
        """Wait for output on a stream; return whether it came."""
        if stream not in ('stdout', 'stderr'):
            raise ValueError(f"'stream' must be 'stdout' or 'stderr', got '{stream}'")
        deadline = time.monotonic() + timeout

        def found() -> bool:
            for action in resolveProcesses(self, process=process, cmd_args=cmd_args,
                                           strict_proc_matching=strict_proc_matching):
                text = ''.join(
                    event.text.decode(errors='replace') for event in self._by_process[action]
                    if getattr(event, f'from_{stream}'))
                if output_filter is not None:
                    text = output_filter(text)
                if strip_ansi_escape_sequences:
                    text = remove_ansi_escape_sequences(text)
                if matches_output(expected_output, text):
                    return True
            return False
        with self._changed:
            while True:
                try:
                    if found():
                        return True
                except NoMatchingProcessException:
                    if time.monotonic() >= deadline:
                        raise
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)

    def assertWaitFor(self, expected_output: Any, process: Any = None,
                      cmd_args: Optional[str] = None, **kwargs) -> None:
        """Wait for output on a stream; fail when it does not come in time."""
        if not self.waitFor(expected_output, process, cmd_args, **kwargs):
            names = ', '.join(sorted(self.process_names()))
            raise AssertionError(f'Waiting for output timed out: {expected_output!r} on '
                                 f"{kwargs.get('stream', 'stderr')} of [{names}]")
