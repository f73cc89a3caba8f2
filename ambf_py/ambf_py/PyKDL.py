"""Vectors, rotations and frames as scripts for AMBF use them, where PyKDL itself is not installed.

`from ambf_py.PyKDL import Frame, Rotation, Vector` instead of `from PyKDL import ...`: the same names and meanings, in
numpy. Kinematic chains and solvers are not here; for those install PyKDL (python3-pykdl).
"""
import math
from typing import Union

import numpy as np

from .rotations import matrix_from_quaternion, quaternion_from_matrix, quaternion_from_rpy


class Vector:
    """Three numbers; `*` of two vectors is the cross product, `dot(a, b)` the other one."""

    __slots__ = ('_v',)
    __array_priority__ = 10.0  # numpy's numbers leave `number * vector` to this class

    def __init__(self, x: Union[float, 'Vector'] = 0.0, y: float = 0.0, z: float = 0.0):
        self._v = x._v.copy() if isinstance(x, Vector) else np.array([x, y, z], dtype=float)

    @staticmethod
    def Zero() -> 'Vector':
        return Vector()

    def _part(self, index: int, value):
        if value is None:
            return float(self._v[index])
        self._v[index] = value
        return None

    def x(self, value=None):
        return self._part(0, value)

    def y(self, value=None):
        return self._part(1, value)

    def z(self, value=None):
        return self._part(2, value)

    def Norm(self) -> float:
        return float(np.linalg.norm(self._v))

    def Normalize(self) -> float:
        """Make its length 1; returns what it was. A vector of length 0 becomes the x axis."""
        length = self.Norm()
        self._v = self._v / length if length > 1e-10 else np.array([1.0, 0.0, 0.0])
        return length

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index):
        return self._v[index].tolist()

    def __setitem__(self, index, value):
        self._v[index] = value

    def __iter__(self):
        return iter(self._v.tolist())

    def __add__(self, other: 'Vector') -> 'Vector':
        return Vector(*(self._v + other._v))

    def __sub__(self, other: 'Vector') -> 'Vector':
        return Vector(*(self._v - other._v))

    def __neg__(self) -> 'Vector':
        return Vector(*-self._v)

    def __mul__(self, other) -> 'Vector':
        return Vector(*(np.cross(self._v, other._v) if isinstance(other, Vector) else self._v * float(other)))

    def __rmul__(self, other) -> 'Vector':
        return Vector(*(self._v * float(other)))

    def __truediv__(self, other) -> 'Vector':
        return Vector(*(self._v / float(other)))

    def __eq__(self, other) -> bool:
        return isinstance(other, Vector) and bool(np.allclose(self._v, other._v, rtol=0.0, atol=1e-6))

    __hash__ = None

    def __repr__(self) -> str:
        return '[' + ','.join(f'{v:12g}' for v in self._v) + ']'


def dot(a: Vector, b: Vector) -> float:
    return float(a._v @ b._v)


