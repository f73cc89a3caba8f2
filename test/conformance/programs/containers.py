#!/usr/bin/env python3
# Copyright 2026 AMBF for ROS 2 developers
# SPDX-License-Identifier: BSD-3-Clause
"""Load, list and unload components in the three containers, rightly and wrongly."""

import signal

import rclpy
from container_process import ContainerProcess, say
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue

TICKER = 'ambf_conformance::Ticker'
LATENCY = 'ambf_conformance::Latency'


def boolean(name: str, value: bool) -> Parameter:
    """Return a parameter message."""
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=value))


def text(name: str, value: str) -> Parameter:
    """Return a parameter message."""
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=value))


def number(name: str, value: float) -> Parameter:
    """Return a parameter message."""
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=value))


def show(what: str, answer) -> None:
    """Print the answer to a load request."""
    say(what, answer.success, answer.unique_id, answer.full_node_name or '(no name)', answer.error_message)


def good_and_bad_loads(container: ContainerProcess) -> None:
    """Load in every way a request allows."""
    show('plain', container.load(TICKER))
    show(
        'named', container.load(TICKER, node_name='renamed', node_namespace='/space', parameters=[number('rate', 10.0)])
    )
    show('remapped', container.load(LATENCY, remap_rules=['ticks:=/elsewhere', '__node:=mapped']))
    show(
        'intra-process',
        container.load(LATENCY, node_name='shared', extra_arguments=[boolean('use_intra_process_comms', True)]),
    )
    show('log level', container.load(TICKER, node_name='loud', log_level=10))
    show('unknown package', container.load(TICKER, package='no_such_package'))
    show('unknown plugin', container.load('ambf_conformance::Nothing'))
    show('throws in its constructor', container.load('ambf_conformance::Faulty'))
    show('parameter of the wrong type', container.load(TICKER, parameters=[text('rate', 'fast')]))
    show(
        'extra argument of the wrong type',
        container.load(TICKER, extra_arguments=[text('use_intra_process_comms', 'yes')]),
    )
    show(
        'unknown extra argument',
        container.load(TICKER, node_name='odd', extra_arguments=[boolean('no_such_argument', True)]),
    )
    show('invalid name', container.load(TICKER, node_name='not good'))
    show('invalid remap rule', container.load(TICKER, remap_rules=['nonsense']))
    show('same name again', container.load(TICKER))
    say('loaded', ' | '.join(container.names()))


def unloads(container: ContainerProcess) -> None:
    """Unload what is there and what is not."""
    first = container.unload(1)
    say('unload 1', first.success, first.error_message)
    again = container.unload(1)
    say('unload 1 again', again.success, again.error_message)
    unknown = container.unload(999)
    say('unload 999', unknown.success, unknown.error_message)
    say('left', len(container.names()), 'first', container.names()[0])
    show('loaded after an unload', container.load(TICKER, node_name='afterwards'))


def main() -> None:
    """Run the three containers one after the other."""
    rclpy.init()
    node = rclpy.create_node('driver')
    print('[component_container]', flush=True)
    container = ContainerProcess(node, 'component_container', 'single')
    good_and_bad_loads(container)
    unloads(container)
    say('exit code after SIGINT', container.stop(signal.SIGINT))
    for kind in ('component_container_mt', 'component_container_isolated'):
        print(f'[{kind}]', flush=True)
        container = ContainerProcess(node, kind, 'other_' + kind)
        show('plain', container.load(TICKER))
        show('second', container.load(LATENCY))
        show('throws in its constructor', container.load('ambf_conformance::Faulty'))
        say('loaded', ' | '.join(container.names()))
        unloads(container)
        say('exit code after SIGTERM', container.stop(signal.SIGTERM))
    node.destroy_node()
    rclpy.shutdown()


if __name__ == '__main__':
    main()
