# SPDX-License-Identifier: BSD-3-Clause
"""The end of a process."""

from .running_process_event import RunningProcessEvent


class ProcessExited(RunningProcessEvent):
    """Emitted when a process has ended."""

    name = 'launch.events.process.ProcessExited'

    def __init__(self, *, returncode: int, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__returncode = returncode

    @property
    def returncode(self) -> int:
        """Return the exit code; a signal's number is negative."""
        return self.__returncode
