# SPDX-License-Identifier: BSD-3-Clause
"""Load, list and unload components in all three containers, from rclpy."""
import os
import signal
import subprocess
import time

from composition_interfaces.srv import ListNodes, LoadNode, UnloadNode
import pytest
from rcl_interfaces.msg import Parameter, ParameterType
import rclpy
from rclpy.executors import SingleThreadedExecutor
from std_msgs.msg import Int64

PATIENCE = 90.0
LONG = os.environ.get('AMBF_TEST_LONG') == '1'
CONTAINERS = [
    ['component_container'],
    ['component_container_mt'],
    ['component_container_isolated'],
    ['component_container_isolated', '--use_multi_threaded_executor'],
]


def value(name, content):
    """Make a parameter message."""
    parameter = Parameter(name=name)
    if isinstance(content, bool):
        parameter.value.type = ParameterType.PARAMETER_BOOL
        parameter.value.bool_value = content
    elif isinstance(content, int):
        parameter.value.type = ParameterType.PARAMETER_INTEGER
        parameter.value.integer_value = content
    else:
        parameter.value.type = ParameterType.PARAMETER_STRING
        parameter.value.string_value = content
    return parameter


class Container:
    """A container process and clients of its services."""

    count = 0

    def __init__(self, command, arguments=()):
        environment = dict(os.environ)
        environment['AMENT_PREFIX_PATH'] = os.pathsep.join(
            [os.environ['TEST_PREFIX'], os.environ['AMENT_PREFIX_PATH']])
        # Containers of several tests may live at the same time.
        Container.count += 1
        namespace = f'/test_{Container.count}'
        program = os.path.join(os.environ['COMPONENT_CONTAINERS'], command[0])
        self.process = subprocess.Popen(
            [program, *command[1:], '--ros-args', '-r', f'__ns:={namespace}', *arguments],
            env=environment)
        self.node = rclpy.create_node('test_containers')
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        prefix = f'{namespace}/ComponentManager/_container/'
        self.clients = {
            kind: self.node.create_client(kind, prefix + name) for kind, name in (
                (LoadNode, 'load_node'), (UnloadNode, 'unload_node'), (ListNodes, 'list_nodes'))}
        for client in self.clients.values():
            self.spin_until(client.service_is_ready)

    def spin_until(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, 'not in time'
            self.executor.spin_once(timeout_sec=0.05)

    def call(self, kind, **fields):
        future = self.clients[kind].call_async(kind.Request(**fields))
        self.spin_until(future.done)
        return future.result()

    def load(self, plugin='Counter', package='test_components', **fields):
        return self.call(
            LoadNode, package_name=package, plugin_name=f'test_components::{plugin}', **fields)

    def unload(self, unique_id):
        return self.call(UnloadNode, unique_id=unique_id)

    def nodes(self):
        answer = self.call(ListNodes)
        return dict(zip(answer.unique_ids, answer.full_node_names))

    def next_count(self, topic):
        """Return the first number that arrives on the topic."""
        received = []
        subscription = self.node.create_subscription(
            Int64, topic, lambda message: received.append(message.data), 10)
        self.spin_until(lambda: received)
        self.node.destroy_subscription(subscription)
        return received[0]

    def resident_kib(self):
        with open(f'/proc/{self.process.pid}/status', encoding='utf-8') as status:
            return next(int(line.split()[1]) for line in status if line.startswith('VmRSS'))

    def sanitizer(self):
        """Return the name of the sanitizer that the container runs under, or None."""
        with open(f'/proc/{self.process.pid}/maps', encoding='utf-8') as maps:
            text = maps.read()
        return next((name for name in ('libtsan', 'libasan') if name in text), None)

    def close(self, number=signal.SIGINT):
        deferred = self.sanitizer() == 'libtsan'
        self.process.send_signal(number)
        if deferred:
            # It delivers a signal only when the thread leaves the mutex that it waits for.
            end = time.monotonic() + PATIENCE
            while self.process.poll() is None and time.monotonic() < end:
                self.clients[ListNodes].call_async(ListNodes.Request())
                self.executor.spin_once(timeout_sec=0.5)
        code = self.process.wait(timeout=PATIENCE)
        self.executor.shutdown()
        self.node.destroy_node()
        return code


@pytest.fixture(scope='module', autouse=True)
def context():
    rclpy.init()
    yield
    rclpy.shutdown()


@pytest.fixture(scope='module', params=CONTAINERS, ids=lambda command: ' '.join(command))
def container(request):
    container = Container(request.param)
    yield container
    assert container.close() == 0


def test_components_are_loaded_listed_and_unloaded(container):
    first = container.load()
    assert first.success and first.full_node_name == '/counter', first.error_message
    second = container.load(
        node_name='other', node_namespace='/far', remap_rules=['count:=numbers'],
        parameters=[value('start', 1000)],
        extra_arguments=[value('use_intra_process_comms', True)])
    assert second.success and second.full_node_name == '/far/other', second.error_message
    assert container.nodes() == {
        first.unique_id: '/counter', second.unique_id: '/far/other'}
    assert container.next_count('/far/numbers') >= 1000
    assert container.next_count('/count') < 1000
    assert container.unload(first.unique_id).success
    assert container.nodes() == {second.unique_id: '/far/other'}
    container.spin_until(lambda: container.node.count_publishers('/count') == 0)
    assert container.next_count('/far/numbers') >= 1000
    assert container.unload(second.unique_id).success
    assert container.nodes() == {}


@pytest.mark.parametrize('fields, message', [
    ({'package': 'no_such_package'}, 'Could not find requested resource in ament index'),
    ({'package': ''}, 'Could not find requested resource in ament index'),
    ({'package': 'malformed'}, 'Invalid resource entry'),
    ({'plugin': 'Unknown'}, 'Failed to find class with the requested plugin name.'),
    ({'plugin': 'NotRegistered'}, 'Failed to find class with the requested plugin name.'),
    ({'plugin': 'Missing'}, 'Failed to load library'),
    ({'plugin': 'NoLibrary'}, 'Failed to load library'),
    ({'plugin': 'Throwing'}, 'Component constructor threw an exception: not today'),
    ({'plugin': 'ThrowingNumber'}, 'Component constructor threw an exception'),
    ({'parameters': [value('start', 'text')]}, "parameter 'start' has invalid type"),
    ({'extra_arguments': [value('use_intra_process_comms', 1)]}, 'must be a boolean'),
    ({'extra_arguments': [value('forward_global_arguments', 'yes')]}, 'must be a boolean'),
    ({'node_name': 'not a name'}, ''),
    ({'remap_rules': ['not a rule']}, ''),
])
def test_what_cannot_be_loaded_is_told_and_the_container_lives(container, fields, message):
    answer = container.load(**fields)
    assert not answer.success
    assert answer.error_message and message in answer.error_message
    assert container.nodes() == {}


def test_a_failed_construction_uses_up_an_id(container):
    first = container.load()
    container.load('Throwing')
    second = container.load()
    assert second.unique_id == first.unique_id + 2
    assert container.unload(first.unique_id).success
    assert container.unload(second.unique_id).success


def test_an_unknown_id_cannot_be_unloaded(container):
    answer = container.unload(12345)
    assert not answer.success
    assert answer.error_message == 'No node found with unique_id: 12345'


def test_arguments_of_the_container_do_not_reach_its_components():
    container = Container(CONTAINERS[0], ['-r', 'count:=changed', '-p', 'start:=7000'])
    answer = container.load()
    assert container.next_count('/count') < 7000
    assert container.unload(answer.unique_id).success
    assert container.close() == 0


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('command', CONTAINERS[:3], ids=' '.join)
def test_containers_with_components_end_with_code_0(command, number):
    container = Container(command)
    assert container.load().success
    assert container.close(number) == 0


@pytest.mark.parametrize('command', CONTAINERS[:3] if LONG else CONTAINERS[2:3], ids=' '.join)
def test_loads_and_unloads_leak_nothing(command):
    container = Container(command)

    def cycles(count):
        for _ in range(count):
            answer = container.load()
            assert answer.success, answer.error_message
            assert container.unload(answer.unique_id).success

    # The first loads fill caches of the middleware, and /rosout keeps the last 1,000 messages, of
    # which there are three to a load: it is full after 333. After that the size must stay.
    cycles(350 if LONG else 150)
    before = container.resident_kib()
    cycles(200 if LONG else 50)
    growth = container.resident_kib() - before
    sanitizer = container.sanitizer()
    print(f'{" ".join(command)}: {before} KiB, grew by {growth} KiB')
    assert container.close() == 0
    # A node with its endpoints is over 100 KiB: one leaked in ten would show. What a sanitizer
    # keeps for itself grows in any case.
    assert sanitizer or growth < 500
