# SPDX-License-Identifier: BSD-3-Clause
"""Vectors, rotations and frames as scripts for AMBF use them, where PyKDL itself is not installed.

`from ambf_py.PyKDL import Frame, Rotation, Vector` instead of `from PyKDL import ...`: the same names and meanings, in
numpy. Kinematic chains and solvers are not here; for those install PyKDL (python3-pykdl).
"""

import math

import numpy as np

from . import numpy1  # noqa: F401
from .kdl_rotations import Rotation, Vector

__all__ = ['Equal', 'Frame', 'Rotation', 'SetToZero', 'Twist', 'Vector', 'Wrench', 'addDelta', 'diff', 'dot']


class Frame:
    """A rotation `M` and a position `p`."""

    def __init__(self, *parts):
        """Nothing, another frame, a rotation, a position, or both."""
        self.M, self.p = Rotation(), Vector()
        for part in parts:
            if isinstance(part, Frame):
                self.M, self.p = Rotation(part.M), Vector(part.p)
            elif isinstance(part, Rotation):
                self.M = Rotation(part)
            else:
                self.p = Vector(part)

    @staticmethod
    def Identity() -> 'Frame':
        return Frame()

    @staticmethod
    def DH(a: float, alpha: float, d: float, theta: float) -> 'Frame':
        """Denavit and Hartenberg's."""
        return Frame(Rotation.RotZ(theta) * Rotation.RotX(alpha), Vector(a * math.cos(theta), a * math.sin(theta), d))

    @staticmethod
    def DH_Craig1989(a: float, alpha: float, d: float, theta: float) -> 'Frame':
        """With the link's frame at its near end."""
        return Frame(Rotation.RotX(alpha) * Rotation.RotZ(theta), Vector(a, -d * math.sin(alpha), d * math.cos(alpha)))

    def Inverse(self, other=None):
        turned = self.M.Inverse()
        inverse = Frame(turned, -(turned * self.p))
        return inverse if other is None else inverse * other

    def Integrate(self, twist: 'Twist', frequency: float):
        """Move on by a twist, seen in this frame, for 1 / frequency [s]."""
        angle = twist.rot.Norm() / frequency
        moved = Frame(Rotation.Rot(twist.rot, angle) if angle > 1e-12 else Rotation(), twist.vel / frequency)
        done = self * moved
        self.M, self.p = done.M, done.p

    def __getitem__(self, where) -> float:
        row, column = where
        if row == 3:
            return 1.0 if column == 3 else 0.0
        return self.p[row] if column == 3 else self.M[row, column]

    def __setitem__(self, where, value: float):
        row, column = where
        if column == 3:
            self.p[row] = value
        else:
            self.M[row, column] = value

    def __mul__(self, other):
        if isinstance(other, Frame):
            return Frame(self.M * other.M, self.M * other.p + self.p)
        if isinstance(other, Vector):
            return self.M * other + self.p
        if isinstance(other, Twist):
            turned = self.M * other.rot
            return Twist(self.M * other.vel + self.p * turned, turned)
        if isinstance(other, Wrench):
            turned = self.M * other.force
            return Wrench(turned, self.M * other.torque + self.p * turned)
        return NotImplemented

    def __eq__(self, other) -> bool:
        return isinstance(other, Frame) and self.M == other.M and self.p == other.p

    __hash__ = None

    def __repr__(self) -> str:
        return f'[{self.M!r}\n{self.p!r}]'


class _Pair:
    """Two vectors that belong together."""

    def __init__(self, first: Vector = None, second: Vector = None):
        self._first = Vector() if first is None else Vector(first)
        self._second = Vector() if second is None else Vector(second)

    @classmethod
    def Zero(cls):
        return cls()

    def __getitem__(self, index: int) -> float:
        return self._first[index] if index < 3 else self._second[index - 3]

    def __setitem__(self, index: int, value: float):
        (self._first if index < 3 else self._second)[index % 3] = value

    def __len__(self) -> int:
        return 6

    def __eq__(self, other) -> bool:
        return type(self) is type(other) and self._first == other._first and self._second == other._second

    __hash__ = None

    def ReverseSign(self):
        self._first.ReverseSign()
        self._second.ReverseSign()

    def _turned(self, rotation: Rotation):
        return type(self)(rotation * self._first, rotation * self._second)

    def __add__(self, other):
        return type(self)(self._first + other._first, self._second + other._second)

    def __sub__(self, other):
        return type(self)(self._first - other._first, self._second - other._second)

    def __neg__(self):
        return type(self)(-self._first, -self._second)

    def __mul__(self, factor: float):
        return type(self)(self._first * float(factor), self._second * float(factor))

    __rmul__ = __mul__

    def __truediv__(self, divisor: float):
        return self * (1.0 / float(divisor))

    def __repr__(self) -> str:
        return f'{self._first!r} {self._second!r}'


class Twist(_Pair):
    """Velocity and angular velocity."""

    vel = property(lambda self: self._first, lambda self, value: setattr(self, '_first', value))
    rot = property(lambda self: self._second, lambda self, value: setattr(self, '_second', value))

    def RefPoint(self, shift: Vector) -> 'Twist':
        """The same motion at a point that is this far away."""
        return Twist(self.vel + self.rot * shift, self.rot)


class Wrench(_Pair):
    """Force and torque."""

    force = property(lambda self: self._first, lambda self, value: setattr(self, '_first', value))
    torque = property(lambda self: self._second, lambda self, value: setattr(self, '_second', value))

    def RefPoint(self, shift: Vector) -> 'Wrench':
        """The same load, with the torque about a point that is this far away."""
        return Wrench(self.force, self.torque + self.force * shift)


def dot(a, b) -> float:
    """Of two vectors; of a twist and a wrench it is the power."""
    if isinstance(a, _Pair):
        return dot(a._first, b._first) + dot(a._second, b._second)
    return float(a._v @ b._v)


def _numbers(value) -> np.ndarray:
    if isinstance(value, Frame):
        return np.concatenate([value.M._m.ravel(), value.p._v])
    if isinstance(value, Rotation):
        return value._m.ravel()
    return np.array([float(v) for v in value])


def Equal(a, b, eps: float = 1e-6) -> bool:
    """Whether no number of the one is farther than `eps` from that of the other."""
    return type(a) is type(b) and bool((np.abs(_numbers(a) - _numbers(b)) < eps).all())


def SetToZero(value):
    """Set a vector, a twist or a wrench to 0."""
    for index in range(len(value)):
        value[index] = 0.0


def diff(a, b, dt: float = 1.0):
    """What brings `a` to `b` in `dt`, seen in the frame in which both are given."""
    if isinstance(a, Vector):
        return (b - a) / dt
    if isinstance(a, Rotation):
        return a * (a.Inverse() * b).GetRot() / dt
    return Twist(diff(a.p, b.p, dt), diff(a.M, b.M, dt))


def addDelta(a, change, dt: float = 1.0):
    """`a` after `change` acted for `dt`; `addDelta(a, diff(a, b))` is `b`."""
    if isinstance(a, Vector):
        return a + change * dt
    if isinstance(a, Rotation):
        turn = a.Inverse() * change * dt
        return a * Rotation.Rot(turn, turn.Norm())
    return Frame(addDelta(a.M, change.rot, dt), addDelta(a.p, change.vel, dt))
