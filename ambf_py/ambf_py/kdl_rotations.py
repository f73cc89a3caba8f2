# SPDX-License-Identifier: BSD-3-Clause
"""Vectors and rotations of `ambf_py.PyKDL`."""

import math
from typing import Union

import numpy as np

from .rotations import matrix_from_quaternion, quaternion_from_matrix, quaternion_from_rpy


def one(value) -> float:
    """A number, or the one that an array holds: numpy 1 took such an array for a number, and scripts rely on it."""
    return float(value) if np.ndim(value) == 0 else np.asarray(value, dtype=float).item()


class Vector:
    """Three numbers; `*` of two vectors is the cross product, `dot(a, b)` the other one."""

    __slots__ = ('_v',)
    __array_priority__ = 10.0  # numpy's numbers leave `number * vector` to this class

    def __init__(self, x: Union[float, 'Vector'] = 0.0, y: float = 0.0, z: float = 0.0):
        self._v = x._v.copy() if isinstance(x, Vector) else np.array([one(x), one(y), one(z)])

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

    def ReverseSign(self):
        self._v = -self._v

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
        return Rotation._of(matrix_from_quaternion(quaternion_from_rpy(one(roll), one(pitch), one(yaw))))

    @staticmethod
    def EulerZYX(alpha: float, beta: float, gamma: float) -> 'Rotation':
        return Rotation.RPY(gamma, beta, alpha)

    @staticmethod
    def EulerZYZ(alpha: float, beta: float, gamma: float) -> 'Rotation':
        return Rotation.RotZ(alpha) * Rotation.RotY(beta) * Rotation.RotZ(gamma)

    @staticmethod
    def Quaternion(x: float, y: float, z: float, w: float) -> 'Rotation':
        return Rotation._of(matrix_from_quaternion(np.array([one(x), one(y), one(z), one(w)])))

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

    def GetEulerZYZ(self) -> tuple[float, float, float]:
        m = self._m
        beta = math.atan2(math.hypot(m[2, 0], m[2, 1]), m[2, 2])
        if math.sin(beta) < 1e-9:  # both others turn about one axis: all of it is the first
            sign = math.copysign(1.0, m[2, 2])
            return math.atan2(sign * m[1, 0], sign * m[0, 0]), beta, 0.0
        return math.atan2(m[1, 2], m[0, 2]), beta, math.atan2(m[2, 1], -m[2, 0])

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

    def SetInverse(self):
        self._m = self._m.T.copy()

    def _column(self, index: int, value: Vector | None) -> Vector | None:
        if value is None:
            return Vector(*self._m[:, index])
        self._m[:, index] = value._v
        return None

    def UnitX(self, value: Vector | None = None) -> Vector | None:
        """The first column; with an argument it is set."""
        return self._column(0, value)

    def UnitY(self, value: Vector | None = None) -> Vector | None:
        return self._column(1, value)

    def UnitZ(self, value: Vector | None = None) -> Vector | None:
        return self._column(2, value)

    def __getitem__(self, where) -> float:
        return float(self._m[where])

    def __setitem__(self, where, value: float):
        self._m[where] = value

    def __mul__(self, other):
        if isinstance(other, Rotation):
            return Rotation._of(self._m @ other._m)
        if isinstance(other, Vector):
            return Vector(*(self._m @ other._v))
        turned = getattr(other, '_turned', None)  # twists and wrenches
        return NotImplemented if turned is None else turned(self)

    def __eq__(self, other) -> bool:
        return isinstance(other, Rotation) and bool(np.allclose(self._m, other._m, rtol=0.0, atol=1e-6))

    __hash__ = None

    def __repr__(self) -> str:
        return '[' + ';\n '.join(','.join(f'{v:12g}' for v in row) for row in self._m) + ']'
