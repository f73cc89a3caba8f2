# SPDX-License-Identifier: BSD-3-Clause
"""Reactions to the shutdown."""

from typing import Callable, Union

from ..event_handler import BaseEventHandler
from ..events.shutdown import Shutdown
from ..some_entities_type import SomeEntitiesType
from ..utilities import normalize_to_list_of_entities


class OnShutdown(BaseEventHandler):
    """Runs entities, or a callable (event, context), when the shutdown begins."""

    def __init__(self, *, on_shutdown: Union[SomeEntitiesType, Callable], **kwargs) -> None:
        super().__init__(matcher=lambda event: isinstance(event, Shutdown), **kwargs)
        self.__callable = on_shutdown if callable(on_shutdown) else None
        self.__entities = [] if callable(on_shutdown) else \
            normalize_to_list_of_entities(on_shutdown)

    def handle(self, event, context):
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
        return 'event is Shutdown'
