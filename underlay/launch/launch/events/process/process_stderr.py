# SPDX-License-Identifier: BSD-3-Clause
"""Text that came from a process's stderr."""

from .process_io import ProcessIO


class ProcessStderr(ProcessIO):
    """Emitted for text that came from a process's stderr."""

    name = 'launch.events.process.ProcessStderr'

    def __init__(self, *, text: bytes, **kwargs) -> None:
        super().__init__(text=text, fd=2, **kwargs)
