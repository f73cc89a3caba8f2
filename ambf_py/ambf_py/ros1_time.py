# SPDX-License-Identifier: BSD-3-Clause
"""ROS 1's Time and Duration.

A script computes with times and writes them into headers, so its times are the messages of ROS 2 themselves, which get
the methods that ROS 1's have when this module is imported: `to_sec`, `secs`, `nsecs`, arithmetic, order, a hash.
"""

import numbers
import time as _clock

from builtin_interfaces.msg import Duration as DurationMessage
from builtin_interfaces.msg import Time as TimeMessage

NANOSECONDS = 10**9


def _make(kind, nanoseconds: int):
    seconds, rest = divmod(int(nanoseconds), NANOSECONDS)
    return kind(sec=seconds, nanosec=rest)


class _OfMessage(type):
    def __instancecheck__(cls, value) -> bool:
        return isinstance(value, cls.message)


class _Maker(metaclass=_OfMessage):
    """Looks like ROS 1's class, makes messages of ROS 2."""

    message: type = type(None)

    def __new__(cls, secs=0, nsecs=0):
        return _make(cls.message, round(secs * NANOSECONDS) + nsecs)

    @classmethod
    def from_sec(cls, seconds: float):
        return _make(cls.message, round(seconds * NANOSECONDS))

    @classmethod
    def from_seconds(cls, seconds: float):
        return cls.from_sec(seconds)


class Time(_Maker):
    """A time of the computer's clock."""

    message = TimeMessage

    @classmethod
    def now(cls):
        return _make(cls.message, _clock.time_ns())


class Duration(_Maker):
    """A length of time, which may be negative."""

    message = DurationMessage


def _nanoseconds(value) -> int:
    return value.sec * NANOSECONDS + value.nanosec


def _add(self, other):
    if not isinstance(other, DurationMessage):
        return NotImplemented
    return _make(type(self), _nanoseconds(self) + _nanoseconds(other))


def _subtract(self, other):
    if not isinstance(other, (TimeMessage, DurationMessage)):
        return NotImplemented
    between_times = isinstance(self, TimeMessage) and isinstance(other, TimeMessage)
    return _make(DurationMessage if between_times else type(self), _nanoseconds(self) - _nanoseconds(other))


def _ordered(compare):
    def method(self, other):
        return compare(_nanoseconds(self), _nanoseconds(other)) if type(self) is type(other) else NotImplemented

    return method


def _times(self, factor):
    if not isinstance(factor, numbers.Real):
        return NotImplemented
    return _make(type(self), round(_nanoseconds(self) * factor))


def _divide(self, other):
    if isinstance(other, DurationMessage):
        return _nanoseconds(self) / _nanoseconds(other)
    return _times(self, 1 / other) if isinstance(other, numbers.Real) else NotImplemented


_METHODS = {
    'to_sec': lambda self: _nanoseconds(self) / NANOSECONDS,
    'to_nsec': _nanoseconds,
    'is_zero': lambda self: _nanoseconds(self) == 0,
    'secs': property(lambda self: self.sec, lambda self, value: setattr(self, 'sec', value)),
    'nsecs': property(lambda self: self.nanosec, lambda self, value: setattr(self, 'nanosec', value)),
    '__add__': _add,
    '__sub__': _subtract,
    '__hash__': lambda self: hash((type(self), _nanoseconds(self))),
    '__lt__': _ordered(lambda a, b: a < b),
    '__le__': _ordered(lambda a, b: a <= b),
    '__gt__': _ordered(lambda a, b: a > b),
    '__ge__': _ordered(lambda a, b: a >= b),
}
_OF_DURATIONS = {
    '__mul__': _times,
    '__rmul__': _times,
    '__truediv__': _divide,
    '__neg__': lambda self: _times(self, -1),
    '__abs__': lambda self: _make(type(self), abs(_nanoseconds(self))),
}
for _kind, _own in ((TimeMessage, {}), (DurationMessage, _OF_DURATIONS)):
    for _name, _method in (_METHODS | _own).items():
        if not hasattr(_kind, _name) or _name.startswith('__'):
            setattr(_kind, _name, _method)
