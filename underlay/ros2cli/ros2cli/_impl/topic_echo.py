# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 topic echo`."""

import sys
from typing import Any, Optional

from .graph import add_graph_arguments, complete_topics, own_node
from .graph import wait_for_topic_types
from .messages import get_field, import_interface, is_message, message_to_csv, message_to_yaml
from .messages import message_to_ordereddict
from .qos import add_qos_arguments, incompatible_offer_warning, profile_for_subscription


def add_echo_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('topic_name', help="Name of the ROS topic to listen to (e.g. '/chatter')"
                        ).completer = complete_topics
    parser.add_argument('message_type', nargs='?',
                        help="Type of the ROS message (e.g. 'std_msgs/msg/String')")
    add_qos_arguments(parser, 'subscribe', 'sensor_data')
    parser.add_argument('--csv', action='store_true',
                        help='Output all recursive fields separated by commas (e.g. for plotting)')
    parser.add_argument('--field', help='Echo a selected field of a message. Use '
                                        "'.' to select sub-fields")
    parser.add_argument('-f', '--full-length', action='store_true',
                        help='Output all elements for arrays, bytes, and string with a length > '
                             "'--truncate-length', by default they are truncated")
    parser.add_argument('-l', '--truncate-length', type=int, default=128,
                        help='The length to truncate arrays, bytes, and string to (default: 128)')
    parser.add_argument('--no-arr', action='store_true',
                        help="Don't print array fields of messages")
    parser.add_argument('--no-str', action='store_true',
                        help="Don't print string fields of messages")
    parser.add_argument('--flow-style', action='store_true',
                        help='Print collections in the block style (not available with csv '
                             'format)')
    parser.add_argument('--lost-messages', action='store_true', help='DEPRECATED: Does nothing')
    parser.add_argument('--no-lost-messages', action='store_true',
                        help="Don't report when a message is lost")
    parser.add_argument('--raw', action='store_true', help='Echo the raw binary representation')
    parser.add_argument('--filter', dest='filter_expr',
                        help='Python expression to filter messages that are printed. Expression '
                             'can use Python builtins as well as m (the message)')
    parser.add_argument('--once', action='store_true',
                        help='Print the first message received and then exit')
    parser.add_argument('--timeout', metavar='N', type=float, default=0,
                        help='Set a timeout in seconds for waiting')
    parser.add_argument('--include-message-info', action='store_true',
                        help='Shows the associated message info')


def _message_type(node: Any, args: Any) -> Any:
    if args.message_type is not None:
        return import_interface(args.message_type, 'msg')
    types = wait_for_topic_types(node, args.topic_name)
    if not types:
        print(f'WARNING: topic [{args.topic_name}] does not appear to be published yet',
              file=sys.stderr)
        raise RuntimeError('Could not determine the type for the passed topic')
    if len(types) > 1:
        raise RuntimeError(f"Cannot echo topic '{args.topic_name}', as it contains more than one "
                           f"type: [{', '.join(types)}]")
    return import_interface(types[0], 'msg')


class _Printer:
    """Prints messages the way the options ask for."""

    def __init__(self, args: Any) -> None:
        self.done = False
        self._args = args
        self._filter = None
        if args.filter_expr:
            code = compile(args.filter_expr, '--filter', 'eval')
            self._filter = lambda message: eval(code, {'m': message})
        self._options = {
            'truncate_length': None if args.full_length else args.truncate_length,
            'no_arr': args.no_arr, 'no_str': args.no_str}

    def __call__(self, message: Any, info: Optional[dict] = None) -> None:
        if self.done or (self._filter is not None and not self._filter(message)):
            return
        self.done = self._args.once
        if info is not None and self._args.include_message_info:
            print(info, end='\n---\n')
        if self._args.raw:
            print(message, end='\n---\n')
            return
        if self._args.field is not None:
            message = get_field(message, self._args.field)
        if self._args.csv:
            print(message_to_csv(message, **self._options))
        elif is_message(message):
            print(message_to_yaml(message, flow_style=self._args.flow_style, **self._options),
                  end='---\n')
        elif isinstance(message, list) and message and is_message(message[0]):
            print([dict(message_to_ordereddict(item, **self._options)) for item in message],
                  end='\n---\n')
        else:
            print(message, end='\n---\n')


def run_echo(args):
    import rclpy
    from rclpy.event_handler import SubscriptionEventCallbacks
    if args.csv and args.raw:
        return 'argument --raw: not allowed with --csv'
    with own_node(args) as node:
        message_type = _message_type(node, args)
        profile = profile_for_subscription(node, args.topic_name, args)
        printer = _Printer(args)

        def on_lost(event) -> None:
            if not args.no_lost_messages:
                print('A message was lost!!!\n\ttotal count change:'
                      f'{event.total_count_change}\n\ttotal count: {event.total_count}',
                      file=sys.stderr)
        callbacks = SubscriptionEventCallbacks(
            message_lost=on_lost, incompatible_qos=lambda event: node.get_logger().warning(
                incompatible_offer_warning(event)))
        # The number of arguments decides what the subscription passes.
        callback = (lambda message, info: printer(message, info)) \
            if args.include_message_info else (lambda message: printer(message))
        node.create_subscription(message_type, args.topic_name, callback, profile, raw=args.raw,
                                 event_callbacks=callbacks)
        deadline = node.get_clock().now().nanoseconds + int(args.timeout * 1e9)
        while rclpy.ok() and not printer.done:
            rclpy.spin_once(node, timeout_sec=args.timeout or None)
            if args.timeout and not printer.done and \
                    node.get_clock().now().nanoseconds >= deadline:
                break
    return 0
