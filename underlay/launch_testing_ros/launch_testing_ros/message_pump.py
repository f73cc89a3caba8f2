# SPDX-License-Identifier: BSD-3-Clause
"""A node that spins beside a test."""

import threading
from typing import Any, Optional

from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor


class MessagePump:
    """Spins a node on a thread of its own between `start` and `stop`."""

    def __init__(self, node: Any, timeout: float = 0.1, context: Any = None) -> None:
        self._node = node
        self._timeout = timeout
        self._run = True
        self._executor = SingleThreadedExecutor(context=context or node.context)
        self._thread: Optional[threading.Thread] = None

    def start(self) -> None:
        """Begin to spin."""
        self._run = True
        self._executor.add_node(self._node)
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()

    def _spin(self) -> None:
        try:
            while self._run:
                self._executor.spin_once(timeout_sec=self._timeout)
        except ExternalShutdownException:
            pass

    def stop(self) -> None:
        """Stop spinning."""
        self._run = False
        if self._thread is not None:
            self._thread.join(timeout=5.0)
            if self._thread.is_alive():
                raise RuntimeError('Timed out waiting for message pump to stop')
        self._executor.remove_node(self._node)
