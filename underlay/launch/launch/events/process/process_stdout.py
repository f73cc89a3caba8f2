# SPDX-License-Identifier: BSD-3-Clause
"""Text that came from a process's stdout."""

from .process_io import ProcessIO


class ProcessStdout(ProcessIO):
    """Emitted for text that came from a process's stdout."""

    name = 'launch.events.process.ProcessStdout'

    def __init__(self, *, text: bytes, **kwargs) -> None:
        super().__init__(text=text, fd=1, **kwargs)
