# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 action`."""

from .graph import add_graph_arguments, own_node, wait_for, wait_until_settled
from .messages import import_interface, message_to_yaml, parse_values, set_message_fields


def complete_actions(prefix, parsed_args, **kwargs):
    """Complete names of actions."""
    import argparse
    from rclpy.action.graph import get_action_names_and_types
    with own_node() as node:
        wait_until_settled(node, argparse.Namespace(spin_time=0.0))
        return [name for name, _ in get_action_names_and_types(node)]


def add_list_arguments(parser) -> None:
    add_graph_arguments(parser, daemon=False)
    parser.add_argument('-t', '--show-types', action='store_true',
                        help='Additionally show the action type')
    parser.add_argument('-c', '--count-actions', action='store_true',
                        help='Only display the number of actions discovered')


def run_list(args):
    from rclpy.action.graph import get_action_names_and_types
    with own_node(args) as node:
        wait_until_settled(node, args)
        actions = sorted(get_action_names_and_types(node))
    if args.count_actions:
        print(len(actions))
        return 0
    for name, types in actions:
        print(f"{name} [{', '.join(types)}]" if args.show_types else name)
    return 0


def _full(name: str) -> str:
    return name if name.startswith('/') else '/' + name


def add_info_arguments(parser) -> None:
    add_graph_arguments(parser, daemon=False)
    parser.add_argument('action_name', help="Name of the ROS action to get info about (e.g. "
                        "'/fibonacci')").completer = complete_actions
    parser.add_argument('-t', '--show-types', action='store_true',
                        help='Additionally show the action types')
    parser.add_argument('-c', '--count', action='store_true',
                        help='Only display the number of action clients and action servers')


def _endpoints(node, action: str, by_node):
    found = []
    for name, namespace in node.get_node_names_and_namespaces():
        for known, types in by_node(node, name, namespace):
            if known == action:
                full = (namespace if namespace.endswith('/') else namespace + '/') + name
                found.append((full, types))
    return sorted(found)


def run_info(args):
    from rclpy.action.graph import get_action_client_names_and_types_by_node
    from rclpy.action.graph import get_action_names_and_types
    from rclpy.action.graph import get_action_server_names_and_types_by_node
    action = _full(args.action_name)
    with own_node(args) as node:
        wait_for(node, lambda: action in dict(get_action_names_and_types(node)))
        wait_until_settled(node, args)
        clients = _endpoints(node, action, get_action_client_names_and_types_by_node)
        servers = _endpoints(node, action, get_action_server_names_and_types_by_node)
    print(f'Action: {args.action_name}')
    for title, endpoints in (('clients', clients), ('servers', servers)):
        print(f'Action {title}: {len(endpoints)}')
        if args.count:
            continue
        for name, types in endpoints:
            print(f"    {name} [{', '.join(types)}]" if args.show_types else f'    {name}')
    return 0


def add_type_arguments(parser) -> None:
    add_graph_arguments(parser, daemon=False)
    parser.add_argument('action_name', help="Name of the ROS action to get type (e.g. "
                        "'/fibonacci')").completer = complete_actions


def run_type(args):
    from rclpy.action.graph import get_action_names_and_types
    with own_node(args) as node:
        types = wait_for(node, lambda: dict(get_action_names_and_types(node)).get(
            _full(args.action_name), []))
    for name in types:
        print(name)
    return 0 if types else 1


def add_send_goal_arguments(parser) -> None:
    parser.add_argument('action_name', help="Name of the ROS action (e.g. '/fibonacci')"
                        ).completer = complete_actions
    parser.add_argument('action_type', help="Type of the ROS action (e.g. "
                        "'example_interfaces/action/Fibonacci')")
    parser.add_argument('goal', help="Goal request values in YAML format (e.g. '{order: 10}')")
    parser.add_argument('-f', '--feedback', action='store_true',
                        help='Echo feedback messages for the goal')


def _indented(message) -> str:
    return message_to_yaml(message).rstrip('\n').replace('\n', '\n    ')


def run_send_goal(args):
    import rclpy
    from action_msgs.msg import GoalStatus
    from rclpy.action import ActionClient
    action_type = import_interface(args.action_type, 'action')
    values = parse_values(args.goal)
    with own_node(args) as node:
        goal = action_type.Goal()
        set_message_fields(goal, values, node.get_clock().now().to_msg())
        client = ActionClient(node, action_type, args.action_name)
        handle = None
        try:
            print('Waiting for an action server to become available...')
            while not client.wait_for_server(timeout_sec=1.0):
                pass
            print(f'Sending goal:\n     {message_to_yaml(goal)}')
            feedback = None
            if args.feedback:
                def feedback(message) -> None:
                    print(f'Feedback:\n    {_indented(message.feedback)}\n')
            future = client.send_goal_async(goal, feedback)
            rclpy.spin_until_future_complete(node, future)
            handle = future.result()
            if not handle.accepted:
                print('Goal was rejected.')
                handle = None
                return 1
            print('Goal accepted with ID: '
                  f"{''.join(f'{byte:02x}' for byte in handle.goal_id.uuid)}\n")
            result = handle.get_result_async()
            rclpy.spin_until_future_complete(node, result)
            response = result.result()
            if response is None:
                raise RuntimeError(f'Exception while getting result: {result.exception()!r}')
            names = {getattr(GoalStatus, key): key.replace('STATUS_', '')
                     for key in dir(GoalStatus) if key.startswith('STATUS_')}
            handle = None
            print(f'Result:\n    {_indented(response.result)}\n\nGoal finished with status: '
                  f"{names.get(response.status, 'UNKNOWN')}")
            return 0
        except KeyboardInterrupt:
            if handle is not None and rclpy.ok():
                print('Canceling goal...')
                rclpy.spin_until_future_complete(node, handle.cancel_goal_async(), timeout_sec=2.0)
            raise
        finally:
            client.destroy()
