# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 component`."""

import os
import subprocess
import sys
from typing import Any, Dict, List

import yaml

from .graph import add_graph_arguments, complete_nodes, find_node, node_names, own_node
from .graph import wait_until_settled
from .interrupts import let_interrupts_raise
from .run import find_executable

_ANSWER_SECONDS = 5.0


def _registered() -> Dict[str, List[str]]:
    """Return the components in the ament index by package."""
    from ament_index_python.resources import get_resource, get_resources
    found: Dict[str, List[str]] = {}
    for package in sorted(get_resources('rclcpp_components')):
        content, _ = get_resource('rclcpp_components', package)
        plugins = [line.partition(';')[0] for line in content.splitlines() if line]
        if plugins:
            found[package] = plugins
    return found


def _complete_packages(**kwargs) -> List[str]:
    return list(_registered())


def _complete_plugins(prefix, parsed_args, **kwargs) -> List[str]:
    return _registered().get(parsed_args.package_name, [])


def add_types_arguments(parser) -> None:
    parser.add_argument('package_name', nargs='?', default=None,
                        help='A package name').completer = _complete_packages


def run_types(args):
    registered = _registered()
    if args.package_name is not None:
        plugins = registered.get(args.package_name)
        if plugins is None:
            return f"No component types registered for package '{args.package_name}'"
        for plugin in plugins:
            print(plugin)
        return 0
    for package, plugins in registered.items():
        print(package)
        for plugin in plugins:
            print(f'  {plugin}')
    return 0


def _call(node: Any, container: str, name: str, service: str, request: Any) -> Any:
    import rclpy
    import composition_interfaces.srv as srv
    client = node.create_client(getattr(srv, service), f'{container}/_container/{name}')
    try:
        if not client.wait_for_service(timeout_sec=_ANSWER_SECONDS):
            raise RuntimeError(f"Unable to find container node '{container}'")
        future = client.call_async(request)
        # A component's constructor may take its time.
        rclpy.spin_until_future_complete(node, future)
        if future.result() is None:
            raise RuntimeError(f"the container '{container}' did not answer")
        return future.result()
    finally:
        node.destroy_client(client)


def _containers(node: Any) -> List[str]:
    services = dict(node.get_service_names_and_types())
    return sorted({full for _, _, full in node_names(node, include_hidden=True)
                   if f'{full}/_container/list_nodes' in services})


def add_list_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('container_node_name', nargs='?',
                        help='Container node name to list components from'
                        ).completer = complete_nodes
    parser.add_argument('--containers-only', action='store_true',
                        help='List found containers nodes only')


def run_list(args):
    from composition_interfaces.srv import ListNodes
    with own_node(args) as node:
        if args.container_node_name is not None:
            names = [_require_container(node, args.container_node_name)]
        else:
            wait_until_settled(node, args)
            names = _containers(node)
        for container in names:
            if args.containers_only:
                print(container)
                continue
            answer = _call(node, container, 'list_nodes', 'ListNodes', ListNodes.Request())
            if args.container_node_name is None:
                print(container)
            for number, name in zip(answer.unique_ids, answer.full_node_names):
                print(f'  {number}  {name}')
    return 0


def _require_container(node: Any, name: str) -> str:
    if find_node(node, name) is None:
        raise RuntimeError(f"Unable to find container node '{name}'")
    return name if name.startswith('/') else '/' + name


def _add_component_arguments(parser) -> None:
    parser.add_argument('package_name', help='Package name where to find the component'
                        ).completer = _complete_packages
    parser.add_argument('plugin_name', help='Type name of the component to be loaded'
                        ).completer = _complete_plugins
    parser.add_argument('-n', '--node-name', default='', help='Component node name')
    parser.add_argument('--node-namespace', default='', help='Component node namespace')
    parser.add_argument('--log-level', help='Component node log level')
    parser.add_argument('-r', '--remap', action='append', default=[], dest='remap_rules',
                        help="Component node remapping rules, in the 'from:=to' form")
    parser.add_argument('-p', '--parameter', action='append', default=[], dest='parameters',
                        help="Component node parameters, in the 'name:=value' form")
    parser.add_argument('-e', '--extra-argument', action='append', default=[],
                        dest='extra_arguments',
                        help="Extra arguments for the container, in the 'name:=value' form")
    parser.add_argument('-q', '--quiet', action='store_true',
                        help='Suppress some messages (only print the component\'s id)')


