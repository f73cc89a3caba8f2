# SPDX-License-Identifier: BSD-3-Clause
"""What is drawn: fine shells with smooth normals, for the coarse solids that have mass and collide.

A `Skin` has a normal for each vertex. Edges are rounded by a narrow band between two faces whose
vertices keep the faces' normals: shading then runs from one face to the other.
"""

import dataclasses
import math

import numpy as np

ROUND = 32  # segments of a full turn
BEVEL = 0.0025  # width of a rounded edge [m], less on small parts


@dataclasses.dataclass
class Skin:
    """Triangles with normals; `uv` is empty or has a row per vertex."""

    vertices: np.ndarray
    normals: np.ndarray
    faces: np.ndarray
    uv: np.ndarray | None = None

    def moved(self, t: np.ndarray) -> 'Skin':
        """Return the skin mapped by a rigid transform."""
        return Skin(self.vertices @ t[:3, :3].T + t[:3, 3], self.normals @ t[:3, :3].T, self.faces, self.uv)

    def mirrored(self) -> 'Skin':
        """Return the skin on the other side of the plane x = 0."""
        m = np.diag([-1.0, 1.0, 1.0])
        return Skin(self.vertices @ m, self.normals @ m, self.faces[:, ::-1], self.uv)


def bevel_of(*lengths) -> float:
    """Width of the edges of something with these sizes across."""
    return min(BEVEL, 0.18 * min(lengths))


