# SPDX-License-Identifier: BSD-3-Clause
"""The ROS graph as seen by a node of our own, without a daemon."""

import argparse
import contextlib
import os
import time
from typing import Any, Callable, Iterator, List, Optional, Tuple

from .interrupts import let_interrupts_raise

# Discovery on a busy machine takes longer than one announcement period, and what is announced
# only with the periodic message needs 3 s (Fast DDS' lease announcement period).
_PATIENCE_SECONDS = 6.0
# Somebody is on this host who has not been met: he will be, however busy the machine is.
_PATIENCE_SECONDS_NOT_ALL_MET = 60.0
# The graph counts as known when it has not changed for this long: so long as nothing tells how
# many participants there are, and where all participants of this host have been met.
_SETTLED_SECONDS = 1.0
_SETTLED_SECONDS_ALL_MET = 0.2
_POLL_SECONDS = 0.02


def add_graph_arguments(parser: argparse.ArgumentParser, *, daemon: bool = True) -> None:
    """Add the options of all verbs that look at the graph."""
    parser.add_argument('--spin-time', type=float, default=0.5,
                        help='Spin time in seconds to wait for discovery')
    parser.add_argument('-s', '--use-sim-time', action='store_true',
                        help='Enable ROS simulation time')
    if daemon:
        parser.add_argument('--no-daemon', action='store_true',
                            help='Accepted for compatibility: there is no daemon')


@contextlib.contextmanager
def own_node(args: Any = None, *, name: Optional[str] = None) -> Iterator[Any]:
    """Give a hidden node for the time of a command."""
    import rclpy
    from rclpy.parameter import Parameter
    let_interrupts_raise()
    rclpy.init(args=[])
    try:
        overrides = []
        if getattr(args, 'use_sim_time', False):
            overrides = [Parameter('use_sim_time', value=True)]
        node = rclpy.create_node(
            name or f'_ros2cli_{os.getpid()}', start_parameter_services=False,
            parameter_overrides=overrides)
        try:
            yield node
        finally:
            node.destroy_node()
    finally:
        rclpy.try_shutdown()


def _participants_on_host() -> int:
    """Return how many DDS participants of our domain have their port open on this host.

    A participant listens on port 7400 + 250 * domain + 10 + 2 * number (RTPS 9.6.1.1).
    """
    first = 7400 + 250 * int(os.environ.get('ROS_DOMAIN_ID') or 0)
    ports = set()
    for path in ('/proc/net/udp', '/proc/net/udp6'):
        try:
            with open(path) as file:
                for line in file.readlines()[1:]:
                    ports.add(int(line.split()[1].rpartition(':')[2], 16) - first)
        except OSError:
            continue
    return sum(1 for port in ports if 10 <= port < 250 and port % 2 == 0)


def _all_met(node: Any) -> Optional[bool]:
    """Return whether every participant there is has been met; None where that is unknowable."""
    local = os.environ.get('ROS_AUTOMATIC_DISCOVERY_RANGE', '').upper() == 'LOCALHOST'
    if not local or 'fastrtps' not in os.environ.get('RMW_IMPLEMENTATION', 'rmw_fastrtps_cpp'):
        return None
    writers = node.get_publishers_info_by_topic('ros_discovery_info', no_mangle=True)
    met = len({bytes(writer.endpoint_gid)[:12] for writer in writers})
    if met == 0 or met < _participants_on_host():
        return False
    return all(known.node_name != '_NODE_NAME_UNKNOWN_' for topic in ('/rosout',
               '/parameter_events') for known in node.get_publishers_info_by_topic(topic))


def _snapshot(node: Any) -> Tuple:
    return (sorted(node.get_node_names_and_namespaces()),
            sorted(map(str, node.get_topic_names_and_types())),
            sorted(map(str, node.get_service_names_and_types())))


def wait_until_settled(node: Any, args: Any = None, until: Callable[[], Any] = lambda: None):
    """Wait until the graph is known, as far as that can be told, or until `until` is true.

    Return the last result of `until`. With nobody else in sight the wait is longer.
    """
    start = time.monotonic()
    last, since = None, start
    while True:
        result = until()
        if result:
            return result
        now, current = time.monotonic(), _snapshot(node)
        if current != last:
            last, since = current, now
        quiet, all_met = now - since, _all_met(node)
        if all_met and quiet >= _SETTLED_SECONDS_ALL_MET:
            return result
        # Without that knowledge a search goes on to the end, a listing until it is quiet.
        if all_met is None and args is not None and len(current[0]) > 1 and \
                now - start >= args.spin_time and quiet >= _SETTLED_SECONDS:
            return result
        if now - start >= (_PATIENCE_SECONDS_NOT_ALL_MET if all_met is False else _PATIENCE_SECONDS):
            return result
        time.sleep(_POLL_SECONDS)


def wait_for(node: Any, predicate: Callable[[], Any]) -> Any:
    """Return the predicate's first true result, or its last one when the graph is known."""
    return wait_until_settled(node, until=predicate)


def is_hidden(name: str) -> bool:
    """Return whether some part of the name starts with an underscore."""
    return any(part.startswith('_') for part in name.split('/'))


def node_names(node: Any, *, include_hidden: bool = False) -> List[Tuple[str, str, str]]:
    """Return name, namespace and full name of all other nodes."""
    own = node.get_fully_qualified_name()
    names = []
    for name, namespace in node.get_node_names_and_namespaces():
        full = (namespace if namespace.endswith('/') else namespace + '/') + name
        if full != own and (include_hidden or not is_hidden(name)):
            names.append((name, namespace, full))
    return names


def find_node(node: Any, wanted: str, args: Any = None,
              include_hidden: bool = True) -> Optional[Tuple[str, str]]:
    """Wait for a node with this full name; return name and namespace, or None."""
    full = wanted if wanted.startswith('/') else '/' + wanted

    def search():
        return next(((name, namespace) for name, namespace, known
                     in node_names(node, include_hidden=include_hidden) if known == full), None)
    return wait_for(node, search)


def topic_types(node: Any, topic: str) -> List[str]:
    """Return the types of a topic, hidden ones included."""
    full = topic if topic.startswith('/') else '/' + topic
    return next((types for name, types in node.get_topic_names_and_types() if name == full), [])


def wait_for_topic_types(node: Any, topic: str) -> List[str]:
    """Wait until somebody publishes or subscribes to a topic; return its types."""
    return wait_for(node, lambda: topic_types(node, topic))


def complete_nodes(prefix: str, parsed_args: Any, **kwargs) -> List[str]:
    """Complete names of nodes."""
    with own_node() as node:
        wait_until_settled(node, argparse.Namespace(spin_time=0.0))
        return [full for _, _, full in node_names(node)]


def complete_topics(prefix: str, parsed_args: Any, **kwargs) -> List[str]:
    """Complete names of topics."""
    with own_node() as node:
        wait_until_settled(node, argparse.Namespace(spin_time=0.0))
        return [name for name, _ in node.get_topic_names_and_types() if not is_hidden(name)]


def complete_services(prefix: str, parsed_args: Any, **kwargs) -> List[str]:
    """Complete names of services."""
    with own_node() as node:
        wait_until_settled(node, argparse.Namespace(spin_time=0.0))
        return [name for name, _ in node.get_service_names_and_types() if not is_hidden(name)]
