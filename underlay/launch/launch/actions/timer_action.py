# SPDX-License-Identifier: BSD-3-Clause
"""Actions after some time."""

import asyncio
from typing import Any, Iterable, List, Optional, Tuple

from ..action import Action
from ..event_handler import EventHandler
from ..event_handlers.on_shutdown import OnShutdown
from ..events.timer_event import TimerEvent
from ..launch_description_entity import LaunchDescriptionEntity
from .opaque_function import OpaqueFunction
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution


class TimerAction(Action):
    """Visits entities after a period in seconds, unless it is cancelled before."""

    def __init__(self, *, period: Any, actions: Iterable[LaunchDescriptionEntity],
                 cancel_on_shutdown: Any = True, **kwargs) -> None:
        super().__init__(**kwargs)
        if isinstance(period, (int, float)):
            period = float(period)
        self.__period = normalize_typed_substitution(period, float)
        self.__actions = list(actions)
        self.__cancel_on_shutdown = normalize_typed_substitution(cancel_on_shutdown, bool)
        self.__locals: dict = {}
        self.__future: Optional[asyncio.Future] = None
        self.__timer: Optional[asyncio.TimerHandle] = None
        self.__canceled = False

    @property
    def period(self) -> Any:
        """Return the period."""
        return self.__period

    @property
    def actions(self) -> List[LaunchDescriptionEntity]:
        """Return the actions."""
        return self.__actions

    def describe(self) -> str:
        """Return a description of the action."""
        return f'TimerAction(period={self.__period})'

    def describe_conditional_sub_entities(
        self,
    ) -> List[Tuple[str, List[LaunchDescriptionEntity]]]:
        """Return the actions."""
        return [(f'after {self.__period} second(s)', self.__actions)]

    def handle(self, context) -> List[LaunchDescriptionEntity]:
        """Return what follows when the timer fires."""
        # The actions see the locals of the place where the timer stands, and leave no trace.
        context._push_locals()
        context.extend_locals(self.__locals)
        return [*self.__actions, OpaqueFunction(function=lambda context: context._pop_locals())]

    def cancel(self) -> None:
        """Make the timer never fire."""
        self.__canceled = True
        if self.__timer is not None:
            self.__timer.cancel()
        if self.__future is not None and not self.__future.done():
            self.__future.set_result(None)

    def execute(self, context) -> None:
        """Start the timer."""
        self.__locals = {k: v for k, v in context.get_locals_as_dict().items() if k != 'event'}
        if self.__canceled or context.is_shutdown:
            return
        loop = context.asyncio_loop
        self.__future = loop.create_future()
        context.register_event_handler(EventHandler(
            matcher=lambda e: isinstance(e, TimerEvent) and e.timer_action is self,
            entities=OpaqueFunction(function=self.handle), handle_once=True))
        if perform_typed_substitution(context, self.__cancel_on_shutdown, bool):
            context.register_event_handler(OnShutdown(
                on_shutdown=lambda event, context: self.cancel()))
        self.__timer = self._start_timer(context, lambda: self.__fire(context))

    def _start_timer(self, context, fire):
        period = perform_typed_substitution(context, self.__period, float)
        return context.asyncio_loop.call_later(period, fire)

    def __fire(self, context) -> None:
        if not self.__future.done():
            context.emit_event_sync(TimerEvent(timer_action=self))
            self.__future.set_result(None)

    def get_asyncio_future(self) -> Optional[asyncio.Future]:
        """Return the future that ends when the timer has fired or was cancelled."""
        return self.__future
