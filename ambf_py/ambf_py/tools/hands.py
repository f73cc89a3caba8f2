# SPDX-License-Identifier: BSD-3-Clause
"""ambf-hands: scripted hands that do a task in a running world, on the topics of its arms and devices."""

import argparse
import re
import signal
import sys
import time

from rclpy.duration import Duration

from ..errors import AmbfError
from ..hands.repertoire import REPERTOIRE, performance


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='ambf-hands',
        description=__doc__,
        epilog='Start the world first, e.g. ros2 launch ambf_bringup simulator.launch.py world:=... with worlds/peg_transfer/'
        'launch.yaml of ambf_description. Nothing is tied to a jaw: what is held is held by friction.',
    )
    parser.add_argument('task', nargs='?', default='peg_transfer', choices=sorted(REPERTOIRE), help='what they do')
    parser.add_argument('--list', action='store_true', help='name all tasks')
    parser.add_argument('--once', action='store_true', help='once; code 0 where it was done')
    parser.add_argument(
        '--runs',
        type=int,
        help='so many times from the start of the world, with a table; code 0 where nine of ten were done',
    )
    parser.add_argument('--only', metavar='PARTS', help='only these parts of the task, e.g. rings, from 1: 1,4')
    parser.add_argument(
        '--lockstep', action='store_true', help='step the world: as fast as it goes, the same every time'
    )
    parser.add_argument(
        '--film',
        metavar='FILE',
        help='a film of the world in lockstep: .mp4, .mkv, .webm, or for pages .gif, .apng (needs ffmpeg)',
    )
    parser.add_argument(
        '--seconds', type=float, default=13.0, help='length of the film in time of the world (default: 13)'
    )
    parser.add_argument('--size', help='of the film, in pixels (default: 1280x720, for pages 480x360)')
    parser.add_argument(
        '--cameras',
        metavar='NAMES',
        default='',
        help='of the film, with commas between them: what they see stands side by side (default: the first camera)',
    )
    parser.add_argument('--rate', type=float, help='pictures per second of the film (default: 25, for pages 10)')
    parser.add_argument('--speed', type=float, help='times as fast as the world (default: 1, for pages 2)')
    parser.add_argument('--namespace', default='', help='of the simulator')
    return parser


def part_numbers(text: str | None, names: tuple[str, ...]) -> tuple[int, ...]:
    """Indices from 0; ValueError in words."""
    if text is None:
        return tuple(range(len(names)))
    if not names:
        raise ValueError(f"--only: found '{text}', but this task has no parts")
    words = [word.strip() for word in text.split(',')]
    if not all(word.isdigit() and 1 <= int(word) <= len(names) for word in words):
        listed = ', '.join(f'{number} {name}' for number, name in enumerate(names, 1))
        raise ValueError(f"--only: found '{text}', expected numbers with commas between them, of: {listed}")
    return tuple(int(word) - 1 for word in words)


def film_format(given) -> tuple[tuple[int, int], float, float]:
    """Size, pictures per second, speed; small for pages. ValueError in words."""
    for_page = bool(given.film) and given.film.endswith(('.gif', '.apng'))
    size = given.size or ('480x360' if for_page else '1280x720')
    if not re.fullmatch(r'[1-9]\d{0,3}x[1-9]\d{0,3}', size):
        raise ValueError(f"--size: found '{given.size}', expected pixels, e.g. 1280x720")
    rate, speed = given.rate or (10.0 if for_page else 25.0), given.speed or (2.0 if for_page else 1.0)
    if not all(0.0 < number < float('inf') for number in (rate, speed, given.seconds)):
        raise ValueError('--rate, --speed, --seconds: expected numbers above 0')
    width, height = (int(word) for word in size.split('x'))
    return (width, height), rate, speed


