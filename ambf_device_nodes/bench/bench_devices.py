#!/usr/bin/env python3
"""Devices: five of them beside a loaded world, asynchronous and in turn; a virtual wall against the rate."""
import argparse
import csv
import pathlib
import statistics
import subprocess
import sys

from ambf_bench import pairs
from ament_index_python.packages import get_package_prefix, get_package_share_directory

MODELS = [str(pathlib.Path(get_package_share_directory('ambf_description')) / 'adf' / name)
          for name in ('floor.yaml', 'box_pile.yaml')]
# A rate of at least 0.99 of the bare loop's is a period of at most 1 / 0.99.
SLOWEST = 1 / 0.99


def program(package: str, name: str) -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


def rates(way: str, seconds: float) -> dict[str, float]:
    """Rates by name [Hz] of one run."""
    text = subprocess.run([program('ambf_device_nodes', 'device_rates'), way, str(seconds), *MODELS],
                          check=True, capture_output=True, text=True).stdout
    words = (line.split() for line in text.splitlines() if line.startswith('RESULT'))
    return {name: float(rate.removeprefix('rate=')) for _, name, rate in words}


def device_rows(runs: int, seconds: float) -> list[pairs.Row]:
    """Period of each device against that of the bare loop in the same run."""
    measured = {'async': [], 'sequential': []}
    for index in range(runs):
        print(f'\r  five devices: pair {index + 1} of {runs} ', end='', file=sys.stderr, flush=True)
        for way in sorted(measured, reverse=index % 2 == 1):
            measured[way].append(rates(way, seconds))
    print(file=sys.stderr)
    rows = []
    for way, results in measured.items():
        for name in results[0]:
            if name == 'bare':
                continue
            judged = way == 'async' and name.startswith('device')
            rows.append(pairs.Row(f'{way}: {name}, period beside a bare loop', 'ms',
                                  [1e3 / r[name] for r in results], [1e3 / r['bare'] for r in results],
                                  SLOWEST if judged else None))
    return rows


def wall_table() -> tuple[str, list[dict]]:
    text = subprocess.run([program('ambf_teleop', 'wall_stiffness')], check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(text.splitlines()))
    lines = [f"{'virtual wall, rate [Hz]':<26}{'2 b / T':>10}{'plain':>10}{'2(b+B)/T':>10}{'passive':>10}  [N/m]"]
    for row in rows:
        figures = (row['passive_2b_over_t'], row['measured_plain'], row['predicted_with_pc'], row['measured_with_pc'])
        lines.append(f"{float(row['rate_hz']):<26g}" + ''.join(f'{float(x):>10.0f}' for x in figures))
    return '\n'.join(lines), rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=7, help='interleaved pairs of runs (default 7)')
    parser.add_argument('--seconds', type=float, default=5.0, help='length of a run (default 5)')
    parser.add_argument('--json', type=pathlib.Path, default=pathlib.Path('bench_devices.json'))
    args = parser.parse_args()
    rows = device_rows(args.pairs, args.seconds)
    wall, wall_rows = wall_table()
    print(pairs.table(rows))
    print(f"\nrates [Hz], medians: " + ', '.join(
        f'{row.name.split(",")[0]} {1e3 / statistics.median(row.ours):.0f}' for row in rows))
    print('\n' + wall)
    pairs.write_json(args.json, rows, wall=wall_rows)
    return 0


if __name__ == '__main__':
    sys.exit(main())
