# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 node`."""

import sys
from collections import Counter

from .graph import add_graph_arguments, complete_nodes, find_node, is_hidden, node_names
from .graph import own_node, wait_until_settled

_DUPLICATES = ('WARNING: Be aware that there are nodes in the graph that share an exact name, '
               'which can have unintended side effects.')


def add_list_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('-a', '--all', action='store_true',
                        help='Display all nodes even hidden ones')
    parser.add_argument('-c', '--count-nodes', action='store_true',
                        help='Only display the number of nodes discovered')


def run_list(args):
    with own_node(args) as node:
        wait_until_settled(node, args)
        names = sorted(full for _, _, full in node_names(node, include_hidden=args.all))
    if args.count_nodes:
        print(len(names))
        return 0
    if len(set(names)) != len(names):
        print(_DUPLICATES, file=sys.stderr)
    for name in names:
        print(name)
    return 0


def add_info_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('node_name', help='Node name to request information').completer = \
        complete_nodes
    parser.add_argument('--include-hidden', action='store_true',
                        help='Display hidden topics, services, and actions as well')


def _print_section(title, names_and_types, include_hidden) -> None:
    print(f'  {title}:')
    for name, types in sorted(names_and_types):
        if include_hidden or not is_hidden(name):
            print(f"    {name}: {', '.join(types)}")


def run_info(args):
    from rclpy.action.graph import get_action_client_names_and_types_by_node
    from rclpy.action.graph import get_action_server_names_and_types_by_node
    full = args.node_name if args.node_name.startswith('/') else '/' + args.node_name
    with own_node(args) as node:
        found = find_node(node, full)
        if found is None:
            return f"Unable to find node '{args.node_name}'"
        wait_until_settled(node, args)
        counts = Counter(known for _, _, known in node_names(node, include_hidden=True))
        if counts[full] > 1:
            print(f"There are {counts[full]} nodes in the graph with the exact name '{full}'. "
                  'You are seeing information about only one of them.')
        print(full)
        hidden = args.include_hidden
        _print_section('Subscribers', node.get_subscriber_names_and_types_by_node(*found), hidden)
        _print_section('Publishers', node.get_publisher_names_and_types_by_node(*found), hidden)
        _print_section('Service Servers', node.get_service_names_and_types_by_node(*found), hidden)
        _print_section('Service Clients', node.get_client_names_and_types_by_node(*found), hidden)
        print()
        _print_section('Action Servers', get_action_server_names_and_types_by_node(node, *found),
                       hidden)
        print()
        _print_section('Action Clients', get_action_client_names_and_types_by_node(node, *found),
                       hidden)
        print()
    return 0
