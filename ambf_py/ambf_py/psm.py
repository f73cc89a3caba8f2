# SPDX-License-Identifier: BSD-3-Clause
"""Kinematics of the patient-side manipulator, from the DH parameters that its body frames follow."""

import numpy as np

JOINTS = (
    'baselink-yawlink',
    'yawlink-pitchbacklink',
    'pitchendlink-maininsertionlink',
    'maininsertionlink-toolrolllink',
    'toolrolllink-toolpitchlink',
    'toolpitchlink-toolyawlink',
)
JAWS = ('toolyawlink-toolgripper1link', 'toolyawlink-toolgripper2link')
LOWER = np.array([-1.588, -0.925025, 0.0, -4.53786, -1.39626, -1.39626])
UPPER = np.array([1.588, 0.925025, 0.24, 4.53786, 1.39626, 1.39626])
# The point between the closed jaws' ends, in the frame of the last link [m].
TIP = np.array([0.0, 0.0102, 0.0])
# Modified DH (Craig) of the dVRK: alpha, a, d, theta offset; the third joint slides.
_DH = (
    (np.pi / 2, 0.0, 0.0, np.pi / 2),
    (-np.pi / 2, 0.0, 0.0, -np.pi / 2),
    (np.pi / 2, 0.0, -0.4318, 0.0),
    (0.0, 0.0, 0.4162, 0.0),
    (-np.pi / 2, 0.0, 0.0, -np.pi / 2),
    (-np.pi / 2, 0.0091, 0.0, -np.pi / 2),
)


def forward(q: np.ndarray) -> np.ndarray:
    """T_base_toolyawlink (4 x 4) at six joint values."""
    t = np.eye(4)
    for i, (alpha, a, d, offset) in enumerate(_DH):
        theta, slide = (offset, d + q[i]) if i == 2 else (offset + q[i], d)
        ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
        t = t @ np.array(
            [[ct, -st, 0, a], [st * ca, ct * ca, -sa, -sa * slide], [st * sa, ct * sa, ca, ca * slide], [0, 0, 0, 1]]
        )
    return t


def tip(q: np.ndarray) -> np.ndarray:
    """Position of the tip in the base frame."""
    t = forward(q)
    return t[:3, :3] @ TIP + t[:3, 3]


def _cross(a, b) -> np.ndarray:
    """Of two vectors; numpy.cross spends most of its time on the shapes of its arguments."""
    (ax, ay, az), (bx, by, bz) = a, b
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def _error(q, position, direction, across):
    t = forward(q)
    point = t[:3, :3] @ TIP + t[:3, 3]
    parts = [position - point, 0.05 * _cross(t[:3, 1], direction)]
    if across is not None:
        parts.append([0.05 * np.dot(_cross(t[:3, 2], across), direction)])
    return np.concatenate(parts)


def inverse(
    position: np.ndarray,
    direction: np.ndarray,
    across: np.ndarray | None = None,
    start: np.ndarray | None = None,
    iterations: int = 100,
) -> tuple[np.ndarray, float]:
    """Joint values that bring the tip to a position with the tool along `direction`, all in the base frame.

    `across` is where the axis of the jaws points; without it the roll stays free. Damped least squares within the
    limits; returns the values and the distance [m] that is left.
    """
    q = np.array([0.0, 0.0, 0.1, 0.0, 0.0, 0.0]) if start is None else np.array(start, dtype=float)
    for _ in range(iterations):
        error = _error(q, position, direction, across)
        if np.linalg.norm(error) < 1e-7:
            break
        jacobian = np.empty((len(error), 6))
        for i in range(6):
            moved = q.copy()
            moved[i] += 1e-6
            jacobian[:, i] = (_error(moved, position, direction, across) - error) / 1e-6
        step = -jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-8 * np.eye(len(error)), error)
        q = np.clip(q + np.clip(step, -0.3, 0.3), LOWER, UPPER)
    return q, float(np.linalg.norm(tip(q) - position))
