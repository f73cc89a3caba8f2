# SPDX-License-Identifier: BSD-3-Clause
"""The arm's kinematics agree with the simulated arm."""

import numpy as np
import pytest

from ambf_py import psm
from ambf_py.backends import InProcess
from ambf_py.rotations import transform


def test_forward_kinematics_is_where_the_simulated_arm_goes():
    world = InProcess(models=['package://ambf_description/adf/psm.yaml'])
    joints = [world.layout.index(f'psm/{j}', 'joint') for j in psm.JOINTS]
    bodies = [world.layout.index(f'psm/{b}', 'body') for b in ('baselink', 'toolyawlink')]
    world.configure(joints, ['position'] * 6, [], [], bodies, joints)
    goal = np.array([0.3, -0.2, 0.12, 0.5, -0.4, 0.6])
    for i in range(100):
        _, _, seen, angles = world.step(goal[None] * min(1.0, (i + 1) / 80), np.zeros((1, 0)), 10)
    base, tool = transform(seen[0, 0, :7]), transform(seen[0, 1, :7])
    expected = base @ psm.forward(angles[0, :, 0])
    # The loops of the arm keep within 0.1 mm while it moves.
    assert np.abs(tool[:3, 3] - expected[:3, 3]).max() < 1e-4
    assert np.abs(tool[:3, :3] - expected[:3, :3]).max() < 1e-3


@pytest.mark.parametrize('seed', range(5))
def test_inverse_kinematics_reaches_what_forward_kinematics_gave(seed):
    rng = np.random.default_rng(seed)
    q = rng.uniform([-0.5, -0.5, 0.06, -0.5, -0.5, -0.5], [0.5, 0.5, 0.2, 0.5, 0.5, 0.5])
    goal, direction = psm.tip(q), psm.forward(q)[:3, 1]
    found, left = psm.inverse(goal, direction)
    assert left < 1e-6
    assert np.arccos(np.clip(psm.forward(found)[:3, 1] @ direction, -1, 1)) < 1e-3
    assert (found >= psm.LOWER).all() and (found <= psm.UPPER).all()


def test_inverse_kinematics_turns_the_jaws_where_they_are_to_point():
    rng = np.random.default_rng(7)
    for _ in range(5):
        q = rng.uniform([-0.5, -0.5, 0.06, -0.5, -0.5, -0.5], [0.5, 0.5, 0.2, 0.5, 0.5, 0.5])
        goal = psm.forward(q)
        found, left = psm.inverse(psm.tip(q), goal[:3, 1], goal[:3, 2])
        assert left < 1e-6
        assert np.allclose(psm.forward(found)[:3, :3], goal[:3, :3], atol=1e-3)
