# SPDX-License-Identifier: BSD-3-Clause
"""Closed triangle meshes, the collision primitives that go with them, and their mass properties.

A link is a list of `Part`s. Each part is one closed shell; parts of a link may overlap (a pin in
its bar), and mass properties are sums over parts.
"""

import dataclasses
import math

import numpy as np

from . import skins
from . import spatial as sp

SEGMENTS = 24


@dataclasses.dataclass
class Shape:
    """Collision primitive: ADF shape name, geometry map and pose in the same frame as the mesh."""

    kind: str
    geometry: dict
    pose: np.ndarray


@dataclasses.dataclass
class Part:
    """One closed shell with outward faces, the primitives that collide for it, and what is drawn."""

    vertices: np.ndarray
    faces: np.ndarray
    shapes: list
    skins: list = dataclasses.field(default_factory=list)
    finish: str | None = None  # of `finishes`; None: the body's colour

    def moved(self, t: np.ndarray) -> 'Part':
        """Return the part mapped by a rigid transform."""
        vertices = self.vertices @ t[:3, :3].T + t[:3, 3]
        shapes = [Shape(s.kind, s.geometry, t @ s.pose) for s in self.shapes]
        return Part(vertices, self.faces, shapes, [s.moved(t) for s in self.skins], self.finish)

    def mirrored(self) -> 'Part':
        """Return the part on the other side of the plane x = 0; its primitives are symmetric."""
        m = np.diag([-1.0, 1.0, 1.0])
        flip = np.diag([-1.0, 1.0, 1.0, 1.0])
        shapes = [Shape(s.kind, s.geometry, flip @ s.pose @ flip) for s in self.shapes]
        drawn = [s.mirrored() for s in self.skins]
        return Part(self.vertices @ m, self.faces[:, ::-1], shapes, drawn, self.finish)

    def without_collision(self) -> 'Part':
        """Return the part without its primitives."""
        return dataclasses.replace(self, shapes=[])

    def painted(self, finish: str) -> 'Part':
        """Return the part with another surface."""
        return dataclasses.replace(self, finish=finish)

    def covered(self) -> 'Part':
        """Return the part as one that is not drawn: something else covers it."""
        return dataclasses.replace(self, skins=[])


def mass_integrals(vertices: np.ndarray, faces: np.ndarray):
    """Volume, first moment and second moment (about the origin) of a closed mesh.

    Sums signed tetrahedra (origin, a, b, c): V = det/6, int x = V (a+b+c)/4,
    int x x^T = V/20 (s s^T + sum a a^T) with s = a+b+c.
    """
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    v = np.sum(a * np.cross(b, c), axis=1) / 6.0
    s = a + b + c
    first = np.sum(v[:, None] * s, axis=0) / 4.0
    outer = sum(p[:, :, None] * p[:, None, :] for p in (s, a, b, c))
    return float(np.sum(v)), first, np.sum(v[:, None, None] * outer, axis=0) / 20.0


def mass_properties(parts: list, mass: float):
    """Centre of mass and inertia tensor about it, for uniform density and total `mass`."""
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for part in parts:
        v, f, s = mass_integrals(part.vertices, part.faces)
        volume, first, second = volume + v, first + f, second + s
    com = first / volume
    central = (second / volume - np.outer(com, com)) * mass
    return com, float(np.trace(central)) * np.eye(3) - central


