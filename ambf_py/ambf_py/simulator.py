# SPDX-License-Identifier: BSD-3-Clause
"""Nodes in processes of their own, for environments, tests and tutorials."""

import concurrent.futures
import os
import pathlib
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import BadValue, SimulatorGone
from .ros_process import check_domain

# Asks Linux to end the program with its parent (PR_SET_PDEATHSIG), also where that is killed, and becomes the program.
GO_WITH_PARENT = (
    f'import ctypes, os, sys; ctypes.CDLL(None).prctl(1, {int(signal.SIGTERM)}); '
    'os.getppid() == int(sys.argv[1]) or sys.exit("the parent has ended"); '
    'os.execv(sys.argv[2], sys.argv[2:])'
)
_starter: tuple[int, queue.SimpleQueue] | None = None  # process and orders of the thread that starts children


def resolve(address: str) -> str:
    """Path of a file given as path, file:// or package://package/path; a choice from a menu (?models=0,3) stays."""
    text, mark, choice = str(address).partition('?models=')
    if text.startswith('package://'):
        from ament_index_python.packages import PackageNotFoundError, get_package_share_directory

        package, _, path = text[len('package://') :].partition('/')
        try:
            text = str(pathlib.Path(get_package_share_directory(package)) / path)
        except PackageNotFoundError as error:
            raise BadValue(f"'{address}': there is no package '{package}'; is its workspace sourced?") from error
    elif text.startswith('file://'):
        text = text[len('file://') :]
    if not pathlib.Path(text).exists():
        raise BadValue(f"'{address}': no such file ({text})")
    return text + mark + choice


def executable(package: str, program: str) -> str:
    """Path of a package's program; BadValue where it is not installed."""
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix

    try:
        path = pathlib.Path(get_package_prefix(package)) / 'lib' / package / program
    except PackageNotFoundError as error:
        raise BadValue(f"there is no package '{package}'; is its workspace sourced?") from error
    if not path.exists():
        raise BadValue(f"package '{package}' has no program '{program}' ({path})")
    return str(path)


def end_process(process: subprocess.Popen):
    """Kill it if it still runs."""
    if process.poll() is None:
        process.kill()
        process.wait(10.0)


def _serve_starts(orders: queue.SimpleQueue):
    while True:
        done, arguments, options = orders.get()
        try:
            done.set_result(subprocess.Popen(arguments, **options))
        except Exception as error:  # for whoever asked
            done.set_exception(error)


def start_child(arguments: Sequence[str], **options: Any) -> subprocess.Popen:
    """A process that ends with this one, however this one ends.

    For Linux the parent is the thread that started the child: one that lives as long as the program starts them all.
    """
    global _starter
    if _starter is None or _starter[0] != os.getpid():
        _starter = os.getpid(), queue.SimpleQueue()
        threading.Thread(target=_serve_starts, args=_starter[1:], name='ambf_starter', daemon=True).start()
    done: concurrent.futures.Future = concurrent.futures.Future()
    _starter[1].put((done, [sys.executable, '-I', '-S', '-c', GO_WITH_PARENT, str(os.getpid()), *arguments], options))
    return done.result()


class NodeProcess:
    """A node in a process of its own, which is started here and ended here; a context manager."""

    def __init__(
        self,
        package: str,
        program: str,
        parameters: Mapping[str, Any],
        remaps: Sequence[str] = (),
        domain_id: int | None = None,
    ):
        self.program = program
        self._arguments = [executable(package, program), '--ros-args']
        for name, value in parameters.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self._arguments += ['-p', f'{name}:={text}']
        for remap in remaps:
            self._arguments += ['-r', remap]
        self._environment = dict(os.environ)
        self._environment['ROS_DOMAIN_ID'] = str(check_domain(domain_id))
        self._log = tempfile.TemporaryFile(mode='w+')
        self._process: subprocess.Popen | None = None
        self.start()

    def start(self):
        """Start, or start again after it ended."""
        if self._process is not None and self._process.poll() is None:
            return
        self._process = start_child(self._arguments, stdout=self._log, stderr=subprocess.STDOUT, env=self._environment)
        # Also where nobody calls stop: at the end of the program, or of this object.
        weakref.finalize(self, end_process, self._process)

    @property
    def pid(self) -> int:
        return self._process.pid

    def output(self) -> str:
        """Everything that the node printed so far."""
        self._log.flush()
        self._log.seek(0)
        text = self._log.read()
        self._log.seek(0, os.SEEK_END)
        return text

    def reason_of_end(self) -> str | None:
        """None while it runs, else what to tell the user."""
        code = self._process.poll()
        if code is None:
            return None
        last = ' | '.join(self.output().strip().splitlines()[-3:])
        return f'the {self.program} that was started here ended with code {code}: {last}'

    def kill(self):
        """End it without a chance to say good-bye."""
        self._process.kill()
        self._process.wait()

    def stop(self, timeout: float = 60.0):
        """Ask it to end; SimulatorGone if it does not."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(timeout)
            except subprocess.TimeoutExpired as error:
                self.kill()
                raise SimulatorGone(f'the {self.program} did not end within {timeout:g} s and was killed') from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self._log.close()


class Simulator(NodeProcess):
    """A physics node.

    >>> with Simulator(models=['package://ambf_description/adf/psm.yaml'], mode='lockstep'):
    ...     pass  # doctest: +SKIP
    """

    def __init__(
        self,
        world: str = '',
        models: Sequence[str] = (),
        namespace: str = '',
        domain_id: int | None = None,
        node_name: str = '',
        **parameters: Any,
    ):
        files = {'world': f"'{resolve(world) if world else ''}'"}
        if models:
            files['models'] = '[%s]' % ', '.join(f"'{resolve(m)}'" for m in models)
        super().__init__(
            'ambf_physics_node',
            'physics_node',
            files | parameters,
            [f'{key}:={value}' for key, value in (('__ns', namespace), ('__node', node_name)) if value],
            domain_id,
        )


class Renderer(NodeProcess):
    """A render node without windows: cameras publish pictures of the world in the same domain."""

    def __init__(self, domain_id: int | None = None, **parameters: Any):
        super().__init__('ambf_render_node', 'render_node', {'headless': True} | parameters, domain_id=domain_id)
