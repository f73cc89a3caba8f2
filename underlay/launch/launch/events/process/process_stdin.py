# SPDX-License-Identifier: BSD-3-Clause
"""The request to write to a process."""

from .process_targeted_event import ProcessTargetedEvent


class ProcessStdin(ProcessTargetedEvent):
    """Asks for text to be written to a process's stdin."""

    name = 'launch.events.process.ProcessStdin'

    def __init__(self, *, text: bytes, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__text = text

    @property
    def text(self) -> bytes:
        """Return the text."""
        return self.__text
