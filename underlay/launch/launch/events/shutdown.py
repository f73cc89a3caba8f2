# SPDX-License-Identifier: BSD-3-Clause
"""The end of the launch system."""

from ..event import Event


class Shutdown(Event):
    """Emitted when the launch system should stop everything."""

    name = 'launch.events.Shutdown'

    def __init__(self, *, reason: str = 'reason not given', due_to_sigint: bool = False,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        self.__reason = reason
        self.__due_to_sigint = due_to_sigint

    @property
    def reason(self) -> str:
        """Return the reason."""
        return self.__reason

    @property
    def due_to_sigint(self) -> bool:
        """Return whether the user interrupted."""
        return self.__due_to_sigint
