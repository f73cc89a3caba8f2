# SPDX-License-Identifier: BSD-3-Clause
"""Output of a process."""

from .running_process_event import RunningProcessEvent


class ProcessIO(RunningProcessEvent):
    """Emitted when a process wrote something."""

    name = 'launch.events.process.ProcessIO'

    def __init__(self, *, text: bytes, fd: int, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__text = text
        self.__fd = fd

    @property
    def text(self) -> bytes:
        """Return what was written."""
        return self.__text

    @property
    def from_stdin(self) -> bool:
        """Return whether it went to the process's stdin."""
        return self.__fd == 0

    @property
    def from_stdout(self) -> bool:
        """Return whether it came from stdout."""
        return self.__fd == 1

    @property
    def from_stderr(self) -> bool:
        """Return whether it came from stderr."""
        return self.__fd == 2
