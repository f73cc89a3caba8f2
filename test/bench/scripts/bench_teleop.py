#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Hands that lead arms: from a hand's sample to the arm's set-point beside a bare chain of as many topics; how far the tip
is from the hand at several speeds; and four arms of two consoles beside the world. Prints tables, writes JSON."""

import argparse
import contextlib
import math
import os
import pathlib
import statistics
import time

from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import Bool

from ambf_bench import pairs
from ambf_bench.arms import ARM, PATIENCE, PSM, SHARE, Caller, arm_of_kit, bring_up, counters, cpu_s, ros_arguments
from ambf_bench.processes import Background, new_domain, probe, program

RADIUS = 0.02  # of the circles [m]
SPEEDS = (0.02, 0.05, 0.1, 0.2)  # of a hand [m/s]
# Two consoles: two people's hands, and their arms.
CONSOLES = {'right_a': 'PSM1', 'left_a': 'PSM2', 'right_b': 'PSM3', 'left_b': 'ECM'}


def teleop(hand: str, arm: str) -> dict:
    """Parameters of a teleoperation that moves the tip as the hand moves."""
    return {
        'hand': hand,
        'arm': arm,
        'scale': 1.0,
        'view': 'none',
        'enable': True,
        'ignore_jaw': arm == 'ECM',
        'hand_timeout': 1.0,
    }


def trips(hand: str, arm: str, count: int) -> dict:
    return {'count': count, 'hand': hand, 'arm': arm}


def between_processes(stack: contextlib.ExitStack, count: int) -> Caller:
    """World, arm, teleoperation, the two echoes, and a hand for either chain: a process for each."""
    new_domain()
    models = ['--ros-args', '-p', f"models:=['{PSM['models'][0]}']"]
    stack.enter_context(Background(program('physics_node', 'ambf_physics_node'), *models))
    stack.enter_context(Background(program('arm_server', 'ambf_arm_nodes'), *ros_arguments('PSM1', ARM)))
    words = ros_arguments('hand_PSM1', teleop('hand', 'PSM1'))
    stack.enter_context(Background(program('teleop_psm', 'ambf_arm_nodes'), *words))
    stack.enter_context(Background(program('round_trips'), 'hand_echo'))
    stack.enter_context(Background(program('round_trips'), 'echo'))
    for name, parameters in (('to_arm', trips('hand', 'PSM1', count)), ('to_echo', trips('echo', 'echo', count))):
        stack.enter_context(Background(program('round_trips'), 'hand_ping', *ros_arguments(name, parameters)))
    return stack.enter_context(Caller())


def in_one_container(stack: contextlib.ExitStack, count: int) -> Caller:
    """The same nodes as components."""
    new_domain()
    stack.enter_context(Background(program('component_container_mt', 'rclcpp_components')))
    caller = stack.enter_context(Caller())
    caller.load('ambf_physics_node', 'ambf_physics::PhysicsNode', 'physics', PSM)
    caller.load('ambf_arm_nodes', 'ambf_arm_nodes::ArmServer', 'PSM1', ARM)
    caller.load('ambf_arm_nodes', 'ambf_arm_nodes::TeleopPsm', 'hand_PSM1', teleop('hand', 'PSM1'))
    caller.load('ambf_bench', 'ambf_bench::SampleEcho', 'sample_echo', {})
    caller.load('ambf_bench', 'ambf_bench::PoseEcho', 'pose_echo', {})
    caller.load('ambf_bench', 'ambf_bench::HandTrips', 'to_arm', trips('hand', 'PSM1', count))
    caller.load('ambf_bench', 'ambf_bench::HandTrips', 'to_echo', trips('echo', 'echo', count))
    return caller


def wait_until_led(caller: Caller, pair: str):
    """Until the hand leads the arm, which is homed for that."""
    heard = []
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    listener = caller.node.create_subscription(Bool, f'/{pair}/following', heard.append, latched)
    end = time.monotonic() + PATIENCE
    while not (heard and heard[-1].data):
        caller.executor.spin_once(timeout_sec=0.1)
        if time.monotonic() > end:
            raise RuntimeError(f'{pair}: the hand does not lead within {PATIENCE:g} s')
    caller.node.destroy_subscription(listener)


class Latency:
    """Round trips of one arrangement; the samples of the newest run, so that one run gives two figures."""

    def __init__(self, caller: Caller):
        self.caller, self.tails = caller, {'to_arm': [], 'to_echo': []}

    def median(self, name: str) -> float:
        times = self.caller.round_trips(name)
        self.tails[name].append(times[int(0.99 * (len(times) - 1))])
        return statistics.median(times)


def latency(count: int, number: int) -> list[pairs.Row]:
    """From a hand's sample to the arm's set-point: medians, and the 99th percentile of the same runs."""
    rows = []
    for words, start in (('between processes', between_processes), ('in one container', in_one_container)):
        with contextlib.ExitStack() as stack:
            caller = start(stack, count)
            wait_until_led(caller, 'hand_PSM1')
            runs = Latency(caller)
            rows.append(
                pairs.measure(
                    f'hand to set-point, p50, {words}',
                    'us',
                    lambda: runs.median('to_arm'),
                    lambda: runs.median('to_echo'),
                    number,
                )
            )
        rows.append(pairs.Row(f'hand to set-point, p99, {words}', 'us', runs.tails['to_arm'], runs.tails['to_echo']))
    return rows


def tracking(rate: float, turns: int) -> list[dict]:
    """How far the tip is from the hand on a circle, by speed: {speed, rms, greatest} in m/s and mm."""
    with contextlib.ExitStack() as stack:
        new_domain()
        stack.enter_context(Background(program('component_container_mt', 'rclcpp_components')))
        caller = stack.enter_context(Caller())
        caller.load('ambf_physics_node', 'ambf_physics::PhysicsNode', 'physics', PSM)
        caller.load('ambf_arm_nodes', 'ambf_arm_nodes::ArmServer', 'PSM1', ARM | {'rate': rate})
        caller.load('ambf_arm_nodes', 'ambf_arm_nodes::TeleopPsm', 'hand_PSM1', teleop('hand', 'PSM1'))
        bring_up(['PSM1'])
        found = []
        for speed in SPEEDS:
            seconds = 1.0 + turns * 2.0 * math.pi * RADIUS / speed
            result = probe(program('hand_leader'), rate, seconds, RADIUS, speed, 'hand:PSM1')
            if not result['PSM1.judged']:
                raise RuntimeError('tracking: the arm told nothing while the hand moved')
            found.append(
                {
                    'speed': speed,
                    'rms': result['PSM1.rms_mm'],
                    'greatest': result['PSM1.greatest_mm'],
                    'seconds': seconds,
                }
            )
        return found


def consoles(rate: float, seconds: float) -> list[str]:
    """Two people, four arms of the patient cart, one container; lines of a table."""
    with contextlib.ExitStack() as stack:
        new_domain()
        container = stack.enter_context(Background(program('component_container_mt', 'rclcpp_components')))
        caller = stack.enter_context(Caller())
        world = {'world': str(SHARE / 'worlds/patient_cart/launch.yaml')}
        caller.load('ambf_physics_node', 'ambf_physics::PhysicsNode', 'physics', world)
        for hand, arm in CONSOLES.items():
            caller.load('ambf_arm_nodes', 'ambf_arm_nodes::ArmServer', arm, arm_of_kit(arm, rate))
            caller.load('ambf_arm_nodes', 'ambf_arm_nodes::TeleopPsm', f'{hand}_{arm}', teleop(hand, arm))
        bring_up(list(CONSOLES.values()))
        leads = [f'{hand}:{arm}' for hand, arm in CONSOLES.items()]
        speed = 0.02
        before, used = counters(caller), cpu_s(container.process.pid)
        found = probe(program('hand_leader'), rate, seconds, RADIUS, speed, *leads)
        after, now = counters(caller), cpu_s(container.process.pid)
    took, steps = after['time'] - before['time'], after['steps'] - before['steps']
    overruns = 1e6 * (after['overruns'] - before['overruns']) / steps
    lines = [
        f'two consoles, four arms, samples and data at {rate:.0f} Hz, one container, {os.cpu_count()} cores',
        f'world: {steps / took:.0f} steps a second, {overruns:.0f} overruns a million',
        f'container: {100 * (now - used) / took:.0f} % of a core; the hands: {100 * found["cpu_s"] / took:.0f} %, '
        f'{1e6 * found["late_ticks"] / found["ticks"]:.0f} of a million of their ticks came a period late',
    ]
    for hand, arm in CONSOLES.items():
        rates = {what: found[f'{arm}.{what}'] / found['seconds'] for what in ('sent', 'commanded', 'heard')}
        lines.append(
            f'{hand:<8} {arm:<5} {rates["sent"]:5.0f} samples, {rates["commanded"]:5.0f} commands, {rates["heard"]:5.0f} data a '
            f'second; tip within {found[f"{arm}.rms_mm"]:.2f} mm (rms) at {1e3 * speed:.0f} mm/s'
        )
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=7, help='interleaved pairs for each row (default 7)')
    parser.add_argument('--count', type=int, default=1000, help='moves of the hand for each run')
    parser.add_argument('--rate', type=float, default=500.0, help="of hands' samples and arms' data [Hz]")
    parser.add_argument('--turns', type=int, default=2, help='of the circle at each speed')
    parser.add_argument('--seconds', type=float, default=20.0, help='how long two consoles work')
    parser.add_argument('--only', choices=('latency', 'tracking', 'consoles'), help='one part of it')
    parser.add_argument('--json', type=pathlib.Path, default=pathlib.Path('bench_teleop.json'))
    args = parser.parse_args()
    rows, circles, lines = [], [], []
    if args.only in (None, 'latency'):
        rows = latency(args.count, args.pairs)
        print(pairs.table(rows))
    if args.only in (None, 'tracking'):
        circles = tracking(args.rate, args.turns)
        print(f'\ntip beside hand on a circle of {1e3 * RADIUS:.0f} mm, samples and data at {args.rate:.0f} Hz')
        print(f'{"hand [mm/s]":>12}{"rms [mm]":>11}{"greatest":>11}{"delay [ms]":>12}   (rms over speed)')
        for row in circles:
            delay = row['rms'] / row['speed']
            print(f'{1e3 * row["speed"]:>12.0f}{row["rms"]:>11.3f}{row["greatest"]:>11.3f}{delay:>12.1f}')
    if args.only in (None, 'consoles'):
        lines = consoles(args.rate, args.seconds)
        print('\n' + '\n'.join(lines))
    pairs.write_json(args.json, rows, tracking=circles, consoles=lines)
    return 0


if __name__ == '__main__':
    raise SystemExit(main())
