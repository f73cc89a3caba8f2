# SPDX-License-Identifier: BSD-3-Clause
"""Reader of the OBJ files and their mass integrals, independent of the generators."""

import pathlib

import numpy as np


def read_obj(path: pathlib.Path) -> list:
    """Parts of an OBJ file as (vertices, faces) with their own numbering."""
    parts, vertices, offset = [], [], 0
    for line in path.read_text().splitlines():
        key, *rest = line.split() or ['']
        if key == 'o' or (key == 'v' and not parts):
            offset += len(vertices)
            vertices = []
            parts.append((vertices, []))
        if key == 'v':
            vertices.append([float(c) for c in rest])
        elif key == 'f':
            parts[-1][1].append([int(c.split('/')[0]) - 1 - offset for c in rest])
    return [(np.array(v), np.array(f)) for v, f in parts]


def integrals(vertices: np.ndarray, faces: np.ndarray):
    """Volume, first and second moments by the divergence theorem on each triangle."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)  # twice the area vector
    centre = (a + b + c) / 3
    volume = np.einsum('ij,ij->', normal, centre) / 6
    mids = [(a + b) / 2, (b + c) / 2, (c + a) / 2]

    # Degree-3 rule on triangles: A (3/60 sum f(vertex) + 8/60 sum f(mid) + 27/60 f(centre)).
    def surface(f):
        return (3 * sum(f(p) for p in (a, b, c)) + 8 * sum(f(p) for p in mids) + 27 * f(centre)) / 60 / 2

    # div(x_i^2 e_i / 2) = x_i ; div(x_i^3 e_i / 3) = x_i^2 ; div(x_i^2 x_j e_i / 2) = x_i x_j.
    first = np.array([np.sum(surface(lambda p, i=i: p[:, i] ** 2) * normal[:, i]) / 2 for i in range(3)])
    second = np.zeros((3, 3))
    for i in range(3):
        second[i, i] = np.sum(surface(lambda p, i=i: p[:, i] ** 3) * normal[:, i]) / 3
        for j in range(i):
            second[i, j] = second[j, i] = np.sum(surface(lambda p, i=i, j=j: p[:, i] ** 2 * p[:, j]) * normal[:, i]) / 2
    return volume, first, second


def uniform_body(parts: list, mass: float):
    """Centre of mass and inertia tensor about it for uniform density."""
    sums = [integrals(*p) for p in parts]
    volume = sum(s[0] for s in sums)
    com = sum(s[1] for s in sums) / volume
    central = (sum(s[2] for s in sums) / volume - np.outer(com, com)) * mass
    return com, np.trace(central) * np.eye(3) - central
