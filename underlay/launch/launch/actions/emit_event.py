# SPDX-License-Identifier: BSD-3-Clause
"""Events from launch files."""

from ..action import Action
from ..event import Event


class EmitEvent(Action):
    """Emits an event."""

    def __init__(self, *, event: Event, **kwargs) -> None:
        super().__init__(**kwargs)
        if not isinstance(event, Event):
            raise RuntimeError("EmitEvent() expected an event instance (e.g. Shutdown()), "
                               f"got '{event!r}'.")
        self.__event = event

    @property
    def event(self) -> Event:
        """Return the event."""
        return self.__event

    def execute(self, context) -> None:
        """Execute the action."""
        context.emit_event_sync(self.__event)
