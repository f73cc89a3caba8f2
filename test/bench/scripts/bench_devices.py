#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Devices: rates of five beside a loaded world, tracking against the physics rate, latency, virtual wall.

Prints a table; writes bench_devices.json and plots (PNG) into the folder it is started in. A ratio is the median of
interleaved pairs with its quartiles. The virtual wall and the tracking are simulated and give the same figures anywhere;
rates and latencies are this machine's: leave it alone meanwhile.
"""

from __future__ import annotations

import argparse
import csv
import pathlib
import statistics
import subprocess
import sys

import device_latency
from ament_index_python.packages import get_package_share_directory
from device_latency import program

from ambf_bench import pairs

MODELS = [
    str(pathlib.Path(get_package_share_directory('ambf_description')) / 'adf' / name)
    for name in ('floor.yaml', 'box_pile.yaml')
]
# A rate of at least 0.99 of the bare loop's is a period of at most 1 / 0.99.
SLOWEST = 1 / 0.99


def note(text: str) -> None:
    print(f'\r  {text}'.ljust(100), end='', file=sys.stderr, flush=True)


def rates(way: str, seconds: float) -> dict[str, float]:
    """Rates by name [Hz] of one run."""
    text = subprocess.run(
        [program('ambf_bench', 'device_rates'), way, str(seconds), *MODELS],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    words = (line.split() for line in text.splitlines() if line.startswith('RESULT'))
    return {name: float(rate.removeprefix('rate=')) for _, name, rate in words}


def rate_rows(runs: int, seconds: float) -> tuple[list[pairs.Row], dict]:
    """Period of each device against that of the bare loop in the same run, and all rates."""
    measured: dict[str, list] = {'async': [], 'sequential': []}
    for index in range(runs):
        note(f'five devices: pair {index + 1} of {runs}')
        for way in sorted(measured, reverse=index % 2 == 1):
            measured[way].append(rates(way, seconds))
    rows = []
    for way, results in measured.items():
        for name in results[0]:
            if name != 'bare':
                judged = way == 'async' and name.startswith('device')
                rows.append(
                    pairs.Row(
                        f'{way}: {name}, period beside a bare loop',
                        'ms',
                        [1e3 / r[name] for r in results],
                        [1e3 / r['bare'] for r in results],
                        SLOWEST if judged else None,
                    )
                )
    return rows, measured


def tracking(n: int, folder: pathlib.Path) -> tuple[str, list[dict]]:
    """What the proxies' own benchmark prints (it plots, too), and its rows."""
    note('tracking against the rate of the physics')
    text = subprocess.run(
        [sys.executable, program('ambf_proxies', 'bench_tracking.py'), '--output', folder, '--n', str(n)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return text, list(csv.DictReader((folder / 'tracking_error.csv').open()))


def latency_rows(runs: int, count: int) -> tuple[list[pairs.Row], list[str]]:
    """Reading to force, composed and in two processes, beside a bare topic round trip; and the quantiles as text."""
    rows, lines = [], [f'{"latency [us], medians of the runs":<44}{"p25":>8}{"p50":>8}{"p75":>8}{"p99":>8}']
    for composed in (True, False):
        where = 'composed' if composed else 'two processes'
        askers = {
            'bare topic': ('bare', 'echo'),
            'device and echo': ('device', 'echo'),
            'device and physics': ('device', 'physics'),
        }
        samples: dict[str, list] = {name: [] for name in askers}
        for index in range(runs):
            for name in sorted(askers, reverse=index % 2 == 1):
                note(f'latency, {where}, {name}: run {index + 1} of {runs}')
                if None not in samples[name]:
                    samples[name].append(device_latency.measure(*askers[name], composed, count))
        for name, results in samples.items():
            if None in results:
                lines.append(f'{where}, {name:<30}  no answer')
                continue
            figures = [statistics.median(r[q] for r in results) for q in ('p25', 'p50', 'p75', 'p99')]
            lines.append(f'{f"{where}, {name}":<44}' + ''.join(f'{x:>8.0f}' for x in figures))
            if name != 'bare topic' and None not in samples['bare topic']:
                rows.append(
                    pairs.Row(
                        f'{where}: {name}, p50 beside a bare topic',
                        'us',
                        [r['p50'] for r in results],
                        [r['p50'] for r in samples['bare topic']],
                    )
                )
    return rows, lines


def wall() -> tuple[list[str], list[dict]]:
    note('virtual wall')
    text = subprocess.run([program('ambf_teleop', 'wall_stiffness')], check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(text.splitlines()))
    lines = [
        f'{"virtual wall, largest stable stiffness [N/m]":<46}{"2 b / T":>10}{"plain":>10}{"2(b+B)/T":>10}{"passive":>10}'
    ]
    for row in rows:
        figures = (row['passive_2b_over_t'], row['measured_plain'], row['predicted_with_pc'], row['measured_with_pc'])
        lines.append(f'{row["rate_hz"] + " Hz":<46}' + ''.join(f'{float(x):>10.0f}' for x in figures))
    return lines, rows


def plot(folder: pathlib.Path, measured: dict, wall_rows: list[dict]) -> None:
    try:
        import matplotlib
    except ImportError:
        print('matplotlib is not there: no plots')
        return
    matplotlib.use('Agg')
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 4))
    names = list(measured['async'][0])
    for offset, (way, results) in zip((-0.2, 0.2), measured.items()):
        middles = [statistics.median(r[name] for r in results) for name in names]
        left.bar([i + offset for i in range(len(names))], middles, 0.4, label=way)
    left.set_xticks(range(len(names)), names, rotation=30)
    left.set_ylabel('rate [Hz]')
    left.set_title('Five devices beside a loaded world, one blocks 2 ms per force')
    left.legend()
    for key, label, style in (
        ('passive_2b_over_t', '2 b / T', ':'),
        ('measured_plain', 'plain', 'o-'),
        ('predicted_with_pc', '2 (b + B) / T', '--'),
        ('measured_with_pc', 'passivity controller', 's-'),
    ):
        right.loglog([float(r['rate_hz']) for r in wall_rows], [float(r[key]) for r in wall_rows], style, label=label)
    right.set_xlabel('rate of the device [Hz]')
    right.set_ylabel('largest stable stiffness [N/m]')
    right.set_title('Virtual wall')
    right.grid(True, which='both', alpha=0.3)
    right.legend()
    figure.tight_layout()
    figure.savefig(folder / 'bench_devices.png', dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pairs', type=int, help='interleaved pairs of runs (default 7)')
    parser.add_argument('--seconds', type=float, help='length of a run of the five devices (default 5)')
    parser.add_argument('--quick', action='store_true', help='2 pairs of 1 s: only to see that it works')
    parser.add_argument(
        '--output', type=pathlib.Path, default=pathlib.Path(), help='folder of the JSON file and the plots'
    )
    args = parser.parse_args()
    runs = args.pairs or (2 if args.quick else 7)
    seconds = args.seconds or (1.0 if args.quick else 5.0)
    if runs < 2 or not seconds > 0:
        parser.error('expected at least 2 pairs and a length above 0')
    args.output.mkdir(parents=True, exist_ok=True)
    device_rows, measured = rate_rows(runs, seconds)
    delay_rows, delay_lines = latency_rows(runs, 300 if args.quick else 1500)
    tracking_text, tracking_rows = tracking(500 if args.quick else 5000, args.output)
    wall_lines, wall_rows = wall()
    print(file=sys.stderr)
    print(pairs.table(device_rows + delay_rows))
    print(
        '\nrates [Hz], medians: '
        + ', '.join(f'{row.name.split(",")[0]} {1e3 / statistics.median(row.ours):.0f}' for row in device_rows)
    )
    print('\n' + '\n'.join(delay_lines) + '\n\n' + tracking_text + '\n' + '\n'.join(wall_lines))
    pairs.write_json(
        args.output / 'bench_devices.json',
        device_rows + delay_rows,
        wall=wall_rows,
        tracking=tracking_rows,
        latency=delay_lines,
    )
    plot(args.output, measured, wall_rows)
    return 0


if __name__ == '__main__':
    sys.exit(main())