def box(size, t: np.ndarray | None = None) -> Part:
    """Box with full lengths `size`, centred on the frame `t`."""
    half = np.asarray(size, float) / 2.0
    signs = [(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    vertices = np.array(signs, float) * half
    faces = np.array(
        [
            [0, 1, 3],
            [0, 3, 2],
            [4, 6, 7],
            [4, 7, 5],
            [0, 4, 5],
            [0, 5, 1],
            [2, 3, 7],
            [2, 7, 6],
            [0, 2, 6],
            [0, 6, 4],
            [1, 5, 7],
            [1, 7, 3],
        ]
    )
    geometry = {'x': float(size[0]), 'y': float(size[1]), 'z': float(size[2])}
    part = Part(vertices, faces, [Shape('BOX', geometry, np.eye(4))], [skins.box(size)])
    return part if t is None else part.moved(t)


def fineness(radius: float) -> int:
    """Segments of what is drawn round: few for what is small."""
    return 12 if radius < 0.0015 else 16 if radius < 0.004 else 24 if radius < 0.012 else skins.ROUND


def revolve(profile, segments: int = SEGMENTS) -> tuple[np.ndarray, np.ndarray]:
    """Turn a profile [(radius, z), ...] from pole to pole (radius 0 at both ends) about z."""
    rings, vertices = [], []
    for radius, z in profile:
        if radius == 0.0:
            rings.append([len(vertices)])
            vertices.append((0.0, 0.0, z))
        else:
            rings.append(list(range(len(vertices), len(vertices) + segments)))
            for k in range(segments):
                phi = 2.0 * math.pi * k / segments
                vertices.append((radius * math.cos(phi), radius * math.sin(phi), z))
    faces = []
    for low, high in zip(rings, rings[1:]):
        for k in range(segments):
            n = (k + 1) % segments
            if len(low) == 1:
                faces.append((low[0], high[n], high[k]))
            elif len(high) == 1:
                faces.append((low[k], low[n], high[0]))
            else:
                faces.append((low[k], low[n], high[n]))
                faces.append((low[k], high[n], high[k]))
    return np.array(vertices), np.array(faces)


def cylinder(radius: float, height: float, t: np.ndarray | None = None, segments: int = SEGMENTS) -> Part:
    """Cylinder along z, centred on the frame `t`."""
    h = height / 2.0
    vertices, faces = revolve([(0.0, -h), (radius, -h), (radius, h), (0.0, h)], segments)
    shape = Shape('CYLINDER', {'radius': radius, 'height': height, 'axis': 'Z'}, np.eye(4))
    part = Part(vertices, faces, [shape], [skins.revolve(skins.disc_profile(radius, height), fineness(radius))])
    return part if t is None else part.moved(t)


def sphere(radius: float, t: np.ndarray | None = None, segments: int = SEGMENTS) -> Part:
    """Sphere of `segments` meridians."""
    rings = segments // 2
    profile = [(0.0, -radius)]
    for k in range(1, rings):
        psi = math.pi * k / rings
        profile.append((radius * math.sin(psi), -radius * math.cos(psi)))
    profile.append((0.0, radius))
    vertices, faces = revolve(profile, segments)
    part = Part(
        vertices,
        faces,
        [Shape('SPHERE', {'radius': radius}, np.eye(4))],
        [skins.revolve(skins.round_profile(radius, 0.0, max(3, fineness(radius) // 4)), fineness(radius))],
    )
    return part if t is None else part.moved(t)


def capsule(radius: float, height: float, t: np.ndarray | None = None, segments: int = SEGMENTS) -> Part:
    """Capsule along z; `height` is the total length with both caps, as in ADF."""
    h, rings = height / 2.0 - radius, segments // 4
    profile = [(0.0, -height / 2.0)]
    for k in range(1, rings + 1):
        psi = math.pi / 2.0 * k / rings
        profile.append((radius * math.sin(psi), -h - radius * math.cos(psi)))
    profile += [(r, -z) for r, z in reversed(profile)]
    vertices, faces = revolve(profile, segments)
    shape = Shape('CAPSULE', {'radius': radius, 'height': height, 'axis': 'Z'}, np.eye(4))
    part = Part(
        vertices,
        faces,
        [shape],
        [skins.revolve(skins.round_profile(radius, h, max(3, fineness(radius) // 4)), fineness(radius))],
    )
    return part if t is None else part.moved(t)


def tube(inner: float, outer: float, height: float, t: np.ndarray | None = None, segments: int = SEGMENTS) -> Part:
    """Pipe along z; collides as nothing, give it shapes by hand where it must."""
    vertices, faces = [], []
    h = height / 2.0
    corners = [(inner, -h), (outer, -h), (outer, h), (inner, h)]
    for radius, z in corners:
        for k in range(segments):
            phi = 2.0 * math.pi * k / segments
            vertices.append((radius * math.cos(phi), radius * math.sin(phi), z))
    for ring in range(4):
        low, high = ring * segments, (ring + 1) % 4 * segments
        for k in range(segments):
            n = (k + 1) % segments
            faces += [(low + k, low + n, high + n), (low + k, high + n, high + k)]
    part = Part(
        np.array(vertices),
        np.array(faces),
        [],
        [skins.revolve(skins.pipe_profile(inner, outer, height), fineness(outer))],
    )
    return part if t is None else part.moved(t)


def framed_hole(outer: list, inner: list, height: float) -> Part:
    """Prism along z between two polygons with the same number of corners, counter-clockwise."""
    n, h = len(outer), height / 2.0
    vertices = [(x, y, z) for loop, z in ((inner, -h), (outer, -h), (outer, h), (inner, h)) for x, y in loop]
    faces = []
    for ring in range(4):
        low, high = ring * n, (ring + 1) % 4 * n
        for k in range(n):
            m = (k + 1) % n
            faces += [(low + k, low + m, high + m), (low + k, high + m, high + k)]
    return Part(np.array(vertices), np.array(faces), [], skins.framed_hole(outer, inner, height))


def prism(polygon: list, height: float, t: np.ndarray | None = None) -> Part:
    """Convex prism along z over a counter-clockwise polygon; no collision shape of its own."""
    n, h = len(polygon), height / 2.0
    vertices = [(x, y, z) for z in (-h, h) for x, y in polygon]
    faces = []
    for k in range(1, n - 1):
        faces += [(0, k + 1, k), (n, n + k, n + k + 1)]
    for k in range(n):
        m = (k + 1) % n
        faces += [(k, m, n + m), (k, n + m, n + k)]
    part = Part(np.array(vertices), np.array(faces), [], skins.prism(polygon, height))
    return part if t is None else part.moved(t)


def bent_tube(points: list, radii: list, segments: int = 12) -> Part:
    """Tube of varying radius along a plane curve in z = 0; ends with radius 0 are poles."""
    points = [np.asarray(p, float) for p in points]
    vertices, rings = [], []
    for k, (p, radius) in enumerate(zip(points, radii)):
        if radius == 0.0:
            rings.append([len(vertices)])
            vertices.append(p)
            continue
        ahead = points[min(k + 1, len(points) - 1)] - points[max(k - 1, 0)]
        ahead = ahead / math.sqrt(float(np.dot(ahead, ahead)))
        side = np.cross(ahead, sp.Z)
        rings.append(list(range(len(vertices), len(vertices) + segments)))
        for s in range(segments):
            phi = 2.0 * math.pi * s / segments
            # (side, -Z, ahead) is right-handed, so the ring runs counter-clockwise seen from ahead.
            vertices.append(p + radius * (math.cos(phi) * side - math.sin(phi) * sp.Z))
    faces = []
    for low, high in zip(rings, rings[1:]):
        for k in range(segments):
            n = (k + 1) % segments
            if len(low) == 1:
                faces.append((low[0], high[n], high[k]))
            elif len(high) == 1:
                faces.append((low[k], low[n], high[0]))
            else:
                faces += [(low[k], low[n], high[n]), (low[k], high[n], high[k])]
    return Part(np.array(vertices), np.array(faces), [], [skins.drop_empty(skins.sweep(points, radii, 16))])


def bar(start, end, width: float, depth: float) -> Part:
    """Box from `start` to `end` in the plane x = const: `width` along x, `depth` across.

    It is drawn with half-round ends about `start` and `end`.
    """
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = end - start
    length = math.sqrt(float(np.dot(along, along)))
    z = along / length
    rotation = np.column_stack([sp.X, np.cross(z, sp.X), z])
    pose = sp.transform(rotation, (start + end) / 2.0)
    along_x = sp.transform(np.column_stack([sp.Z, sp.Y, -sp.X]))
    drawn = [skin.moved(pose @ along_x) for skin in skins.prism(skins.stadium(length, depth), width)]
    return dataclasses.replace(box((width, depth, length), pose), skins=drawn)


def rod(start, end, radius: float, segments: int = SEGMENTS) -> Part:
    """Cylinder from `start` to `end`."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = end - start
    length = math.sqrt(float(np.dot(along, along)))
    return cylinder(radius, length, sp.transform(sp.frame_along(along), (start + end) / 2.0), segments)


def drawn(drawn_skins: list, finish: str | None = None) -> Part:
    """Part without mass and collision: only its skins."""
    return Part(np.zeros((0, 3)), np.zeros((0, 3), int), [], drawn_skins, finish)


def screws(places: list, axis, radius: float, finish: str = 'steel') -> Part:
    """Heads of screws at places of a surface, `axis` pointing out of it."""
    turn = sp.frame_along(np.asarray(axis, float))
    head = skins.revolve(
        [
            (radius, 0.0, 1, 0),
            (radius, 0.5 * radius, 1, 0),
            (0.8 * radius, 0.7 * radius, 0, 1),
            (0.45 * radius, 0.7 * radius, 0, 1),
            (0.45 * radius, 0.7 * radius, -1, 0),
            (0.45 * radius, 0.3 * radius, -1, 0),
            (0.45 * radius, 0.3 * radius, 0, 1),
            (0.0, 0.3 * radius, 0, 1),
        ],
        12,
    )
    return drawn([head.moved(sp.transform(turn, p)) for p in places], finish)


def obj_text(parts: list, comment: str) -> str:
    """Wavefront OBJ of the parts, vertices in micrometres' resolution, one group per part."""
    lines = [f'# {comment}']
    base = 1
    for number, part in enumerate(parts):
        lines.append(f'o part{number}')
        for x, y, z in part.vertices:
            lines.append('v ' + ' '.join(format_length(c) for c in (x, y, z)))
        for a, b, c in part.faces:
            lines.append(f'f {a + base} {b + base} {c + base}')
        base += len(part.vertices)
    return '\n'.join(lines) + '\n'


def format_length(value: float) -> str:
    """Format metres with 0.1 micrometre resolution and without a negative zero."""
    text = f'{float(value):.7f}'.rstrip('0').rstrip('.')
    return '0' if text in ('-0', '') else text
