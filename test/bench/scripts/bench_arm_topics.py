#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Arms on topics: servo_cp in to setpoint_cp out beside a bare topic round trip of the same quality of service, between
processes and in one container; and the arms of a whole kit at 1 kHz each beside the world. Prints tables, writes JSON."""

import argparse
import contextlib
import os
import pathlib

from ambf_bench import pairs
from ambf_bench.arms import (
    ARM,
    PSM,
    SHARE,
    Caller,
    arm_of_kit,
    bring_up,
    counters,
    cpu_s,
    ros_arguments,
    topic_of_kit,
)
from ambf_bench.processes import Background, new_domain, probe, program

BOUND = 1.3
KIT = ('PSM1', 'PSM2', 'PSM3', 'ECM', 'MTML', 'MTMR', 'SUJ_PSM1')
# Middles, amplitudes [rad or m], frequency of the first joint [Hz].
MOTIONS = {
    'PSM': ([0.0, 0.0, 0.12, 0.0, 0.0, 0.0], [0.2, 0.15, 0.02, 0.4, 0.3, 0.3], 0.4),
    'ECM': ([0.0, 0.0, 0.12, 0.0], [0.15, 0.1, 0.02, 0.3], 0.3),
    'MTM': ([0.0] * 7, [0.15, 0.1, 0.15, 0.4, 0.3, 0.2, 0.5], 0.5),
    'SUJ': ([-0.0285, -0.1952, -1.9503, 0.5747, -0.28, -0.6523], [0.005, 0.02, 0.02, 0.02, 0.02, 0.02], 0.1),
}


def between_processes(stack: contextlib.ExitStack, count: int) -> Caller:
    """World, arm, echo and who pings them: a process for each."""
    new_domain()
    models = ['--ros-args', '-p', f"models:=['{PSM['models'][0]}']"]
    stack.enter_context(Background(program('physics_node', 'ambf_physics_node'), *models))
    stack.enter_context(Background(program('arm_server', 'ambf_arm_nodes'), *ros_arguments('PSM1', ARM)))
    stack.enter_context(Background(program('round_trips'), 'echo'))
    for name, arm in (('to_arm', '/PSM1'), ('to_echo', '/echo')):
        words = ros_arguments(name, {'count': count, 'arm': arm})
        stack.enter_context(Background(program('round_trips'), 'ping', *words))
    return stack.enter_context(Caller())


def in_one_container(stack: contextlib.ExitStack, count: int) -> Caller:
    """The same nodes as components, as the launch files have them."""
    new_domain()
    stack.enter_context(Background(program('component_container_mt', 'rclcpp_components')))
    caller = stack.enter_context(Caller())
    caller.load('ambf_physics_node', 'ambf_physics::PhysicsNode', 'physics', PSM)
    caller.load('ambf_arm_nodes', 'ambf_arm_nodes::ArmServer', 'PSM1', ARM)
    caller.load('ambf_bench', 'ambf_bench::PoseEcho', 'pose_echo', {})
    caller.load('ambf_bench', 'ambf_bench::RoundTrips', 'to_arm', {'count': count, 'arm': '/PSM1'})
    caller.load('ambf_bench', 'ambf_bench::RoundTrips', 'to_echo', {'count': count, 'arm': '/echo'})
    return caller


def round_trips(count: int, number: int) -> list[pairs.Row]:
    rows = []
    for words, start in (('between processes', between_processes), ('in one container', in_one_container)):
        with contextlib.ExitStack() as stack:
            caller = start(stack, count)
            bring_up(['PSM1'])
            rows.append(
                pairs.measure(
                    f'servo_cp to setpoint_cp, {words}',
                    'us',
                    lambda: caller.round_trip('to_arm'),
                    lambda: caller.round_trip('to_echo'),
                    number,
                    BOUND,
                )
            )
    return rows


def motion(name: str) -> str:
    middle, amplitude, frequency = next(values for kind, values in MOTIONS.items() if name.startswith(kind))
    lists = (','.join(f'{value:g}' for value in values) for values in (middle, amplitude))
    return ':'.join([topic_of_kit(name), *lists, f'{frequency:g}'])


def load_masters(names):
    """The masters of the console, three metres beside the patient cart."""
    from ambf_py import Client

    client = Client('kit')
    client.connect()
    for name in names:
        if name.startswith('MTM'):
            file = SHARE / f'worlds/surgeon_console/{name.lower()}.yaml'
            client.get_world_handle().load(f'file://{file}', pose=[3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    client.clean_up()


def start_kit(stack: contextlib.ExitStack, names, rate: float, container: bool) -> tuple[Caller, dict]:
    """World and arms, as processes by name or all in one."""
    new_domain()
    world = {'world': str(SHARE / 'worlds/patient_cart/launch.yaml')}
    parts = {}
    if container:
        parts['container'] = Background(program('component_container_mt', 'rclcpp_components'))
    else:
        parts['world'] = Background(program('physics_node', 'ambf_physics_node'), *ros_arguments('physics', world))
        for name in names:
            words = ros_arguments(name, arm_of_kit(name, rate))
            parts[name] = Background(program('arm_server', 'ambf_arm_nodes'), *words)
    for part in parts.values():
        stack.enter_context(part)
    caller = stack.enter_context(Caller())
    if container:
        caller.load('ambf_physics_node', 'ambf_physics::PhysicsNode', 'physics', world)
        for name in names:
            caller.load('ambf_arm_nodes', 'ambf_arm_nodes::ArmServer', name, arm_of_kit(name, rate))
    return caller, parts


def whole_kit(seconds: float, names, rate: float, container: bool) -> list[str]:
    """Every arm led at `rate`; lines of a table."""
    with contextlib.ExitStack() as stack:
        caller, parts = start_kit(stack, names, rate, container)
        load_masters(names)
        bring_up([topic_of_kit(name) for name in names])
        leads = [motion(name) for name in names]
        # To the beginning of the sines, then what is counted.
        probe(program('arm_leader'), rate, 2.0, *leads)
        before, used = counters(caller), {name: cpu_s(part.process.pid) for name, part in parts.items()}
        found = probe(program('arm_leader'), rate, seconds, *leads)
        after, now = counters(caller), {name: cpu_s(part.process.pid) for name, part in parts.items()}
    took, steps = after['time'] - before['time'], after['steps'] - before['steps']
    overruns = 1e6 * (after['overruns'] - before['overruns']) / steps
    lines = [f'world: {steps / took:.0f} steps a second, {overruns:.0f} overruns a million']
    lines += [f'{name:<12} processor {100 * (now[name] - used[name]) / took:5.1f} %' for name in parts]
    lines.append(f'{"leader":<12} processor {100 * found["cpu_s"] / found["seconds"]:5.1f} %')
    late = 1e6 * found['late_ticks'] / found['ticks']
    lines.append(f'leader: {late:.0f} of a million of its own ticks came a period late')
    for name in names:
        topic = topic_of_kit(name)
        heard = found[f'{topic}.heard']
        lines.append(
            f'{name:<12} {found[f"{topic}.sent"] / found["seconds"]:5.0f} commands and {heard / found["seconds"]:5.0f} data '
            f'a second; {1e6 * found[f"{topic}.late"] / max(heard, 1.0):.0f} of a million data came a period late'
        )
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=7, help='interleaved pairs for each row (default 7)')
    parser.add_argument('--count', type=int, default=2000, help='round trips for each run')
    parser.add_argument('--seconds', type=float, default=20.0, help='how long the arms of the kit are led')
    parser.add_argument('--rate', type=float, default=1000.0, help='of their commands and data [Hz]')
    parser.add_argument('--arms', nargs='+', choices=KIT, default=KIT, help='of the kit')
    parser.add_argument('--only', choices=('round_trips', 'kit'), help='one half of it')
    parser.add_argument('--json', type=pathlib.Path, default=pathlib.Path('bench_arm_topics.json'))
    args = parser.parse_args()
    rows, lines = [], []
    if args.only != 'kit':
        rows = round_trips(args.count, args.pairs)
        print(pairs.table(rows))
    if args.only != 'round_trips':
        for container in (False, True):
            where = 'in one container' if container else 'a process each'
            lines.append(f'{len(args.arms)} arms at {args.rate:.0f} Hz, {where}, {os.cpu_count()} cores')
            lines += whole_kit(args.seconds, args.arms, args.rate, container)
        print('\n'.join(lines))
    pairs.write_json(args.json, rows, kit=lines)
    return 0


if __name__ == '__main__':
    raise SystemExit(main())
