# SPDX-License-Identifier: BSD-3-Clause
"""An entity that does something, perhaps under a condition."""

from typing import List, Optional

from .condition import Condition
from .launch_description_entity import LaunchDescriptionEntity


class Action(LaunchDescriptionEntity):
    """Does something when visited, if its condition holds."""

    def __init__(self, *, condition: Optional[Condition] = None) -> None:
        self.__condition = condition

    @property
    def condition(self) -> Optional[Condition]:
        """Return the condition."""
        return self.__condition

    def describe(self) -> str:
        """Return a description of the action."""
        return f'Action({self!r})'

    def visit(self, context) -> Optional[List[LaunchDescriptionEntity]]:
        """Execute the action if its condition holds, then announce its completion."""
        if self.__condition is not None and not self.__condition.evaluate(context):
            return None
        try:
            return self.execute(context)
        finally:
            self._announce_completion(context)

    def _announce_completion(self, context) -> None:
        from .events import ExecutionComplete
        event = ExecutionComplete(action=self)
        if not context.would_handle_event(event):
            return
        future = self.get_asyncio_future()
        if future is None:
            context.emit_event_sync(event)
        else:
            future.add_done_callback(lambda _: context.emit_event_sync(event))

    def execute(self, context) -> Optional[List[LaunchDescriptionEntity]]:
        """Do it; return the entities to visit next."""
        raise NotImplementedError(f'{type(self).__name__} does not implement execute()')
