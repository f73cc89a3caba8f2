# SPDX-License-Identifier: BSD-3-Clause
"""What scripts for AMBF use of ROS 1's rospy, on rclpy: `from ambf_py import rospy`.

One node with its own threads serves the whole script, as in ROS 1; it is made by `init_node` or by the first call that
needs it. Time is the computer's. Parameters are this process's own: ROS 2 has no parameter server.
"""

import os
import sys
import threading
import time as _clock
from collections.abc import Callable
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import Header

from . import ambf_messages, numpy1, ros1_log  # noqa: F401
from . import ros1_time as rostime  # noqa: F401
from .base_object import reader
from .ros1_log import *  # noqa: F403
from .ros1_messages import fit, make, topic_name
from .ros1_script import ROSException, ROSInterruptException, ServiceException, the_script
from .ros1_time import Duration, Time

__all__ = [
    'Duration',
    'Header',
    'Publisher',
    'ROSException',
    'ROSInterruptException',
    'Rate',
    'Service',
    'ServiceException',
    'ServiceProxy',
    'Subscriber',
    'Time',
    'Timer',
    'delete_param',
    'get_caller_id',
    'get_name',
    'get_namespace',
    'get_param',
    'get_published_topics',
    'get_rostime',
    'get_time',
    'has_param',
    'init_node',
    'is_shutdown',
    'myargv',
    'on_shutdown',
    'set_param',
    'signal_shutdown',
    'sleep',
    'spin',
    'wait_for_message',
    'wait_for_service',
    *ros1_log.__all__,
]
DEBUG, INFO, WARN, ERROR, FATAL = 1, 2, 4, 8, 16
DEFAULT_QUEUE = 10


# The script


def init_node(name: str, argv=None, anonymous: bool = False, log_level=None, disable_signals: bool = False, **_):
    """Give the script its name; a second call with another name is refused, as in ROS 1."""
    wanted = f'{name}_{os.getpid()}_{int(_clock.time() * 1000)}' if anonymous else name
    if the_script.node is not None:
        if the_script.name not in (wanted, name) and not anonymous and not the_script.name.startswith('ambf_script_'):
            raise ROSException(f"the node is called '{the_script.name}' already, found '{name}'")
        return
    the_script.start(wanted, not disable_signals)


def get_name() -> str:
    return f'/{the_script.name}' if the_script.node is not None else '/unnamed'


get_caller_id = get_name


def get_namespace() -> str:
    return '/'


def is_shutdown() -> bool:
    """Whether Ctrl+C, or `signal_shutdown`, ended the script."""
    the_script.watch_signals()
    return the_script.is_shutdown()


def signal_shutdown(reason: str = ''):
    the_script.end(reason)


def on_shutdown(hook: Callable):
    the_script.hooks.append(hook)


def spin():
    """Until the script is asked to end."""
    the_script.ready()
    while not is_shutdown():
        the_script.ended.wait(0.5)


def myargv(argv=None) -> list[str]:
    """Arguments without those that are meant for ROS."""
    return [word for word in (sys.argv if argv is None else argv) if ':=' not in word]


# Time


def get_rostime():
    return Time.now()


def get_time() -> float:
    return _clock.time()


def sleep(duration):
    """Seconds, or a Duration."""
    the_script.wait(duration.to_sec() if hasattr(duration, 'to_sec') else float(duration))


class Rate:
    """Keeps a loop at a rate; a loop that is late by more than a period starts anew, as in ROS 1."""

    def __init__(self, hz: float, reset: bool = False):
        if not float(hz) > 0.0:
            raise ValueError(f'rate: found {hz!r}, expected a number above 0')
        self.sleep_dur = Duration.from_sec(1.0 / hz)
        self._period = 1.0 / hz
        self._next = _clock.monotonic() + self._period

    def remaining(self):
        return Duration.from_sec(self._next - _clock.monotonic())

    def sleep(self):
        now = _clock.monotonic()
        the_script.wait(self._next - now)
        self._next = self._next + self._period if now - self._next < self._period else now + self._period


class TimerEvent:
    """What a timer tells its callback."""

    def __init__(self, last, now):
        self.last_real = self.last_expected = last
        self.current_real = self.current_expected = now


class Timer:
    """Calls `callback(event)` every `period`."""

    def __init__(self, period, callback: Callable, oneshot: bool = False, reset: bool = False):
        self._last = None

        def run():
            now, last = Time.now(), self._last
            self._last = now
            if oneshot:
                self._timer.cancel()
            callback(TimerEvent(last, now))

        seconds = period.to_sec() if hasattr(period, 'to_sec') else float(period)
        self._timer = the_script.ready().create_timer(seconds, run, MutuallyExclusiveCallbackGroup())

    def shutdown(self):
        self._timer.cancel()


# Topics


class Publisher:
    """`publish` takes a message, or the values of its fields in their order or by name."""

    def __init__(
        self,
        name: str,
        data_class,
        subscriber_listener=None,
        tcp_nodelay: bool = False,
        latch: bool = False,
        headers=None,
        queue_size: int | None = None,
    ):
        durability = DurabilityPolicy.TRANSIENT_LOCAL if latch else DurabilityPolicy.VOLATILE
        name = topic_name(name)
        self.name, self.data_class = name, data_class
        self._publisher = the_script.ready().create_publisher(
            data_class, name, QoSProfile(depth=queue_size or DEFAULT_QUEUE, durability=durability)
        )

    def publish(self, *values, **fields):
        if self._publisher is None:
            raise ROSException(f"the publisher of '{self.name}' was unregistered")
        self._publisher.publish(fit(make(self.data_class, values, fields)))

    def get_num_connections(self) -> int:
        return self._publisher.get_subscription_count() if self._publisher else 0

    def unregister(self):
        if self._publisher is not None and the_script.node is not None:
            the_script.node.destroy_publisher(self._publisher)
        self._publisher = None


