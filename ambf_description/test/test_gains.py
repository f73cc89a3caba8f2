# SPDX-License-Identifier: BSD-3-Clause
"""Controller gains suit the inertia they move and are stable with a 1 ms step."""

import math

import adf_mechanism as am
import numpy as np
import pytest

STEP = 0.001


def drive_inertia(model: am.Mechanism, at: dict, held: str | None = None) -> np.ndarray:
    """Inertia matrix at the driven joints, by differences of the solved body poses."""
    names = [j['name'] for j in model.driven()]
    rest = {n: at.get(n, 0.0) for n in names}
    guess, _ = model.close(rest)
    h = 1e-5
    total = np.zeros((len(names), len(names)))
    moved = []
    for n in names:
        sides = [model.close(rest | {n: rest[n] + s * h}, guess)[1] for s in (1, -1)]
        moved.append(sides)
    for body in model.bodies:
        block = model.data[body]
        if block['mass'] == 0 or block['name'] == held:
            continue
        frame = am.pose(block['inertial offset'])
        moments = np.diag([block['inertia'][k] for k in ('ix', 'iy', 'iz')])
        linear, angular = [], []
        for plus, minus in moved:
            a, b = plus[body] @ frame, minus[body] @ frame
            linear.append((a - b)[:3, 3] / (2 * h))
            spin = (a - b)[:3, :3] @ ((a + b)[:3, :3] / 2).T / (2 * h)
            angular.append([spin[2, 1] - spin[1, 2], spin[0, 2] - spin[2, 0], spin[1, 0] - spin[0, 1]])
        v, w = np.array(linear).T, np.array(angular).T / 2
        r = model.forward(guess)[body][:3, :3] @ frame[:3, :3]
        total += block['mass'] * v.T @ v + w.T @ r @ moments @ r.T @ w
    return total


POSES = [
    ('psm', {}, None),
    ('psm', {'yaw link-pitch back link': 0.9, 'pitch end link-main insertion link': 0.24}, None),
    ('psm', {'yaw link-pitch back link': -0.9, 'tool roll link-tool pitch link': 1.3}, None),
    ('psm_si', {}, None),
    ('psm_si', {'yaw link-pitch back link': 1.3, 'pitch end link-main insertion link': 0.29}, None),
    ('psm_si', {'yaw link-pitch back link': -1.26}, None),
    ('ecm_si', {'yaw link-pitch back link': -1.1, 'pitch end link-main insertion link': 0.25}, None),
    ('ecm', {}, None),
    ('ecm', {'yaw link-pitch back link': 1.1, 'pitch end link-main insertion link': 0.25}, None),
    ('mtm', {}, None),
    ('mtml', {}, None),
    (
        'mtm',
        {
            'outer yaw link-upper arm link': 1.1,
            'upper arm link-forearm link': -0.8,
            'platform link-wrist pitch link': 1.5,
        },
        None,
    ),
    ('gripper', {}, 'palm'),
    ('four_bar', {}, None),
    ('four_bar', {'frame-crank': 1.0}, None),
]


@pytest.mark.parametrize('name, at, held', POSES)
def test_sampled_control_loop_is_stable(name, at, held):
    """Effort P e + D e' held over a step of semi-implicit Euler: all modes die out."""
    model = am.Mechanism(am.PACKAGE / 'adf' / f'{name}.yaml')
    inertia = drive_inertia(model, at, held)
    p = np.diag([j['controller']['P'] for j in model.driven()])
    d = np.diag([j['controller']['D'] for j in model.driven()])
    inverse, n = np.linalg.inv(inertia), len(p)
    v_q, v_v = -STEP * inverse @ p, np.eye(n) - STEP * inverse @ d
    system = np.block([[np.eye(n) + STEP * v_q, STEP * v_v], [v_q, v_v]])
    modes = np.linalg.eigvals(system)
    # 0.995 per step: the slowest mode halves within 0.14 s.
    assert np.abs(modes).max() < 0.995
    # Nothing rings from step to step: no mode near -1.
    assert modes.real.min() > -0.5


@pytest.mark.parametrize(
    'name, held',
    [
        ('psm', None),
        ('psm_si', None),
        ('ecm', None),
        ('mtm', None),
        ('mtml', None),
        ('gripper', 'palm'),
        ('four_bar', None),
    ],
)
def test_each_joint_alone_is_critically_damped_between_10_and_20_hertz(name, held):
    model = am.Mechanism(am.PACKAGE / 'adf' / f'{name}.yaml')
    inertia = np.diag(drive_inertia(model, {}, held))
    for joint, m in zip(model.driven(), inertia):
        omega = math.sqrt(joint['controller']['P'] / m)
        assert 10 < omega / (2 * math.pi) < 20, joint['name']
        # Gains are rounded to three digits.
        assert joint['controller']['D'] / (2 * m * omega) == pytest.approx(1.0, abs=0.02)
