# SPDX-License-Identifier: BSD-3-Clause
"""What the verbs share: checks of arguments, messages, and running the programs behind them."""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import sys

from ament_index_python.packages import get_package_prefix

TRANSPORT = 'rosbag2_transport'
LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal']


def print_error(text: str) -> str:
    """Give the text the form of an error; to be returned from a verb."""
    return f'[ERROR] [ros2bag]: {text}'


def print_warn(text: str) -> str:
    """Give the text the form of a warning."""
    return f'[WARN] [ros2bag]: {text}'


def check_path_exists(value: str) -> str:
    """Argparse type: a path that is there."""
    if not os.path.exists(value):
        raise argparse.ArgumentTypeError(f"Bag path '{value}' does not exist!")
    return value


def check_file_exists(value: str) -> str:
    """Argparse type: a file that can be read."""
    try:
        with open(value):
            return value
    except OSError as error:
        raise argparse.ArgumentTypeError(f"can't open '{value}': {error}") from error


def check_positive_float(value: str) -> float:
    """Argparse type: a number above zero."""
    number = _number(float, value)
    if not number > 0.0:
        raise argparse.ArgumentTypeError(f'{value} is not in the valid range (> 0.0)')
    return number


def check_not_negative_float(value: str) -> float:
    """Argparse type: a number that is zero or more."""
    number = _number(float, value)
    if not number >= 0.0:
        raise argparse.ArgumentTypeError(f'{value} is not in the valid range (>= 0.0)')
    return number


def check_not_negative_int(value: str) -> int:
    """Argparse type: a whole number that is zero or more."""
    number = _number(int, value)
    if number < 0:
        raise argparse.ArgumentTypeError(f'{value} is not in the valid range (>= 0)')
    return number


def _number(kind, value: str):
    try:
        return kind(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{value}' is not a number") from error


def add_standard_reader_args(parser: argparse.ArgumentParser) -> None:
    """Add the bag and its storage."""
    parser.add_argument('bag_path', type=check_path_exists, help='Bag to open')
    parser.add_argument('-s', '--storage', default='', choices=['mcap', 'sqlite3'],
                        help='Storage implementation of bag. By default attempts to detect '
                             'automatically - use this argument to override.')


def service_event_topics(services: list[str] | None) -> list[str]:
    """Name the topics on which the events of services are published.

    >>> service_event_topics(['/add', 'sub'])
    ['/add/_service_event', '/sub/_service_event']
    """
    return ['/' + name.strip('/') + '/_service_event' for name in services or []]


def split_seconds(name: str, seconds: float) -> dict[str, int]:
    """Give a duration as the two parameters that hold it.

    >>> split_seconds('play.delay', 1.5)
    {'play.delay.sec': 1, 'play.delay.nsec': 500000000}
    """
    nanoseconds = round(seconds * 1e9)
    return {f'{name}.sec': nanoseconds // 10**9, f'{name}.nsec': nanoseconds % 10**9}


def ros_arguments(parameters: dict, node_name: str = '', log_level: str = 'info',
                  remaps: list[str] | None = None) -> list[str]:
    """Write parameters, names and remappings as a program takes them; empty lists are left out.

    >>> ros_arguments({'record.topics': ['/a'], 'record.services': []})
    ['--ros-args', '--log-level', 'info', '-p', 'record.topics:=["/a"]']
    """
    # `name:=level` sets one logger only: that of the middleware and others stays as it was.
    arguments = ['--ros-args', '--log-level', log_level]
    if node_name:
        arguments += ['-r', f'__node:={node_name}']
    for rule in remaps or []:
        arguments += ['-r', rule]
    for name, value in parameters.items():
        if value != []:
            arguments += ['-p', f'{name}:={json.dumps(value)}']
    return arguments


def run_program(folder: str, name: str, arguments: list[str]) -> None:
    """Become the program of rosbag2_transport, so that signals and the exit code are its own."""
    path = pathlib.Path(get_package_prefix(TRANSPORT)) / folder / TRANSPORT / name
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(path, [str(path), *arguments])
