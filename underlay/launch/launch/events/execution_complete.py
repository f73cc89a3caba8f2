# SPDX-License-Identifier: BSD-3-Clause
"""The end of an action."""

from ..action import Action
from ..event import Event


class ExecutionComplete(Event):
    """Emitted when an action has done all it does."""

    name = 'launch.events.ExecutionComplete'

    def __init__(self, *, action: Action) -> None:
        super().__init__()
        self.__action = action

    @property
    def action(self) -> Action:
        """Return the action."""
        return self.__action
