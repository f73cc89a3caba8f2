# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 param`."""

import os
import re
import sys
from typing import Any, Dict, List

import yaml

from .graph import add_graph_arguments, complete_nodes, find_node, node_names, own_node
from .graph import wait_until_settled

# How long a node that was found may take to answer, in seconds.
_ANSWER_SECONDS = 5.0


def _add_node_argument(parser, **kwargs) -> None:
    parser.add_argument('node_name', help='Name of the ROS node', **kwargs
                        ).completer = complete_nodes


def _add_hidden_argument(parser) -> None:
    parser.add_argument('--include-hidden-nodes', action='store_true',
                        help='Consider hidden nodes as well')


def _full(name: str) -> str:
    return name if name.startswith('/') else '/' + name


def _call(node: Any, target: str, service: str, **fields) -> Any:
    """Call one of a node's parameter services; raise RuntimeError when that fails."""
    import rclpy
    import rcl_interfaces.srv as srv
    service_type = getattr(srv, service)
    path = f"{target}/{re.sub('(?<!^)(?=[A-Z])', '_', service).lower()}"
    client = node.create_client(service_type, path)
    try:
        if not client.wait_for_service(timeout_sec=_ANSWER_SECONDS):
            raise RuntimeError(f"Wait for service timed out: node '{target}' offers no '{path}'")
        future = client.call_async(service_type.Request(**fields))
        rclpy.spin_until_future_complete(node, future, timeout_sec=_ANSWER_SECONDS)
        if not future.done() or future.result() is None:
            raise RuntimeError(f"Exception while calling service of node '{target}': no answer")
        return future.result()
    finally:
        node.destroy_client(client)


def _require_node(node: Any, args: Any) -> str:
    if find_node(node, args.node_name) is None:
        raise RuntimeError('Node not found')
    return _full(args.node_name)


def _list_names(node: Any, target: str, prefixes: List[str] = ()) -> List[str]:
    result = _call(node, target, 'ListParameters', prefixes=list(prefixes)).result
    return sorted(result.names)


def add_list_arguments(parser) -> None:
    add_graph_arguments(parser)
    _add_node_argument(parser, nargs='?')
    _add_hidden_argument(parser)
    parser.add_argument('--param-prefixes', nargs='+', default=[],
                        help='Only list parameters with the provided prefixes')
    parser.add_argument('--param-type', action='store_true',
                        help='Print parameter types with parameter names')
    parser.add_argument('--filter', metavar='REGEX',
                        help='Only list parameters matching the provided regex')


def run_list(args):
    pattern = re.compile(args.filter) if args.filter else None
    with own_node(args) as node:
        if args.node_name is not None:
            targets = [_require_node(node, args)]
        else:
            wait_until_settled(node, args)
            services = dict(node.get_service_names_and_types())
            targets = sorted({
                full for _, _, full in node_names(
                    node, include_hidden=args.include_hidden_nodes)
                if f'{full}/list_parameters' in services})
        for target in targets:
            try:
                names = _list_names(node, target, args.param_prefixes)
                types = _types(node, target, names) if args.param_type else {}
            except RuntimeError as exc:
                print(exc, file=sys.stderr)
                continue
            if args.node_name is None:
                print(f'{target}:')
            for name in names:
                if pattern is None or pattern.search(name):
                    suffix = f' (type: {types[name]})' if args.param_type else ''
                    print(f'  {name}{suffix}')
    return 0


def _type_name(number: int) -> str:
    from rcl_interfaces.msg import ParameterType
    names = {getattr(ParameterType, key): key[len('PARAMETER_'):] for key in dir(ParameterType)
             if key.startswith('PARAMETER_')}
    return names[number].lower().replace('_', ' ')


def _types(node: Any, target: str, names: List[str]) -> Dict[str, str]:
    descriptors = _call(node, target, 'DescribeParameters', names=names).descriptors
    return {descriptor.name: _type_name(descriptor.type) for descriptor in descriptors}


def add_get_arguments(parser) -> None:
    add_graph_arguments(parser)
    _add_node_argument(parser)
    _add_hidden_argument(parser)
    parser.add_argument('parameter_name', help='Name of the parameter')
    parser.add_argument('--hide-type', action='store_true', help='Hide the type information')


_LABELS = ('Boolean value is:', 'Integer value is:', 'Double value is:', 'String value is:',
           'Byte values are:', 'Boolean values are:', 'Integer values are:',
           'Double values are:', 'String values are:')


def run_get(args):
    from rclpy.parameter import parameter_value_to_python
    with own_node(args) as node:
        target = _require_node(node, args)
        values = _call(node, target, 'GetParameters', names=[args.parameter_name]).values
    if not values:
        return 'Parameter not set'
    if values[0].type == 0:
        return 'Parameter not set.'
    value = parameter_value_to_python(values[0])
    print(value if args.hide_type else f'{_LABELS[values[0].type - 1]} {value}')
    return 0


def add_set_arguments(parser) -> None:
    add_graph_arguments(parser)
    _add_node_argument(parser)
    _add_hidden_argument(parser)
    parser.add_argument('parameter_name', help='Name of the parameter')
    parser.add_argument('value', help='Value of the parameter')


