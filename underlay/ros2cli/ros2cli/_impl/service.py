# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 service`."""

import sys
import time

from .graph import add_graph_arguments, complete_services, is_hidden, own_node, wait_for
from .graph import wait_until_settled
from .messages import import_interface, parse_values, set_message_fields


def _add_hidden_argument(parser) -> None:
    parser.add_argument('--include-hidden-services', action='store_true',
                        help='Consider hidden services as well')


def _visible_services(node, include_hidden):
    return sorted((name, types) for name, types in node.get_service_names_and_types()
                  if include_hidden or not is_hidden(name))


def add_list_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('-t', '--show-types', action='store_true',
                        help='Additionally show the service type')
    parser.add_argument('-c', '--count-services', action='store_true',
                        help='Only display the number of services discovered')
    _add_hidden_argument(parser)


def run_list(args):
    with own_node(args) as node:
        wait_until_settled(node, args)
        services = _visible_services(node, args.include_hidden_services)
    if args.count_services:
        print(len(services))
        return 0
    for name, types in services:
        print(f"{name} [{', '.join(types)}]" if args.show_types else name)
    return 0


def add_type_arguments(parser) -> None:
    add_graph_arguments(parser, daemon=False)
    parser.add_argument('service_name', help="Name of the ROS service to get type (e.g. "
                        "'/talker/list_parameters')").completer = complete_services
    _add_hidden_argument(parser)


def _wait_for_types(node, service_name: str):
    wanted = service_name if service_name.startswith('/') else '/' + service_name
    return wait_for(node, lambda: dict(node.get_service_names_and_types()).get(wanted, []))


def add_info_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('service_name', help="Name of the ROS service to get info (e.g. "
                        "'/talker/list_parameters')").completer = complete_services


def run_info(args):
    with own_node(args) as node:
        types = _wait_for_types(node, args.service_name)
        if not types:
            return f"Unknown service '{args.service_name}'"
        wait_until_settled(node, args)
        print(f'Type: {types[0] if len(types) == 1 else types}')
        print(f'Clients count: {node.count_clients(args.service_name)}')
        print(f'Services count: {node.count_services(args.service_name)}')
    return 0


def run_type(args):
    with own_node(args) as node:
        types = _wait_for_types(node, args.service_name)
    for name in types:
        print(name)
    return 0 if types else 1


def add_find_arguments(parser) -> None:
    add_graph_arguments(parser, daemon=False)
    parser.add_argument('service_type', help="Name of the ROS service type to filter for (e.g. "
                        "'rcl_interfaces/srv/ListParameters')")
    parser.add_argument('-c', '--count-services', action='store_true',
                        help='Only display the number of services discovered')
    _add_hidden_argument(parser)


def run_find(args):
    with own_node(args) as node:
        wait_until_settled(node, args)
        names = [name for name, types in _visible_services(node, args.include_hidden_services)
                 if args.service_type in types]
    if args.count_services:
        print(len(names))
        return 0
    for name in names:
        print(name)
    return 0


def _positive_float(text: str) -> float:
    value = float(text)
    if value <= 0.0:
        raise ValueError(f'{value} is not positive')
    return value


def add_call_arguments(parser) -> None:
    parser.add_argument('service_name', help="Name of the ROS service to call to (e.g. "
                        "'/add_two_ints')").completer = complete_services
    parser.add_argument('service_type', help="Type of the ROS service (e.g. "
                        "'std_srvs/srv/Empty')")
    parser.add_argument('values', nargs='?', default='{}',
                        help="Values to fill the service request with in YAML format (e.g. '{a: "
                             "1, b: 2}'), otherwise the service request will be published with "
                             'default values')
    parser.add_argument('-r', '--rate', metavar='N', type=_positive_float,
                        help='Repeat the call at a specific rate in Hz')


def run_call(args):
    import rclpy
    service_type = import_interface(args.service_type, 'srv')
    values = parse_values(args.values)
    with own_node(args, name=None) as node:
        request = service_type.Request()
        set_message_fields(request, values, node.get_clock().now().to_msg())
        client = node.create_client(service_type, args.service_name)
        if not client.service_is_ready():
            print('waiting for service to become available...')
            while not client.wait_for_service(timeout_sec=1.0):
                pass
        while True:
            print(f'requester: making request: {request!r}\n')
            start = time.monotonic()
            future = client.call_async(request)
            rclpy.spin_until_future_complete(node, future)
            if future.exception() is not None:
                print(f'Exception while calling service: {future.exception()!r}',
                      file=sys.stderr)
                return 1
            if not future.done():
                return 1
            print(f'response:\n{future.result()!r}\n')
            if args.rate is None or not rclpy.ok():
                return 0
            time.sleep(max(0.0, 1.0 / args.rate - (time.monotonic() - start)))
