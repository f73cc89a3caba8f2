# SPDX-License-Identifier: BSD-3-Clause
"""The loop that runs launch descriptions."""

import asyncio
import signal
import threading
import traceback
from typing import Iterable, List, Optional

from . import logging
from .event import Event
from .event_handlers import OnIncludeLaunchDescription
from .events import IncludeLaunchDescription, Shutdown
from .launch_context import _Deferred, LaunchContext
from .launch_description import LaunchDescription
from .utilities import normalize_to_list_of_entities, visit_all_entities_and_collect_futures


def _describe_exception(exc: BaseException) -> str:
    """Return the message, with file and line where a launch file is to blame."""
    place = None
    if isinstance(exc, SyntaxError) and exc.filename:
        place = f'{exc.filename}:{exc.lineno}'
    for frame, line in traceback.walk_tb(exc.__traceback__):
        if frame.f_globals.get('__name__') == 'python_launch_file' and \
                not isinstance(exc, SyntaxError):
            place = f'{frame.f_code.co_filename}:{line}'
    if place is None:
        return str(exc) or type(exc).__name__
    message = exc.msg if isinstance(exc, SyntaxError) else str(exc)
    return f'{place}: {type(exc).__name__}: {message}'


class LaunchService:
    """Visits launch descriptions, handles events, and ends what it started."""

    def __init__(self, *, argv: Optional[Iterable[str]] = None, noninteractive: bool = False,
                 debug: bool = False) -> None:
        if debug:
            logging.launch_config.level = 10
        self.__logger = logging.get_logger('launch')
        logging.log_launch_config(logger=self.__logger)
        self.__context = LaunchContext(argv=argv, noninteractive=noninteractive)
        self.__context.register_event_handler(OnIncludeLaunchDescription())
        self.__running = threading.Lock()
        self.__shutting_down = False
        self.__return_code = 0
        self.__sigint_received = False
        self.__task: Optional[asyncio.Task] = None

    @property
    def context(self) -> LaunchContext:
        """Return the context."""
        return self.__context

    @property
    def event_loop(self) -> Optional[asyncio.AbstractEventLoop]:
        """Return the loop while the service runs."""
        return self.__context.asyncio_loop

    @property
    def task(self) -> Optional[asyncio.Task]:
        """Return the task of the running service."""
        return self.__task

    def emit_event(self, event: Event) -> None:
        """Emit an event from any thread."""
        self.__context.emit_event_sync(event)

    def include_launch_description(self, launch_description: LaunchDescription) -> None:
        """Run a launch description, now or as soon as the service runs."""
        self.emit_event(IncludeLaunchDescription(launch_description))

    def shutdown(self, force_sync: bool = False) -> None:
        """Stop everything; safe to call from any thread."""
        self.__shutdown(reason='LaunchService.shutdown() called', due_to_sigint=False)

    def run(self, *, shutdown_when_idle: bool = True) -> int:
        """Run until everything has ended; return 1 if the launch system failed, else 0."""
        loop = asyncio.new_event_loop()
        try:
            asyncio.set_event_loop(loop)
            self.__task = loop.create_task(
                self.run_async(shutdown_when_idle=shutdown_when_idle))
            while True:
                try:
                    return loop.run_until_complete(self.__task)
                except KeyboardInterrupt:
                    self.__on_sigint()
        finally:
            loop.run_until_complete(loop.shutdown_default_executor())
            asyncio.set_event_loop(None)
            loop.close()

    async def run_async(self, *, shutdown_when_idle: bool = True) -> int:
        """Run on the current loop until everything has ended."""
        if not self.__running.acquire(blocking=False):
            raise RuntimeError('LaunchService is already running')
        loop = asyncio.get_running_loop()
        self.__context._event_arrived = asyncio.Event()
        self.__context._event_arrived.set()
        self.__context._set_asyncio_loop(loop)
        installed = self.__install_signal_handlers(loop)
        try:
            return await self.__run_until_done(shutdown_when_idle)
        finally:
            for number in installed:
                loop.remove_signal_handler(number)
            self.__context._set_asyncio_loop(None)
            self.__running.release()

    def __install_signal_handlers(self, loop) -> List[int]:
        if threading.current_thread() is not threading.main_thread():
            return []
        loop.add_signal_handler(signal.SIGINT, self.__on_sigint)
        for number in (signal.SIGTERM, signal.SIGQUIT):
            loop.add_signal_handler(number, self.__on_termination, number)
        return [signal.SIGINT, signal.SIGTERM, signal.SIGQUIT]

    def __on_sigint(self) -> None:
        message = 'user interrupted with ctrl-c (SIGINT)'
        if self.__sigint_received:
            self.__logger.warning(f'{message} again, ignoring...')
            return
        self.__sigint_received = True
        self.__logger.warning(message)
        self.__shutdown(reason='ctrl-c (SIGINT)', due_to_sigint=True)

    def __on_termination(self, number: int) -> None:
        name = signal.Signals(number).name
        self.__logger.warning(f'received {name}, stopping what was launched')
        self.__return_code = 1
        self.__shutdown(reason=name, due_to_sigint=False)

    def __shutdown(self, *, reason: str, due_to_sigint: bool) -> None:
        if not self.__shutting_down:
            self.__shutting_down = True
            self.emit_event(Shutdown(reason=reason, due_to_sigint=due_to_sigint))

    async def __run_until_done(self, shutdown_when_idle: bool) -> int:
        context = self.__context
        watched = set()
        while True:
            await context._event_arrived.wait()
            context._event_arrived.clear()
            while context._event_queue:
                self.__handle(context._event_queue.popleft())
                await asyncio.sleep(0)  # lets signals and new processes in between events
            pending = self.__pending_futures()
            if not pending and not context._event_queue:
                if context.is_shutdown:
                    return self.__return_code
                if shutdown_when_idle:
                    self.__shutdown(reason='idle', due_to_sigint=False)
            for future in pending:
                if future not in watched:
                    watched.add(future)
                    future.add_done_callback(lambda _: context._event_arrived.set())
            watched &= set(pending)

    def __pending_futures(self) -> List[asyncio.Future]:
        context = self.__context
        pairs = [(None, future) for future in context._completion_futures]
        pairs += context._entity_future_pairs
        for _, future in pairs:
            if future.done() and not future.cancelled() and future.exception() is not None:
                self.__on_exception(future.exception())
        context._completion_futures = [f for f in context._completion_futures if not f.done()]
        context._entity_future_pairs[:] = [
            (entity, f) for entity, f in context._entity_future_pairs if not f.done()]
        return context._completion_futures + [f for _, f in context._entity_future_pairs]

    def __handle(self, event: Event) -> None:
        if isinstance(event, _Deferred):
            event.function()
            return
        context = self.__context
        if isinstance(event, Shutdown):
            self.__shutting_down = True
        for handler in tuple(context._event_handlers):
            context._push_locals()
            try:
                if not handler.matches(event):
                    continue
                context.extend_locals(context._handler_locals.get(id(handler), {}))
                entities = handler.handle(event, context)
                for entity in normalize_to_list_of_entities(entities or []):
                    visit_all_entities_and_collect_futures(entity, context)
            except Exception as exc:
                self.__on_exception(exc)
            finally:
                context._pop_locals()
        if isinstance(event, Shutdown):
            # From here on nothing is started or respawned.
            context._set_is_shutdown(True)

    def __on_exception(self, exc: BaseException) -> None:
        self.__logger.debug(''.join(
            traceback.format_exception(type(exc), exc, exc.__traceback__)))
        self.__logger.error('Caught exception in launch (see debug for traceback): '
                            f'{_describe_exception(exc)}')
        self.__return_code = 1
        self.__shutdown(reason='exception in the launch system', due_to_sigint=False)
