#!/usr/bin/env python3
"""Plots the friction experiments of resistive sensors.

    friction_experiments FOLDER && plot_friction.py FOLDER OUTPUT_FOLDER
"""

import csv
import math
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def rows(path):
    with open(path, newline="") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def constant_force(source, target):
    data = rows(source / "constant_force.csv")
    figure, (top, bottom) = plt.subplots(2, 1, sharex=True, figsize=(7, 6))
    for fraction in sorted({row["fraction"] for row in data}):
        part = [row for row in data if row["fraction"] == fraction]
        time = [row["time_s"] for row in part]
        label = f"{fraction:g} of the capacity"
        top.plot(time, [row["position_mm"] for row in part], label=label)
        bottom.plot(time, [row["friction_N"] for row in part], label=label)
    top.set_ylabel("displacement [mm]")
    top.set_yscale("symlog", linthresh=1.0)
    top.legend()
    bottom.set_ylabel("friction on the box [N]")
    bottom.set_xlabel("time since the force began [s]")
    figure.suptitle("Box of 0.5 kg on a resistive skin under a constant force")
    figure.tight_layout()
    figure.savefig(target / "friction_constant_force.png", dpi=120)


def incline(source, target):
    data = rows(source / "incline.csv")
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot([row["angle_deg"] for row in data], [row["displacement_mm"] for row in data])
    limit = math.degrees(math.atan(5000.0 * 0.001))
    axes.axvline(limit, linestyle="--", color="grey", label=f"theory: atan(mu_S sigma) = {limit:.1f} deg")
    axes.set_xlabel("incline [deg]")
    axes.set_ylabel("displacement [mm]")
    axes.set_yscale("symlog", linthresh=1.0)
    axes.legend()
    figure.suptitle("Box of 0.5 kg on a resistive skin on a rising incline")
    figure.tight_layout()
    figure.savefig(target / "friction_incline.png", dpi=120)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plot_friction.py FOLDER_OF_CSV OUTPUT_FOLDER")
    source, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    constant_force(source, target)
    incline(source, target)


if __name__ == "__main__":
    main()
