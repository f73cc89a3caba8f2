# Copyright 2026 AMBF for ROS 2 developers
# SPDX-License-Identifier: BSD-3-Clause
"""A component container in a process of its own, driven through its three services."""

from __future__ import annotations

import atexit
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import rclpy
from ament_index_python.packages import get_package_prefix
from composition_interfaces.srv import ListNodes, LoadNode, UnloadNode
from rclpy.node import Node

PATIENCE = 90.0


def say(what: str, *values: object) -> None:
    """Print one observation, as the C++ programs do."""
    shown = [str(v).lower() if isinstance(v, bool) else str(v) for v in values]
    print(' '.join([f'{what}:'] + shown).rstrip(), flush=True)


class ContainerProcess:
    """Start one container; every call waits for the answer."""

    def __init__(self, node: Node, kind: str, name: str, arguments: list[str] | None = None):
        folder = Path(get_package_prefix('rclcpp_components')) / 'lib' / 'rclcpp_components'
        self._log = tempfile.TemporaryFile('w+')
        self._process = subprocess.Popen(
            [str(folder / kind), '--ros-args', '-r', f'__node:={name}'] + (arguments or []),
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        atexit.register(self._process.kill)
        self._node = node
        prefix = f'/{name}/_container/'
        self._load = node.create_client(LoadNode, prefix + 'load_node')
        self._unload = node.create_client(UnloadNode, prefix + 'unload_node')
        self._list = node.create_client(ListNodes, prefix + 'list_nodes')
        for client in (self._load, self._unload, self._list):
            if not client.wait_for_service(PATIENCE):
                self._process.kill()
                raise RuntimeError(f'{kind} offers no {client.srv_name}:\n{self.log()}')
        self._wait_for_an_answer()

    def _wait_for_an_answer(self) -> None:
        # A service is seen before it sees the reader of its answers. The list client was announced
        # last, so its first answer shows that the container knows all three.
        end = time.monotonic() + PATIENCE
        future = None
        while time.monotonic() < end:
            future = self._list.call_async(ListNodes.Request())
            rclpy.spin_until_future_complete(self._node, future, timeout_sec=0.5)
            if future.done():
                return
        raise RuntimeError(f'no answer from {self._list.srv_name}:\n{self.log()}')

    def _call(self, client, request):
        future = client.call_async(request)
        rclpy.spin_until_future_complete(self._node, future, timeout_sec=PATIENCE)
        if not future.done():
            raise RuntimeError(f'no answer from {client.srv_name}:\n{self.log()}')
        return future.result()

    def load(self, plugin: str, package: str = 'ambf_conformance', **fields):
        """Load a component; the fields are those of LoadNode's request."""
        return self._call(self._load, LoadNode.Request(package_name=package, plugin_name=plugin, **fields))

    def unload(self, unique_id: int):
        """Unload by id."""
        return self._call(self._unload, UnloadNode.Request(unique_id=unique_id))

    def names(self) -> list[str]:
        """Return "id name" of what is loaded, in order of the ids."""
        answer = self._call(self._list, ListNodes.Request())
        pairs = sorted(zip(answer.unique_ids, answer.full_node_names))
        return [f'{number} {name}' for number, name in pairs]

    def log(self) -> str:
        """Return what the container wrote so far."""
        self._log.flush()
        self._log.seek(0)
        return re.sub(r'\[\d+\.\d+\]', '[TIME]', self._log.read())

    def stop(self, number: int = signal.SIGINT) -> int:
        """Send a signal and return the exit code."""
        self._process.send_signal(number)
        try:
            return self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
