# SPDX-License-Identifier: BSD-3-Clause
"""The simulator by the flags of AMBF 2.0's program, so that scripts made for that one work as they are.

  ambf_simulator --launch_file launch.yaml -l 0,1,2 -p 200 -t1

Each flag becomes an argument of simulator.launch.py, or is named as one without effect.
"""

import argparse
import dataclasses
import difflib
import json
import os
import pathlib
import sys
from collections.abc import Callable
from typing import Any

WORKS, DIFFERS, NO_EFFECT = 'works', 'differs', 'no effect'


def truth(text: str) -> bool:
    """A truth value as AMBF's option parser reads it."""
    words = {'1': True, 'true': True, 'yes': True, 'on': True, '0': False, 'false': False, 'no': False, 'off': False}
    if text.lower() not in words:
        raise argparse.ArgumentTypeError(f"found '{text}', expected 0 or 1")
    return words[text.lower()]


@dataclasses.dataclass(frozen=True)
class Flag:
    """A flag of AMBF: its names, what its value is, what becomes of it here."""

    long: str
    short: str
    kind: Callable[[str], Any]
    outcome: str
    text: str

    @property
    def names(self) -> list[str]:
        return [name for name in (self.short, self.long) if name]


FLAGS = (
    Flag('--launch_file', '', str, WORKS, 'launch file; default: the demo world'),
    Flag(
        '--load_multibodies',
        '-l',
        str,
        WORKS,
        "which of the launch file's 'multibody configs' to load, from 0: 0,3,5 (or all, none); default: 1, unless the "
        "file has 'default multibodies'",
    ),
    Flag(
        '--load_multibody_files',
        '-a',
        str,
        DIFFERS,
        'further ADF files, with commas between them; loaded after those of -l, not before them',
    ),
    Flag(
        '--ndevs',
        '-n',
        int,
        DIFFERS,
        "bind the first n devices of the launch file's 'input devices config'; their drivers are nodes that are "
        'started apart',
    ),
    Flag('--load_devices', '-i', str, DIFFERS, 'bind these devices of that file, from 0: 0,2; drivers as with -n'),
    Flag('--fixed_phx_timestep', '-t', truth, DIFFERS, 'steps are always of one size; with 1, -s counts'),
    Flag('--sim_speed_factor', '-s', float, WORKS, 'with -t 1: simulated seconds per wall second'),
    Flag('--override_max_comm_freq', '', float, WORKS, 'rate of State topics that somebody commands [Hz]'),
    Flag('--override_min_comm_freq', '', float, WORKS, 'rate of State topics that nobody commands [Hz]'),
    Flag('--show_gui', '-g', truth, WORKS, 'windows; 0: physics only'),
    Flag('--ns', '', str, WORKS, "prefix of the world's namespace"),
    Flag(
        '--phx_frequency',
        '-p',
        int,
        NO_EFFECT,
        'steps are of 1 ms, as those of AMBF are however often its loop runs; step_size:=0.002 is another',
    ),
    Flag('--htx_frequency', '-d', int, NO_EFFECT, "each device's driver has a rate of its own"),
    Flag('--fixed_htx_timestep', '-f', truth, NO_EFFECT, 'drivers measure their time'),
    Flag(
        '--enableforces',
        '-e',
        truth,
        NO_EFFECT,
        "each device's driver decides whether it gives force, and how much: its parameters linear_stiffness, max_force",
    ),
    Flag('--plugins', '', str, NO_EFFECT, "AMBF's plugins are made for its own classes; a node can do their work"),
)
OWN = Flag('--offscreen', '', truth, WORKS, 'not of AMBF: draw camera images and pictures where there is no display')


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message):
        self.exit(2, f'{self.prog}: {message}; {self.prog} --help lists the flags\n')