def box(size) -> Skin:
    """Box with rounded edges: four vertices per face, inset by the bevel."""
    half = np.asarray(size, float) / 2.0
    b = bevel_of(*size)
    index, vertices, normals = {}, [], []
    signs = [(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    for axis in range(3):
        for s in signs:
            inset = half - b
            inset[axis] = half[axis]
            index[(axis, s)] = len(vertices)
            vertices.append(np.array(s) * inset)
            normals.append([float(s[axis]) if k == axis else 0.0 for k in range(3)])
    faces = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3

        def corner(a, side, su, sv, axis=axis, u=u, v=v):
            s = [0, 0, 0]
            s[axis], s[u], s[v] = side, su, sv
            return index[(a, tuple(s))]

        for side in (-1, 1):
            faces += quad(*[corner(axis, side, su, sv) for su, sv in ((-1, -1), (1, -1), (1, 1), (-1, 1))][::side])
        # Bands along this axis, between the faces of the other two.
        for su in (-1, 1):
            for sv in (-1, 1):
                faces += quad(
                    *[corner(u, -1, su, sv), corner(u, 1, su, sv), corner(v, 1, su, sv), corner(v, -1, su, sv)][
                        :: -su * sv
                    ]
                )
    for s in signs:
        faces.append([index[(a, s)] for a in range(3)][:: s[0] * s[1] * s[2]])
    return Skin(np.array(vertices), np.array(normals), np.array(faces))


def quad(a: int, b: int, c: int, d: int) -> list:
    """Two triangles of a counter-clockwise quadrangle."""
    return [[a, b, c], [a, c, d]]


def revolve(profile, segments: int = ROUND) -> Skin:
    """Turn [(radius, z, normal_r, normal_z), ...] about z, from the lower end to the upper."""
    vertices, normals, faces = [], [], []
    for radius, z, nr, nz in profile:
        length = math.hypot(nr, nz)
        for k in range(segments):
            phi = 2.0 * math.pi * k / segments
            c, s = math.cos(phi), math.sin(phi)
            vertices.append((radius * c, radius * s, z))
            normals.append((nr / length * c, nr / length * s, nz / length))
    for row, (low, high) in enumerate(zip(profile, profile[1:])):
        for k in range(segments):
            n = (k + 1) % segments
            a, b = row * segments + k, row * segments + n
            if low[0] > 0.0:
                faces.append([a, b, b + segments])
            if high[0] > 0.0:
                faces.append([a, b + segments, a + segments])
    return drop_empty(Skin(np.array(vertices), np.array(normals), np.array(faces)))


def disc_profile(radius: float, height: float, bevel: float | None = None) -> list:
    """Profile of a cylinder with rounded edges, centred."""
    h, b = height / 2.0, bevel_of(radius, height) if bevel is None else bevel
    return [
        (0.0, -h, 0, -1),
        (radius - b, -h, 0, -1),
        (radius, b - h, 1, 0),
        (radius, h - b, 1, 0),
        (radius - b, h, 0, 1),
        (0.0, h, 0, 1),
    ]


def pipe_profile(inner: float, outer: float, height: float) -> list:
    """Closed profile of a pipe, starting and ending on the inside."""
    h, b = height / 2.0, bevel_of(outer - inner, height)
    return [
        (inner, h - b, -1, 0),
        (inner, b - h, -1, 0),
        (inner + b, -h, 0, -1),
        (outer - b, -h, 0, -1),
        (outer, b - h, 1, 0),
        (outer, h - b, 1, 0),
        (outer - b, h, 0, 1),
        (inner + b, h, 0, 1),
        (inner, h - b, -1, 0),
    ]


def round_profile(radius: float, half: float, rings: int = 12) -> list:
    """Profile of a capsule whose cap centres are `half` from the middle; 0 makes a sphere."""
    lower = [(math.sin(a), -math.cos(a)) for a in (0.5 * math.pi * k / rings for k in range(rings + 1))]
    lower[0] = (0.0, -1.0)
    upper = [(r, -z) for r, z in reversed(lower)]
    return [(radius * r, radius * z - half, r, z) for r, z in lower] + [
        (radius * r, radius * z + half, r, z) for r, z in upper
    ]


def loop_normals(loop: np.ndarray, crease: float = 0.6) -> tuple[np.ndarray, np.ndarray]:
    """Outward normals of the edges that end and that begin at each corner of a loop in the plane.

    Corners that turn by less than `crease` [rad] are round: both normals are their mean.
    """
    edges = np.roll(loop, -1, axis=0) - loop
    out = np.column_stack([edges[:, 1], -edges[:, 0]])
    out = out / np.hypot(out[:, 0], out[:, 1])[:, None]
    before, after = np.roll(out, 1, axis=0), out
    mean = before + after
    mean = mean / np.hypot(mean[:, 0], mean[:, 1])[:, None]
    smooth = (np.sum(before * after, axis=1) > math.cos(crease))[:, None]
    return np.where(smooth, mean, before), np.where(smooth, mean, after)


def inset(loop: np.ndarray, by: float) -> np.ndarray:
    """Loop whose edges lie `by` further inside (outside where the loop runs clockwise)."""
    before, after = loop_normals(loop, 0.0)
    mean = before + after
    return loop - by * mean / (0.5 * np.sum(mean * mean, axis=1))[:, None]


def wall(loop: np.ndarray, height: float, bevel: float) -> tuple[Skin, np.ndarray]:
    """Side of a prism over a loop, with the rounded edges; and the loop that the caps begin at."""
    n, h = len(loop), height / 2.0
    before, after = loop_normals(loop)
    cap = inset(loop, bevel)
    vertices, normals, faces = [], [], []
    # Per corner: two columns (for the edges that end and begin there) of four heights.
    for k in range(n):
        for side in (before[k], after[k]):
            for (x, y), z, up in (
                (cap[k], -h, -1.0),
                (loop[k], bevel - h, 0.0),
                (loop[k], h - bevel, 0.0),
                (cap[k], h, 1.0),
            ):
                vertices.append((x, y, z))
                normals.append((0.0, 0.0, up) if up else (side[0], side[1], 0.0))
    for k in range(n):
        a, b = 8 * k + 4, 8 * ((k + 1) % n)
        for row in range(3):
            faces += quad(a + row, b + row, b + row + 1, a + row + 1)
        # Between the two columns of a sharp corner: a narrow band that rounds it.
        faces += quad(8 * k, 8 * k + 4, 8 * k + 5, 8 * k + 1)
    skin = Skin(np.array(vertices), np.array(normals), np.array(faces))
    return drop_empty(skin), cap


def drop_empty(skin: Skin) -> Skin:
    """Leave out triangles without area."""
    a, b, c = (skin.vertices[skin.faces[:, k]] for k in range(3))
    area = np.sqrt(np.sum(np.cross(b - a, c - a) ** 2, axis=1))
    return Skin(skin.vertices, skin.normals, skin.faces[area > 1e-13], skin.uv)


def cap_of(loop: np.ndarray, z: float, up: float, other: np.ndarray | None = None) -> Skin:
    """Flat end over a convex loop, or between it and an inner loop of as many corners."""
    n = len(loop)
    rings = [loop] if other is None else [loop, other]
    vertices = np.array([(x, y, z) for ring in rings for x, y in ring])
    normals = np.tile([0.0, 0.0, up], (len(vertices), 1))
    if other is None:
        faces = [[0, k, k + 1] for k in range(1, n - 1)]
    else:
        faces = [f for k in range(n) for f in quad(k, (k + 1) % n, n + (k + 1) % n, n + k)]
    return Skin(vertices, normals, np.array([f[:: int(up)] for f in faces]))


def prism(polygon: list, height: float, bevel: float | None = None) -> list:
    """Convex prism along z with rounded edges."""
    loop = np.asarray(polygon, float)
    across = loop.max(axis=0) - loop.min(axis=0)
    b = bevel_of(height, *across) if bevel is None else bevel
    side, cap = wall(loop, height, b)
    h = height / 2.0
    return [side, cap_of(cap, -h, -1.0), cap_of(cap, h, 1.0)]


def framed_hole(outer: list, inner: list, height: float) -> list:
    """Prism between two loops with the same number of corners, with rounded edges."""
    outer, inner = np.asarray(outer, float), np.asarray(inner, float)
    gap = float(np.min(np.hypot(*(outer - inner).T)))
    b = bevel_of(height, gap)
    out_side, out_cap = wall(outer, height, b)
    in_side, in_cap = wall(inner[::-1], height, b)
    h = height / 2.0
    return [out_side, in_side, cap_of(out_cap, -h, -1.0, in_cap[::-1]), cap_of(out_cap, h, 1.0, in_cap[::-1])]


def stadium(length: float, width: float, arc: int = 12) -> list:
    """Outline along x with half-round ends about (+-length / 2, 0)."""
    r, out = width / 2.0, []
    for centre, start in ((length / 2.0, -0.5 * math.pi), (-length / 2.0, 0.5 * math.pi)):
        for k in range(arc + 1):
            a = start + math.pi * k / arc
            out.append((centre + r * math.cos(a), r * math.sin(a)))
    return out


def loft(sections: list, segments: int = 32) -> Skin:
    """Skin through superellipses: sections are (frame, half x, half y, exponent), from end to end.

    |x / a|^n + |y / b|^n = 1 in the plane of each frame, whose z points along the loft. An exponent of 2
    is an ellipse, of 6 almost a rectangle. Ends are closed flat.
    """
    rows = []
    for frame, a, b, n in sections:
        row = []
        for k in range(segments):
            phi = 2.0 * math.pi * (k + 0.5) / segments
            c, s = math.cos(phi), math.sin(phi)
            row.append((a * math.copysign(abs(c) ** (2.0 / n), c), b * math.copysign(abs(s) ** (2.0 / n), s), 0.0))
        rows.append(np.array(row) @ frame[:3, :3].T + frame[:3, 3])
    grid = np.array(rows)
    around = np.roll(grid, -1, axis=1) - np.roll(grid, 1, axis=1)
    along = np.gradient(grid, axis=0)
    normals = np.cross(around, along)
    normals = normals / np.sqrt(np.sum(normals**2, axis=2))[:, :, None]
    faces = [
        f
        for r in range(len(rows) - 1)
        for k in range(segments)
        for f in quad(
            r * segments + k,
            r * segments + (k + 1) % segments,
            (r + 1) * segments + (k + 1) % segments,
            (r + 1) * segments + k,
        )
    ]
    vertices, norms = list(grid.reshape(-1, 3)), list(normals.reshape(-1, 3))
    for r, side in ((0, -1.0), (len(rows) - 1, 1.0)):
        base = len(vertices)
        vertices += list(grid[r])
        norms += [side * sections[r][0][:3, 2]] * segments
        faces += [[base, base + k, base + k + 1][:: int(side)] for k in range(1, segments - 1)]
    return Skin(np.array(vertices), np.array(norms), np.array(faces))


def sweep(points: list, radii: list, segments: int = 12) -> Skin:
    """Round tube along a curve in space, its frame carried along without twist."""
    p = np.array(points, float)
    ahead = np.gradient(p, axis=0)
    ahead = ahead / np.sqrt(np.sum(ahead**2, axis=1))[:, None]
    side = np.cross(ahead[0], [0.0, 0.0, 1.0])
    if float(np.dot(side, side)) < 1e-6:
        side = np.cross(ahead[0], [0.0, 1.0, 0.0])
    vertices, normals = [], []
    for k, (centre, radius) in enumerate(zip(p, radii)):
        side = side - ahead[k] * float(np.dot(side, ahead[k]))
        side = side / math.sqrt(float(np.dot(side, side)))
        other = np.cross(ahead[k], side)
        for s in range(segments):
            phi = 2.0 * math.pi * s / segments
            n = math.cos(phi) * side + math.sin(phi) * other
            vertices.append(centre + radius * n)
            normals.append(n)
    faces = [
        f
        for r in range(len(points) - 1)
        for k in range(segments)
        for f in quad(
            r * segments + k,
            r * segments + (k + 1) % segments,
            (r + 1) * segments + (k + 1) % segments,
            (r + 1) * segments + k,
        )
    ]
    return Skin(np.array(vertices), np.array(normals), np.array(faces))
