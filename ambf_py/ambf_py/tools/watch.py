# SPDX-License-Identifier: BSD-3-Clause
"""Runs a policy in the simulator and shows it: in a window in real time, or as a strip of pictures."""

import argparse
import contextlib
import os
import pathlib
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

from ..drawing import strip, write_png
from ..env import AmbfEnv
from ..errors import AmbfError
from ..evolution import LinearPolicy
from ..rollout import run
from ..studio import RenderedEnv, describe, photograph
from ..task import Task
from ..tasks import TASKS

SHIPPED = pathlib.Path(__file__).parent.parent / 'policies'


class Observing:
    """A policy of observations where one of the task's own view is wanted."""

    def __init__(self, task: Task, policy: Callable[[np.ndarray], np.ndarray]):
        self._task, self._policy = task, policy

    def reset(self):
        """Nothing is remembered between steps."""

    def __call__(self, view, goal: np.ndarray) -> np.ndarray:
        return self._policy(self._task.observe(view, goal))[0]


class Pace:
    """Keeps an episode at the speed of the wall clock; new goals move the mark."""

    def __init__(self, task: Task, speed: float):
        self._step = task.frame_skip * task.step_size / speed
        self._due = 0.0

    def __call__(self, env: RenderedEnv, step: int):
        now = time.monotonic()
        if step == 0:
            env.move_mark()
            self._due = now
        self._due += self._step
        time.sleep(max(0.0, self._due - now))


def show(task: Task, make_policy, seeds: range, speed: float):
    """Episodes in a window."""
    plain = AmbfEnv(task)
    plain.reset(seed=seeds[0])
    text = describe(task, plain.episodes.goal[0], 640, 480, window=True)
    with tempfile.TemporaryDirectory() as folder:
        studio = pathlib.Path(folder) / 'studio.yaml'
        studio.write_text(text)
        with contextlib.closing(RenderedEnv(task, str(studio), None, window=True)) as env:
            for outcome in run(env, make_policy(task), seeds, Pace(task, speed)):
                print(
                    f'goal {outcome.seed}: {"reached" if outcome.success else "not reached"} in {outcome.steps} steps'
                )


def policy_maker(name: str, file: pathlib.Path | None, scripted: bool) -> Callable[[Task], Callable]:
    """What makes the policy that was asked for."""
    if scripted:
        return TASKS[name][1]
    shipped = SHIPPED / f'{name}.txt'
    if file is None and not shipped.exists():
        raise AmbfError(f"no policy for '{name}' comes with the package: give one with --policy, or --scripted")
    policy = LinearPolicy.load(file or shipped)
    return lambda task: Observing(task, policy)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog='ambf-watch', description=__doc__)
    parser.add_argument('task', nargs='?', default='reach', choices=list(TASKS))
    parser.add_argument('--policy', type=pathlib.Path, help='that ambf-train wrote (default: the one of the package)')
    parser.add_argument('--scripted', action='store_true', help="the task's scripted policy instead")
    parser.add_argument(
        '--seed', type=int, default=10**6, help='of the first goal (default 1000000, which no training saw)'
    )
    parser.add_argument('--goals', type=int, default=5, help='episodes in the window (default 5)')
    parser.add_argument('--speed', type=float, default=1.0, help='1: as fast as the arm would be (default)')
    parser.add_argument(
        '--strip',
        type=pathlib.Path,
        help='write pictures of one episode into this file; without a display <task>_watch.png',
    )
    parser.add_argument(
        '--draw',
        default='auto',
        choices=('auto', 'render', 'plain'),
        help='strips by the render node, or plainly in numpy (default: by the node if it is installed)',
    )
    args = parser.parse_args(arguments)
    if args.goals < 1 or not args.speed > 0.0:
        parser.error('--goals must be 1 or more, --speed above 0')
    try:
        make_policy = policy_maker(args.task, args.policy, args.scripted)
        if args.strip is None and os.environ.get('DISPLAY'):
            show(TASKS[args.task][0](), make_policy, range(args.seed, args.seed + args.goals), args.speed)
            return 0
        file = args.strip or pathlib.Path(f'{args.task}_watch.png')
        rendered = None if args.draw == 'auto' else args.draw == 'render'
        pictures, solved = photograph(TASKS[args.task][0](), make_policy, args.seed, rendered=rendered)
    except AmbfError as error:
        print(f'ambf-watch: {error}', file=sys.stderr)
        return 1
    write_png(file, strip(pictures))
    print(f'{file}: {len(pictures)} pictures of goal {args.seed}, {"reached" if solved else "not reached"}')
    return 0
