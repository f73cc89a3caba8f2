# SPDX-License-Identifier: BSD-3-Clause
"""Rotations as quaternions x y z w and as fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll)."""

import math
from collections.abc import Sequence

import numpy as np

from .errors import BadValue


def vector(values: Sequence[float], length: int, what: str) -> np.ndarray:
    """A finite float64 vector of this length, or a clear error."""
    try:
        array = np.asarray(values, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError) as error:
        raise BadValue(f'{what}: found {values!r}, expected {length} numbers') from error
    if array.size != length:
        raise BadValue(f'{what}: found {array.size} numbers, expected {length}')
    if not np.isfinite(array).all():
        raise BadValue(f'{what}: found {array.tolist()}, expected finite numbers')
    return array


def number(value: float, what: str) -> float:
    """A finite number, or a clear error."""
    return float(vector([value] if np.ndim(value) == 0 else value, 1, what)[0])


def quaternion_from_rpy(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """Quaternion x y z w of fixed-axis angles [rad]."""
    cr, sr = math.cos(roll / 2), math.sin(roll / 2)
    cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    return np.array(
        [
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        ]
    )


def rpy_from_quaternion(q: Sequence[float]) -> np.ndarray:
    """Fixed-axis angles [rad], pitch in [-pi/2, pi/2]; at the poles roll takes the whole turn."""
    m = matrix_from_quaternion(q)
    if abs(m[2, 0]) < 1 - 1e-12:
        return np.array([math.atan2(m[2, 1], m[2, 2]), -math.asin(m[2, 0]), math.atan2(m[1, 0], m[0, 0])])
    pitch = math.copysign(math.pi / 2, -m[2, 0])
    return np.array([math.atan2(-m[1, 2], m[1, 1]), pitch, 0.0])


def matrix_from_quaternion(q: Sequence[float]) -> np.ndarray:
    """Rotation matrix of a quaternion x y z w; its length does not matter."""
    x, y, z, w = np.asarray(q, dtype=float) / (np.linalg.norm(q) or 1.0)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_from_matrix(m: np.ndarray) -> np.ndarray:
    """Quaternion x y z w of a rotation matrix, by the largest of its four components."""
    squares = np.array(
        [
            1 + m[0, 0] - m[1, 1] - m[2, 2],
            1 - m[0, 0] + m[1, 1] - m[2, 2],
            1 - m[0, 0] - m[1, 1] + m[2, 2],
            1 + m[0, 0] + m[1, 1] + m[2, 2],
        ]
    )
    k = int(np.argmax(squares))
    s = 0.5 / math.sqrt(squares[k])
    if k == 3:
        q = [(m[2, 1] - m[1, 2]) * s, (m[0, 2] - m[2, 0]) * s, (m[1, 0] - m[0, 1]) * s, 0.25 / s]
    elif k == 0:
        q = [0.25 / s, (m[0, 1] + m[1, 0]) * s, (m[0, 2] + m[2, 0]) * s, (m[2, 1] - m[1, 2]) * s]
    elif k == 1:
        q = [(m[0, 1] + m[1, 0]) * s, 0.25 / s, (m[1, 2] + m[2, 1]) * s, (m[0, 2] - m[2, 0]) * s]
    else:
        q = [(m[0, 2] + m[2, 0]) * s, (m[1, 2] + m[2, 1]) * s, 0.25 / s, (m[1, 0] - m[0, 1]) * s]
    return np.asarray(q)


def transform(pose: Sequence[float]) -> np.ndarray:
    """4 x 4 matrix of a pose: position (3), quaternion x y z w (4)."""
    t = np.eye(4)
    t[:3, :3] = matrix_from_quaternion(pose[3:7])
    t[:3, 3] = pose[:3]
    return t


def pose_of(t: np.ndarray) -> np.ndarray:
    """Position (3) and quaternion (4) of a 4 x 4 matrix."""
    return np.concatenate([t[:3, 3], quaternion_from_matrix(t[:3, :3])])