def _set(node: Any, target: str, name: str, value: Any) -> Any:
    from rcl_interfaces.msg import Parameter
    message = Parameter(name=name, value=value)
    return _call(node, target, 'SetParameters', parameters=[message]).results[0]


def run_set(args):
    from rclpy.parameter import get_parameter_value
    with own_node(args) as node:
        target = _require_node(node, args)
        result = _set(node, target, args.parameter_name, get_parameter_value(args.value))
    if result.successful:
        print('Set parameter successful' + (f': {result.reason}' if result.reason else ''))
    else:
        print('Setting parameter failed' + (f': {result.reason}' if result.reason else ''),
              file=sys.stderr)
    return 0


def add_delete_arguments(parser) -> None:
    add_graph_arguments(parser)
    _add_node_argument(parser)
    _add_hidden_argument(parser)
    parser.add_argument('parameter_name', help='Name of the parameter')


def run_delete(args):
    from rcl_interfaces.msg import ParameterValue
    with own_node(args) as node:
        target = _require_node(node, args)
        result = _set(node, target, args.parameter_name, ParameterValue())
    if result.successful:
        print('Deleted parameter successfully' + (f': {result.reason}' if result.reason else ''))
    else:
        print('Deleting parameter failed' + (f': {result.reason}' if result.reason else ''),
              file=sys.stderr)
    return 0


def add_describe_arguments(parser) -> None:
    add_graph_arguments(parser)
    _add_node_argument(parser)
    _add_hidden_argument(parser)
    parser.add_argument('parameter_names', nargs='+', help='Names of the parameters')


def run_describe(args):
    with own_node(args) as node:
        target = _require_node(node, args)
        descriptors = _call(node, target, 'DescribeParameters',
                            names=args.parameter_names).descriptors
    if not descriptors:
        return 'Failed to describe parameters: ' + ', '.join(args.parameter_names)
    for descriptor in descriptors:
        print(f'Parameter name: {descriptor.name}')
        print(f'  Type: {_type_name(descriptor.type)}')
        if descriptor.description:
            print(f'  Description: {descriptor.description}')
        print('  Constraints:')
        if descriptor.read_only:
            print('    Read only: true')
        for bounds in (*descriptor.integer_range, *descriptor.floating_point_range):
            print(f'    Min value: {bounds.from_value}')
            print(f'    Max value: {bounds.to_value}')
            print(f'    Step: {bounds.step}')
        if descriptor.additional_constraints:
            print(f'    Additional constraints: {descriptor.additional_constraints}')
    return 0


def add_dump_arguments(parser) -> None:
    add_graph_arguments(parser)
    _add_node_argument(parser)
    _add_hidden_argument(parser)


def _insert(tree: Dict[str, Any], name: str, value: Any) -> None:
    *parents, leaf = name.split('.')
    for parent in parents:
        tree = tree.setdefault(parent, {})
        if not isinstance(tree, dict):
            raise RuntimeError(f"parameter '{name}' is below one that has a value itself")
    tree[leaf] = value


def run_dump(args):
    from rclpy.parameter import parameter_value_to_python
    with own_node(args) as node:
        target = _require_node(node, args)
        names = _list_names(node, target)
        values = _call(node, target, 'GetParameters', names=names).values
    parameters: Dict[str, Any] = {}
    for name, value in zip(names, values):
        plain = parameter_value_to_python(value)
        if plain is not None:
            is_sequence = not isinstance(plain, (str, bytes)) and hasattr(plain, '__iter__')
            _insert(parameters, name, list(plain) if is_sequence else plain)
    print(yaml.dump({target: {'ros__parameters': parameters}}, default_flow_style=False), end='')
    return 0


def add_load_arguments(parser) -> None:
    add_graph_arguments(parser)
    _add_node_argument(parser)
    parser.add_argument('parameter_file', help='Parameter file')
    _add_hidden_argument(parser)
    parser.add_argument('--no-use-wildcard', action='store_true',
                        help="Do not load parameters in the '/**' namespace into the node")


def run_load(args):
    from rclpy.parameter import parameter_dict_from_yaml_file
    if not os.path.isfile(args.parameter_file):
        return f"parameter file '{args.parameter_file}' does not exist"
    with own_node(args) as node:
        target = _require_node(node, args)
        parameters: Dict[str, Any] = {}
        sections = ([] if args.no_use_wildcard else ['/**']) + [target]
        for section in sections:
            try:
                parameters.update(parameter_dict_from_yaml_file(
                    args.parameter_file, False, target_nodes=[section]))
            except yaml.YAMLError as exc:
                return f"parameter file '{args.parameter_file}' does not parse: {exc}"
            except RuntimeError:
                continue  # the file has no such section
        if not parameters:
            return 'Param file does not contain any valid parameters'
        for name, message in parameters.items():
            result = _set(node, target, name, message.value)
            reason = f': {result.reason}' if result.reason else ''
            if result.successful:
                print(f'Set parameter {name} successful{reason}')
            else:
                print(f'Set parameter {name} failed{reason}', file=sys.stderr)
    return 0


