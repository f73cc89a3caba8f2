# SPDX-License-Identifier: BSD-3-Clause
"""Trains the reach policy, evaluates it on unseen goals, and notes how it learnt."""

import argparse
import dataclasses
import json
import pathlib
import sys
import time

import numpy as np

from .. import evolution
from ..learning import UNSEEN, Episode, MissingExtra, Settings, evaluate, need_sb3, policy_of, train, write_curves
from ..tasks import ReachTask

GOALS = 50  # unseen ones
WINDOW = 20  # episodes that a point of the curve averages


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
        steps = [e.step for e in episodes][WINDOW - 1 :]
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
    return (
        f'{what}: {result["success"]:.0%} of {GOALS} unseen goals within {ReachTask.tolerance * 1e3:.0f} mm, mean '
        f'final distance {result["distance"] * 1e3:.1f} mm, worst {result["worst_distance"] * 1e3:.1f} mm'
    )


def report(iteration: evolution.Iteration):
    """Progress, now and then."""
    if iteration.number % 10 == 0:
        print(f'{iteration.step} steps: {iteration.success:.0%} of the training goals reached', flush=True)


def evolve(seeds: list[int], iterations: int, output: pathlib.Path) -> int:
    """A linear policy by an evolution strategy: numpy is enough."""
    task, unseen = ReachTask(), range(UNSEEN, UNSEEN + GOALS)
    print(line('untrained', evaluate(task, None, unseen, 'distance')), flush=True)
    for seed in seeds:
        begin, cpu = time.monotonic(), time.process_time()
        policy, history = evolution.evolve(task, seed, evolution.Settings(iterations=iterations), report)
        took = f'{time.monotonic() - begin:.0f} s ({time.process_time() - cpu:.0f} s of CPU)'
        policy.save(output / f'reach_{seed}.txt')
        print(
            line(f'seed {seed}, {history[-1].step} steps in {took}', evaluate(task, policy, unseen, 'distance')),
            flush=True,
        )
        (output / f'reach_{seed}.json').write_text(json.dumps([dataclasses.asdict(i) for i in history], indent=1))
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog='ambf-train', description=__doc__)
    parser.add_argument(
        '--method',
        default='evolution',
        choices=('evolution', 'sac'),
        help='evolution: a linear policy, nothing to install (default); sac: soft actor-critic of '
        'stable-baselines3, which needs PyTorch',
    )
    parser.add_argument('--seeds', type=int, nargs='*', help='training seeds (default 0; sac: 0 1 2)')
    parser.add_argument(
        '--iterations',
        type=int,
        default=evolution.Settings.iterations,
        help=f'of evolution (default {evolution.Settings.iterations})',
    )
    parser.add_argument('--steps', type=int, default=Settings.steps, help=f'of sac (default {Settings.steps})')
    parser.add_argument('--output', type=pathlib.Path, default=pathlib.Path('.'))
    args = parser.parse_args(arguments)
    if args.seeds is None:
        args.seeds = [0] if args.method == 'evolution' else [0, 1, 2]
    if args.steps < 1 or args.iterations < 1 or not args.seeds:
        parser.error('--steps and --iterations must be 1 or more, --seeds at least one')
    if args.method == 'evolution':
        args.output.mkdir(parents=True, exist_ok=True)
        return evolve(args.seeds, args.iterations, args.output)
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
