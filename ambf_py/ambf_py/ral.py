# SPDX-License-Identifier: BSD-3-Clause
"""The ROS abstraction layer that scripts for AMBF 3 and CRTK use: `from ros_abstraction_layer import ral`.

Names and order of arguments are theirs, what comes back is rclpy's (times, durations, publishers), so that a script may
go on with plain rclpy. Callbacks are called from the start, each topic's in turn and different topics' side by side,
whether or not the script calls `spin`.
"""

import inspect
import threading
import time
from collections.abc import Callable
from typing import Any

import rclpy.utilities
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.time import Time

from . import ambf_messages, numpy1  # noqa: F401
from .base_object import reader
from .ros1_script import the_script

__all__ = ['Rate', 'ral']
LOOK_PERIOD = 0.01  # how often connections are looked at [s]


class Rate:
    """Keeps a loop at a rate of the computer's clock; a sleep ends early when the script is to end."""

    def __init__(self, hz: float):
        if not float(hz) > 0.0:
            raise ValueError(f'rate: found {hz!r}, expected a number above 0')
        self._period = 1.0 / float(hz)
        self._next = time.monotonic() + self._period

    def sleep(self):
        now = time.monotonic()
        the_script.ended.wait(max(0.0, self._next - now))
        self._next = self._next + self._period if now - self._next < self._period else now + self._period


class ServiceClient:
    """Calls a service and waits for its answer; also inside a callback."""

    def __init__(self, client):
        self.client = client

    def __call__(self, request=None, timeout: float = 5.0):
        request = self.client.srv_type.Request() if request is None else request
        name, done = self.client.srv_name, threading.Event()
        if not self.client.wait_for_service(timeout):
            raise TimeoutError(f"no service '{name}' within {timeout:g} s")
        future = self.client.call_async(request)
        future.add_done_callback(lambda _: done.set())
        if not done.wait(timeout):
            raise TimeoutError(f"no answer from '{name}' within {timeout:g} s")
        return future.result()

    call = __call__

    def __getattr__(self, name: str):
        return getattr(self.client, name)


