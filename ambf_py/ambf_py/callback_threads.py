# SPDX-License-Identifier: BSD-3-Clause
"""An executor whose threads serve callbacks until the very end of a program.

rclpy's MultiThreadedExecutor gives them to a pool that refuses work as soon as the script's last line was executed,
while the script's own threads, or a `spin` that was its last act, still wait for messages.
"""

import queue
import threading

from rclpy.exceptions import InvalidHandle
from rclpy.executors import (
    ConditionReachedException,
    Executor,
    ExternalShutdownException,
    ShutdownException,
    TimeoutException,
)


class CallbackThreads(Executor):
    """Calls callbacks in a few threads; one that raises is reported as a thread of the script would be."""

    def __init__(self, count: int, context):
        super().__init__(context=context)
        self._work: queue.SimpleQueue = queue.SimpleQueue()
        self._ending = False
        self._queued: set[int] = set()  # identities of what waits there: rclpy offers it until it has begun
        self._threads = [threading.Thread(target=self._serve, name='ambf_callbacks', daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def _serve(self):
        for handler in iter(self._work.get, None):
            handler()
            self._queued.discard(id(handler))
            error = handler.exception()
            # What rclpy does after a callback may find its own handles gone.
            ended = isinstance(error, InvalidHandle) and (self._ending or not self._context.ok())
            if error is not None and not ended:
                threading.excepthook(
                    threading.ExceptHookArgs((type(error), error, error.__traceback__, threading.current_thread()))
                )

    def spin_once(self, timeout_sec=None):
        try:
            handler, _, _ = self.wait_for_ready_callbacks(timeout_sec)
        except (ConditionReachedException, ExternalShutdownException, ShutdownException, TimeoutException):
            return
        if id(handler) not in self._queued:
            self._queued.add(id(handler))
            self._work.put(handler)

    def shutdown(self, timeout_sec=None) -> bool:
        self._ending = True
        done = super().shutdown(timeout_sec)
        for _ in self._threads:
            self._work.put(None)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout_sec)
        return done
