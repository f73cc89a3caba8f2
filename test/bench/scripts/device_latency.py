# SPDX-License-Identifier: BSD-3-Clause
"""From a device's reading to the force that rests on it: runs of the devices and worlds that bench_devices times."""

from __future__ import annotations

import os
import pathlib
import queue
import subprocess
import threading
import time

import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from composition_interfaces.srv import LoadNode
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue

OURS = 'ambf_bench'
# Who answers: the stand-in at once, the physics node with its next step.
WORLDS = {
    'echo': ('ambf_device_nodes', 'proxy_echo', 'ambf_device_nodes::ProxyEcho', {'device': 'gamepad'}),
    'physics': (
        'ambf_physics_node',
        'physics_node',
        'ambf_physics::PhysicsNode',
        {
            'world': str(pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds/gamepad/launch.yaml'),
            'n_devices': -1,
            'step_size': 0.001,
        },
    ),
}
ASKERS = {
    'bare': (OURS, 'topic_ping', 'ambf_bench::TopicPing', {}),
    'device': (OURS, 'latency_device', 'ambf_bench::LatencyDevice', {'device': 'gamepad', 'rate': 1000.0}),
}


def program(package: str, name: str) -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


def value(of) -> ParameterValue:
    if isinstance(of, str):
        return ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=of)
    if isinstance(of, float):
        return ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=of)
    return ParameterValue(type=ParameterType.PARAMETER_INTEGER, integer_value=of)


class Run:
    """Processes of one run; a context manager that ends them."""

    def __init__(self):
        self.processes: list[subprocess.Popen] = []
        self.lines: queue.Queue[str] = queue.Queue()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def start(self, package: str, name: str, parameters: dict, *words: str) -> None:
        command = [program(package, name), '--ros-args', *words]
        for key, given in parameters.items():
            command += ['-p', f'{key}:={given}']
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.processes.append(process)
        threading.Thread(target=lambda: [self.lines.put(line) for line in process.stdout], daemon=True).start()

    def result(self, timeout: float) -> dict[str, float] | None:
        """Quantiles [us] by name; None where no result came."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            try:
                line = self.lines.get(timeout=0.2)
            except queue.Empty:
                continue
            if line.startswith('RESULT'):
                return {name: float(number) for name, number in (word.split('=') for word in line.split()[2:])}
        return None


def load(container: str, parts: list[tuple], timeout: float = 30.0) -> None:
    """The parts as components into the running container."""
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('bench_loader', context=context)
    executor = rclpy.executors.SingleThreadedExecutor(context=context)
    executor.add_node(node)
    try:
        client = node.create_client(LoadNode, f'/{container}/_container/load_node')
        if not client.wait_for_service(timeout):
            raise RuntimeError(f'the container {container} does not answer')
        for package, _, plugin, parameters in parts:
            request = LoadNode.Request(
                package_name=package,
                plugin_name=plugin,
                parameters=[Parameter(name=key, value=value(given)) for key, given in parameters.items()],
            )
            future = client.call_async(request)
            executor.spin_until_future_complete(future, timeout)
            if not future.done() or not future.result().success:
                raise RuntimeError(f'{plugin}: {future.result().error_message if future.done() else "no answer"}')
    finally:
        executor.shutdown()
        node.destroy_node()
        rclpy.shutdown(context=context)


def measure(asker: str, world: str, composed: bool, count: int, timeout: float = 25.0) -> dict[str, float] | None:
    """Quantiles [us] of `count` round trips between asker and world; None where the world does not answer."""
    package, name, plugin, parameters = ASKERS[asker]
    asking = (package, name, plugin, {**parameters, 'round_trips': count})
    with Run() as run:
        if composed:
            container = f'bench_{os.getpid()}_{time.monotonic_ns()}'
            run.start('rclcpp_components', 'component_container_isolated', {}, '-r', f'__node:={container}')
            load(container, [WORLDS[world], asking])
        else:
            run.start(*WORLDS[world][:2], WORLDS[world][3])
            run.start(*asking[:2], asking[3])
        return run.result(timeout)
