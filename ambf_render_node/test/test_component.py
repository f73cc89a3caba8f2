# SPDX-License-Identifier: BSD-3-Clause
"""The render node as a component: loaded and unloaded again and again, and a second one in a process."""

import os
import pathlib
import signal
import subprocess
import time

import pytest
import rclpy
from ament_index_python.packages import get_package_prefix
from composition_interfaces.srv import LoadNode, UnloadNode
from rcl_interfaces.msg import Parameter, ParameterValue
from rclpy.executors import SingleThreadedExecutor

from ambf_msgs.srv import SavePicture

ROUNDS = 20 if os.environ.get('AMBF_TEST_LONG') == '1' else 4


def children(parent: int, program: str) -> list:
    """Processes that another one has started."""
    found = []
    for file in pathlib.Path('/proc').glob('[0-9]*/stat'):
        try:
            number, rest = file.read_text().split(' (', 1)
        except OSError:  # it has ended meanwhile
            continue
        name, fields = rest.rsplit(') ', 1)
        if name == program and int(fields.split()[1]) == parent:
            found.append(int(number))
    return found


class Container:
    """A container for components, and calls to it."""

    def __init__(self, folder: pathlib.Path):
        self.log = folder / 'log'
        self.process = subprocess.Popen(
            [
                str(
                    pathlib.Path(get_package_prefix('rclcpp_components'))
                    / 'lib/rclcpp_components/component_container_mt'
                ),
                '--ros-args',
                '-r',
                '__node:=box',
            ],
            stdout=open(self.log, 'w'),
            stderr=subprocess.STDOUT,
        )
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('loader', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)

    def call(self, kind, service, **fields):
        client = self.node.create_client(kind, service)
        end = time.monotonic() + 40.0
        assert client.wait_for_service(40.0), service
        future = client.call_async(kind.Request(**fields))
        while not future.done():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, self.log.read_text()
            self.executor.spin_once(timeout_sec=0.05)
        self.node.destroy_client(client)
        return future.result()

    def load(self, name):
        private = Parameter(name='display', value=ParameterValue(type=4, string_value='private'))
        reply = self.call(
            LoadNode,
            '/box/_container/load_node',
            package_name='ambf_render_node',
            plugin_name='ambf_render::RenderNode',
            node_name=name,
            parameters=[private],
        )
        assert reply.success, reply.error_message
        return reply.unique_id

    def said(self, text, count):
        end = time.monotonic() + 40.0
        while self.log.read_text().count(text) < count:
            assert self.process.poll() is None and time.monotonic() < end, self.log.read_text()
            time.sleep(0.05)

    def close(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=90)
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)
        return code


@pytest.fixture
def container(tmp_path):
    made = Container(tmp_path)
    yield made
    assert made.close() == 0


def test_loading_and_unloading_again_and_again(container):
    for i in range(ROUNDS):
        unique = container.load('eye')
        container.said('drawing with', i + 1)
        reply = container.call(UnloadNode, '/box/_container/unload_node', unique_id=unique)
        assert reply.success, reply.error_message


def test_a_second_renderer_in_the_process_says_why_it_draws_nothing(container, tmp_path):
    first = container.load('first')
    container.said('drawing with', 1)
    container.load('second')
    container.said('nothing is drawn', 1)
    assert container.call(UnloadNode, '/box/_container/unload_node', unique_id=first).success
    reply = container.call(SavePicture, '/second/save_picture', file=str(tmp_path / 'x.png'))
    # Also true when the first one has gone in the meantime.
    assert not reply.ok and 'another renderer drew in this process when this one started' in reply.message


def test_the_end_of_its_private_display_ends_drawing_and_nothing_else(container, tmp_path):
    unique = container.load('eye')
    container.said('drawing with', 1)
    servers = children(container.process.pid, 'Xvfb')
    assert len(servers) == 1
    os.kill(servers[0], signal.SIGTERM)
    container.said('drawing stopped: the X server is gone', 1)
    reply = container.call(SavePicture, '/eye/save_picture', file=str(tmp_path / 'x.png'))
    assert not reply.ok and 'the X server is gone' in reply.message
    reply = container.call(UnloadNode, '/box/_container/unload_node', unique_id=unique)
    assert reply.success, reply.error_message
    container.load('late')
    reply = container.call(SavePicture, '/late/save_picture', file=str(tmp_path / 'x.png'))
    assert not reply.ok and 'the X server that this process drew with is gone' in reply.message
