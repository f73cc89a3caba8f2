# SPDX-License-Identifier: BSD-3-Clause
"""New event handlers."""

from typing import List, Tuple

from ..action import Action
from ..event_handler import BaseEventHandler
from ..launch_description_entity import LaunchDescriptionEntity


class RegisterEventHandler(Action):
    """Registers an event handler."""

    def __init__(self, event_handler: BaseEventHandler, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__event_handler = event_handler

    @property
    def event_handler(self) -> BaseEventHandler:
        """Return the handler."""
        return self.__event_handler

    def execute(self, context) -> None:
        """Execute the action."""
        context.register_event_handler(self.__event_handler)

    def describe_conditional_sub_entities(
        self,
    ) -> List[Tuple[str, List[LaunchDescriptionEntity]]]:
        """Return what the handler may give."""
        description, entities = self.__event_handler.describe()
        return [(description, entities)] if entities else []
