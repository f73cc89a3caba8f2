# SPDX-License-Identifier: BSD-3-Clause
"""Controller gains from inertia, for mechanisms with loops.

With all bodies' velocities v = S qdot (S spans the motions that every joint allows, one column per
driven joint), the inertia at the drives is M = S^T diag(m, I) S. A joint alone, others held, feels
M_jj; gains P = M_jj w^2, D = 2 zeta M_jj w place it at w.
"""

import math

import numpy as np

from . import spatial as sp


def allowed_motion(model) -> np.ndarray:
    """S: 6 n x k, rows (v of the frame origin at the base origin, w) per body, a column per drive.

    Velocities are spatial: v is that of the body-fixed point at the base frame's origin.
    """
    index = {b.name: i for i, b in enumerate(model.bodies)}
    rows, driven, drive_rows = [], [], []

    def relative(joint, directions):
        out = np.zeros((len(directions), 6 * len(model.bodies)))
        for r, d in enumerate(directions):
            out[r, 6 * index[joint.child] : 6 * index[joint.child] + 6] = d
            out[r, 6 * index[joint.parent] : 6 * index[joint.parent] + 6] = -d
        return out

    for body in model.bodies:
        if body.mass == 0.0:
            fix = np.zeros((6, 6 * len(model.bodies)))
            fix[:, 6 * index[body.name] : 6 * index[body.name] + 6] = np.eye(6)
            rows.append(fix)
    for joint in model.joints:
        axis = joint.axis / math.sqrt(float(np.dot(joint.axis, joint.axis)))
        basis = sp.frame_along(axis).T  # rows: two across, one along
        # Velocity of the pivot point: v + w x r = [I, -S(r)] (v, w).
        at_pivot = np.hstack([np.eye(3), -sp.skew(np.asarray(joint.pivot, float))])
        turn = np.hstack([np.zeros((3, 3)), np.eye(3)])
        linear, angular = list(basis @ at_pivot), list(basis @ turn)
        if joint.kind == 'prismatic':
            free, locked = linear[2], linear[:2] + angular
        else:
            free, locked = angular[2], linear + angular[:2]
        rows.append(relative(joint, locked))
        if not joint.passive:
            driven.append(joint)
            drive_rows.append(relative(joint, [free]))
    constraints = np.vstack(rows)
    drives = np.vstack(drive_rows)
    stacked = np.vstack([constraints, drives])
    wanted = np.vstack([np.zeros((len(constraints), len(driven))), np.eye(len(driven))])
    motion, _, rank, _ = np.linalg.lstsq(stacked, wanted, rcond=1e-9)
    if rank < 6 * len(model.bodies):
        raise ValueError(f'{model.name}: the driven joints leave {6 * len(model.bodies) - rank} motions undetermined')
    if np.abs(stacked @ motion - wanted).max() > 1e-9:
        raise ValueError(f'{model.name}: the driven joints fight each other through a loop')
    return motion


def drive_inertia(model) -> np.ndarray:
    """M at the zero pose, ordered as the driven joints are listed."""
    motion = allowed_motion(model)
    total = np.zeros((motion.shape[1], motion.shape[1]))
    for i, body in enumerate(model.bodies):
        if body.mass == 0.0:
            continue
        frame, moments = body.inertial()
        rotation, com = frame[:3, :3], frame[:3, 3]
        s = motion[6 * i : 6 * i + 6]
        v_com = s[:3] - sp.skew(com) @ s[3:]
        tensor = rotation @ np.diag(moments) @ rotation.T
        total += body.mass * v_com.T @ v_com + s[3:].T @ tensor @ s[3:]
    return total


def set_gains(model, frequency: float = 15.0, damping_ratio: float = 1.0, saturation: float = 0.25) -> None:
    """Give each driven joint PD gains of `frequency` [Hz] and an impulse limit.

    The motor's limit is the effort that P asks for at an error of `saturation` [rad], or a tenth of
    that in metres, over a step of 1 ms. Joint damping is 2 % of D: the friction of a good bearing.
    """
    omega = 2.0 * math.pi * frequency
    inertia = drive_inertia(model)
    driven = [j for j in model.joints if not j.passive]
    for k, joint in enumerate(driven):
        m = float(inertia[k, k])
        p, d = round_digits(m * omega**2), round_digits(2.0 * damping_ratio * m * omega)
        error = saturation if joint.kind != 'prismatic' else 0.1 * saturation
        joint.gains = {'P': p, 'I': 0.0, 'D': d}
        joint.max_motor_impulse = round_digits(p * error * 0.001)
        joint.damping = round_digits(0.02 * d)


def stiffen(joint, times: float) -> None:
    """Move a joint's frequency up, its damping ratio kept."""
    joint.gains = {
        'P': round_digits(joint.gains['P'] * times**2),
        'I': 0.0,
        'D': round_digits(joint.gains['D'] * times),
    }
    joint.max_motor_impulse = round_digits(joint.max_motor_impulse * times**2)


def round_digits(value: float, digits: int = 3) -> float:
    """Round to significant digits: gains are choices, not measurements."""
    return float(f'{value:.{digits - 1}e}')
