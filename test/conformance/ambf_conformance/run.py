#!/usr/bin/env python3
# Copyright 2026 AMBF for ROS 2 developers
# SPDX-License-Identifier: BSD-3-Clause
"""
Run conformance programs and compare what they print with what stock Jazzy printed.

    run.py --programs BUILD_FOLDER PROGRAM...           compare, print the differences
    run.py --programs BUILD_FOLDER --print PROGRAM      only show what the program prints

Texts that belong to the machine and not to the client library are replaced before comparing: time
stamps of log lines, search paths, and the source lines that rcl and rmw append to their messages.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
EXPECTED = PACKAGE / 'expected'

# Command lines of one program, after its name; a program without an entry runs once, bare.
CASES = {
    'contexts': [[], ['sigint'], ['sigterm'], ['none'], ['throw']],
}
# Programs whose log lines are part of what is observed.
WITH_LOG = {'logging'}
# Programs in Python, which drive C++ processes from rclpy.
SCRIPTS = {'containers', 'interoperation'}
TIME_LIMIT = 300.0

PROGRAMS = sorted({path.stem for path in (PACKAGE / 'programs').glob('*.cpp')} | SCRIPTS)

REPLACEMENTS = [
    (re.compile(r'\[\d{9,}\.\d{9}\]'), '[TIME]'),
    (re.compile(r', at [^\s,"]+:\d+'), ''),
    (re.compile(r'searching: \[[^\]]*\]'), 'searching: [PREFIXES]'),
]


def normalised(text: str) -> str:
    """Remove what belongs to the machine."""
    for pattern, replacement in REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return text


def observe(program: str, programs: Path) -> str:
    """Run every case of a program and return what was seen."""
    seen = []
    for arguments in CASES.get(program, [[]]):
        if program in SCRIPTS:
            command = [sys.executable, str(PACKAGE / 'programs' / f'{program}.py')]
        else:
            command = [str(programs / program)]
        environment = dict(os.environ, RCUTILS_COLORIZED_OUTPUT='0')
        process = subprocess.Popen(
            command + arguments,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            out += f'(killed after {TIME_LIMIT:.0f} s)\n'
        # Where programs in other domains start at the same moment Fast DDS tells of a port that is taken.
        out = ''.join(line for line in out.splitlines(keepends=True) if 'RTPS_TRANSPORT_SHM' not in line)
        if len(CASES.get(program, [[]])) > 1:
            seen.append(f'$ {" ".join([program] + arguments)}\n')
        seen.append(out)
        if program in WITH_LOG:
            seen.append('[log]\n' + err)
        elif process.returncode != 0:
            print(err, file=sys.stderr)
        seen.append(f'exit code: {process.returncode}\n')
    return normalised(''.join(seen))


def differences(program: str, programs: Path) -> list[str]:
    """Return the lines of a unified diff, empty where the program behaves as stock."""
    expected = (EXPECTED / f'{program}.txt').read_text().splitlines()
    seen = observe(program, programs).splitlines()
    return list(difflib.unified_diff(expected, seen, 'stock', 'seen', lineterm='', n=1))


def main() -> int:
    """Compare the named programs, or all."""
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('--programs', type=Path, required=True, help='folder of the executables')
    parser.add_argument('--print', action='store_true', dest='only_print')
    parser.add_argument('names', nargs='*', metavar='PROGRAM', help=', '.join(PROGRAMS))
    options = parser.parse_args()
    names = options.names or PROGRAMS
    unknown = [name for name in names if name not in PROGRAMS]
    if unknown:
        parser.error(f'no such program: {", ".join(unknown)}; there are {", ".join(PROGRAMS)}')
    status = 0
    for name in names:
        if options.only_print:
            print(observe(name, options.programs), end='')
            continue
        lines = differences(name, options.programs)
        print(f'{name}: {"as stock" if not lines else "differs"}')
        if lines:
            status = 1
            print('\n'.join(lines))
    return status


if __name__ == '__main__':
    sys.exit(main())