class Rotation:
    """A rotation matrix; `*` turns vectors, rotations, twists and wrenches."""

    __slots__ = ('_m',)

    def __init__(self, *values):
        """Nothing, another rotation, nine numbers row by row, or three columns."""
        if not values:
            self._m = np.eye(3)
        elif len(values) == 1:
            self._m = values[0]._m.copy()
        elif len(values) == 3:
            self._m = np.stack([column._v for column in values], axis=1)
        else:
            self._m = np.array(values, dtype=float).reshape(3, 3)

    @staticmethod
    def _of(matrix: np.ndarray) -> 'Rotation':
        made = Rotation()
        made._m = np.array(matrix, dtype=float)
        return made

    @staticmethod
    def Identity() -> 'Rotation':
        return Rotation()

    @staticmethod
    def RPY(roll: float, pitch: float, yaw: float) -> 'Rotation':
        """About the fixed axes x, y, z in this order."""
        return Rotation._of(matrix_from_quaternion(quaternion_from_rpy(roll, pitch, yaw)))

    @staticmethod
    def EulerZYX(alpha: float, beta: float, gamma: float) -> 'Rotation':
        return Rotation.RPY(gamma, beta, alpha)

    @staticmethod
    def EulerZYZ(alpha: float, beta: float, gamma: float) -> 'Rotation':
        return Rotation.RotZ(alpha) * Rotation.RotY(beta) * Rotation.RotZ(gamma)

    @staticmethod
    def Quaternion(x: float, y: float, z: float, w: float) -> 'Rotation':
        return Rotation._of(matrix_from_quaternion(np.array([x, y, z, w], dtype=float)))

    @staticmethod
    def RotX(angle: float) -> 'Rotation':
        return Rotation.RPY(angle, 0.0, 0.0)

    @staticmethod
    def RotY(angle: float) -> 'Rotation':
        return Rotation.RPY(0.0, angle, 0.0)

    @staticmethod
    def RotZ(angle: float) -> 'Rotation':
        return Rotation.RPY(0.0, 0.0, angle)

    @staticmethod
    def Rot(axis: Vector, angle: float) -> 'Rotation':
        """About an axis of any length."""
        unit = Vector(axis)
        unit.Normalize()
        return Rotation.Quaternion(*(math.sin(angle / 2) * unit._v), math.cos(angle / 2))

    Rot2 = Rot

    def DoRotX(self, angle: float):
        self._m = self._m @ Rotation.RotX(angle)._m

    def DoRotY(self, angle: float):
        self._m = self._m @ Rotation.RotY(angle)._m

    def DoRotZ(self, angle: float):
        self._m = self._m @ Rotation.RotZ(angle)._m

    def GetRPY(self) -> tuple[float, float, float]:
        m = self._m
        pitch = math.atan2(-m[2, 0], math.hypot(m[0, 0], m[1, 0]))
        if abs(pitch) > math.pi / 2 - 1e-12:  # roll and yaw turn about one axis: all of it is yaw
            return 0.0, pitch, math.atan2(-m[0, 1], m[1, 1])
        return math.atan2(m[2, 1], m[2, 2]), pitch, math.atan2(m[1, 0], m[0, 0])

    def GetEulerZYX(self) -> tuple[float, float, float]:
        return self.GetRPY()[::-1]

    def GetQuaternion(self) -> tuple[float, float, float, float]:
        return tuple(float(v) for v in quaternion_from_matrix(self._m))

    def GetRotAngle(self, _eps: float = 1e-6) -> tuple[float, Vector]:
        """Angle, 0 to pi, and axis; without a rotation the axis is z."""
        q = quaternion_from_matrix(self._m)
        q = -q if q[3] < 0.0 else q
        sine = np.linalg.norm(q[:3])
        if sine < 1e-12:
            return 0.0, Vector(0.0, 0.0, 1.0)
        return float(2.0 * math.atan2(sine, q[3])), Vector(*(q[:3] / sine))

    def GetRot(self) -> Vector:
        """Axis times angle."""
        angle, axis = self.GetRotAngle()
        return axis * angle

    def Inverse(self, other=None):
        inverse = Rotation._of(self._m.T)
        return inverse if other is None else inverse * other

    def UnitX(self) -> Vector:
        return Vector(*self._m[:, 0])

    def UnitY(self) -> Vector:
        return Vector(*self._m[:, 1])

    def UnitZ(self) -> Vector:
        return Vector(*self._m[:, 2])

    def __getitem__(self, where) -> float:
        return float(self._m[where])

    def __setitem__(self, where, value: float):
        self._m[where] = value

    def __mul__(self, other):
        if isinstance(other, Rotation):
            return Rotation._of(self._m @ other._m)
        if isinstance(other, Vector):
            return Vector(*(self._m @ other._v))
        if isinstance(other, _Pair):
            return type(other)(self * other._first, self * other._second)
        return NotImplemented

    def __eq__(self, other) -> bool:
        return isinstance(other, Rotation) and bool(np.allclose(self._m, other._m, rtol=0.0, atol=1e-6))

    __hash__ = None

    def __repr__(self) -> str:
        return '[' + ';\n '.join(','.join(f'{v:12g}' for v in row) for row in self._m) + ']'


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
        return Frame(Rotation.RotZ(theta) * Rotation.RotX(alpha),
                     Vector(a * math.cos(theta), a * math.sin(theta), d))

    @staticmethod
    def DH_Craig1989(a: float, alpha: float, d: float, theta: float) -> 'Frame':
        """With the link's frame at its near end."""
        return Frame(Rotation.RotX(alpha) * Rotation.RotZ(theta),
                     Vector(a, -d * math.sin(alpha), d * math.cos(alpha)))

    def Inverse(self, other=None):
        turned = self.M.Inverse()
        inverse = Frame(turned, -(turned * self.p))
        return inverse if other is None else inverse * other

    def __getitem__(self, where) -> float:
        row, column = where
        return self.p[row] if column == 3 else self.M[row, column]

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


class Wrench(_Pair):
    """Force and torque."""

    force = property(lambda self: self._first, lambda self, value: setattr(self, '_first', value))
    torque = property(lambda self: self._second, lambda self, value: setattr(self, '_second', value))


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
