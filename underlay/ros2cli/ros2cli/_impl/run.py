# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 run`."""

import argparse
import os
import shlex
import signal
import subprocess
import sys
from typing import List

from .pkg import complete_executables, complete_packages, executables_of_package


def add_run_arguments(parser) -> None:
    parser.add_argument('--prefix', help='Prefix command, which should go before the executable. '
                                         'Command must be wrapped in quotes if it contains '
                                         "spaces (e.g. --prefix 'gdb -ex run --args').")
    parser.add_argument('package_name', help='Name of the ROS package'
                        ).completer = complete_packages
    parser.add_argument('executable_name', help='Name of the executable'
                        ).completer = complete_executables
    parser.add_argument('argv', nargs=argparse.REMAINDER,
                        help='Pass arbitrary arguments to the executable')


def find_executable(package: str, executable: str) -> str:
    """Return the path of a package's program, or raise RuntimeError."""
    try:
        paths = executables_of_package(package)
    except LookupError as exc:
        raise RuntimeError(str(exc)) from None
    matching = [path for path in paths if os.path.basename(path) == executable]
    if not matching:
        raise RuntimeError('No executable found')
    if len(matching) > 1:
        raise RuntimeError(f'Multiple executables found: {matching}')
    return matching[0]


def run_program(command: List[str]) -> int:
    """Run a program to its end, passing signals on; return its exit code."""
    process, early = None, []

    def pass_on(number, frame) -> None:
        if process is None:
            early.append(number)
        elif process.poll() is None:
            process.send_signal(number)
    signal.signal(signal.SIGTERM, pass_on)
    # A terminal sends Ctrl-C to the program as well; without one we must.
    from_terminal = sys.stdin is not None and sys.stdin.isatty()
    signal.signal(signal.SIGINT, (lambda *_: None) if from_terminal else pass_on)
    process = subprocess.Popen(command)
    while early:
        process.send_signal(early.pop())
    code = process.wait()
    if code < 0:
        print(f'[ros2run]: {_signal_text(-code)}')
    elif code > 0:
        print(f'[ros2run]: Process exited with failure {code}')
    return code


def _signal_text(number: int) -> str:
    try:
        return signal.strsignal(number) or f'signal {number}'
    except ValueError:
        return f'signal {number}'


def run_run(args):
    path = find_executable(args.package_name, args.executable_name)
    prefix = shlex.split(args.prefix) if args.prefix is not None else []
    code = run_program([*prefix, path, *args.argv])
    return code
