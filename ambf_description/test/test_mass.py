# SPDX-License-Identifier: BSD-3-Clause
"""Masses and inertias are those of the geometry, and neighbours do not differ too much."""

import adf_mechanism as am
import meshes
import numpy as np
import pytest

FILES = am.MODEL_FILES + am.PLACED_FILES + am.TOOL_FILES


def moving(model: am.Mechanism) -> list:
    """Blocks of the bodies with mass."""
    return [model.data[b] for b in model.bodies if model.data[b]['mass'] > 0]


def primitive_inertia(block: dict) -> np.ndarray:
    """Moments of a uniform primitive about its own axes."""
    g, m, kind = block['geometry'], block['mass'], block['shape']
    if kind == 'BOX':
        x, y, z = g['x'] ** 2, g['y'] ** 2, g['z'] ** 2
        return m / 12 * np.array([y + z, x + z, x + y])
    r = g['radius']
    if kind == 'SPHERE':
        return np.full(3, 0.4 * m * r * r)
    if kind == 'CYLINDER':
        across = m * (3 * r * r + g['height'] ** 2) / 12
        return np.array([across, across, m * r * r / 2])
    # Capsule: cylinder of length h with two half balls.
    h = g['height'] - 2 * r
    m_ball = m * (4 / 3 * r) / (4 / 3 * r + h)
    m_rod = m - m_ball
    along = m_rod * r * r / 2 + 0.4 * m_ball * r * r
    across = m_rod * (3 * r * r + h * h) / 12 + m_ball * (0.4 * r * r + h * h / 4 + 3 / 8 * h * r)
    return np.array([across, across, along])


@pytest.mark.parametrize('path', FILES, ids=lambda p: f'{p.parent.name}/{p.stem}')
def test_inertias_are_physical(path):
    for block in moving(am.Mechanism(path)):
        i = np.array([block['inertia'][k] for k in ('ix', 'iy', 'iz')])
        assert i.min() > 0, block['name']
        # No body has a moment larger than the sum of the other two.
        assert 2 * i.max() <= i.sum() * (1 + 1e-6), block['name']


@pytest.mark.parametrize('path', am.MODEL_FILES + am.TOOL_FILES, ids=lambda p: p.stem)
def test_inertia_follows_from_the_mesh(path):
    """What a body has beyond its mesh's inertia is the same about all axes: the drive train."""
    model = am.Mechanism(path)
    for block in moving(model):
        moments = np.diag([block['inertia'][k] for k in ('ix', 'iy', 'iz')])
        frame = am.pose(block['inertial offset'])
        tensor = frame[:3, :3] @ moments @ frame[:3, :3].T
        if 'shape' in block:
            # Moments in the file are those of 24-gons, up to 3 % off the round primitive's.
            want, com, tolerance = np.diag(primitive_inertia(block)), np.zeros(3), 0.03
        else:
            mesh = am.mesh_path(path, model.data, block)
            com, want = meshes.uniform_body(meshes.read_obj(mesh), block['mass'])
            # Vertices are rounded to 0.1 micrometre; the thinnest part is 1.6 mm across.
            tolerance = 1e-3
        assert np.abs(frame[:3, 3] - com).max() < 1e-6, block['name']
        extra = tensor - want
        armature = np.trace(extra) / 3
        scale = np.abs(np.diag(want)).max()
        assert armature > -tolerance * scale, block['name']
        assert np.abs(extra - armature * np.eye(3)).max() < tolerance * scale, block['name']


@pytest.mark.parametrize('path', FILES, ids=lambda p: f'{p.parent.name}/{p.stem}')
def test_neighbours_differ_by_at_most_twenty_times_in_mass(path):
    model = am.Mechanism(path)
    for joint in model.joints:
        if joint['parent'] not in model.data:
            continue  # of a tool: on the carriage
        a, b = model.data[joint['parent']]['mass'], model.data[joint['child']]['mass']
        if a > 0 and b > 0:
            assert max(a, b) / min(a, b) <= 20, joint['name']
