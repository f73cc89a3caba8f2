"""Trains the reach policy by random search, evaluates it on unseen seeds, and draws the learning curves."""
import argparse
import pathlib
import time
from typing import Optional

import numpy as np

from ..learning import Settings, evaluate, train, write_curves
from ..tasks import ReachTask

# Seeds of training stay below 10^6.
UNSEEN = 10**6


def plot(curves: dict[int, list[float]], file: pathlib.Path):
    """Mean return of each round, one line for each training seed, as SVG."""
    width, height, left, top = 560, 300, 60, 30
    values = np.concatenate([np.asarray(c) for c in curves.values()])
    low, high, rounds = values.min(), values.max(), max(len(c) for c in curves.values())

    def place(i: float, value: float) -> str:
        x = left + i / max(1, rounds - 1) * (width - left - 20)
        y = top + (high - value) / max(1e-9, high - low) * (height - top - 50)
        return f'{x:.1f},{y:.1f}'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
             'font-size="11">', '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="{left}" y="18">reach: mean return of a round of trials</text>']
    for color, (seed, curve) in zip(('#336699', '#993333', '#339966', '#996633'), curves.items()):
        points = ' '.join(place(i, v) for i, v in enumerate(curve))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        parts.append(f'<text x="{width - 90}" y="{height - 90 + 15 * seed}" fill="{color}">seed {seed}</text>')
    for value in np.linspace(low, high, 4):
        parts.append(f'<text x="{left - 8}" y="{place(0, value).split(",")[1]}" text-anchor="end">{value:.0f}</text>')
    for i in np.linspace(0, rounds - 1, 4):
        parts.append(f'<text x="{place(i, low).split(",")[0]}" y="{height - 30}" text-anchor="middle">{i:.0f}</text>')
    parts.append(f'<text x="{width / 2}" y="{height - 10}" text-anchor="middle">round</text></svg>')
    file.write_text('\n'.join(parts))


def main(arguments: Optional[list[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog='ambf-train', description=__doc__)
    parser.add_argument('--seeds', type=int, default=3, help='training seeds (default 3)')
    parser.add_argument('--rounds', type=int, default=Settings.rounds)
    parser.add_argument('--output', type=pathlib.Path, default=pathlib.Path('.'))
    args = parser.parse_args(arguments)
    args.output.mkdir(parents=True, exist_ok=True)
    task, unseen = ReachTask(), range(UNSEEN, UNSEEN + 50)

    def line(what: str, result: dict) -> str:
        return (f'{what}: {result["success"]:.0%} of 50 unseen goals within 3 mm, mean final distance '
                f'{result["distance"] * 1e3:.1f} mm, worst {result["worst_distance"] * 1e3:.1f} mm')
    print(line('untrained', evaluate(task, None, unseen, 'distance')), flush=True)
    curves, results = {}, {}
    for seed in range(args.seeds):
        begin = time.monotonic()
        policy, curves[seed] = train(task, seed, Settings(rounds=args.rounds))
        policy.save(str(args.output / f'reach_{seed}.npz'))
        results[seed] = evaluate(task, policy, unseen, 'distance')
        print(line(f'seed {seed}, {time.monotonic() - begin:.0f} s', results[seed]), flush=True)
    write_curves(args.output / 'reach_curves.json', curves, results)
    plot(curves, args.output / 'reach_curves.svg')
    return 0