def _parameters(texts: List[str]) -> List[Any]:
    from rclpy.parameter import Parameter
    messages = []
    for text in texts:
        name, separator, value = text.partition(':=')
        if not separator:
            raise RuntimeError(f"Expected '{text}' to be in the 'name:=value' form")
        messages.append(Parameter(name, value=yaml.safe_load(value)).to_parameter_msg())
    return messages


_LEVELS = {'debug': 10, 'info': 20, 'warn': 30, 'error': 40, 'fatal': 50}


def _load(node: Any, container: str, args: Any) -> Any:
    from composition_interfaces.srv import LoadNode
    request = LoadNode.Request(
        package_name=args.package_name, plugin_name=args.plugin_name, node_name=args.node_name,
        node_namespace=args.node_namespace, remap_rules=args.remap_rules,
        parameters=_parameters(args.parameters),
        extra_arguments=_parameters(args.extra_arguments))
    if args.log_level:
        if args.log_level.lower() not in _LEVELS:
            raise RuntimeError(f"Invalid log level '{args.log_level}', expected one of "
                               f'{list(_LEVELS)}')
        request.log_level = _LEVELS[args.log_level.lower()]
    answer = _call(node, container, 'load_node', 'LoadNode', request)
    if not answer.success:
        raise RuntimeError(f'Failed to load component: {answer.error_message}')
    return answer


def add_load_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('container_node_name', help='Container node name to load component into'
                        ).completer = complete_nodes
    _add_component_arguments(parser)


def run_load(args):
    with own_node(args) as node:
        container = _require_container(node, args.container_node_name)
        answer = _load(node, container, args)
    if args.quiet:
        print(answer.unique_id)
    else:
        print(f"Loaded component {answer.unique_id} into '{args.container_node_name}' container "
              f"node as '{answer.full_node_name}'")
    return 0


def add_unload_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('container_node_name', help='Container node name to unload component '
                                                    'from').completer = complete_nodes
    parser.add_argument('component_uid', type=int, nargs='+',
                        help='Unique ID of the component to be unloaded')
    parser.add_argument('-q', '--quiet', action='store_true', help='Suppress messages')


def run_unload(args):
    from composition_interfaces.srv import UnloadNode
    failed = False
    with own_node(args) as node:
        container = _require_container(node, args.container_node_name)
        for number in args.component_uid:
            answer = _call(node, container, 'unload_node', 'UnloadNode',
                           UnloadNode.Request(unique_id=number))
            if not answer.success:
                failed = True
                print(f"Failed to unload component {number} from '{args.container_node_name}' "
                      f'container node\n    {answer.error_message}', file=sys.stderr)
            elif not args.quiet:
                print(f"Unloaded component {number} from '{args.container_node_name}' container "
                      'node')
    return 1 if failed else 0


def add_standalone_arguments(parser) -> None:
    add_graph_arguments(parser)
    _add_component_arguments(parser)
    parser.add_argument('-c', '--container-node-name', default='standalone_container_',
                        help='Name of the container node to be run')


def run_standalone(args):
    name = args.container_node_name
    if name == 'standalone_container_':
        name += os.urandom(6).hex()
    path = find_executable('rclcpp_components', 'component_container')
    let_interrupts_raise()
    container = subprocess.Popen([path, '--ros-args', '-r', f'__node:={name}'])
    try:
        with own_node(args) as node:
            full = _require_container(node, name)
            answer = _load(node, full, args)
        if not args.quiet:
            print(f"Loaded component {answer.unique_id} into '{full}' container node as "
                  f"'{answer.full_node_name}'")
        return container.wait()
    finally:
        if container.poll() is None:
            container.terminate()
        container.wait()
