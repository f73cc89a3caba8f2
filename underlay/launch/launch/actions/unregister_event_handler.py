# SPDX-License-Identifier: BSD-3-Clause
"""Removal of event handlers."""

from ..action import Action
from ..event_handler import BaseEventHandler


class UnregisterEventHandler(Action):
    """Unregisters an event handler."""

    def __init__(self, event_handler: BaseEventHandler, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__event_handler = event_handler

    @property
    def event_handler(self) -> BaseEventHandler:
        """Return the handler."""
        return self.__event_handler

    def execute(self, context) -> None:
        """Execute the action."""
        context.unregister_event_handler(self.__event_handler)
