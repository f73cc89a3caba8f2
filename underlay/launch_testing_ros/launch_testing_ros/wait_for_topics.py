# SPDX-License-Identifier: BSD-3-Clause
"""Waiting for messages."""

import os
import random
import threading
from collections import deque
from typing import Any, Callable, Dict, Iterable, List, Optional, Set, Tuple

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions


class WaitForTopics:
    """Waits until a message has arrived on each of some topics.

    Use it as a context manager, or call `wait` and later `shutdown`:

        with WaitForTopics([('/chatter', String)], timeout=5.0) as waiter:
            waiter.received_messages('/chatter')
    """

    def __init__(
        self,
        topic_tuples: Iterable[Tuple],
        timeout: float = 5.0,
        messages_received_buffer_length: int = 10,
        callback: Optional[Callable] = None,
        callback_arguments: Optional[Iterable[Any]] = None,
    ) -> None:
        self.topic_tuples = list(topic_tuples)
        self.timeout = timeout
        self.messages_received_buffer_length = messages_received_buffer_length
        self.callback = callback
        self.callback_arguments = list(callback_arguments) if callback_arguments else []
        self._received: Dict[str, deque] = {}
        self._all_received = threading.Event()
        self._ros_context = rclpy.Context()
        rclpy.init(context=self._ros_context, signal_handler_options=SignalHandlerOptions.NO)
        self._node = rclpy.create_node(
            f'_test_node_{os.getpid()}_{random.randrange(2 ** 32)}', context=self._ros_context)
        self._executor = SingleThreadedExecutor(context=self._ros_context)
        self._executor.add_node(self._node)
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._started = False

    def _spin(self) -> None:
        try:
            self._executor.spin()
        except ExternalShutdownException:
            pass

    def _start(self) -> None:
        if self._started:
            return
        self._started = True
        for topic, message_type, *qos in self.topic_tuples:
            self._node.create_subscription(
                message_type, topic, lambda message, topic=topic: self._on_message(topic, message),
                qos[0] if qos else 10)
        if self.callback is not None:
            self.callback(self._node, *self.callback_arguments)
        self._thread.start()

    def _on_message(self, topic: str, message: Any) -> None:
        messages = self._received.setdefault(
            topic, deque(maxlen=self.messages_received_buffer_length))
        messages.append(message)
        if not self.topics_not_received():
            self._all_received.set()

    def wait(self) -> bool:
        """Wait; return whether a message arrived on every topic in time."""
        self._start()
        return self._all_received.wait(self.timeout)

    def topics_received(self) -> Set[str]:
        """Return the topics on which a message arrived."""
        return set(self._received)

    def topics_not_received(self) -> Set[str]:
        """Return the topics on which nothing has arrived yet."""
        return {topic for topic, *_ in self.topic_tuples} - set(self._received)

    def received_messages(self, topic_name: str) -> List[Any]:
        """Return the newest messages of a topic."""
        if topic_name not in {topic for topic, *_ in self.topic_tuples}:
            raise KeyError(f'No topic named {topic_name} is waited for')
        return list(self._received.get(topic_name, ()))

    def shutdown(self) -> None:
        """Stop listening."""
        self._executor.shutdown(timeout_sec=1.0)
        self._node.destroy_node()
        rclpy.try_shutdown(context=self._ros_context)
        if self._started:
            self._thread.join(timeout=2.0)

    def __enter__(self) -> 'WaitForTopics':
        if not self.wait():
            missing = sorted(self.topics_not_received())
            self.shutdown()
            raise RuntimeError(f'Did not receive messages on these topics: {missing}')
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        if exc_value is not None:
            self._node.get_logger().error(f'{exc_type.__name__}: {exc_value}')
        self.shutdown()
