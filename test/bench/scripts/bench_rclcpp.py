#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Cost of rclcpp beside the same written straight on rcl. Prints a table and writes JSON."""

import argparse
import os
import pathlib
import random
import subprocess
import sys

from ambf_bench import pairs
from ambf_bench.processes import on_core, results

HERE = pathlib.Path(__file__).resolve().parent


def run(program: str, *args, place=None) -> dict[str, float]:
    """Run a probe to its end and read its RESULT lines; a median stands under the result's name."""
    done = subprocess.run(
        [HERE / program, *map(str, args)], capture_output=True, text=True, timeout=300, preexec_fn=place
    )
    if done.returncode != 0:
        raise RuntimeError(f'{program} {args} failed:\n{done.stdout}{done.stderr}')
    return results(done.stdout)


def with_partner(program: str, partner: str, args: tuple, partner_args: tuple = ()) -> dict[str, float]:
    """Run a probe against a partner process, in a domain of their own, each on a core of its own."""
    os.environ['ROS_DOMAIN_ID'] = str(random.randint(1, 100))
    other = subprocess.Popen(
        [HERE / program, partner, '0', *partner_args],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=on_core(0),
    )
    try:
        return run(program, *args, place=on_core(1))
    finally:
        other.terminate()
        other.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=7, help='interleaved pairs for each row (default 7)')
    parser.add_argument('--count', type=int, default=3000, help='round trips for each run')
    parser.add_argument(
        '--round-trips', action='store_true', help='only the ping-pong and the service between processes'
    )
    parser.add_argument('--json', type=pathlib.Path, default=pathlib.Path('bench_rclcpp.json'))
    args = parser.parse_args()
    n = args.count
    rows = []
    for kind in ('single', 'events'):
        rows.append(
            pairs.measure(
                f'64 B ping-pong, two processes, {kind}',
                'us',
                lambda: with_partner('rclcpp_probe', 'echo', ('ping', n, kind), (kind,))['pingpong'],
                lambda: with_partner('rcl_probe', 'echo', ('ping', n))['pingpong'],
                args.pairs,
                1.15,
            )
        )
        rows.append(
            pairs.measure(
                f'service round trip, two processes, {kind}',
                'us',
                lambda: with_partner('rclcpp_probe', 'serve', ('call', n, kind), (kind,))['service'],
                lambda: with_partner('rcl_probe', 'serve', ('call', n))['service'],
                args.pairs,
                1.15,
            )
        )
    if args.round_trips:
        print(pairs.table(rows))
        pairs.write_json(args.json, rows)
        return 0
    addresses = {}
    for kind, bound in (('events', 1.5), ('single', 2.0)):

        def ours(size: int, switch: str = 'on') -> float:
            result = run('rclcpp_probe', 'handover', n, kind, size, switch)
            addresses[f'{kind}, {size} B, intra-process {switch}'] = result['same_address_share']
            return result['handover']

        rows.append(
            pairs.measure(
                f'1 MB hand-over between threads, {kind}',
                'us',
                lambda: ours(1_000_000),
                lambda: run('rcl_probe', 'handover', n, 1_000_000)['handover'],
                args.pairs,
                bound,
            )
        )
        rows.append(
            pairs.measure(
                f'1 MB against 64 B hand-over, {kind}',
                'us',
                lambda: ours(1_000_000),
                lambda: ours(64),
                args.pairs,
                None,
            )
        )
        ours(1_000_000, 'off')
        # Where both threads share a core no wake-up of another core hides what the executor itself costs.
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
        rows.append(
            pairs.measure(
                f'1 MB hand-over, both threads on one core, {kind}',
                'us',
                lambda: ours(1_000_000),
                lambda: run('rcl_probe', 'handover', n, 1_000_000)['handover'],
                args.pairs,
                None,
            )
        )
        os.sched_setaffinity(0, cores)
    idle = {'ours': [], 'rcl': []}

    def endpoints(program: str, key: str) -> float:
        result = run(program, 'endpoints', 1000)
        idle[key].append(result['idle_percent'])
        return result['creation_s']

    rows.append(
        pairs.measure(
            'creating 1,000 publishers and subscriptions',
            's',
            lambda: endpoints('rclcpp_probe', 'ours'),
            lambda: endpoints('rcl_probe', 'rcl'),
            args.pairs,
            1.15,
        )
    )
    rows.append(
        pairs.measure(
            '1 kHz timer, median period error, single',
            'us',
            lambda: run('rclcpp_probe', 'timer', 2000, 'single')['timer'],
            lambda: run('rcl_probe', 'timer', 2000)['timer'],
            args.pairs,
            None,
        )
    )
    rows.append(
        pairs.measure(
            '1 kHz timer, median period error, events',
            'us',
            lambda: run('rclcpp_probe', 'timer', 2000, 'events')['timer'],
            lambda: run('rcl_probe', 'timer', 2000)['timer'],
            args.pairs,
            None,
        )
    )
    print(pairs.table(rows))
    above = [a - b for a, b in zip(idle['ours'], idle['rcl'])]
    low, middle, high = pairs.quartiles(above)
    print(
        f'idle processor use with 1,000 + 1,000 endpoints above rcl: {middle:.2f} [{low:.2f} {high:.2f}] % of a core'
        f' (bound 0.5)'
    )
    for name, share in addresses.items():
        print(f'payload kept its address, {name}: {100 * share:.1f} %')
    pairs.write_json(args.json, rows, idle_percent=idle, same_address=addresses)
    print(f'samples in {args.json}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
