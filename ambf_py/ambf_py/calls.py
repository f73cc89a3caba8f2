# SPDX-License-Identifier: BSD-3-Clause
"""Service calls that need no executor: safe from any thread and any callback, always with a time-out."""

import threading
import time
from collections.abc import Callable

import rclpy
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

from .errors import SimulatorGone

# How often a wait looks whether the simulator is still there, and whether this client was closed [s].
LOOK_PERIOD = 0.2


class _Line:
    """One service: a client, what waits for its answers, and a lock, since an answer goes to whoever takes it first."""

    def __init__(self, client, context: rclpy.Context):
        self.client = client
        self.lock = threading.RLock()
        self.wait_set = _rclpy.WaitSet(0, 0, 0, 1, 0, 0, context.handle)


class ServiceCalls:
    """Calls the services of one world through a node of its own.

    The node is in no executor: a call waits for its own answer only, so that it costs one wait set and can be
    made from inside somebody else's callback. Calls of different services do not wait for each other.
    """

    # For services of others than a world.
    below = '/World'
    gone = SimulatorGone
    server = 'the simulator'
    advice = 'is the physics node running, in this ROS_DOMAIN_ID and namespace?'

    def __init__(
        self,
        context: rclpy.Context,
        base: str,
        timeout: float,
        alive: Callable[[], str | None] | None = None,
        name: str = 'ambf_calls',
    ):
        self._context = context
        self._base = base
        self.timeout = timeout
        self._alive = alive or (lambda: None)
        self._node = rclpy.create_node(name, context=context, start_parameter_services=False, enable_rosout=False)
        self._lines: dict[str, _Line] = {}
        self._lock = threading.Lock()  # of the node and the table of lines, never held while waiting
        self._closed = False

    def close(self):
        """Give the node back; calls that wait end with SimulatorGone."""
        self._closed = True
        with self._lock:
            lines, self._lines = list(self._lines.values()), {}
            node, self._node = self._node, None
        for line in lines:
            with line.lock:  # its call has seen by now that this is closed, or does so soon
                line.wait_set.clear_entities()
        if node is not None:
            node.destroy_node()

    def call(self, kind, service: str, request, timeout: float | None = None):
        """Send the request and return the answer; SimulatorGone when none comes in time."""
        timeout = self.timeout if timeout is None else timeout
        deadline = time.monotonic() + timeout
        line = self._line(kind, service)
        while not line.lock.acquire(timeout=min(LOOK_PERIOD, max(0.0, deadline - time.monotonic()))):
            self._check_alive(service, None)
            if time.monotonic() >= deadline:
                raise self.gone(
                    f"'{self._base}{self.below}/{service}': another thread of this program has waited for "
                    f'its answer for {timeout:g} s'
                )
        try:
            self._wait_until_ready(line.client, service, deadline, timeout)
            with line.client.handle:
                sequence = line.client.handle.send_request(request)
            while True:
                looked = time.monotonic()
                answer = self._take(line, kind, sequence, deadline)
                if answer is not None:
                    return answer
                # Where this process got no time (suspended, stopped, a starved machine) the simulator had none either.
                overslept = time.monotonic() - looked - LOOK_PERIOD
                deadline += overslept if overslept > LOOK_PERIOD else 0.0
                self._check_alive(service, line.client)
                if time.monotonic() >= deadline:
                    raise self.gone(
                        f"no answer from '{self._base}{self.below}/{service}' within {timeout:g} s: {self.server} died, "
                        'or needs longer (give a larger timeout)'
                    )
        finally:
            line.lock.release()

    def count_answers(self, kind, service: str, request, patience: float) -> int:
        """How many simulators answer one request; asks for as long as `patience` [s] unless two do."""
        line, end = self._line(kind, service), time.monotonic() + patience
        with line.lock:
            self._wait_until_ready(line.client, service, end, patience)
            answers: dict[int, int] = {}  # by request: on a busy machine they may come much later than the next request
            ask_at = 0.0
            while max(answers.values(), default=0) < 2 and time.monotonic() < end:
                if time.monotonic() >= ask_at:
                    with line.client.handle:
                        answers[line.client.handle.send_request(request)] = 0
                    ask_at = time.monotonic() + LOOK_PERIOD
                for sequence, _ in self._take_all(line, kind, min(end, ask_at)):
                    if sequence in answers:
                        answers[sequence] += 1
                self._check_alive(service, None)
            return max(answers.values(), default=0)

    def _line(self, kind, service: str) -> _Line:
        with self._lock:
            if self._node is None:
                raise self.gone('this client was closed')
            if service not in self._lines:
                client = self._node.create_client(kind, f'{self._base}{self.below}/{service}')
                self._lines[service] = _Line(client, self._context)
            return self._lines[service]

    def _take(self, line: _Line, kind, sequence: int, deadline: float):
        """Wait for a short while; the answer to this request, or None."""
        # Answers to calls that were given up come late.
        return next((response for number, response in self._take_all(line, kind, deadline) if number == sequence), None)

    @staticmethod
    def _take_all(line: _Line, kind, deadline: float):
        """Wait for a short while; give the answers that are there, each with the number of its request."""
        wait_set, handle = line.wait_set, line.client.handle
        wait_set.clear_entities()
        with handle:
            wait_set.add_client(handle)
            left = min(LOOK_PERIOD, max(0.0, deadline - time.monotonic()))
            wait_set.wait(int(left * 1e9))
            while True:
                header, response = handle.take_response(kind.Response)
                if header is None:
                    return
                yield header.request_id.sequence_number, response

    def _wait_until_ready(self, client, service: str, deadline: float, timeout: float):
        while not client.service_is_ready():
            self._check_alive(service, None)
            if time.monotonic() >= deadline:
                raise self.gone(f"no service '{self._base}{self.below}/{service}' within {timeout:g} s: {self.advice}")
            time.sleep(0.01)

    def _check_alive(self, service: str, client):
        reason = 'this client was closed' if self._closed else self._alive()
        if reason is None and client is not None and not client.service_is_ready():
            reason = f'{self.server} left the graph'
        if reason is None and not self._context.ok():
            reason = 'rclpy was shut down'
        if reason is not None:
            raise self.gone(f"call of '{self._base}{self.below}/{service}': {reason}")
