# SPDX-License-Identifier: BSD-3-Clause
"""Nothing overlaps in the files' pose, in models and in whole worlds."""

import itertools
import math

import adf_mechanism as am
import numpy as np
import pytest
import yaml


class Solid:
    """A collision primitive in the world, with samples of its surface and its distance function."""

    def __init__(self, kind: str, geometry: dict, frame: np.ndarray):
        self.kind, self.g, self.frame = kind, geometry, frame
        points = getattr(self, '_' + kind.lower())()
        self.points = points @ frame[:3, :3].T + frame[:3, 3]
        self.radius = np.linalg.norm(points, axis=1).max()

    def _box(self):
        half = np.array([self.g[k] for k in 'xyz']) / 2
        steps = np.linspace(-1, 1, 9)
        grid = np.array(list(itertools.product(steps, repeat=3)))
        return grid[np.abs(grid).max(axis=1) == 1] * half

    def _round(self, profile):
        turn = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        return np.array([(r * math.cos(a), r * math.sin(a), z) for r, z in profile for a in turn])

    def _sphere(self):
        r = self.g['radius']
        angles = np.linspace(0, math.pi, 13)
        return self._round([(r * math.sin(a), r * math.cos(a)) for a in angles])

    def _cylinder(self):
        r, h = self.g['radius'], self.g['height'] / 2
        side = [(r, z) for z in np.linspace(-h, h, 9)]
        return self._round(side + [(f * r, s * h) for f in (0, 0.33, 0.67) for s in (-1, 1)])

    def _capsule(self):
        r = self.g['radius']
        h = self.g['height'] / 2 - r
        caps = [(r * math.cos(a), h + r * math.sin(a)) for a in np.linspace(0, math.pi / 2, 6)]
        side = [(r, z) for z in np.linspace(-h, h, 7)]
        return self._round(caps + [(a, -b) for a, b in caps] + side)

    def depth(self, points: np.ndarray) -> float:
        """Deepest of the points inside this primitive [m], negative when all are outside."""
        p = (points - self.frame[:3, 3]) @ self.frame[:3, :3]
        if self.kind == 'BOX':
            half = np.array([self.g[k] for k in 'xyz']) / 2
            return float((half - np.abs(p)).min(axis=1).max())
        r = self.g['radius']
        if self.kind == 'SPHERE':
            return float((r - np.linalg.norm(p, axis=1)).max())
        across, h = np.hypot(p[:, 0], p[:, 1]), self.g['height'] / 2
        if self.kind == 'CYLINDER':
            return float(np.minimum(r - across, h - np.abs(p[:, 2])).max())
        past = np.maximum(np.abs(p[:, 2]) - (h - r), 0)
        return float((r - np.hypot(across, past)).max())


def solids_of(block: dict) -> list:
    """Collision primitives of a body."""
    at = am.pose(block['location'])
    if 'collision shape' in block:
        return [Solid(block['collision shape'], block['collision geometry'], at @ am.pose(block['collision offset']))]
    return [Solid(s['shape'], s['geometry'], at @ am.pose(s['offset'])) for s in block['compound collision shape']]


def bodies_of(path) -> list:
    """(model number, identifier, block, solids) of a file, and the pairs its joints excuse."""
    model = am.Mechanism(path)
    bodies = [(path.stem, key, model.data[key], solids_of(model.data[key])) for key in model.bodies]
    excused = {frozenset(((path.stem, j['parent']), (path.stem, j['child']))) for j in model.joints}
    return bodies, excused, model.data['ignore inter-collision']


def overlaps(files: list) -> list:
    """Pairs of bodies that could collide, of which one moves, and how deep they overlap."""
    bodies, excused, quiet = [], set(), set()
    for path in files:
        found, pairs, ignore = bodies_of(path)
        bodies += found
        excused |= pairs
        if ignore:
            quiet.add(path.stem)
    entries = [(k, s) for k, b in enumerate(bodies) for s in b[3]]
    centre = np.array([s.frame[:3, 3] for _, s in entries])
    radius = np.array([s.radius for _, s in entries])
    out = []
    for n, (k, one) in enumerate(entries):
        near = np.flatnonzero(np.linalg.norm(centre[n + 1 :] - centre[n], axis=1) < radius[n + 1 :] + radius[n]) + n + 1
        for m in near:
            i, other = entries[m]
            a, b = bodies[k], bodies[i]
            if i == k or (a[2]['mass'] == 0 and b[2]['mass'] == 0):
                continue
            if a[0] == b[0] and a[0] in quiet:
                continue
            if frozenset((a[:2], b[:2])) in excused:
                continue
            depth = max(one.depth(other.points), other.depth(one.points))
            if depth > -1e-6:
                out.append((a[1], b[1], depth))
    return out


@pytest.mark.parametrize('path', am.MODEL_FILES, ids=lambda p: p.stem)
def test_bodies_of_a_model_do_not_overlap(path):
    assert overlaps([path]) == []


@pytest.mark.parametrize('path', am.LAUNCH_FILES, ids=lambda p: p.parent.name)
def test_bodies_of_a_world_do_not_overlap(path):
    launch = am.load(path)
    world = am.load(path.parent / launch['world config'])
    files = [path.parent / f for f in launch['multibody configs']]
    files.append(path.parent / world['environment'])
    assert overlaps(files) == []


def test_an_overlap_is_found(tmp_path):
    """Guards the tests above: two boxes pushed 1 mm into each other."""
    data = am.load(am.PACKAGE / 'adf' / 'box_pile.yaml')
    data['BODY box 002']['location']['position']['y'] -= 0.005
    path = tmp_path / 'box_pile.yaml'
    path.write_text(yaml.safe_dump(data))
    assert len(overlaps([path])) == 1
