# SPDX-License-Identifier: BSD-3-Clause
import logging
import os
import sys

import pytest

pytest.importorskip('composition_interfaces.srv')

from launch.actions import ExecuteProcess, GroupAction, OpaqueFunction, Shutdown  # noqa: E402
from launch.conditions import IfCondition  # noqa: E402
from launch.event_handlers import OnShutdown  # noqa: E402
from launch.events import Shutdown as ShutdownEvent  # noqa: E402
from launch_ros.actions import ComposableNodeContainer, LoadComposableNodes  # noqa: E402
from launch_ros.actions import PushRosNamespace, SetParameter, SetRemap  # noqa: E402
from launch_ros.descriptions import ComposableNode  # noqa: E402

# A container that loads nothing and prints what it was asked for.
_CONTAINER = f'''#!{sys.executable}
import sys
import rclpy
from rclpy.parameter import parameter_value_to_python
from composition_interfaces.srv import LoadNode
rclpy.init(args=sys.argv)
node = rclpy.create_node('container')
count = 0
def load(request, response):
    global count
    count += 1
    values = lambda items: {{p.name: parameter_value_to_python(p.value) for p in items}}
    print('LOAD', request.plugin_name, request.node_namespace, request.node_name,
          request.remap_rules, values(request.parameters), values(request.extra_arguments),
          flush=True)
    response.success = request.plugin_name != 'bad'
    response.error_message = '' if response.success else 'it is bad'
    response.full_node_name = '/' + request.node_name
    response.unique_id = count
    return response
node.create_service(LoadNode, '~/_container/load_node', load)
print('up', flush=True)
try:
    rclpy.spin(node)
except (KeyboardInterrupt, rclpy.executors.ExternalShutdownException):
    pass
'''


@pytest.fixture
def container_program(tmp_path):
    path = tmp_path / 'container'
    path.write_text(_CONTAINER)
    os.chmod(path, 0o755)
    return str(path)


def after_reports(count):
    """Shut down once the launch system has said of so many nodes what became of them."""
    logger = logging.getLogger('launch_ros.actions.load_composable_nodes')

    class Counter(logging.Handler):
        seen = 0

        def emit(self, record):
            self.seen += record.getMessage().startswith(('Loaded node', 'Failed to load'))
            if self.seen == count:
                self.context.emit_event_sync(ShutdownEvent())

    def begin(context):
        counter = Counter()
        counter.context = context
        logger.addHandler(counter)
        context.register_event_handler(OnShutdown(on_shutdown=lambda *_: logger.removeHandler(counter)))
    return OpaqueFunction(function=begin)


def test_nodes_are_loaded_in_order_with_what_the_scope_gives(run, container_program, tmp_path):
    file = tmp_path / 'p.yaml'
    file.write_text('/ns/one:\n  ros__parameters:\n    exact: {deep: 2}\n    both: exact\n'
                    '/**:\n  ros__parameters:\n    wild: 1\n    both: wild\n'
                    '/*/one:\n  ros__parameters:\n    star: 3\n'
                    '/other:\n  ros__parameters:\n    foreign: 4\n')
    container = ComposableNodeContainer(
        name='box', namespace='/cell', executable=container_program, output='screen',
        composable_node_descriptions=[
            ComposableNode(package='p', plugin='one', name='one', namespace='ns',
                           parameters=[str(file), {'own': 'x'}], remappings=[('a', 'b')],
                           extra_arguments=[{'use_intra_process_comms': True}]),
            ComposableNode(package='p', plugin='bad', name='two'),
            ComposableNode(package='p', plugin='never', condition=IfCondition('false')),
        ])
    code, out = run(
        after_reports(3), container,
        GroupAction([
            PushRosNamespace('pushed'), SetParameter('shared', 5), SetRemap('c', 'd'),
            LoadComposableNodes(target_container='/cell/box', composable_node_descriptions=[
                ComposableNode(package='p', plugin='three', name='three', namespace='in')])]))
    assert code == 0
    loads = [line.partition('LOAD ')[2] for line in out.splitlines() if 'LOAD ' in line]
    one = next(load for load in loads if load.startswith('one'))
    assert one.startswith("one /ns one ['a:=b'] ")
    for part in ("'wild': 1", "'exact.deep': 2", "'both': 'exact'", "'own': 'x'",
                 "{'use_intra_process_comms': True}"):
        assert part in one
    assert 'foreign' not in one and 'star' not in one
    assert "three /pushed/in three ['c:=d'] {'shared': 5} {}" in loads
    assert loads.index(one) < next(i for i, load in enumerate(loads) if load.startswith('bad'))
    assert not any('never' in load for load in loads)
    assert "Loaded node '/one' in container '/cell/box'" in out
    assert "Failed to load node 'two' of type 'bad' in container '/cell/box': it is bad" in out


def test_loading_is_given_up_when_the_container_dies(run):
    code, out = run(ComposableNodeContainer(
        name='box', namespace='', executable='false',
        composable_node_descriptions=[ComposableNode(package='p', plugin='x')]))
    assert code == 0 and 'because the container has ended' in out


def test_loading_is_given_up_at_shutdown(run):
    code, out = run(
        LoadComposableNodes(target_container='/nobody', composable_node_descriptions=[
            ComposableNode(package='p', plugin='x')]),
        ExecuteProcess(cmd=['true'], on_exit=[Shutdown()]))
    assert code == 0 and 'due to shutdown' in out
