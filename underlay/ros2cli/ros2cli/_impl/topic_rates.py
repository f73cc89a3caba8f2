# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 topic hz, bw, delay`."""

import math
import sys
import time
from collections import deque
from typing import Any, Callable, Deque, List, Optional

from .graph import add_graph_arguments, complete_topics, own_node, wait_for_topic_types
from .messages import import_interface


def _add_common_arguments(parser, default_window: int) -> None:
    add_graph_arguments(parser)
    parser.add_argument('topic_name', help="Name of the ROS topic (e.g. '/chatter')"
                        ).completer = complete_topics
    parser.add_argument('--window', '-w', type=_positive, default=default_window,
                        dest='window_size', metavar='WINDOW',
                        help='maximum window size, in # of messages, for calculating the rate '
                             f'(default: {default_window})')


def _positive(text: str) -> int:
    value = int(text)
    if value <= 0:
        raise ValueError(f'{value} is not positive')
    return value


def add_hz_arguments(parser) -> None:
    _add_common_arguments(parser, 10000)
    parser.add_argument('--filter', dest='filter_expr', metavar='EXPR',
                        help='only measure messages matching the specified Python expression')
    parser.add_argument('--wall-time', action='store_true',
                        help='calculates rate using wall time which can be helpful when clock '
                             'is not published during simulation')


def add_bw_arguments(parser) -> None:
    _add_common_arguments(parser, 100)


def add_delay_arguments(parser) -> None:
    _add_common_arguments(parser, 10000)


def _watch(args: Any, on_message: Callable, report: Callable[[], Optional[str]], *,
           raw: bool, announce: bool = False) -> int:
    """Subscribe and print the report every second until interrupted."""
    import rclpy
    from rclpy.qos import qos_profile_sensor_data
    with own_node(args) as node:
        types = wait_for_topic_types(node, args.topic_name)
        while not types and rclpy.ok():
            print(f'WARNING: topic [{args.topic_name}] does not appear to be published yet')
            types = wait_for_topic_types(node, args.topic_name)
        message_type = import_interface(types[0], 'msg')
        node.create_subscription(
            message_type, args.topic_name, lambda message: on_message(node, message),
            qos_profile_sensor_data, raw=raw)
        if announce:
            print(f'Subscribed to [{args.topic_name}]')
        next_report = time.monotonic() + 1.0
        while rclpy.ok():
            rclpy.spin_once(node, timeout_sec=max(0.0, next_report - time.monotonic()))
            if time.monotonic() >= next_report:
                next_report += 1.0
                text = report()
                if text:
                    print(text)
    return 0


def _statistics(values: List[float]):
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return mean, min(values), max(values), deviation


def run_hz(args):
    times: Deque[float] = deque(maxlen=args.window_size)
    reported = [0, 0]  # messages received, and how many of them the last report knew
    matches = None
    if args.filter_expr:
        code = compile(args.filter_expr, '--filter', 'eval')

        def matches(message) -> bool:
            return eval(code, {'m': message})

    def on_message(node, message) -> None:
        if matches is None or matches(message):
            times.append(time.monotonic() if args.wall_time or not args.use_sim_time
                         else node.get_clock().now().nanoseconds * 1e-9)
            reported[0] += 1

    def report() -> Optional[str]:
        if len(times) < 2 or reported[0] == reported[1]:
            return None
        reported[1] = reported[0]
        stamps = list(times)
        periods = [b - a for a, b in zip(stamps, stamps[1:])]
        mean, low, high, deviation = _statistics(periods)
        rate = 1.0 / mean if mean > 0 else 0.0
        return (f'average rate: {rate:.3f}\n\tmin: {low:.3f}s max: {high:.3f}s '
                f'std dev: {deviation:.5f}s window: {len(stamps)}')
    return _watch(args, on_message, report, raw=matches is None)


def _size(value: float, unit: str = '') -> str:
    if value < 1000:
        return f'{value:.0f} B{unit}'
    if value < 1_000_000:
        return f'{value / 1000:.2f} KB{unit}'
    return f'{value / 1_000_000:.2f} MB{unit}'


def run_bw(args):
    received: Deque = deque(maxlen=args.window_size)

    def on_message(node, message: bytes) -> None:
        received.append((time.monotonic(), len(message)))

    def report() -> Optional[str]:
        if len(received) < 2:
            return None
        entries = list(received)
        sizes = [size for _, size in entries]
        seconds = time.monotonic() - entries[0][0]
        return (f"{_size(sum(sizes) / seconds, '/s')} from {len(sizes)} messages\n"
                f'\tMessage size mean: {_size(sum(sizes) / len(sizes))} '
                f'min: {_size(min(sizes))} max: {_size(max(sizes))}')
    return _watch(args, on_message, report, raw=True, announce=True)


def run_delay(args):
    delays: Deque[float] = deque(maxlen=args.window_size)

    def on_message(node, message) -> None:
        if not hasattr(message, 'header'):
            print('msg does not have header', file=sys.stderr)
            raise RuntimeError('msg does not have header')
        stamp = message.header.stamp
        now = node.get_clock().now().nanoseconds
        delays.append((now - stamp.sec * 10 ** 9 - stamp.nanosec) * 1e-9)

    def report() -> Optional[str]:
        if not delays:
            return None
        mean, low, high, deviation = _statistics(list(delays))
        return (f'average delay: {mean:.3f}\n\tmin: {low:.3f}s max: {high:.3f}s '
                f'std dev: {deviation:.5f}s window: {len(delays)}')
    return _watch(args, on_message, report, raw=False)
