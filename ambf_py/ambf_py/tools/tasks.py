"""Runs the scripted policies of the tasks: success over many seeds, and picture strips."""
import argparse
import time

import numpy as np

from ..drawing import strip, write_png
from ..env import AmbfEnv
from ..rollout import run
from ..tasks import TASKS


def strip_of(name: str, seed: int, file: str, count: int = 5) -> str:
    """Pictures of one episode side by side, evenly over its length."""
    make_task, make_policy = TASKS[name]
    task = make_task()
    env = AmbfEnv(task, render_mode='rgb_array')
    length = run(env, make_policy(task), [seed])[0].steps
    moments = {int(round(m)) for m in np.linspace(0, length - 1, count - 1)}
    pictures = []

    def look(env, step):
        if step in moments:
            pictures.append(env.render())
    outcome = run(env, make_policy(task), [seed], look)[0]
    pictures.append(env.render())
    write_png(file, strip(pictures))
    return f'{file}: {len(pictures)} pictures, seed {seed}, {"solved" if outcome.success else "not solved"}'


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(prog='ambf-tasks', description=__doc__)
    parser.add_argument('tasks', nargs='*', help=f'of {", ".join(TASKS)}; all by default')
    parser.add_argument('--seeds', type=int, default=50, help='episodes for each task (default 50)')
    parser.add_argument('--backend', default='inprocess', choices=('inprocess', 'ros'))
    parser.add_argument('--strip', action='store_true', help='write <task>_strip.png instead')
    args = parser.parse_args(arguments)
    for name in args.tasks:
        if name not in TASKS:
            parser.error(f"task '{name}': expected one of {', '.join(TASKS)}")
    for name in args.tasks or TASKS:
        if args.strip:
            print(strip_of(name, 0, f'{name}_strip.png'), flush=True)
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
        print(f'{name}: {len(solved)} of {len(outcomes)} solved, {steps:.0f} steps (median), '
              f'{time.monotonic() - begin:.0f} s' + (f', failed seeds {failed}' if failed else ''), flush=True)
    return 0