def make_parser() -> Parser:
    parser = Parser(
        prog='ambf_simulator',
        description=__doc__.split('\n\n')[0] + '\n\nFlags (without effect are those that say so):',
        epilog='Arguments NAME:=VALUE are handed on to simulator.launch.py: ambf_simulator -l 0 mode:=lockstep. '
        'More in docs/coming_from_ambf.md.',
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for flag in (*FLAGS, OWN):
        note = '' if flag.outcome == WORKS else f'{flag.outcome}: '
        parser.add_argument(
            *flag.names, dest=flag.long[2:], type=flag.kind, metavar='VALUE', help=(note + flag.text).replace('%', '%%')
        )
    return parser


def nearest(flag: str) -> str:
    """The known flag that somebody may have meant; empty where none is like it."""
    known = [name for one in (*FLAGS, OWN) for name in one.names if name.startswith('--')]
    found = difflib.get_close_matches(flag.split('=')[0], known, 1, 0.6)
    return found[0] if found else ''


def refuse_unknown(parser: Parser, unknown: list[str]):
    told = []
    for i, word in enumerate(unknown):
        if not word.startswith('-'):
            if i and unknown[i - 1].startswith('-'):
                continue  # the value of an unknown flag
            told.append(f"'{word}' belongs to no flag (a list has no blanks in it, or quotes around it)")
            continue
        like = nearest(word)
        told.append(f"unknown flag '{word}'" + (f', did you mean {like}?' if like else ''))
    parser.error('; '.join(told))


@dataclasses.dataclass
class Start:
    """What to start, and what to say before."""

    arguments: list[str]
    notes: list[str]


def without_effect(given: dict[str, Any]) -> list[str]:
    return [
        f'{"/".join(flag.names)} has no effect: {flag.text}'
        for flag in FLAGS
        if flag.outcome == NO_EFFECT and flag.long[2:] in given
    ]


def plan(words: list[str], display: str) -> Start:
    """The arguments of simulator.launch.py that these flags mean; ends the program where they mean nothing."""
    parser = make_parser()
    values, rest = parser.parse_known_args(words)
    unknown = [word for word in rest if word.startswith('-') or ':=' not in word]
    if unknown:
        refuse_unknown(parser, unknown)
    given = {name: value for name, value in vars(values).items() if value is not None}
    notes = without_effect(given)
    arguments = []

    def hand_on(flag: str, argument: str):
        if flag in given:
            arguments.append(f'{argument}:={given[flag]}')

    if 'launch_file' in given:
        file = pathlib.Path(given['launch_file']).expanduser()
        if not file.is_file():
            parser.exit(
                1, f"{parser.prog}: --launch_file: found '{file}', which is not there, expected a launch file\n"
            )
        arguments.append(f'world:={file.absolute()}')
    hand_on('load_multibodies', 'model_indices')
    if 'load_multibody_files' in given:
        files = [pathlib.Path(name.strip()).expanduser() for name in given['load_multibody_files'].split(',')]
        arguments.append('models:=' + json.dumps([str(file.absolute()) for file in files], ensure_ascii=False))
        if 'load_multibodies' not in given:
            arguments.append('model_indices:=none')
    hand_on('ndevs', 'n_devices')
    hand_on('load_devices', 'device_indices')
    if given.get('ndevs') or given.get('load_devices'):
        notes.append('the devices wait for their drivers: ros2 run ambf_device_nodes ..., see docs/devices.md')
    hand_on('override_max_comm_freq', 'max_rate')
    hand_on('override_min_comm_freq', 'min_rate')
    if given.get('fixed_phx_timestep'):
        hand_on('sim_speed_factor', 'real_time_factor')
    elif given.get('sim_speed_factor', 1.0) != 1.0:
        notes.append('-s has no effect without -t 1, as in AMBF')
    if given.get('ns', '').strip('/'):
        arguments.append('namespace:=' + given['ns'].strip('/'))
    if not given.get('show_gui', True):
        arguments.append('render:=false')
    elif not display:
        drawn = given.get('offscreen', False)
        arguments += [f'render:={str(drawn).lower()}', 'headless:=true']
        notes.append(
            'there is no display: '
            + (
                'camera images and pictures, but no windows'
                if drawn
                else 'physics only (-g 0 says so without this line; --offscreen 1 draws camera images)'
            )
        )
    return Start(arguments + [word for word in rest if ':=' in word], notes)


def main() -> int:
    start = plan(sys.argv[1:], os.environ.get('DISPLAY', ''))
    for note in start.notes:
        print(f'ambf_simulator: {note}', file=sys.stderr)
    command = ['ros2', 'launch', 'ambf_bringup', 'simulator.launch.py', *start.arguments]
    print('$', ' '.join(command), flush=True)
    try:
        # The launch takes this program's place: signals reach it without a go-between.
        os.execvp(command[0], command)
    except OSError as error:
        print(
            f"ambf_simulator: 'ros2' cannot be started ({error.strerror}): source the workspace, or use ./ambf exec",
            file=sys.stderr,
        )
        return 1
