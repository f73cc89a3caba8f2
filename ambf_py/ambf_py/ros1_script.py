"""The node of a script for ROS 1, the threads that serve it, and what ends it."""
import atexit
import os
import signal
import sys
import threading
from typing import Any, Callable

import rclpy
import yaml
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor

from .ros_process import check_domain, check_fork


class ROSException(Exception):
    """Something did not work, e.g. a time-out."""


class ROSInterruptException(ROSException, KeyboardInterrupt):
    """The script is ending while it sleeps or waits."""


class ServiceException(Exception):
    """A service did not answer."""


class Script:
    """The node of this script and the threads that serve it."""

    def __init__(self):
        self.name = ''
        self.node = None
        self.ended = threading.Event()
        self.hooks: list[Callable] = []
        self.parameters: dict[str, Any] = {}
        self._lock = threading.RLock()
        self._old_handler = None

    def ready(self):
        """The node; made now if it is not there yet."""
        with self._lock:
            if self.node is None:
                self.start(self.name or f'ambf_script_{os.getpid()}')
            return self.node

    def start(self, name: str, signals: bool = True):
        check_fork()
        check_domain()
        self.name = name
        self.ended.clear()
        self._context = rclpy.Context()
        rclpy.init(context=self._context)
        plain = ''.join(c if c.isalnum() else '_' for c in name.strip('/'))
        self.node = rclpy.create_node(plain, context=self._context, start_parameter_services=False)
        self._executor = MultiThreadedExecutor(num_threads=4, context=self._context)
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._spin, name='rospy', daemon=True)
        self._thread.start()
        if signals and threading.current_thread() is threading.main_thread():
            self._old_handler = signal.signal(signal.SIGINT, lambda *_: self.end('interrupted'))
        self.parameters.update({f'/{plain}/{key}': value for key, value in _private_arguments()})

    def _spin(self):
        try:
            self._executor.spin()
        except ExternalShutdownException:
            pass
        except AttributeError:  # rclpy's executor looks at what its own shutdown took away
            if not self.ended.is_set():
                raise

    def end(self, _reason: str = ''):
        with self._lock:
            if self.ended.is_set():
                return
            self.ended.set()
        for hook in self.hooks:
            hook()
        self.hooks.clear()

    def close(self):
        """At the end of the program: threads must not outlive the modules that they use."""
        self.end()
        with self._lock:
            node, self.node = self.node, None
        if node is not None:
            self._executor.shutdown(timeout_sec=2.0)
            self._thread.join(2.0)
            node.destroy_node()
            rclpy.shutdown(context=self._context)
        if self._old_handler is not None:
            signal.signal(signal.SIGINT, self._old_handler)
            self._old_handler = None

    def wait(self, seconds: float):
        """Sleep; ROSInterruptException when the script is ending."""
        self.ready()
        if self.ended.wait(max(0.0, seconds)):
            raise ROSInterruptException('the script was asked to end')


def _private_arguments():
    """Values that were given on the command line as _name:=value."""
    for word in sys.argv[1:]:
        key, found, value = word.partition(':=')
        if found and key.startswith('_') and not key.startswith('__'):
            yield key[1:], yaml.safe_load(value)


the_script = Script()
atexit.register(the_script.close)
