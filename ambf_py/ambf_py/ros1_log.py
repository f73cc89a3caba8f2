# SPDX-License-Identifier: BSD-3-Clause
"""rospy's messages for people: plain, once, and not more often than every so many seconds."""

import sys
import time
from collections.abc import Callable

import rclpy

from .ros1_script import the_script

__all__ = []
_written: dict[tuple, tuple[float, str]] = {}  # when, and what, each place of a script wrote last


def _writer(level: str) -> Callable:
    def write(text, *arguments, **_):
        logger = rclpy.logging.get_logger(the_script.name or 'ambf_script')
        getattr(logger, level)(str(text) % arguments if arguments else str(text))

    return write


def _place(level: str) -> tuple:
    """Which line of the script calls."""
    frame = sys._getframe(2)
    return level, frame.f_code.co_filename, frame.f_lineno


def _once(level: str, write: Callable) -> Callable:
    def write_once(text, *arguments, **_):
        place = _place(level)
        if place not in _written:
            _written[place] = time.monotonic(), str(text)
            write(text, *arguments)

    return write_once


def _throttled(level: str, write: Callable, identical: bool) -> Callable:
    def write_sometimes(period: float, text, *arguments, **_):
        now, place = time.monotonic(), _place(level)
        last, before = _written.get(place, (-float('inf'), ''))
        if now - last >= float(period) or (identical and before != str(text)):
            _written[place] = now, str(text)
            write(text, *arguments)

    return write_sometimes


for _name, _level in (
    ('logdebug', 'debug'),
    ('loginfo', 'info'),
    ('logwarn', 'warning'),
    ('logerr', 'error'),
    ('logfatal', 'fatal'),
):
    _write = _writer(_level)
    for _suffix, _function in (
        ('', _write),
        ('_once', _once(_level, _write)),
        ('_throttle', _throttled(_level, _write, False)),
        ('_throttle_identical', _throttled(_level, _write, True)),
    ):
        globals()[_name + _suffix] = _function
        __all__.append(_name + _suffix)
