# SPDX-License-Identifier: BSD-3-Clause
"""Python coroutines as actions."""

import asyncio
from typing import Any, Coroutine, Callable, Dict, Iterable, Optional

from ..action import Action
from ..event_handlers.on_shutdown import OnShutdown


class OpaqueCoroutine(Action):
    """Runs a coroutine on the launch service's loop; the shutdown cancels it."""

    def __init__(
        self, *,
        coroutine: Callable[..., Coroutine],
        args: Optional[Iterable[Any]] = None,
        kwargs: Optional[Dict[str, Any]] = None,
        ignore_context: bool = False,
        **left_over_kwargs,
    ) -> None:
        super().__init__(**left_over_kwargs)
        if not asyncio.iscoroutinefunction(coroutine):
            raise TypeError(
                "OpaqueCoroutine expected a coroutine function for 'coroutine', got "
                f"'{type(coroutine)}'")
        self.__coroutine = coroutine
        self.__args = list(args) if args is not None else []
        self.__kwargs = dict(kwargs) if kwargs is not None else {}
        self.__ignore_context = ignore_context
        self.__future: Optional[asyncio.Future] = None

    def execute(self, context) -> None:
        """Execute the action."""
        args = self.__args if self.__ignore_context else [context, *self.__args]
        self.__future = context.asyncio_loop.create_task(
            self.__coroutine(*args, **self.__kwargs))
        context.register_event_handler(OnShutdown(on_shutdown=self.__on_shutdown))

    def __on_shutdown(self, event, context) -> None:
        if self.__future is not None:
            self.__future.cancel()

    def get_asyncio_future(self) -> Optional[asyncio.Future]:
        """Return the coroutine's task."""
        return self.__future