class ral:  # the name that scripts import
    """A node, and everything that scripts do with it; names are below `namespace`."""

    @staticmethod
    def ros_version() -> int:
        return 2

    @staticmethod
    def parse_argv(argv: list[str]) -> list[str]:
        """The arguments without those that are meant for ROS."""
        return rclpy.utilities.remove_ros_args(argv)

    def __init__(self, node_name: str, namespace: str = '', node=None):
        self._node_name = node_name
        self._namespace = namespace.strip('/')
        self._node = the_script.make_node(node_name) if node is None else node
        self._children: dict[str, ral] = {}
        self._publishers: list = []
        self._subscribers: list = []

    def node_name(self) -> str:
        return self._node_name

    def namespace(self) -> str:
        return self._namespace

    def create_child(self, child_namespace: str) -> 'ral':
        """The same node with names below `child_namespace`."""
        if child_namespace in self._children:
            raise RuntimeError(f"there is a child '{child_namespace}' already")
        child = ral(self._node_name, self._full_name(child_namespace), self._node)
        self._children[child_namespace] = child
        return child

    def _full_name(self, name: str) -> str:
        return '/' + '/'.join(part for part in (self._namespace, name.strip('/')) if part)

    # Time

    def now(self) -> Time:
        return self._node.get_clock().now()

    def now_msg(self):
        return self.now().to_msg()

    def get_timestamp(self, of) -> Any:
        """The time of a stamped message, a header, or a time, as rclpy's; a duration stays one."""
        of = getattr(of, 'header', of)
        of = getattr(of, 'stamp', of)
        return Time.from_msg(of) if hasattr(of, 'nanosec') else of

    def set_timestamp(self, message):
        """The same message, stamped now if it has a header."""
        if hasattr(message, 'header'):
            message.header.stamp = self.now_msg()
        return message

    def to_sec(self, of) -> float:
        """Seconds of a time, a duration, or a stamped message."""
        return self.get_timestamp(of).nanoseconds * 1e-9

    def create_duration(self, seconds: float) -> Duration:
        return Duration(seconds=seconds)

    def create_time(self) -> Time:
        return Time(clock_type=self._node.get_clock().clock_type)

    def create_rate(self, rate_hz: float) -> Rate:
        return Rate(rate_hz)

    def sleep(self, duration):
        """Seconds, or a duration; ends early when the script is to end."""
        the_script.ended.wait(
            max(0.0, duration.nanoseconds * 1e-9 if hasattr(duration, 'nanoseconds') else float(duration))
        )

    # Running and ending

    def spin(self):
        """Returns at once: callbacks come in any case. A script whose last act it is goes on until Ctrl+C."""
        the_script.spun()

    def spin_and_execute(self, function: Callable, *arguments):
        """Calls the function, then ends."""
        try:
            function(*arguments)
        except KeyboardInterrupt:
            pass
        self.shutdown()

    def shutdown(self):
        the_script.close()

    def on_shutdown(self, callback: Callable):
        the_script.hooks.append(callback)

    def is_shutdown(self) -> bool:
        return the_script.is_shutdown()

    # Topics

    @staticmethod
    def _qos(queue_size: int, latch: bool) -> QoSProfile:
        durability = DurabilityPolicy.TRANSIENT_LOCAL if latch else DurabilityPolicy.VOLATILE
        return QoSProfile(depth=queue_size, durability=durability)

    def publisher(self, topic: str, msg_type, queue_size: int = 10, latch: bool = False, *_, **named):
        """An rclpy publisher; with `latch` late subscribers get the last messages."""
        publisher = self._node.create_publisher(msg_type, self._full_name(topic), self._qos(queue_size, latch), **named)
        self._publishers.append(publisher)
        return publisher

    def subscriber(
        self, topic: str, msg_type, callback: Callable, queue_size: int = 10, latch: bool = False, *_, **named
    ):
        """An rclpy subscription. AMBF's states are given as its own messages read (`AmbfState`)."""
        read = reader(msg_type)
        named.setdefault('callback_group', MutuallyExclusiveCallbackGroup())
        subscription = self._node.create_subscription(
            msg_type,
            self._full_name(topic),
            lambda message: callback(read(message)),
            self._qos(queue_size, latch),
            **named,
        )
        self._subscribers.append(subscription)
        return subscription

    def wait_for_message(self, topic: str, msg_type, timeout: float | None = None):
        """The next message of a topic; TimeoutError when none comes."""
        found: list = []
        arrived = threading.Event()

        def take(message):
            found.append(message)
            arrived.set()

        subscription = self.subscriber(topic, msg_type, take, queue_size=1)
        end = None if timeout is None else time.monotonic() + timeout
        try:
            while not arrived.wait(LOOK_PERIOD):
                if the_script.ended.is_set():
                    raise KeyboardInterrupt
                if end is not None and time.monotonic() > end:
                    raise TimeoutError(f"no message on '{subscription.topic_name}' within {timeout:g} s")
            return found[0]
        finally:
            self._subscribers.remove(subscription)
            self._node.destroy_subscription(subscription)

    @staticmethod
    def get_topic_name(pubsub) -> str:
        return pubsub.topic_name

    def check_connections(self, timeout_seconds: float = 5.0, check_children: bool = True):
        """TimeoutError with their names where publishers or subscriptions have nobody at the other end in time."""
        end = time.monotonic() + timeout_seconds
        while timeout_seconds > 0.0:
            missing = self._unconnected(check_children)
            if not missing:
                return
            if time.monotonic() > end:
                raise TimeoutError(f'nobody at the other end within {timeout_seconds:g} s of: {", ".join(missing)}')
            time.sleep(LOOK_PERIOD)

    def _unconnected(self, check_children: bool) -> list[str]:
        missing = [f'publisher {p.topic_name}' for p in self._publishers if p.get_subscription_count() == 0]
        missing += [
            f'subscription {s.topic_name}' for s in self._subscribers if self._node.count_publishers(s.topic_name) == 0
        ]
        for child in self._children.values() if check_children else ():
            missing += child._unconnected(True)
        return missing

    # Services

    def service(self, name: str, srv_type, callback: Callable):
        """Answers calls with `callback(request)`, or `callback(request, response)` as rclpy's callbacks."""
        takes_response = len(inspect.signature(callback).parameters) > 1
        answer = callback if takes_response else lambda request, _response: callback(request)
        return self._node.create_service(
            srv_type, self._full_name(name), answer, callback_group=MutuallyExclusiveCallbackGroup()
        )

    def service_client(self, name: str, srv_type) -> ServiceClient:
        return ServiceClient(
            self._node.create_client(srv_type, self._full_name(name), callback_group=MutuallyExclusiveCallbackGroup())
        )
