#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the friction experiments of resistive sensors and plots them.

plot_friction.py FOLDER      CSV files and two figures (PNG) in FOLDER
"""

import argparse
import csv
import math
import pathlib
import subprocess

import matplotlib

matplotlib.use('Agg')
import matplotlib.pyplot as plt


def rows(path):
    with open(path, newline='') as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def constant_force(source, target):
    data = rows(source / 'constant_force.csv')
    figure, (top, bottom) = plt.subplots(2, 1, sharex=True, figsize=(7, 6))
    for fraction in sorted({row['fraction'] for row in data}):
        part = [row for row in data if row['fraction'] == fraction]
        time = [row['time_s'] for row in part]
        label = f'{fraction:g} of the capacity'
        top.plot(time, [row['position_mm'] for row in part], label=label)
        bottom.plot(time, [row['friction_N'] for row in part], label=label)
    top.set_ylabel('displacement [mm]')
    top.set_yscale('symlog', linthresh=1.0)
    top.legend()
    bottom.set_ylabel('friction on the box [N]')
    bottom.set_xlabel('time since the force began [s]')
    figure.suptitle('Box of 0.5 kg on a resistive skin under a constant force')
    figure.tight_layout()
    figure.savefig(target / 'friction_constant_force.png', dpi=120)


def incline(source, target):
    data = rows(source / 'incline.csv')
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot([row['angle_deg'] for row in data], [row['displacement_mm'] for row in data])
    limit = math.degrees(math.atan(5000.0 * 0.001))
    axes.axvline(limit, linestyle='--', color='grey', label=f'theory: atan(mu_S sigma) = {limit:.1f} deg')
    axes.set_xlabel('incline [deg]')
    axes.set_ylabel('displacement [mm]')
    axes.set_yscale('symlog', linthresh=1.0)
    axes.legend()
    figure.suptitle('Box of 0.5 kg on a resistive skin on a rising incline')
    figure.tight_layout()
    figure.savefig(target / 'friction_incline.png', dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=pathlib.Path, help='where the CSV files and the figures go')
    parser.add_argument('--only-plot', action='store_true', help='the CSV files are there already')
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    if not args.only_plot:
        program = pathlib.Path(__file__).resolve().parent / 'friction_experiments'
        subprocess.run([program, args.folder], check=True)
    constant_force(args.folder, args.folder)
    incline(args.folder, args.folder)


if __name__ == '__main__':
    main()