class Subscriber:
    """Calls `callback(message)`, or `callback(message, callback_args)`, in a thread of its own."""

    def __init__(
        self,
        name: str,
        data_class,
        callback: Callable | None = None,
        callback_args: Any = None,
        queue_size: int | None = None,
        buff_size: int = 65536,
        tcp_nodelay: bool = False,
    ):
        name = topic_name(name)
        self.name, self.data_class, self.callback = name, data_class, callback
        read = reader(data_class)

        def take(message):
            message = read(message)
            if self.callback is not None:
                self.callback(message) if callback_args is None else self.callback(message, callback_args)

        self._subscription = the_script.ready().create_subscription(
            data_class, name, take, queue_size or DEFAULT_QUEUE, callback_group=MutuallyExclusiveCallbackGroup()
        )

    def get_num_connections(self) -> int:
        return the_script.ready().count_publishers(self.name) if self._subscription else 0

    def unregister(self):
        if self._subscription is not None and the_script.node is not None:
            the_script.node.destroy_subscription(self._subscription)
        self._subscription = None


def wait_for_message(topic: str, topic_type, timeout: float | None = None):
    """The next message of a topic."""
    found, arrived = [], threading.Event()

    def take(message):
        found.append(message)
        arrived.set()

    subscriber = Subscriber(topic, topic_type, take, queue_size=1)
    try:
        _wait_until(arrived.is_set, timeout, f"no message on '{topic}'")
        return found[0]
    finally:
        subscriber.unregister()


def get_published_topics(namespace: str = '/') -> list[list[str]]:
    """Topics and their types, which are named as in ROS 1: without the word msg."""
    names = the_script.ready().get_topic_names_and_types()
    return [[topic, types[0].replace('/msg/', '/')] for topic, types in names if topic.startswith(namespace)]


def _wait_until(condition: Callable[[], bool], timeout, missing: str):
    seconds = timeout.to_sec() if hasattr(timeout, 'to_sec') else timeout
    end = None if seconds is None else _clock.monotonic() + seconds
    while not condition():
        if end is not None and _clock.monotonic() > end:
            raise ROSException(f'{missing} within {seconds:g} s')
        the_script.wait(0.01)


# Services


class Service:
    """Answers calls with what `handler(request)` returns: a response, the values of its fields, or a dictionary."""

    def __init__(self, name: str, service_class, handler: Callable, **_):
        def answer(request, _response):
            result = handler(request)
            if isinstance(result, dict):
                return fit(make(service_class.Response, (), result))
            if not isinstance(result, (list, tuple)):
                result = (result,)
            return fit(make(service_class.Response, result, {}))

        self._service = the_script.ready().create_service(
            service_class, name, answer, callback_group=MutuallyExclusiveCallbackGroup()
        )

    def shutdown(self, _reason: str = ''):
        if the_script.node is not None:
            the_script.node.destroy_service(self._service)


class ServiceProxy:
    """Calls a service with a request, or with the values of its fields."""

    def __init__(self, name: str, service_class, persistent: bool = False, headers=None):
        name = topic_name(name)
        self._name, self._class = name, service_class
        self._client = the_script.ready().create_client(
            service_class, name, callback_group=MutuallyExclusiveCallbackGroup()
        )

    def wait_for_service(self, timeout=None):
        _wait_until(self._client.service_is_ready, timeout, f"no service '{self._name}'")

    def __call__(self, *values, **fields):
        try:
            self.wait_for_service(5.0)
        except ROSException as error:
            raise ServiceException(str(error)) from error
        future, done = self._client.call_async(fit(make(self._class.Request, values, fields))), threading.Event()
        future.add_done_callback(lambda _: done.set())
        while not done.wait(0.05):
            if the_script.ended.is_set():
                raise ROSInterruptException('the script was asked to end')
            if not self._client.service_is_ready():
                raise ServiceException(f"service '{self._name}' went away before it answered")
        return future.result()

    call = __call__

    def close(self):
        if the_script.node is not None:
            the_script.node.destroy_client(self._client)


def wait_for_service(service: str, timeout=None):
    _wait_until(
        lambda: any(
            name == service or name == f'/{service}' for name, _ in the_script.ready().get_service_names_and_types()
        ),
        timeout,
        f"no service '{service}'",
    )


# Parameters, of this process


def _resolved(name: str) -> str:
    the_script.ready()
    if name.startswith('~'):
        return f'/{the_script.node.get_name()}/{name[1:]}'
    return name if name.startswith('/') else f'/{name}'


def get_param(param_name: str, default: Any = KeyError):
    name = _resolved(param_name)
    if name not in the_script.parameters and default is KeyError:
        raise KeyError(f"parameter '{param_name}' was not set by this script; there is no parameter server in ROS 2")
    return the_script.parameters.get(name, default)


def set_param(param_name: str, value: Any):
    the_script.parameters[_resolved(param_name)] = value


def has_param(param_name: str) -> bool:
    return _resolved(param_name) in the_script.parameters


def delete_param(param_name: str):
    del the_script.parameters[_resolved(param_name)]
