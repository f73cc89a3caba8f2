#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tracking error of a proxy against the rate of the physics: table, knee, plot.

  bench_tracking.py [--output folder] [--n 5000]

Runs `tracking_error` (same folder), prints the table and the knee: the lowest rate at which the rms error is
within a tenth of the one at 1 kHz. Writes tracking_error.csv and, where matplotlib is there, tracking_error.png.
"""

import argparse
import csv
import pathlib
import subprocess
import sys


def knee(rows: list[dict]) -> float:
    """Lowest rate whose error, and that of all higher rates, is within a tenth of the first one's."""
    best = None
    for row in rows:
        if float(row['rms_mm']) > 1.1 * float(rows[0]['rms_mm']):
            break
        best = float(row['rate'])
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--output', type=pathlib.Path, help='folder for the CSV file and the plot')
    parser.add_argument('--n', type=int, default=5000, help='steps per rate')
    options = parser.parse_args()
    program = pathlib.Path(__file__).resolve().parent / 'tracking_error'
    run = subprocess.run([program, str(options.n)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(run.stderr, file=sys.stderr)
        return run.returncode
    rows = list(csv.DictReader(run.stdout.splitlines()))
    laws = {
        step: [r for r in rows if r['nominal_step'] == step] for step in dict.fromkeys(r['nominal_step'] for r in rows)
    }
    for step, law in laws.items():
        print(f'dt_f = {float(step) * 1e3:g} ms: knee at {knee(law):g} Hz')
        print('  rate [Hz]   rms   median   p95   largest [mm]')
        for r in law:
            note = '  gains limited' if r['limited'] == '1' else ''
            print(f'  {r["rate"]:>9} {r["rms_mm"]:>7} {r["median_mm"]:>7} {r["p95_mm"]:>7} {r["largest_mm"]:>7}{note}')
    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / 'tracking_error.csv').write_text(run.stdout)
        try:
            import matplotlib
        except ImportError:
            print('matplotlib is not there: no plot')
            return 0
        matplotlib.use('Agg')
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(7, 4))
        for step, law in laws.items():
            axes.loglog(
                [float(r['rate']) for r in law],
                [float(r['rms_mm']) for r in law],
                'o-',
                label=f'dt_f = {float(step) * 1e3:g} ms',
            )
        axes.axvline(50.0, color='grey', linestyle=':', label='50 Hz')
        axes.set_xlabel('rate of the physics [Hz]')
        axes.set_ylabel('rms tracking error [mm]')
        axes.set_title(f'Proxy against its reference, motion of eq. 3.10, n = {options.n}')
        axes.legend()
        axes.grid(True, which='both', alpha=0.3)
        figure.tight_layout()
        figure.savefig(options.output / 'tracking_error.png', dpi=120)
    return 0


if __name__ == '__main__':
    sys.exit(main())
