# SPDX-License-Identifier: BSD-3-Clause
"""Solids are closed, what is drawn lies on them, files are small, all used, and all there."""

import collections

import adf_mechanism as am
import meshes
import numpy as np
import pytest

FILES = sorted((am.PACKAGE / 'meshes').rglob('*.obj'))
SOLID = [p for p in FILES if p.parent.name == 'solid' and p.stem != 'cloth']
DRAWN = [p for p in FILES if p.parent.name != 'solid' and p.stem != 'cloth']


def edge_counts(faces: np.ndarray) -> collections.Counter:
    """How often each directed edge occurs."""
    return collections.Counter((int(t[i]), int(t[(i + 1) % 3])) for t in faces for i in range(3))


@pytest.mark.parametrize('path', SOLID, ids=lambda p: f'{p.parent.parent.name}/{p.stem}')
def test_every_part_is_a_closed_outward_surface(path):
    for vertices, faces in meshes.read_obj(path):
        edges = edge_counts(faces)
        assert max(edges.values()) == 1
        assert all((b, a) in edges for a, b in edges)
        assert meshes.integrals(vertices, faces)[0] > 0
        corners = vertices[faces]
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        assert area.min() > 1e-12, 'a triangle without area'


@pytest.mark.parametrize('path', DRAWN, ids=lambda p: f'{p.parent.name}/{p.stem}')
def test_what_is_drawn_has_unit_normals_and_lies_on_the_solid(path):
    words = [line.split() for line in path.read_text().splitlines()]
    normals = np.array([w[1:] for w in words if w and w[0] == 'vn'], float)
    places = np.array([w[1:] for w in words if w and w[0] == 'v'], float)
    faces = np.array([[c.split('/')[0] for c in w[1:]] for w in words if w and w[0] == 'f'], int)
    assert len(normals) == len(places) and faces.min() == 1 and faces.max() == len(places)
    # Components are rounded to a thousandth.
    assert np.abs(np.linalg.norm(normals, axis=1) - 1).max() < 0.002
    # Faces run counter-clockwise seen from where their normals point.
    a, b, c = (places[faces[:, k] - 1] for k in range(3))
    out = np.einsum('ij,ij->i', np.cross(b - a, c - a), normals[faces - 1].sum(axis=1))
    assert np.mean(out > 0) > 0.99, np.mean(out > 0)
    solid = np.concatenate([v for v, _ in meshes.read_obj(path.parent / 'solid' / path.name)])
    # Covers, feet and cables reach at most this far beyond what has mass and collides.
    reach = 0.14 if path.stem.startswith('endoscope') else 0.07
    assert (places.min(axis=0) > solid.min(axis=0) - reach).all()
    assert (places.max(axis=0) < solid.max(axis=0) + reach).all()


def test_textures_named_in_material_files_exist():
    for path in (am.PACKAGE / 'meshes').rglob('*.mtl'):
        for line in path.read_text().splitlines():
            if line.startswith('map_Kd '):
                assert (path.parent / line.split()[1]).is_file(), f'{path}: {line}'


def test_known_volumes():
    """The board's box and its first peg, a prism over a 16-gon."""
    board = meshes.read_obj(am.PACKAGE / 'meshes/peg_board/solid/peg_board.obj')
    assert meshes.integrals(*board[0])[0] == pytest.approx(0.150 * 0.110 * 0.012, rel=1e-6)
    sixteen = 16 / 2 * np.sin(2 * np.pi / 16) * 0.0025**2 * 0.020
    # Vertices are rounded to 0.1 micrometre, 4e-5 of the peg's radius.
    assert meshes.integrals(*board[1])[0] == pytest.approx(sixteen, rel=1e-4)


def test_cloth_is_one_open_sheet():
    ((vertices, faces),) = meshes.read_obj(am.PACKAGE / 'meshes/cloth/solid/cloth.obj')
    edges = edge_counts(faces)
    boundary = [e for e in edges if e[::-1] not in edges]
    assert len(vertices) == 21 * 21 and len(faces) == 2 * 20 * 20
    assert max(edges.values()) == 1 and len(boundary) == 4 * 20


def test_folder_stays_small():
    assert sum(p.stat().st_size for p in FILES) < 13e6


def test_every_mesh_named_in_a_file_exists_and_every_mesh_is_named():
    named = set()
    for path in am.MODEL_FILES + am.PLACED_FILES + am.TOOL_FILES:
        data = am.load(path)
        for key in (data.get('bodies') or []) + (data.get('soft bodies') or []):
            block = data[key]
            if 'shape' not in block:
                for kind in ('high', 'low'):
                    mesh = am.mesh_path(path, data, block, kind)
                    assert mesh.is_file(), f'{path}: {key}: {mesh}'
                    named.add(mesh.resolve())
    assert named == {p.resolve() for p in FILES}
