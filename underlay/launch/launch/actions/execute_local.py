# SPDX-License-Identifier: BSD-3-Clause
"""Local processes."""

import asyncio
import os
import signal
import traceback
from typing import Any, Callable, Dict, List, Optional, Text, Union

from . import _process_tree
from ._process_protocol import RunningProcess, start_process
from .. import logging
from ..action import Action
from ..descriptions.executable import Executable
from ..event_handler import EventHandler
from ..event_handlers.on_process_exit import OnProcessExit
from ..event_handlers.on_shutdown import OnShutdown
from ..events.process import ProcessExited, ProcessStarted, ProcessStderr, ProcessStdin
from ..events.process import ProcessStdout, ShutdownProcess, SignalProcess
from .opaque_function import OpaqueFunction
from ..some_entities_type import SomeEntitiesType
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitutions.launch_configuration import LaunchConfiguration
from ..utilities import normalize_to_list_of_entities, normalize_to_list_of_substitutions
from ..utilities import perform_substitutions
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution


class ExecuteLocal(Action):
    """Runs a process on this machine, follows it and ends it with the launch system.

    `on_exit` may be entities or a callable (event, context). `respawn_max_retries` counts
    starts after the first one; a negative number means without limit.
    """

    def __init__(
        self, *,
        process_description: Executable,
        shell: bool = False,
        sigterm_timeout: SomeSubstitutionsType = LaunchConfiguration(
            'sigterm_timeout', default=5),
        sigkill_timeout: SomeSubstitutionsType = LaunchConfiguration(
            'sigkill_timeout', default=5),
        emulate_tty: Any = LaunchConfiguration('emulate_tty', default='False'),
        output: SomeSubstitutionsType = 'log',
        output_format: Text = '[{this.process_description.final_name}] {line}',
        cached_output: bool = False,
        log_cmd: bool = False,
        on_exit: Optional[Union[SomeEntitiesType, Callable]] = None,
        respawn: Any = False,
        respawn_delay: Optional[float] = None,
        respawn_max_retries: int = -1,
        **kwargs,
    ) -> None:
        super().__init__(**kwargs)
        self.__process_description = process_description
        self.__shell = shell
        self.__sigterm_timeout = normalize_to_list_of_substitutions(sigterm_timeout)
        self.__sigkill_timeout = normalize_to_list_of_substitutions(sigkill_timeout)
        self.__emulate_tty = normalize_typed_substitution(emulate_tty, bool)
        output = os.environ.get('OVERRIDE_LAUNCH_PROCESS_OUTPUT', output)
        self.__output = output if isinstance(output, dict) else \
            normalize_to_list_of_substitutions(output)
        self.__output_format = output_format
        self.__cached_output = cached_output
        self.__log_cmd = log_cmd
        self.__on_exit = on_exit if on_exit is None or callable(on_exit) else \
            normalize_to_list_of_entities(on_exit)
        self.__respawn = normalize_typed_substitution(respawn, bool)
        self.__respawn_delay = respawn_delay
        self.__respawn_max_retries = respawn_max_retries
        self.__process: Optional[RunningProcess] = None
        self.__process_event_args: Optional[Dict[str, Any]] = None
        self.__completed_future: Optional[asyncio.Future] = None
        self.__shutdown_future: Optional[asyncio.Future] = None
        self.__sigint_on_start = False
        self.__timers: List[asyncio.TimerHandle] = []
        self.__handlers: List = []
        self.__tree: List = []
        self.__early_output: List = []
        self.__lines = {1: b'', 2: b''}
        self.__cache = {1: b'', 2: b''}
        self.__return_code: Optional[int] = None
        self.__executed = False
        self.__logger = None

    @property
    def process_description(self) -> Executable:
        """Return what is executed."""
        return self.__process_description

    @property
    def shell(self) -> bool:
        """Return whether a shell runs the command."""
        return self.__shell

    @property
    def emulate_tty(self) -> Any:
        """Return whether the process's output goes to a pseudo-terminal."""
        return self.__emulate_tty

    @property
    def sigterm_timeout(self):
        """Return the seconds between SIGINT and SIGTERM."""
        return self.__sigterm_timeout

    @property
    def sigkill_timeout(self):
        """Return the seconds between SIGTERM and SIGKILL."""
        return self.__sigkill_timeout

    @property
    def output(self):
        """Return where the output goes."""
        return self.__output

    @property
    def cached_output(self) -> bool:
        """Return whether the output is kept."""
        return self.__cached_output

    @property
    def return_code(self) -> Optional[int]:
        """Return the exit code, or None before the end."""
        return self.__return_code

    @property
    def process_details(self) -> Optional[Dict[str, Any]]:
        """Return name, command, working directory, environment and pid once started."""
        return self.__process_event_args

    def get_stdout(self) -> bytes:
        """Return what was written to stdout, if it is kept."""
        return self.__get_cached(1)

    def get_stderr(self) -> bytes:
        """Return what was written to stderr, if it is kept."""
        return self.__get_cached(2)

    def __get_cached(self, fd: int) -> bytes:
        if not self.__cached_output:
            raise RuntimeError("the output is not kept: give 'cached_output=True'")
        return self.__cache[fd]

    def describe_sub_entities(self):
        """Return nothing: what follows the process's end is conditional."""
        return []

    def describe_conditional_sub_entities(self):
        """Return what follows the process's end."""
        if self.__on_exit is None or callable(self.__on_exit):
            return []
        return [('on_exit', self.__on_exit)]

    def get_sub_entities(self):
        """Return what follows the process's end."""
        return self.__on_exit if isinstance(self.__on_exit, list) else []

    def prepare(self, context) -> None:
        """Evaluate what is executed."""
        self.__process_description.prepare(context, self)

    def execute(self, context) -> None:
        """Start the process."""
        if self.__executed:
            raise RuntimeError(f'executed more than once: {self.describe()}')
        self.__executed = True
        self.prepare(context)
        if context.is_shutdown:
            return
        name = self.__process_description.final_name
        self.__logger = logging.get_logger(name)
        output = self.__output if isinstance(self.__output, dict) else \
            perform_substitutions(context, self.__output)
        self.__output_loggers = dict(zip((1, 2), logging.get_output_loggers(name, output)))
        self.__timeouts = {
            signal.SIGTERM: float(perform_substitutions(context, self.__sigterm_timeout)),
            signal.SIGKILL: float(perform_substitutions(context, self.__sigkill_timeout))}
        self.__use_tty = perform_typed_substitution(context, self.__emulate_tty, bool)
        self.__use_respawn = perform_typed_substitution(context, self.__respawn, bool)
        loop = context.asyncio_loop
        self.__completed_future = loop.create_future()
        self.__shutdown_future = loop.create_future()
        self.__register_handlers(context)
        self.__task = loop.create_task(self.__run(context))

    def get_asyncio_future(self) -> Optional[asyncio.Future]:
        """Return the future that ends when the process has ended for good."""
        return self.__completed_future

    def __register_handlers(self, context) -> None:
        def targeted(event_type, function):
            return EventHandler(
                matcher=lambda e: isinstance(e, event_type) and e.process_matcher(self),
                entities=OpaqueFunction(function=function))
        self.__handlers = [
            targeted(ShutdownProcess, self.__on_shutdown_process),
            targeted(SignalProcess, self.__on_signal_process),
            targeted(ProcessStdin, self.__on_process_stdin),
            OnShutdown(on_shutdown=self.__on_shutdown),
        ]
        if self.__on_exit is not None:
            self.__handlers.append(OnProcessExit(target_action=self, on_exit=self.__on_exit))
        for handler in self.__handlers:
            context.register_event_handler(handler)

    def __on_shutdown(self, event, context) -> None:
        # With a terminal, Ctrl-C has reached the process already.
        self._shutdown_process(
            context, send_sigint=not event.due_to_sigint or context.noninteractive)

    def __on_shutdown_process(self, context) -> None:
        self._shutdown_process(context, send_sigint=True)

    def __on_signal_process(self, context) -> None:
        self.__send(context.locals.event.signal)

    def __on_process_stdin(self, context) -> None:
        if self.__process is not None:
            self.__process.write(context.locals.event.text)

    def _shutdown_process(self, context, *, send_sigint: bool) -> None:
        """Ask the process to end, and insist when it does not."""
        if self.__shutdown_future is None or self.__shutdown_future.done():
            return
        self.__shutdown_future.set_result(None)
        self.__sigint_on_start = send_sigint
        if self.__process is not None:
            self.__begin_escalation(context)

    def __begin_escalation(self, context) -> None:
        if self.__sigint_on_start:
            self.__send(signal.SIGINT)
        else:
            self.__tree = _process_tree.descendants(self.__process.pid)
        loop = context.asyncio_loop
        term, kill = self.__timeouts[signal.SIGTERM], self.__timeouts[signal.SIGKILL]
        self.__timers = [
            loop.call_later(term, self.__escalate, term, signal.SIGINT, signal.SIGTERM),
            loop.call_later(term + kill, self.__escalate, term + kill, signal.SIGTERM,
                            signal.SIGKILL)]

    def __escalate(self, seconds: float, previous: signal.Signals, new: signal.Signals) -> None:
        name = self.__process_description.final_name
        self.__logger.error(
            f"process[{name}] failed to terminate '{seconds:g}' seconds after receiving "
            f"'{previous.name}', escalating to '{new.name}'")
        self.__send(new)

    def __send(self, number: signal.Signals) -> None:
        if self.__process is None or self.__process.returncode is not None:
            return
        name = self.__process_description.final_name
        self.__logger.info(f"sending signal '{number.name}' to process[{name}]")
        known = {process.pid for process in self.__tree}
        self.__tree += [process for process in _process_tree.descendants(self.__process.pid)
                        if process.pid not in known]
        try:
            os.kill(self.__process.pid, number)
        except ProcessLookupError:
            return
        # A shell does not pass signals on; and whoever is killed cannot end its children.
        if self.__shell or number in (signal.SIGTERM, signal.SIGKILL):
            _process_tree.send_signal(self.__tree, number)

    async def __run(self, context) -> None:
        starts = 0
        try:
            while True:
                starts += 1
                if not await self.__run_once(context):
                    break
                if context.is_shutdown or self.__shutdown_future.done() or \
                        not self.__use_respawn:
                    break
                if 0 <= self.__respawn_max_retries < starts:
                    break
                if self.__respawn_delay:
                    await asyncio.wait([self.__shutdown_future], timeout=self.__respawn_delay)
                    if self.__shutdown_future.done():
                        break
            await self.__end_tree()
        except Exception:
            self.__logger.error(
                f'exception occurred while executing process:\n{traceback.format_exc()}')
        finally:
            self.__finish(context)

    async def __run_once(self, context) -> bool:
        description = self.__process_description
        cmd = description.final_cmd
        if self.__log_cmd:
            self.__logger.info("process details: cmd='{}', cwd='{}', custom_env?={}".format(
                ' '.join(cmd), description.final_cwd, description.env is not None))
        if self.__shutdown_future.done():
            return False
        try:
            process = await start_process(
                context.asyncio_loop, ' '.join(cmd) if self.__shell else cmd,
                shell=self.__shell, emulate_tty=self.__use_tty, cwd=description.final_cwd,
                env=description.final_env,
                on_output=lambda fd, data: self.__on_output(context, fd, data))
        except (OSError, ValueError) as exc:
            self.__logger.error('exception occurred while executing process: '
                                f"{type(exc).__name__}: {exc} (cmd '{' '.join(cmd)}')")
            return False
        pid = process.pid
        self.__process = process
        self.__process_event_args = {
            'action': self, 'name': description.final_name, 'cmd': cmd,
            'cwd': description.final_cwd, 'env': description.final_env, 'pid': pid}
        self.__logger.info(f'process started with pid [{pid}]')
        context.emit_event_sync(ProcessStarted(**self.__process_event_args))
        early, self.__early_output = self.__early_output, []
        for fd, data in early:
            self.__on_output(context, fd, data)
        if self.__shutdown_future.done():
            self.__begin_escalation(context)
        self.__return_code = await process.wait()
        for timer in self.__timers:
            timer.cancel()
        self.__flush_lines()
        if self.__return_code == 0:
            self.__logger.info(f'process has finished cleanly [pid {pid}]')
        else:
            self.__logger.error(f'process has died [pid {pid}, exit code {self.__return_code}, '
                                f"cmd '{' '.join(cmd)}'].")
        context.emit_event_sync(
            ProcessExited(returncode=self.__return_code, **self.__process_event_args))
        self.__process = None
        return True

    async def __end_tree(self) -> None:
        """End what an asked-for shutdown of the process left running below it."""
        survivors = [process for process in self.__tree if _process_tree.is_alive(process)]
        if not survivors:
            return
        _process_tree.send_signal(survivors, signal.SIGTERM)
        deadline = asyncio.get_running_loop().time() + self.__timeouts[signal.SIGKILL]
        while any(_process_tree.is_alive(process) for process in survivors):
            if asyncio.get_running_loop().time() > deadline:
                _process_tree.send_signal(survivors, signal.SIGKILL)
                return
            await asyncio.sleep(0.02)

    def __finish(self, context) -> None:
        def finish() -> None:
            for handler in self.__handlers:
                context.unregister_event_handler(handler)
            self.__handlers = []
            if not self.__completed_future.done():
                self.__completed_future.set_result(None)
        # The handlers must still see the end of the process, which is queued by now.
        context._call_after_queued_events(finish)

    def __on_output(self, context, fd: int, data: bytes) -> None:
        if self.__process is None:
            self.__early_output.append((fd, data))  # its start has not been announced yet
            return
        if self.__cached_output:
            self.__cache[fd] += data
        event = (ProcessStdout if fd == 1 else ProcessStderr)(
            text=data, **self.__process_event_args)
        if context.would_handle_event(event):
            context.emit_event_sync(event)
        *lines, self.__lines[fd] = (self.__lines[fd] + data).split(b'\n')
        for line in lines:
            self.__log_line(fd, line)

    def __flush_lines(self) -> None:
        for fd, rest in self.__lines.items():
            if rest:
                self.__log_line(fd, rest)
            self.__lines[fd] = b''

    def __log_line(self, fd: int, line: bytes) -> None:
        text = line.decode(errors='replace').rstrip('\r')
        level = 20 if fd == 1 else 40
        self.__output_loggers[fd].log(
            level, '%s', self.__output_format.format(line=text, this=self))
