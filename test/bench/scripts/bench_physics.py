#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The physics node against what it is built on: bare rcl, bare Bullet, an empty service; and against AMBF.

Each figure is printed as it is found: its verdict, the median with its quartiles, and its bound. Where the quartiles
straddle a bound more pairs are taken, up to three times as many. At the end comes a table, which is also written to
bench_physics.md in the current folder, with all samples in bench_physics.json. Leave the machine alone meanwhile.

Parts, with estimates of their time on two virtual cores; a row that straddles takes up to three times as long:
"""

import argparse
import os
import pathlib
import sys
import tempfile
import time

from ambf_bench import physics_clock, physics_load
from ambf_bench.report import Report

# What is run, its usual minutes, its minutes with --full, and what it is about.
PARTS = {
    'boxes': (physics_load.boxes, 7, 11, '200 and 300 boxes: 11 topics and the Snapshot at 2 kHz, steps beside Bullet'),
    'fanout': (physics_load.fanout, 5, 5, 'topics at 1 kHz that one process gets; 600 bodies beside 64'),
    'lockstep': (physics_clock.lockstep, 3, 3, 'round trips in one process, between two, from rclpy'),
    'barrier': (physics_clock.barrier, 1, 1, 'cost of barrier members and of wait_for_acked'),
    'many': (physics_load.many, 3, 3, '1,000 bodies that nobody reads; time and memory of their topics'),
    'intra': (physics_load.intra, 1, 1, 'the Snapshot of 1,000 bodies within one process'),
    'realtime': (physics_clock.realtime, 1, 10, 'drift and stalls beside a process that burns a core'),
    'streams': (physics_load.streams, 1, 1, 'five command streams of 1 kHz into physics at 50 Hz'),
    'idle': (physics_load.idle, 1, 1, 'processor use of an idle arm'),
    'arm': (physics_load.arm, 1, 1, 'one arm with all topics at 2 kHz, and how soon it is there'),
}


def parts_text() -> str:
    lines = [
        f'  {name:<10}{usual:>3} min, {full:>2} with --full   {text}' for name, (_, usual, full, text) in PARTS.items()
    ]
    total = [sum(part[i] for part in PARTS.values()) for i in (1, 2)]
    return '\n'.join([*lines, f'  all       {total[0]:>3} min, {total[1]:>2} with --full'])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__ + parts_text(), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--list', action='store_true', help='name the parts and their times, and end')
    parser.add_argument(
        '--only', choices=PARTS, action='append', metavar='PART', help='run this part only; may be repeated'
    )
    parser.add_argument('--pairs', type=int, default=7, help='interleaved pairs for each ratio (default 7)')
    parser.add_argument('--repeats', type=int, default=3, help='repetitions where there is no ratio (default 3)')
    parser.add_argument('--seconds', type=float, default=3.0, help='length of a rate measurement')
    parser.add_argument('--count', type=int, default=1500, help='calls for each round-trip run')
    parser.add_argument('--realtime', type=float, default=60.0, help='length of the realtime part [s]; 600 with --full')
    parser.add_argument('--full', action='store_true', help='ten minutes of realtime, all ratios')
    parser.add_argument(
        '--output',
        type=pathlib.Path,
        default=pathlib.Path('bench_physics'),
        help='name of the files without their endings',
    )
    args = parser.parse_args()
    if args.list:
        print(parts_text())
        return 0
    if args.pairs < 2 or not args.seconds > 0:
        parser.error('expected at least 2 pairs and a length above 0')
    report = Report()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name in args.only or PARTS:
                print(f'-- {name}', flush=True)
                start = time.monotonic()
                PARTS[name][0](report, args, folder)
                report.seconds[name] = round(time.monotonic() - start)
                print(f'   ({report.seconds[name]} s)', flush=True)
    finally:
        # What was found before a part failed is not lost.
        if report.rows:
            report.close(args.output, cores=os.cpu_count(), pairs=args.pairs)
    return 0


if __name__ == '__main__':
    sys.exit(main())
