# SPDX-License-Identifier: BSD-3-Clause
"""The nodes of a script that was written for AMBF, the threads that serve them, and what ends it.

Ctrl+C asks the script to end: `is_shutdown` becomes true and waits return. A script that does not look within a second,
or gets a second Ctrl+C, is interrupted as any other; none of this prints a traceback.
"""

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import rclpy
import yaml
from rclpy.executors import ExternalShutdownException

from .callback_threads import CallbackThreads
from .ros_process import check_domain, check_fork


class ROSException(Exception):
    """Something did not work, e.g. a time-out."""


class ROSInterruptException(ROSException, KeyboardInterrupt):
    """The script is ending while it sleeps or waits."""


class ServiceException(Exception):
    """A service did not answer."""


# How long a script may go on after Ctrl+C without having looked whether it is to end [s].
PATIENCE = 1.0
# A script whose last act was `spin` stays: this is how soon after it the interpreter ends it [s].
LAST_ACT = 0.5


class Script:
    """The nodes of this script and the threads that serve them."""

    def __init__(self):
        self.name = ''
        self.node = None
        self.ended = threading.Event()
        self.hooks: list[Callable] = []
        self.parameters: dict[str, Any] = {}
        self._lock = threading.RLock()
        self._nodes: list = []
        self._old_handler = self._old_hook = None
        self._signals = True  # Ctrl+C is ours, unless the script said otherwise
        self._noticed = False  # the script has been told that it is to end
        self._asked = False  # there was a Ctrl+C
        self._ending = False  # the interpreter is at its end: nothing may be raised in it
        self._hooks_done = threading.Event()
        self._spun: float | None = None

    def ready(self):
        """The first node; made now if it is not there yet."""
        with self._lock:
            if self.node is None:
                self.start(self.name or f'ambf_script_{os.getpid()}')
            return self.node

    def start(self, name: str, signals: bool = True):
        check_fork()
        check_domain()
        self.name = name
        self.ended.clear()
        self._hooks_done.clear()
        self._noticed = self._asked = False
        self._context = rclpy.Context()
        rclpy.init(context=self._context)
        self._executor = CallbackThreads(4, self._context)
        self.node = self._add_node(name)
        self._thread = threading.Thread(target=self._spin, name='rospy', daemon=True)
        self._thread.start()
        self._signals = signals
        self.watch_signals()
        self.parameters.update({f'/{self.node.get_name()}/{key}': value for key, value in _private_arguments()})

    def make_node(self, name: str):
        """A node of its own name; the first one is the script's."""
        with self._lock:
            if self.node is None:
                self.start(name)
                return self.node
            return self._add_node(name)

    def _add_node(self, name: str):
        plain = ''.join(c if c.isalnum() else '_' for c in name.strip('/'))
        node = rclpy.create_node(plain, context=self._context, start_parameter_services=False)
        self._executor.add_node(node)
        self._nodes.append(node)
        return node

    def _spin(self):
        try:
            self._executor.spin()
        except ExternalShutdownException:
            pass
        except AttributeError:  # rclpy's executor looks at what its own shutdown took away
            if not self.ended.is_set():
                raise

    def begin(self):
        """A client was made: where the script before it in this process (a notebook, a test) ended, another begins."""
        with self._lock:
            if self.node is None and not self._ending:
                self.ended.clear()

    # Its end

    def watch_signals(self):
        """Ctrl+C from now on asks the script to end; a handler of the script's own is left alone."""
        with self._lock:
            in_main = threading.current_thread() is threading.main_thread()
            if not self._signals or self._old_handler is not None or not in_main:
                return
            if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
                return
            self._old_handler = signal.signal(signal.SIGINT, self._interrupt)
            self._old_hook, sys.excepthook = sys.excepthook, self._except

    def _interrupt(self, _signal, frame):
        again, self._asked = self._asked, True
        if self._ending:
            return
        if _joins_threads(frame):
            self.end('interrupted')
            return
        if again:
            raise KeyboardInterrupt
        # Not here: this may have interrupted the very wait that it is to end, which holds the lock of `ended`.
        self._ender = threading.Thread(target=self._end_soon, name='ambf_ender', daemon=True)
        self._ender.start()

    def _end_soon(self):
        self.end('interrupted')
        time.sleep(PATIENCE)
        if not self._noticed and not self._ending and self._old_handler is not None:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    def _except(self, kind, value, traceback):
        """Who pressed Ctrl+C needs no traceback."""
        if not issubclass(kind, KeyboardInterrupt):
            self._old_hook(kind, value, traceback)

    def is_shutdown(self) -> bool:
        ended = self.ended.is_set()
        self._noticed = self._noticed or ended
        return ended

    def end(self, _reason: str = ''):
        with self._lock:
            if self.ended.is_set():
                return
            self.ended.set()
        hooks, self.hooks = self.hooks, []
        try:
            for hook in hooks:
                hook()
        finally:
            self._hooks_done.set()

    def spun(self):
        self.ready()
        self._spun = time.monotonic()

    def finish(self):
        """At the end of the program: threads must not outlive the modules that they use."""
        self._ending = True
        failed = getattr(sys, 'last_value', None) is not None
        if self._spun is not None and time.monotonic() - self._spun < LAST_ACT and not failed:
            while not (self._asked or self.ended.is_set()):
                time.sleep(0.1)
        self.close()

    def close(self):
        self.end()
        self._hooks_done.wait(5.0)
        with self._lock:
            node, self.node = self.node, None
            nodes, self._nodes, self._spun = self._nodes, [], None
        if node is not None:
            self._executor.shutdown(timeout_sec=2.0)
            self._thread.join(2.0)
            for each in nodes:
                each.destroy_node()
            rclpy.shutdown(context=self._context)
        if self._old_handler is not None:
            if not self._ending:
                signal.signal(signal.SIGINT, self._old_handler)
            sys.excepthook, self._old_handler = self._old_hook, None

    def wait(self, seconds: float):
        """Sleep; ROSInterruptException when the script is ending."""
        self.ready()
        if self.ended.wait(max(0.0, seconds)):
            self._noticed = True
            raise ROSInterruptException('the script was asked to end')


def _joins_threads(frame) -> bool:
    """Whether the interpreter has ended the script and waits for its threads: an exception would only be printed."""
    while frame is not None:
        if frame.f_code is threading._shutdown.__code__:
            return True
        frame = frame.f_back
    return False


def _private_arguments():
    """Values that were given on the command line as _name:=value."""
    for word in sys.argv[1:]:
        key, found, value = word.partition(':=')
        if found and key.startswith('_') and not key.startswith('__'):
            yield key[1:], yaml.safe_load(value)


the_script = Script()
atexit.register(the_script.finish)
