# SPDX-License-Identifier: BSD-3-Clause
"""Worlds with arms for a measurement: nodes as processes or as components of one container, and who asks them."""

import contextlib
import os
import pathlib
import statistics
import time

import rclpy
from ament_index_python.packages import get_package_share_directory
from composition_interfaces.srv import LoadNode
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rclpy.executors import SingleThreadedExecutor
from std_srvs.srv import Trigger

SHARE = pathlib.Path(get_package_share_directory('ambf_description'))
PATIENCE = 120.0  # s
PSM = {'models': [str(SHARE / 'adf/psm.yaml')]}
ARM = {'arms_file': str(SHARE / 'arms/psm.yaml'), 'name': 'PSM1'}


def ros_arguments(name: str, parameters: dict) -> list[str]:
    words = ['--ros-args', '-r', f'__node:={name}']
    for key, value in parameters.items():
        text = f"'{value}'" if isinstance(value, str) else str(value).lower()
        words += ['-p', f'{key}:={text}']
    return words


def as_parameter(name: str, value) -> Parameter:
    word = {bool: 'bool', str: 'string', float: 'double', int: 'integer', list: 'string_array'}[type(value)]
    fields = {'type': getattr(ParameterType, f'PARAMETER_{word.upper()}'), f'{word}_value': value}
    return Parameter(name=name, value=ParameterValue(**fields))


class Caller:
    """A plain rclpy node that calls services."""

    def __init__(self):
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('bench', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.clients = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def call(self, kind, name: str, **fields):
        client = self.clients.setdefault(name, None) or self.node.create_client(kind, name)
        self.clients[name] = client
        end = time.monotonic() + PATIENCE
        while not client.service_is_ready():
            self.executor.spin_once(timeout_sec=0.05)
            if time.monotonic() > end:
                raise RuntimeError(f'nobody offers {name}')
        future = client.call_async(kind.Request(**fields))
        while not future.done():
            self.executor.spin_once(timeout_sec=1.0)
            if time.monotonic() > end:
                raise RuntimeError(f'{name} does not answer')
        return future.result()

    def load(self, package: str, plugin: str, name: str, parameters: dict):
        reply = self.call(
            LoadNode,
            '/ComponentManager/_container/load_node',
            package_name=package,
            plugin_name=plugin,
            node_name=name,
            parameters=[as_parameter(*item) for item in parameters.items()],
            extra_arguments=[as_parameter('use_intra_process_comms', True)],
        )
        if not reply.success:
            raise RuntimeError(reply.error_message)

    def round_trips(self, name: str) -> list[float]:
        """The round trips of one run, in order of their length [us]."""
        return sorted(float(word) for word in self.call(Trigger, f'/{name}/run').message.split())

    def round_trip(self, name: str) -> float:
        """Their median [us]."""
        return statistics.median(self.round_trips(name))


def bring_up(names):
    """Enable and home, then leave the arms alone."""
    from ambf_py import Arm

    with contextlib.ExitStack() as stack:
        arms = [stack.enter_context(Arm(name, timeout=60.0)) for name in names]
        for arm in arms:
            arm.enable(timeout=60.0)
        for arm in arms:
            arm.home(timeout=60.0)


def cpu_s(pid: int) -> float:
    fields = pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def counters(caller: Caller) -> dict[str, float]:
    """Steps, overruns and slip of the world now."""
    from ambf_msgs.msg import WorldState

    got = []
    listener = caller.node.create_subscription(WorldState, '/ambf/env/World/State', got.append, 1)
    end = time.monotonic() + PATIENCE
    while len(got) < 2:
        caller.executor.spin_once(timeout_sec=0.1)
        if time.monotonic() > end:
            raise RuntimeError('the world says nothing')
    caller.node.destroy_subscription(listener)
    return {'steps': got[-1].sim_step, 'overruns': got[-1].overruns, 'time': time.monotonic()}


def topic_of_kit(name: str) -> str:
    """Where the arm's topics are: those of set-up joints are below SUJ."""
    return name.replace('SUJ_', 'SUJ/')


def arm_of_kit(name: str, rate: float) -> dict:
    folder = 'surgeon_console' if name.startswith('MTM') else 'patient_cart'
    model = name.removeprefix('SUJ_').lower()
    file = str(SHARE / f'worlds/{folder}/arms.yaml')
    return {'arms_file': file, 'arm': name, 'model': model, 'rate': rate}
