# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 topic pub`."""

import argparse
import time

from .graph import complete_topics, own_node
from .interface import complete_messages
from .messages import import_interface, parse_values, set_message_fields
from .qos import add_qos_arguments, profile_from_arguments


# We know of a subscription before it knows of us; what is published in between is lost.
_GRACE_SECONDS = 0.1
_ACKNOWLEDGEMENT_SECONDS = 3.5


def _non_negative(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f'{value} is not a valid number: must not be negative')
    return value


def _positive_float(text: str) -> float:
    value = float(text)
    if value <= 0.0:
        raise argparse.ArgumentTypeError(f'{value} is not positive')
    return value


def add_pub_arguments(parser) -> None:
    parser.add_argument('topic_name', help="Name of the ROS topic to publish to (e.g. "
                        "'/chatter')").completer = complete_topics
    parser.add_argument('message_type', help="Type of the ROS message (e.g. "
                        "'std_msgs/String')").completer = complete_messages
    parser.add_argument('values', nargs='?', default='{}',
                        help="Values to fill the message with in YAML format (e.g. 'data: Hello "
                             "World'), otherwise the message will be published with default "
                             'values')
    parser.add_argument('-r', '--rate', metavar='N', type=_positive_float, default=1.0,
                        help='Publishing rate in Hz (default: 1)')
    parser.add_argument('-p', '--print', metavar='N', type=int, default=1,
                        help='Only print every N-th published message (default: 1)')
    group = parser.add_mutually_exclusive_group()
    group.add_argument('-1', '--once', action='store_true', help='Publish one message and exit')
    group.add_argument('-t', '--times', type=_non_negative, default=0,
                       help='Publish this number of times and then exit')
    parser.add_argument('-w', '--wait-matching-subscriptions', type=_non_negative, default=None,
                        help='Wait until finding the specified number of matching subscriptions. '
                             'Defaults to 1 when using "-1"/"--once"/"--times", otherwise '
                             'defaults to 0.')
    parser.add_argument('--max-wait-time-secs', type=_positive_float, default=None,
                        help='This sets the maximum wait time in seconds if '
                             '--wait-matching-subscriptions is set. By default, this flag is not '
                             'set meaning the subscriber will wait endlessly.')
    parser.add_argument('--keep-alive', metavar='N', type=_positive_float, default=0.1,
                        help='Keep publishing node alive for N seconds after the last msg '
                             '(default: 0.1)')
    parser.add_argument('-n', '--node-name', help='Name of the created publishing node')
    parser.add_argument('-s', '--use-sim-time', action='store_true',
                        help='Enable ROS simulation time')
    parser.add_argument('--spin-time', type=float, default=0.5, help=argparse.SUPPRESS)
    add_qos_arguments(parser, 'publish', 'default')


def _wait_for_subscriptions(publisher, args, limited: bool) -> bool:
    wanted = args.wait_matching_subscriptions
    if wanted is None:
        wanted = 1 if limited else 0
    start = said = time.monotonic() - 1.0
    while publisher.get_subscription_count() < wanted:
        now = time.monotonic()
        if now - said >= 1.0:
            said = now
            print(f'Waiting for at least {wanted} matching subscription(s)...')
        if args.max_wait_time_secs is not None and now - start - 1.0 > args.max_wait_time_secs:
            print(f'Timed out waiting for subscribers: Expected {wanted} subscribers but only '
                  f'got {publisher.get_subscription_count()} subscribers')
            return False
        time.sleep(0.02)
    if wanted:
        time.sleep(_GRACE_SECONDS)
    return True


def _wait_for_acknowledgement(publisher) -> None:
    from rclpy.duration import Duration
    try:
        publisher.wait_for_all_acked(Duration(seconds=_ACKNOWLEDGEMENT_SECONDS))
    except RuntimeError:
        pass  # interrupted, or the middleware cannot tell


def run_pub(args):
    import rclpy
    if args.max_wait_time_secs is not None and \
            args.wait_matching_subscriptions is None and not (args.once or args.times):
        return '--max-wait-time-secs option is only effective with ' \
               '--wait-matching-subscriptions, --once or --times'
    message_type = import_interface(args.message_type, 'msg')
    values = parse_values(args.values)
    times = 1 if args.once else args.times
    with own_node(args, name=args.node_name) as node:
        message = message_type()
        set_message_fields(message, values, node.get_clock().now().to_msg())
        profile = profile_from_arguments(args, 'default')
        if args.once and args.qos_depth is None and args.qos_history is None:
            profile.depth = 1  # a full history makes the writer ask for its acknowledgement at once
        publisher = node.create_publisher(message_type, args.topic_name, profile)
        if not _wait_for_subscriptions(publisher, args, times > 0):
            return 1
        print('publisher: beginning loop')
        count = 0
        next_time = time.monotonic()
        while rclpy.ok():
            if 'auto' in args.values or 'now' in args.values:
                set_message_fields(message, values, node.get_clock().now().to_msg())
            count += 1
            if args.print and count % args.print == 0:
                print(f'publishing #{count}: {message!r}\n')
            publisher.publish(message)
            if times and count >= times:
                break
            next_time += 1.0 / args.rate
            while rclpy.ok():
                left = next_time - time.monotonic()
                if left <= 0:
                    break
                rclpy.spin_once(node, timeout_sec=left)
        _wait_for_acknowledgement(publisher)
        time.sleep(args.keep_alive)
    return 0
