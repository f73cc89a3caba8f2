# SPDX-License-Identifier: BSD-3-Clause
"""Reactions to events of one action or of several."""

from typing import Callable, List, Optional, Type, Union

from ..action import Action
from ..event import Event
from ..event_handler import BaseEventHandler
from ..some_entities_type import SomeEntitiesType
from ..utilities import normalize_to_list_of_entities


class OnActionEventBase(BaseEventHandler):
    """Runs entities, or a callable (event, context), on an event whose action matches."""

    def __init__(
        self, *,
        action_matcher: Optional[Union[Callable[[Action], bool], Action]],
        on_event: Union[SomeEntitiesType, Callable],
        target_event_cls: Type[Event],
        target_action_cls: Type[Action],
        **kwargs,
    ) -> None:
        if not issubclass(target_event_cls, Event):
            raise TypeError("'target_event_cls' must be a subclass of 'Event'")
        if not issubclass(target_action_cls, Action):
            raise TypeError("'target_action_cls' must be a subclass of 'Action'")
        self.__target_event_cls = target_event_cls
        self.__action_matcher = action_matcher
        if not (action_matcher is None or callable(action_matcher) or
                isinstance(action_matcher, target_action_cls)):
            raise TypeError(
                f"action_matcher must be an '{target_action_cls.__name__}' instance or a "
                f"callable, got '{type(action_matcher).__name__}'")

        def matches(event: Event) -> bool:
            if not isinstance(event, target_event_cls):
                return False
            if isinstance(action_matcher, Action):
                return event.action is action_matcher
            return action_matcher is None or bool(action_matcher(event.action))
        super().__init__(matcher=matches, **kwargs)
        self.__callable: Optional[Callable] = None
        self.__entities: List = []
        if callable(on_event):
            self.__callable = on_event
        else:
            self.__entities = normalize_to_list_of_entities(on_event)

    def handle(self, event, context) -> Optional[SomeEntitiesType]:
        """React to the event."""
        super().handle(event, context)
        return self.__callable(event, context) if self.__callable else self.__entities

    def describe(self):
        """Return a description and the entities."""
        return (super().describe()[0], self.__entities)

    @property
    def handler_description(self) -> str:
        """Return what the handler does."""
        return str(self.__callable or self.__entities)

    @property
    def matcher_description(self) -> str:
        """Return which events the handler reacts to."""
        matcher = self.__action_matcher
        if matcher is None:
            return f'event == {self.__target_event_cls.__name__}'
        return (f'event == {self.__target_event_cls.__name__} and '
                f'{type(matcher).__name__}(event.action)')
