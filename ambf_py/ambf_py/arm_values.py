# SPDX-License-Identifier: BSD-3-Clause
"""What an arm's topics carry, as numpy and back: poses, joints, wrenches, Jacobians."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from geometry_msgs.msg import Pose, PoseStamped, Quaternion, TwistStamped, WrenchStamped
from sensor_msgs.msg import JointState as JointStateMessage
from std_msgs.msg import Float64MultiArray

from .errors import BadValue
from .rotations import matrix_from_quaternion, quaternion_from_matrix, transform, vector

# How far from orthonormal a rotation may be: numbers that were printed with four digits still are one.
ROTATION_TOLERANCE = 1e-3


class Joints(NamedTuple):
    """Joint values; what the arm does not tell is empty. `time` is the arm's stamp [s]."""

    position: np.ndarray
    velocity: np.ndarray
    effort: np.ndarray
    time: float


def seconds(stamp) -> float:
    return stamp.sec + 1e-9 * stamp.nanosec


def rotation(value, what: str) -> np.ndarray:
    """3 x 3 of a matrix, a quaternion x y z w, or a Rotation of PyKDL."""
    if hasattr(value, 'GetQuaternion'):
        return np.array([[value[i, j] for j in range(3)] for i in range(3)])
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise BadValue(
            f'{what}: found {value!r}, expected a rotation: 3 x 3 numbers or a quaternion x y z w'
        ) from error
    if array.size == 4:
        q = vector(array, 4, what)
        if abs(np.linalg.norm(q) - 1.0) > ROTATION_TOLERANCE:
            raise BadValue(f'{what}: found a quaternion of length {np.linalg.norm(q):g}, expected 1')
        return matrix_from_quaternion(q)
    if array.shape != (3, 3):
        raise BadValue(f'{what}: found an array of shape {array.shape}, expected 3 x 3, or a quaternion x y z w')
    if not np.isfinite(array).all():
        raise BadValue(f'{what}: found numbers that are not finite')
    if np.abs(array @ array.T - np.eye(3)).max() > ROTATION_TOLERANCE or np.linalg.det(array) < 0.0:
        raise BadValue(f'{what}: found a matrix that is no rotation, expected orthonormal rows and determinant +1')
    return array


def pose(value, what: str) -> np.ndarray:
    """4 x 4 of a matrix, a pair (position, rotation), seven numbers (position, quaternion) or a Frame of PyKDL."""
    t = np.eye(4)
    if hasattr(value, 'M') and hasattr(value, 'p'):
        t[:3, :3] = rotation(value.M, what)
        t[:3, 3] = vector([value.p[i] for i in range(3)], 3, what)
        return t
    if isinstance(value, Sequence) and len(value) == 2:
        part = value[0]
        t[:3, 3] = vector([part[i] for i in range(3)] if hasattr(part, 'Norm') else part, 3, f'position of {what}')
        t[:3, :3] = rotation(value[1], f'rotation of {what}')
        return t
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape == (4, 4):
        if not np.allclose(array[3], (0.0, 0.0, 0.0, 1.0), atol=1e-9):
            raise BadValue(f'{what}: found the last row {array[3].tolist()}, expected 0 0 0 1')
        t[:3, :3] = rotation(array[:3, :3], what)
        t[:3, 3] = vector(array[:3, 3], 3, what)
        return t
    if array.shape == (7,):
        t[:3, :3] = rotation(array[3:], what)
        t[:3, 3] = vector(array[:3], 3, what)
        return t
    raise BadValue(
        f'{what}: found {value!r}, expected a 4 x 4 matrix, a pair (position, rotation), position and quaternion '
        'x y z w in seven numbers, or a Frame of PyKDL'
    )


def quaternion_message(matrix: np.ndarray) -> Quaternion:
    x, y, z, w = (float(c) for c in quaternion_from_matrix(matrix))
    return Quaternion(x=x, y=y, z=z, w=w)


def pose_message(t: np.ndarray) -> Pose:
    message = Pose(orientation=quaternion_message(t[:3, :3]))
    message.position.x, message.position.y, message.position.z = (float(c) for c in t[:3, 3])
    return message


def matrix_of(message: Pose) -> np.ndarray:
    p, q = message.position, message.orientation
    return transform((p.x, p.y, p.z, q.x, q.y, q.z, q.w))


def read_pose(message: PoseStamped) -> np.ndarray:
    return matrix_of(message.pose)


def read_twist(message: TwistStamped) -> np.ndarray:
    v, w = message.twist.linear, message.twist.angular
    return np.array([v.x, v.y, v.z, w.x, w.y, w.z])


def read_wrench(message: WrenchStamped) -> np.ndarray:
    f, t = message.wrench.force, message.wrench.torque
    return np.array([f.x, f.y, f.z, t.x, t.y, t.z])


def wrench_message(values: np.ndarray) -> WrenchStamped:
    message = WrenchStamped()
    f, t = message.wrench.force, message.wrench.torque
    f.x, f.y, f.z, t.x, t.y, t.z = (float(c) for c in values)
    return message


def read_joints(message: JointStateMessage) -> Joints:
    return Joints(
        np.array(message.position), np.array(message.velocity), np.array(message.effort), seconds(message.header.stamp)
    )


def read_jacobian(message: Float64MultiArray) -> np.ndarray:
    """6 rows, row by row; the layout may leave its dimensions out."""
    dimensions = [dimension.size for dimension in message.layout.dim]
    rows = dimensions[0] if len(dimensions) == 2 else 6
    return np.array(message.data).reshape(rows, -1)
