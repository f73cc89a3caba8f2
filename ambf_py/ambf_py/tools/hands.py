# SPDX-License-Identifier: BSD-3-Clause
"""ambf-hands: scripted hands that do a task with the arms of a running world, on the arms' own topics."""

import argparse
import re
import signal
import sys
import time
from collections.abc import Callable

from ..errors import AmbfError


class PegTransferRun:
    """Rings from the left pegs to the right ones with PSM2 and PSM1, and back."""

    places = {'PSM1': 'psm1', 'PSM2': 'psm2'}
    endoscope: tuple[str, str] | None = None

    def __init__(self, arms):
        from ..hands.peg_transfer import PegTransfer

        self.task = PegTransfer(arms.sight, *arms.hands)
        self.hands = arms.hands
        self.remote_centre = 0.0  # greatest distance of a shaft's line from it [m]
        self._said = 0

    def look(self):
        self.remote_centre = max(self.remote_centre, *(hand.remote_centre_error() for hand in self.hands))
        for at, text in self.task.said[self._said :]:
            print(f'{at:8.2f} s  {text}', flush=True)
        self._said = len(self.task.said)

    def work(self, to_right: bool, rings: tuple):
        return self.task.transfer(to_right, rings)

    def row(self, rings: tuple, to_right: bool) -> tuple[int, int, int, float]:
        """Rings on their pegs, hand-overs, things that slipped, remote centre [mm]."""
        placed = sum(self.task.placed(ring, to_right) for ring in rings)
        return placed, self.task.handed_over, self.task.retries, 1e3 * self.remote_centre


class WatchedRun(PegTransferRun):
    """The same, and the endoscope follows the instruments."""

    endoscope = ('ECM', 'ecm')

    def __init__(self, arms):
        super().__init__(arms)
        self.onlooker = arms.onlooker

    def work(self, to_right: bool, rings: tuple):
        return self.onlooker.follow(self.hands, super().work(to_right, rings))


TASKS: dict[str, Callable] = {'peg_transfer': PegTransferRun, 'two_psms_ecm': WatchedRun}


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='ambf-hands',
        description=__doc__,
        epilog='Start the world first, e.g. ros2 launch ambf_bringup simulator.launch.py world:=... with worlds/peg_transfer/'
        'launch.yaml of ambf_description. Nothing is tied to a jaw: what is held is held by friction.',
    )
    parser.add_argument('task', nargs='?', default='peg_transfer', choices=sorted(TASKS), help='what they do')
    parser.add_argument('--once', action='store_true', help='to one side only; code 0 where all is where it belongs')
    parser.add_argument(
        '--runs', type=int, help='so many times from the start of the world, with a table; implies --once'
    )
    parser.add_argument('--rings', help='only these, from 1, with commas between them: 1,4')
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
    parser.add_argument('--rate', type=float, help='pictures per second of the film (default: 25, for pages 10)')
    parser.add_argument('--speed', type=float, help='times as fast as the world (default: 1, for pages 2)')
    parser.add_argument('--namespace', default='', help='of the simulator')
    return parser


def ring_numbers(text: str | None) -> tuple[int, ...]:
    """Indices from 0; ValueError in words."""
    if text is None:
        return tuple(range(6))
    words = [word.strip() for word in text.split(',')]
    if not all(word in ('1', '2', '3', '4', '5', '6') for word in words):
        raise ValueError(f"--rings: found '{text}', expected numbers from 1 to 6 with commas between them")
    return tuple(int(word) - 1 for word in words)


def film_format(given) -> tuple[tuple[int, int], float, float]:
    """Size, pictures per second, speed; small for pages. ValueError in words."""
    for_page = bool(given.film) and given.film.endswith(('.gif', '.apng'))
    size = given.size or ('480x360' if for_page else '1280x720')
    if not re.fullmatch(r'[1-9]\d{0,3}x[1-9]\d{0,3}', size):
        raise ValueError(f"--size: found '{given.size}', expected pixels, e.g. 1280x720")
    rate, speed = given.rate or (10.0 if for_page else 25.0), given.speed or (2.0 if for_page else 1.0)
    if rate <= 0.0 or speed <= 0.0 or given.seconds <= 0.0:
        raise ValueError('--rate, --speed, --seconds: expected numbers above 0')
    width, height = (int(word) for word in size.split('x'))
    return (width, height), rate, speed


def one_run(arms, kind, rings: tuple) -> tuple:
    """From where the world is to the right side; the row of a table."""
    run, begun, wall = kind(arms), arms.sight.time, time.monotonic()
    arms.run(run.work(True, rings), run.look)
    run.look()
    return (*run.row(rings, True), arms.sight.time - begun, time.monotonic() - wall)


def several_runs(arms, kind, rings: tuple, count: int) -> int:
    """A table; code 0 where all rings were brought in nine of ten runs."""
    print('run  rings  hand-overs  slips  remote centre [mm]  world [s]  wall [s]', flush=True)
    good = 0
    for number in range(1, count + 1):
        arms.restart()
        placed, over, slips, centre, world, wall = one_run(arms, kind, rings)
        good += placed == len(rings)
        print(
            f'{number:>3}  {placed} of {len(rings)}  {over:>10}  {slips:>5}  {centre:>18.4f}  {world:>9.1f}  {wall:>8.1f}',
            flush=True,
        )
    print(f'{good} of {count} runs brought all rings', flush=True)
    return 0 if 10 * good >= 9 * count else 1


def for_ever(arms, kind, rings: tuple):
    run = kind(arms)
    while True:
        for to_right in (True, False):
            arms.run(run.work(to_right, rings), run.look)
            placed = run.row(rings, to_right)[0]
            print(f'{placed} of {len(rings)} rings are on the {"right" if to_right else "left"}', flush=True)


class EndOfFilm(Exception):
    """Long enough."""


def film(arms, kind, rings: tuple, given) -> int:
    """Of the first so many seconds of the task."""
    from ..hands.film import Film

    run = kind(arms)
    with Film(arms.client, given.film, *film_format(given)) as camera:

        def look():
            run.look()
            camera.look(arms.state.step, arms.state.time)
            if camera.seconds() >= given.seconds:
                raise EndOfFilm

        try:
            arms.run(run.work(True, rings), look)
        except EndOfFilm:
            pass
    return 0


def main(words: list[str] | None = None) -> int:
    parser = make_parser()
    given = parser.parse_args(words)
    try:
        rings = ring_numbers(given.rings)
        film_format(given)
    except ValueError as error:
        parser.error(str(error))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    kind = TASKS[given.task]
    try:
        from ..hands.crtk import CrtkArms

        with CrtkArms(
            kind.places,
            endoscope=kind.endoscope,
            lockstep=given.lockstep or bool(given.film),
            namespace=given.namespace,
        ) as arms:
            if given.film:
                return film(arms, kind, rings, given)
            if given.runs:
                return several_runs(arms, kind, rings, given.runs)
            if given.once:
                placed, over, slips, centre, world, _ = one_run(arms, kind, rings)
                print(
                    f'{placed} of {len(rings)} rings on their pegs in {world:.1f} s of the world; {over} hand-overs, '
                    f'{slips} slips, remote centre within {centre:.4f} mm',
                    flush=True,
                )
                if arms.lockstep:
                    print(f'hash {arms.state.hash:016x} at step {arms.state.step}', flush=True)
                return 0 if placed == len(rings) else 1
            for_ever(arms, kind, rings)
    except KeyboardInterrupt:
        pass
    except (AmbfError, ImportError) as error:
        print(f'ambf-hands: {error}', file=sys.stderr)
        return 1
    return 0
