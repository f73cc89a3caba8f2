# SPDX-License-Identifier: BSD-3-Clause
"""Runs the scripted policies of the tasks: success over many seeds, and picture strips."""

import argparse
import time

import numpy as np

from ..drawing import strip, write_png
from ..env import AmbfEnv
from ..rollout import run
from ..studio import photograph
from ..tasks import TASKS


def strip_of(name: str, seed: int, file: str, rendered: bool | None) -> str:
    """Pictures of one episode side by side, evenly over its length."""
    make_task, make_policy = TASKS[name]
    pictures, solved = photograph(make_task(), make_policy, seed, rendered=rendered)
    write_png(file, strip(pictures))
    return f'{file}: {len(pictures)} pictures, seed {seed}, {"solved" if solved else "not solved"}'


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(prog='ambf-tasks', description=__doc__)
    parser.add_argument('tasks', nargs='*', help=f'of {", ".join(TASKS)}; all by default')
    parser.add_argument('--seeds', type=int, default=50, help='episodes for each task (default 50)')
    parser.add_argument('--backend', default='inprocess', choices=('inprocess', 'ros'))
    parser.add_argument('--strip', action='store_true', help='write <task>_strip.png instead')
    parser.add_argument('--seed', type=int, default=0, help='of the strip (default 0)')
    parser.add_argument(
        '--draw',
        default='auto',
        choices=('auto', 'render', 'plain'),
        help='strips by the render node, or plainly in numpy (default: by the node if it is installed)',
    )
    args = parser.parse_args(arguments)
    for name in args.tasks:
        if name not in TASKS:
            parser.error(f"task '{name}': expected one of {', '.join(TASKS)}")
    if args.seeds < 1:
        parser.error(f'--seeds: found {args.seeds}, expected 1 or more')
    for name in args.tasks or TASKS:
        if args.strip:
            rendered = None if args.draw == 'auto' else args.draw == 'render'
            print(strip_of(name, args.seed, f'{name}_strip.png', rendered), flush=True)
            continue
        make_task, make_policy = TASKS[name]
        task = make_task()
        env = AmbfEnv(task, backend=args.backend)
        begin = time.monotonic()
        outcomes = run(env, make_policy(task), range(args.seeds))
        env.close()
        solved = [o for o in outcomes if o.success]
        failed = [o.seed for o in outcomes if not o.success]
        steps = np.median([o.steps for o in outcomes])
        print(
            f'{name}: {len(solved)} of {len(outcomes)} solved, {steps:.0f} steps (median), '
            f'{time.monotonic() - begin:.0f} s' + (f', failed seeds {failed}' if failed else ''),
            flush=True,
        )
    return 0
