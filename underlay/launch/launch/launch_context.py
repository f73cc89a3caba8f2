# SPDX-License-Identifier: BSD-3-Clause
"""The state of a running launch description."""

import asyncio
import collections
import os
import threading
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional

from .event import Event
from .event_handler import BaseEventHandler
from .substitution import Substitution


class _Locals:
    """Attribute access to the context's locals."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, key: str):
        raise AttributeError(f"context.locals does not contain attribute '{key}', "
                             f'it contains: {sorted(self.__dict__)}')


class _Deferred(Event):
    """A call that is to happen once all events before it have been handled."""

    name = 'launch._Deferred'

    def __init__(self, function: Callable[[], None]) -> None:
        super().__init__()
        self.function = function


class LaunchContext:
    """Launch configurations, environment, event handlers and events of one launch service."""

    def __init__(self, *, argv: Optional[Iterable[str]] = None,
                 noninteractive: bool = False) -> None:
        self.__argv = list(argv) if argv is not None else []
        self.__noninteractive = noninteractive
        self._event_queue: collections.deque = collections.deque()
        self._event_arrived: Optional[asyncio.Event] = None
        self._event_handlers: collections.deque = collections.deque()
        self._handler_locals: Dict[int, Dict[str, Any]] = {}
        self._completion_futures: List[asyncio.Future] = []
        self._entity_future_pairs: List = []
        self.__globals: Dict[str, Any] = {}
        self.__locals_stack: List[Dict[str, Any]] = []
        self.__locals: Dict[str, Any] = {}
        self.__launch_configurations_stack: List[Dict[str, str]] = []
        self.__launch_configurations: Dict[str, str] = {}
        self._known_configurations: set = set()  # names that were declared or asked for
        self.__environment_stack: List[Dict[str, str]] = []
        self.__environment_at_start = dict(os.environ)
        self.__is_shutdown = False
        self.__asyncio_loop: Optional[asyncio.AbstractEventLoop] = None
        self.__queue_lock = threading.Lock()

    @property
    def argv(self) -> List[str]:
        """Return the arguments that the launch service was given."""
        return self.__argv

    @property
    def noninteractive(self) -> bool:
        """Return whether no terminal sends the processes their Ctrl-C."""
        return self.__noninteractive

    @property
    def is_shutdown(self) -> bool:
        """Return whether the shutdown has begun."""
        return self.__is_shutdown

    def _set_is_shutdown(self, state: bool) -> None:
        self.__is_shutdown = state

    @property
    def asyncio_loop(self) -> Optional[asyncio.AbstractEventLoop]:
        """Return the loop that everything runs on."""
        return self.__asyncio_loop

    def _set_asyncio_loop(self, loop: Optional[asyncio.AbstractEventLoop]) -> None:
        self.__asyncio_loop = loop

    def add_completion_future(self, completion_future: asyncio.Future) -> None:
        """Keep the launch service from being idle until this future is done."""
        self._completion_futures.append(completion_future)

    def extend_globals(self, extension: Dict[str, Any]) -> None:
        """Add to what is visible everywhere."""
        self.__globals.update(extension)

    def extend_locals(self, extension: Dict[str, Any]) -> None:
        """Add to what is visible until the locals are popped."""
        self.__locals.update(extension)

    def get_locals_as_dict(self) -> Dict[str, Any]:
        """Return globals and locals together."""
        return {**self.__globals, **self.__locals}

    @property
    def locals(self) -> _Locals:
        """Return globals and locals as attributes."""
        return _Locals(self.get_locals_as_dict())

    def _push_locals(self) -> None:
        self.__locals_stack.append(dict(self.__locals))

    def _pop_locals(self) -> None:
        if not self.__locals_stack:
            raise RuntimeError('locals stack unexpectedly empty')
        self.__locals = self.__locals_stack.pop()

    @property
    def launch_configurations(self) -> Dict[str, str]:
        """Return the launch configurations; they may be changed in place."""
        return self.__launch_configurations

    def _push_launch_configurations(self) -> None:
        self.__launch_configurations_stack.append(dict(self.__launch_configurations))

    def _pop_launch_configurations(self) -> None:
        if not self.__launch_configurations_stack:
            raise RuntimeError('launch configurations stack unexpectedly empty')
        # The dictionary stays the same object: event handlers may hold on to it.
        previous = self.__launch_configurations_stack.pop()
        self.__launch_configurations.clear()
        self.__launch_configurations.update(previous)

    @property
    def environment(self) -> Mapping[str, str]:
        """Return the environment that processes will get."""
        return os.environ

    def _push_environment(self) -> None:
        self.__environment_stack.append(dict(os.environ))

    def _pop_environment(self) -> None:
        if not self.__environment_stack:
            raise RuntimeError('environment stack unexpectedly empty')
        self._replace_environment(self.__environment_stack.pop())

    def _reset_environment(self) -> None:
        self._replace_environment(self.__environment_at_start)

    @staticmethod
    def _replace_environment(values: Dict[str, str]) -> None:
        for name in set(os.environ) - set(values):
            del os.environ[name]
        os.environ.update(values)

    def would_handle_event(self, event: Event) -> bool:
        """Return whether some handler reacts to the event."""
        return any(handler.matches(event) for handler in tuple(self._event_handlers))

    def register_event_handler(self, event_handler: BaseEventHandler,
                               append: bool = False) -> None:
        """Add a handler; the newest is asked first unless it is appended."""
        # What a handler gives is visited later, but belongs to the file that registered it.
        self._handler_locals[id(event_handler)] = {
            name: value for name, value in self.__locals.items() if name != 'event'}
        if append:
            self._event_handlers.append(event_handler)
        else:
            self._event_handlers.appendleft(event_handler)

    def unregister_event_handler(self, event_handler: BaseEventHandler) -> None:
        """Remove a handler."""
        if event_handler not in self._event_handlers:
            raise ValueError(f"event handler '{event_handler!r}' is not registered")
        self._event_handlers.remove(event_handler)
        if event_handler not in self._event_handlers:
            self._handler_locals.pop(id(event_handler), None)

    def emit_event_sync(self, event: Event) -> None:
        """Emit an event from any thread."""
        with self.__queue_lock:
            self._event_queue.append(event)
        loop, arrived = self.__asyncio_loop, self._event_arrived
        if loop is None or arrived is None:
            return
        try:
            loop.call_soon_threadsafe(arrived.set)
        except RuntimeError:
            pass  # the loop has ended: nobody is left to handle the event

    def _call_after_queued_events(self, function: Callable[[], None]) -> None:
        self.emit_event_sync(_Deferred(function))

    async def emit_event(self, event: Event) -> None:
        """Emit an event."""
        self.emit_event_sync(event)

    def perform_substitution(self, sub: Substitution) -> str:
        """Perform a substitution in this context."""
        return sub.perform(self)