class Show:
    """A performance in front of people: what happens is printed, and what the hands do stands on the picture.

    A context manager: in the end the line on the picture goes, or says what went wrong.
    """

    def __init__(self, arms, kind):
        from ambf_msgs.msg import Caption

        self.task = kind(arms)
        self._arms, self._caption, self._told = arms, Caption(source='hands'), 0
        topic = f'{arms.client.base}/World/Caption'
        self._publisher = arms.client.open_node.create_publisher(Caption, topic, 10)

    def __enter__(self):
        return self

    def __exit__(self, _kind, error, _trace):
        if isinstance(error, AmbfError):
            self._say(str(error), type(self._caption).ERROR)
        else:
            self._say('')
        # Whatever was said is lost with its publisher where nobody has it yet.
        self._publisher.wait_for_all_acked(Duration(seconds=1.0))
        self._arms.client.open_node.destroy_publisher(self._publisher)

    def _say(self, text: str, level: int = 0):
        if text != self._caption.text:
            self._caption.text, self._caption.level = text, level
            self._publisher.publish(self._caption)

    def look(self):
        self.task.look()
        for at, text in self.task.said[self._told :]:
            print(f'{at:8.2f} s  {text}', flush=True)
        self._told = len(self.task.said)
        self._say(self.task.caption())

    def play(self, work, look=None):
        self._arms.run(work, look or self.look)
        self.look()


def several_runs(arms, kind, parts: tuple, count: int) -> int:
    """A table; code 0 where nine of ten runs did it."""
    good, widths = 0, []
    for number in range(1, count + 1):
        arms.restart()
        begun, wall = arms.sight.time, time.monotonic()
        with Show(arms, kind) as show:
            show.play(show.task.forth(parts))
        done = show.task.done(parts)
        good += done
        row = {
            'run': f'{number}',
            'done': 'yes' if done else 'no',
            **show.task.figures(parts),
            'world [s]': f'{arms.sight.time - begun:.1f}',
            'wall [s]': f'{time.monotonic() - wall:.1f}',
        }
        if not widths:
            widths = [max(len(name), len(value) + 1) for name, value in row.items()]
            print('  '.join(name.rjust(width) for name, width in zip(row, widths)), flush=True)
        print('  '.join(value.rjust(width) for value, width in zip(row.values(), widths)), flush=True)
    print(f'{good} of {count} runs did the task', flush=True)
    return 0 if 10 * good >= 9 * count else 1


def once(arms, kind, parts: tuple) -> int:
    """Code 0 where it was done."""
    begun = arms.sight.time
    with Show(arms, kind) as show:
        show.play(show.task.forth(parts))
    print(f'{show.task.summary(parts)}; {arms.sight.time - begun:.1f} s of the world', flush=True)
    if arms.lockstep:
        print(f'hash {arms.state.hash:016x} at step {arms.state.step}', flush=True)
    return 0 if show.task.done(parts) else 1


def for_ever(arms, kind, parts: tuple):
    while True:
        with Show(arms, kind) as show:
            back = iter(())
            while back is not None:
                show.play(back)
                show.play(show.task.forth(parts))
                print(show.task.summary(parts), flush=True)
                back = show.task.back(parts)
        arms.restart()


class EndOfFilm(Exception):
    """Long enough."""


def film(arms, kind, parts: tuple, given) -> int:
    """Of the first so many seconds of the task."""
    from ..hands.film import Film

    with (
        Show(arms, kind) as show,
        Film(
            arms.client, given.film, *film_format(given), tuple(name.strip() for name in given.cameras.split(','))
        ) as camera,
    ):

        def look():
            show.look()
            camera.look(arms.state.step, arms.state.time)
            if camera.seconds() >= given.seconds:
                raise EndOfFilm

        try:
            show.play(show.task.forth(parts), look)
        except EndOfFilm:
            pass
    return 0


def main(words: list[str] | None = None) -> int:
    parser = make_parser()
    given = parser.parse_args(words)
    if given.runs is not None and given.runs < 1:
        parser.error(f'--runs: found {given.runs}, expected 1 or more')
    try:
        if given.list:
            for name in REPERTOIRE:
                print(f'{name:<16}{performance(name).title}')
            return 0
        kind = performance(given.task)
        parts = part_numbers(given.only, kind.parts)
        film_format(given)
    except ValueError as error:
        parser.error(str(error))
    except ImportError as error:
        print(f'ambf-hands: {error}', file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with kind.open(lockstep=given.lockstep or bool(given.film), namespace=given.namespace) as arms:
            if given.film:
                return film(arms, kind, parts, given)
            if given.runs:
                return several_runs(arms, kind, parts, given.runs)
            if given.once:
                return once(arms, kind, parts)
            for_ever(arms, kind, parts)
    except KeyboardInterrupt:
        pass
    except (AmbfError, ImportError) as error:
        print(f'ambf-hands: {error}', file=sys.stderr)
        return 1
    return 0
