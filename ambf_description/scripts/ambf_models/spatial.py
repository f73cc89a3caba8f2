# SPDX-License-Identifier: BSD-3-Clause
"""Rotations and rigid transforms as plain numpy arrays.

Trigonometry goes through `math`, not numpy: numpy picks vectorised versions by CPU whose last bits
differ, and the generated files must be the same bytes on every machine.
"""

import math

import numpy as np

X = np.array([1.0, 0.0, 0.0])
Y = np.array([0.0, 1.0, 0.0])
Z = np.array([0.0, 0.0, 1.0])


def vec(x: float, y: float, z: float) -> np.ndarray:
    """Return a 3-vector."""
    return np.array([float(x), float(y), float(z)])


def skew(v: np.ndarray) -> np.ndarray:
    """Return S with S u = v x u."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def axis_angle(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation by `angle` [rad] about `axis` (Rodrigues)."""
    s = skew(np.asarray(axis, float) / math.sqrt(float(np.dot(axis, axis))))
    return np.eye(3) + math.sin(angle) * s + (1.0 - math.cos(angle)) * (s @ s)


def rpy(r: float, p: float, y: float) -> np.ndarray:
    """Fixed-axis roll, pitch, yaw as ADF means them: R = Rz(y) Ry(p) Rx(r)."""
    return axis_angle(Z, y) @ axis_angle(Y, p) @ axis_angle(X, r)


def snap(rotation: np.ndarray) -> np.ndarray:
    """Replace entries within 1e-12 of -1, 0, 1 by those, so that quarter turns stay exact."""
    nearest = np.round(rotation)
    return np.where(np.abs(rotation - nearest) < 1e-12, nearest, rotation)


def to_rpy(rotation: np.ndarray) -> tuple[float, float, float]:
    """Invert `rpy`; at p = +-pi/2, where r and y are not separate, y = 0."""
    m = snap(rotation)
    cos_p = math.hypot(m[0, 0], m[1, 0])
    if cos_p < 1e-10:
        # With y = 0: m[0,1] = sin(p) sin(r), m[1,1] = cos(r).
        sign = 1.0 if m[2, 0] < 0 else -1.0
        return math.atan2(sign * m[0, 1], m[1, 1]), sign * math.pi / 2, 0.0
    return (math.atan2(m[2, 1], m[2, 2]), math.atan2(-m[2, 0], cos_p), math.atan2(m[1, 0], m[0, 0]))


def transform(rotation: np.ndarray | None = None, position=(0.0, 0.0, 0.0)) -> np.ndarray:
    """Homogeneous 4x4 matrix."""
    t = np.eye(4)
    if rotation is not None:
        t[:3, :3] = snap(rotation)
    t[:3, 3] = position
    return t


def inverse(t: np.ndarray) -> np.ndarray:
    """Inverse of a rigid transform."""
    out = np.eye(4)
    out[:3, :3] = t[:3, :3].T
    out[:3, 3] = -t[:3, :3].T @ t[:3, 3]
    return out


def point(t: np.ndarray, p) -> np.ndarray:
    """Map a point by a transform."""
    return t[:3, :3] @ np.asarray(p, float) + t[:3, 3]


def rotation_between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Minimal rotation that takes unit vector a to b, with ADF's choice for opposite vectors."""
    c = float(np.dot(a, b))
    if c > 1.0 - 1e-12:
        return np.eye(3)
    if c < -1.0 + 1e-6:
        side = np.cross(a, X)
        if float(np.dot(side, side)) < 1e-12:
            side = np.cross(b, Y)
        return axis_angle(side, math.pi)
    v = np.cross(a, b)
    s = skew(v)
    return np.eye(3) + s + (s @ s) * ((1.0 - c) / float(np.dot(v, v)))


def frame_along(direction: np.ndarray) -> np.ndarray:
    """Rotation whose z axis is `direction`, by the minimal turn from z."""
    d = np.asarray(direction, float)
    return rotation_between(Z, d / math.sqrt(float(np.dot(d, d))))


def principal_axes(tensor: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Moments and axes (columns, right-handed) of a symmetric tensor by cyclic Jacobi rotations.

    Jacobi leaves a tensor that is already diagonal alone and otherwise turns as little as it can,
    so symmetric bodies keep the axes of their frame; LAPACK's order and signs would not.
    """
    a = np.array(tensor, float)
    axes = np.eye(3)
    scale = float(np.max(np.abs(np.diag(a))))
    for _ in range(50):
        off = max(abs(a[0, 1]), abs(a[0, 2]), abs(a[1, 2]))
        if off <= 1e-9 * scale:
            break
        for i, j in ((0, 1), (0, 2), (1, 2)):
            if abs(a[i, j]) <= 1e-10 * scale:
                continue
            theta = 0.5 * math.atan2(2.0 * a[i, j], a[i, i] - a[j, j])
            if theta > math.pi / 4:
                theta -= math.pi / 2
            elif theta < -math.pi / 4:
                theta += math.pi / 2
            g = np.eye(3)
            g[i, i] = g[j, j] = math.cos(theta)
            g[i, j], g[j, i] = -math.sin(theta), math.sin(theta)
            a = g.T @ a @ g
            axes = axes @ g
    return np.diag(a).copy(), snap(axes)
