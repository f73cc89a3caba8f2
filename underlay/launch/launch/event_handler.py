# SPDX-License-Identifier: BSD-3-Clause
"""Reactions to events."""

from typing import Callable, List, Optional, Tuple

from .event import Event
from .launch_description_entity import LaunchDescriptionEntity
from .some_entities_type import SomeEntitiesType
from .utilities import normalize_to_list_of_entities


class BaseEventHandler:
    """Reacts to the events that a predicate accepts."""

    def __init__(self, *, matcher: Callable[[Event], bool], handle_once: bool = False) -> None:
        self.__matcher = matcher
        self.__handle_once = handle_once

    @property
    def handle_once(self) -> bool:
        """Whether the handler is unregistered after its first event."""
        return self.__handle_once

    @property
    def handler_description(self):
        """Return what the handler does."""
        return None

    @property
    def matcher_description(self):
        """Return which events the handler reacts to."""
        return None

    def matches(self, event: Event) -> bool:
        """Return whether the handler reacts to this event."""
        return self.__matcher(event)

    def describe(self) -> Tuple[str, List[LaunchDescriptionEntity]]:
        """Return a description and the entities that the handler may give."""
        return (f"{type(self).__name__}(matcher='{self.matcher_description}', "
                f"handler='{self.handler_description}', handle_once={self.handle_once})", [])

    def handle(self, event: Event, context) -> Optional[SomeEntitiesType]:
        """React to an event; return what is to be visited."""
        context.extend_locals({'event': event})
        if self.handle_once:
            context.unregister_event_handler(self)
        return None


class EventHandler(BaseEventHandler):
    """Gives fixed entities when a matching event occurs."""

    def __init__(
        self, *,
        matcher: Callable[[Event], bool],
        entities: Optional[SomeEntitiesType] = None,
        handle_once: bool = False,
    ) -> None:
        super().__init__(matcher=matcher, handle_once=handle_once)
        self.__entities = normalize_to_list_of_entities(
            entities if entities is not None else [])

    @property
    def entities(self) -> List[LaunchDescriptionEntity]:
        """Return the entities."""
        return self.__entities

    def describe(self) -> Tuple[str, List[LaunchDescriptionEntity]]:
        """Return a description and the entities that the handler gives."""
        return (super().describe()[0], self.__entities)

    def handle(self, event: Event, context) -> Optional[SomeEntitiesType]:
        """Return the entities."""
        super().handle(event, context)
        return self.__entities
