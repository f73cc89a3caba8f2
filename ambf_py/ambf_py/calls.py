"""Service calls that need no executor: safe from any thread and any callback, always with a time-out."""
import threading
import time
from typing import Callable, Optional

import rclpy
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

from .errors import SimulatorGone

# How often a wait looks whether the simulator is still there [s].
LOOK_PERIOD = 0.2


class ServiceCalls:
    """Calls the services of one world through a node of its own.

    The node is in no executor: a call waits for its own answer only, so that it costs one wait set and can be
    made from inside somebody else's callback.
    """

    def __init__(self, context: rclpy.Context, base: str, timeout: float,
                 alive: Optional[Callable[[], Optional[str]]] = None, name: str = 'ambf_calls'):
        self._context = context
        self._base = base
        self.timeout = timeout
        self._alive = alive or (lambda: None)
        self._node = rclpy.create_node(name, context=context, start_parameter_services=False,
                                       enable_rosout=False)
        self._clients = {}
        self._lock = threading.RLock()
        self._wait_set = _rclpy.WaitSet(0, 0, 0, 1, 0, 0, context.handle)

    def close(self):
        """Give the node back; calls that wait end with SimulatorGone."""
        with self._lock:
            if self._node is not None:
                self._clients.clear()
                self._wait_set.clear_entities()
                self._node.destroy_node()
                self._node = None

    def call(self, kind, service: str, request, timeout: Optional[float] = None):
        """Send the request and return the answer; SimulatorGone when none comes in time."""
        timeout = self.timeout if timeout is None else timeout
        deadline = time.monotonic() + timeout
        with self._lock:
            client = self._ready_client(kind, service, deadline, timeout)
            with client.handle:
                sequence = client.handle.send_request(request)
            while True:
                looked = time.monotonic()
                answer = self._take(client, kind, sequence, deadline)
                if answer is not None:
                    return answer
                # Where this process got no time (suspended, stopped, a starved machine) the simulator had none either.
                overslept = time.monotonic() - looked - LOOK_PERIOD
                deadline += overslept if overslept > LOOK_PERIOD else 0.0
                self._check_alive(service, client)
                if time.monotonic() >= deadline:
                    raise SimulatorGone(
                        f"no answer from '{self._base}/World/{service}' within {timeout:g} s: the simulator died, "
                        'or needs longer (give a larger timeout)')

    def _take(self, client, kind, sequence: int, deadline: float):
        """Wait for a short while; the answer to this request, or None."""
        wait_set = self._wait_set
        wait_set.clear_entities()
        with client.handle:
            wait_set.add_client(client.handle)
            left = min(LOOK_PERIOD, max(0.0, deadline - time.monotonic()))
            wait_set.wait(int(left * 1e9))
            while True:
                header, response = client.handle.take_response(kind.Response)
                if header is None:
                    return None
                # Answers to calls that were given up come late.
                if header.request_id.sequence_number == sequence:
                    return response

    def _ready_client(self, kind, service: str, deadline: float, timeout: float):
        if self._node is None:
            raise SimulatorGone('this client was closed')
        client = self._clients.get(service)
        if client is None:
            client = self._clients[service] = self._node.create_client(kind, f'{self._base}/World/{service}')
        while not client.service_is_ready():
            self._check_alive(service, None)
            if time.monotonic() >= deadline:
                raise SimulatorGone(
                    f"no service '{self._base}/World/{service}' within {timeout:g} s: is the physics node running, "
                    'in this ROS_DOMAIN_ID and namespace?')
            time.sleep(0.01)
        return client

    def _check_alive(self, service: str, client):
        reason = self._alive()
        if reason is None and client is not None and not client.service_is_ready():
            reason = 'the simulator left the graph'
        if reason is None and not self._context.ok():
            reason = 'rclpy was shut down'
        if reason is not None:
            raise SimulatorGone(f"call of '{self._base}/World/{service}': {reason}")
