"""Trains the reach policy, evaluates it on unseen goals, and draws the learning curves."""
import argparse
import pathlib
import sys
import time
from typing import Optional

import numpy as np

from ..learning import UNSEEN, Episode, MissingExtra, Settings, evaluate, need_sb3, policy_of, train, write_curves
from ..tasks import ReachTask

GOALS = 50     # unseen ones
WINDOW = 20    # episodes that a point of the curve averages


def plot(curves: dict[int, list[Episode]], file: pathlib.Path):
    """Success and final distance of the training episodes, averaged over the last WINDOW; one line for each seed."""
    import matplotlib
    matplotlib.use('Agg')
    from matplotlib import pyplot
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(6.4, 4.8), sharex=True)
    weights = np.ones(WINDOW) / WINDOW
    for seed, episodes in curves.items():
        if len(episodes) < WINDOW:
            continue
        steps = [e.step for e in episodes][WINDOW - 1:]
        above.plot(steps, 100 * np.convolve([e.success for e in episodes], weights, 'valid'), label=f'seed {seed}')
        below.plot(steps, 1e3 * np.convolve([e.metric for e in episodes], weights, 'valid'))
    above.set_ylabel('reached [%]')
    above.set_ylim(0, 101)
    if above.lines:
        above.legend(loc='lower right')
    below.set_ylabel('final distance [mm]')
    below.set_xlabel(f'environment steps (mean of the last {WINDOW} training episodes)')
    for axes in (above, below):
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(file)
    pyplot.close(figure)


def line(what: str, result: dict) -> str:
    return (f'{what}: {result["success"]:.0%} of {GOALS} unseen goals within {ReachTask.tolerance * 1e3:.0f} mm, mean '
            f'final distance {result["distance"] * 1e3:.1f} mm, worst {result["worst_distance"] * 1e3:.1f} mm')


def main(arguments: Optional[list[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog='ambf-train', description=__doc__)
    parser.add_argument('--seeds', type=int, nargs='*', default=[0, 1, 2], help='training seeds (default 0 1 2)')
    parser.add_argument('--steps', type=int, default=Settings.steps, help=f'of the world (default {Settings.steps})')
    parser.add_argument('--output', type=pathlib.Path, default=pathlib.Path('.'))
    args = parser.parse_args(arguments)
    if args.steps < 1 or not args.seeds:
        parser.error('--steps must be 1 or more, --seeds at least one')
    try:
        need_sb3()
    except MissingExtra as error:
        print(f'ambf-train: {error}', file=sys.stderr)
        return 1
    args.output.mkdir(parents=True, exist_ok=True)
    task, unseen = ReachTask(), range(UNSEEN, UNSEEN + GOALS)
    curves: dict[int, list[Episode]] = {}
    results: dict[str, dict] = {}
    for seed in args.seeds:
        untrained, _ = train(task, seed, Settings(steps=1))
        results[f'untrained {seed}'] = evaluate(task, policy_of(untrained), unseen, 'distance')
        print(line(f'seed {seed}, untrained', results[f'untrained {seed}']), flush=True)
        begin, cpu = time.monotonic(), time.process_time()
        model, curves[seed] = train(task, seed, Settings(steps=args.steps))
        took = f'{args.steps} steps in {time.monotonic() - begin:.0f} s ({time.process_time() - cpu:.0f} s of CPU)'
        model.save(str(args.output / f'reach_{seed}.zip'))
        results[f'trained {seed}'] = evaluate(task, policy_of(model), unseen, 'distance')
        print(line(f'seed {seed}, {took}', results[f'trained {seed}']), flush=True)
        write_curves(args.output / 'reach_curves.json', curves, results)
        plot(curves, args.output / 'reach_curves.svg')
    return 0
