# SPDX-License-Identifier: BSD-3-Clause
"""The running process: pipes or pseudo-terminals, output and end."""

import asyncio
import os
import pty
from typing import Callable, Dict, List, Optional, Union

# How long the output of an ended process may take to arrive; only a grandchild that holds the
# pipe open takes longer.
_DRAIN_SECONDS = 0.5


class ProcessProtocol(asyncio.SubprocessProtocol):
    """Passes on output as it arrives; `ended` and `drained` mark the end."""

    def __init__(self, loop: asyncio.AbstractEventLoop,
                 on_output: Callable[[int, bytes], None]) -> None:
        self._on_output = on_output
        self.ended: asyncio.Future = loop.create_future()
        self.drained: asyncio.Future = loop.create_future()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Pass on output."""
        self._on_output(fd, data)

    def process_exited(self) -> None:
        """Note the end of the process."""
        if not self.ended.done():
            self.ended.set_result(None)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        """Note the end of its output."""
        if not self.drained.done():
            self.drained.set_result(None)


class _TerminalReader(asyncio.Protocol):

    def __init__(self, loop: asyncio.AbstractEventLoop, fd: int,
                 on_output: Callable[[int, bytes], None]) -> None:
        self._fd = fd
        self._on_output = on_output
        self.closed: asyncio.Future = loop.create_future()

    def data_received(self, data: bytes) -> None:
        self._on_output(self._fd, data)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        # A terminal whose other side is closed reports an error; it is the end of the output.
        if not self.closed.done():
            self.closed.set_result(None)


class RunningProcess:
    """A started process with what is needed to follow it."""

    def __init__(self, transport, protocol: ProcessProtocol, terminals: List) -> None:
        self._transport = transport
        self._protocol = protocol
        self._terminals = terminals

    @property
    def pid(self) -> int:
        return self._transport.get_pid()

    @property
    def returncode(self) -> Optional[int]:
        return self._transport.get_returncode()

    def write(self, text: bytes) -> None:
        """Write to the process's standard input."""
        pipe = self._transport.get_pipe_transport(0)
        if pipe is not None:
            pipe.write(text)

    async def wait(self) -> int:
        """Wait for the end of the process and of its output."""
        await self._protocol.ended
        waiting = [self._protocol.drained] + [reader.closed for _, reader in self._terminals]
        await asyncio.wait(waiting, timeout=_DRAIN_SECONDS)
        for terminal, _ in self._terminals:
            terminal.close()
        self._transport.close()
        return self.returncode


async def start_process(
    loop: asyncio.AbstractEventLoop, cmd: Union[str, List[str]], *, shell: bool,
    emulate_tty: bool, cwd: Optional[str], env: Optional[Dict[str, str]],
    on_output: Callable[[int, bytes], None],
) -> RunningProcess:
    """Start a process; raise OSError where that is impossible."""
    protocol = ProcessProtocol(loop, on_output)
    streams: Dict[str, int] = {}
    terminals: List = []
    ours: List[int] = []
    if emulate_tty:
        for fd, name in ((1, 'stdout'), (2, 'stderr')):
            master, streams[name] = pty.openpty()
            ours.append(master)
    try:
        if shell:
            transport, _ = await loop.subprocess_shell(
                lambda: protocol, cmd, cwd=cwd, env=env, **streams)
        else:
            transport, _ = await loop.subprocess_exec(
                lambda: protocol, *cmd, cwd=cwd, env=env, **streams)
    except BaseException:
        for master in ours:
            os.close(master)
        raise
    finally:
        for slave in streams.values():
            os.close(slave)
    for fd, master in enumerate(ours, start=1):
        terminals.append(await loop.connect_read_pipe(
            lambda fd=fd: _TerminalReader(loop, fd, on_output), os.fdopen(master, 'rb', 0)))
    return RunningProcess(transport, protocol, terminals)
