# SPDX-License-Identifier: BSD-3-Clause
"""Things that go into holes: a peg with holes of less and less room, and a cast with four pieces that fit it."""

import functools
import math

import numpy as np

from . import solids
from . import spatial as sp
from .adf import Body, Model
from .pegs import triangle_bars
from .puzzle import circle, triangle

# The peg: its shaft, its head with flat sides, and the holes; the first one is where it stands at the beginning.
PEG_RADIUS, PILOT_RADIUS, PILOT = 0.008, 0.0065, 0.004
HOLES = ((-0.0825, 0.0025), (-0.0275, 0.002), (0.0275, 0.001), (0.0825, 0.0005))  # place along x, room all around
PLATE, CUP = 0.006, 0.030  # height of the plate and of the cups on it
CUP_RADIUS = 0.019

# The cast: cells with a well each, on a plate; what goes in has so much room on each side.
CELL, DEPTH, CAST_PLATE, ROOM = 0.066, 0.018, 0.006, 0.002
PIECE = 0.024  # height of a piece
DISC, SQUARE, TRIANGLE, BAR = 0.020, 0.018, 0.012, (0.026, 0.012)  # radius, half a side, inradius, half lengths


def ring_bars(inner: float, outer: float, height: float, t: np.ndarray, count: int = 16) -> list:
    """Boxes around a round hole: a polygon of the inradius `inner`."""
    long = 1.05 * (inner + outer) * math.tan(math.pi / count)
    geometry = {'x': outer - inner, 'y': long, 'z': height}
    out = []
    for k in range(count):
        turn = sp.axis_angle(sp.Z, 2.0 * math.pi * k / count)
        out.append(solids.Shape('BOX', geometry, t @ sp.transform(turn, turn @ sp.vec((inner + outer) / 2.0, 0, 0))))
    return out


def frame_bars(half: tuple, outer: float, height: float, t: np.ndarray) -> list:
    """Four boxes around a rectangular hole of the half lengths `half`, in a square of the half side `outer`."""
    out = []
    for axis in range(2):
        for side in (-1.0, 1.0):
            wall = outer - half[axis]
            size, place = [2.0 * outer, 2.0 * outer, height], [0.0, 0.0, 0.0]
            size[axis], place[axis] = wall, side * (half[axis] + wall / 2.0)
            out.append(solids.Shape('BOX', dict(zip('xyz', size)), t @ sp.transform(None, place)))
    return out


def rectangle(half: tuple) -> list:
    """Counter-clockwise corners."""
    return [(x * half[0], y * half[1]) for x, y in ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))]


def seen_at(polygon: list, angles: list) -> list:
    """Points of a convex polygon about the origin in the given directions."""
    out = []
    for angle in angles:
        ray, reach = np.array([math.cos(angle), math.sin(angle)]), math.inf
        for a, b in zip(polygon, polygon[1:] + polygon[:1]):
            normal = np.array([b[1] - a[1], a[0] - b[0]])
            if float(normal @ ray) > 1e-9:
                reach = min(reach, float(normal @ np.array(a)) / float(normal @ ray))
        out.append(tuple(reach * ray))
    return out


def cell(hole: list, t: np.ndarray) -> solids.Part:
    """Square block with a hole, its middle at `t`; collides as nothing, its walls are given by hand."""
    outer = rectangle((CELL / 2.0, CELL / 2.0))
    corners = {round(math.atan2(y, x) % (2.0 * math.pi), 9) for x, y in hole + outer}
    angles = sorted(corners | {round(2.0 * math.pi * k / 8, 9) for k in range(8)})
    return solids.framed_hole(seen_at(outer, angles), seen_at(hole, angles), DEPTH).moved(t)


def peg_parts() -> list:
    """From the lower end up: a pilot, the shaft, a collar, the head."""

    def disc(radius: float, low: float, high: float) -> solids.Part:
        return solids.cylinder(radius, high - low, sp.transform(None, (0, 0, (low + high) / 2.0)))

    head = solids.box((0.014, 0.014, 0.030), sp.transform(None, (0, 0, 0.067)))
    return [
        disc(PILOT_RADIUS, 0.0, PILOT).painted('steel'),
        disc(PEG_RADIUS, PILOT, 0.048).painted('steel'),
        disc(0.011, 0.048, 0.052).painted('brass'),
        head.painted('blue'),
    ]


@functools.cache
def peg_in_hole() -> Model:
    """Build the holes and the peg in the first of them; the base frame is the middle of the plate's underside."""
    parts = [solids.box((0.240, 0.070, PLATE), sp.transform(None, (0, 0, PLATE / 2))).painted('dark')]
    trim = []
    for x, room in HOLES:
        middle = sp.transform(None, (x, 0, PLATE + CUP / 2))
        inner = PEG_RADIUS + room
        cup = solids.tube(inner, CUP_RADIUS, CUP, middle).painted('grey')
        cup.shapes += ring_bars(inner, CUP_RADIUS, CUP, middle)
        parts.append(cup)
        trim.append(solids.tube(inner, inner + 0.003, 0.0012, sp.transform(None, (x, 0, PLATE + CUP))).painted('brass'))
    screws = [(sx * 0.110, sy * 0.028, PLATE) for sx in (-1, 1) for sy in (-1, 1)]
    trim.append(solids.screws(screws, sp.Z, 0.004))
    pose = sp.transform(None, (HOLES[0][0], 0, PLATE + 0.0003))
    bodies = [
        Body('holes', np.eye(4), parts, 0.0, (0.4, 0.4, 0.4), friction=0.4, trim=trim),
        Body(
            'peg',
            pose,
            [p.moved(pose) for p in peg_parts()],
            0.08,
            (0.6, 0.6, 0.6),
            friction=0.5,
            restitution=0.0,
            damping=(0.2, 0.4),
        ),
    ]
    return Model(
        'peg_in_hole',
        'A peg and holes with less and less room for it.',
        bodies,
        namespace='/ambf/env/peg_in_hole/',
    )


def handle() -> solids.Part:
    """Square grip on a piece, whose middle is the origin."""
    return solids.box((0.012, 0.012, 0.034), sp.transform(None, (0, 0, PIECE / 2 + 0.017)))


def wedge(inradius: float) -> solids.Part:
    """Triangular prism that collides as three bars inside it."""
    depth = 0.45 * inradius
    part = solids.prism(triangle(inradius), PIECE)
    length = 2.0 * math.sqrt(3.0) * inradius - 2.0 * depth / math.sqrt(3.0)
    for k in range(3):
        turn = sp.axis_angle(sp.Z, 2.0 * math.pi * k / 3.0)
        place = turn @ sp.vec(0, inradius - depth / 2.0, 0)
        part.shapes.append(solids.Shape('BOX', {'x': length, 'y': depth, 'z': PIECE}, sp.transform(turn, place)))
    return part


@functools.cache
def training_cast() -> Model:
    """Build the cast and its pieces in front of it; the base frame is the middle of the cast's underside."""
    low = sp.transform(None, (0, 0, CAST_PLATE + DEPTH / 2.0))
    wells = (
        (-1.5, rectangle((SQUARE + ROOM, SQUARE + ROOM)), 'frame', (SQUARE + ROOM, SQUARE + ROOM)),
        (-0.5, circle(DISC + ROOM, 40), 'ring', DISC + ROOM),
        (0.5, triangle(TRIANGLE + ROOM), 'triangle', TRIANGLE + ROOM),
        (1.5, rectangle((BAR[0] + ROOM, BAR[1] + ROOM)), 'frame', (BAR[0] + ROOM, BAR[1] + ROOM)),
    )
    parts = [solids.box((4.0 * CELL, CELL, CAST_PLATE), sp.transform(None, (0, 0, CAST_PLATE / 2)))]
    for x, outline, kind, size in wells:
        t = low @ sp.transform(None, (x * CELL, 0, 0))
        block = cell(outline, t)
        if kind == 'frame':
            block.shapes += frame_bars(size, CELL / 2.0, DEPTH, t)
        elif kind == 'ring':
            block.shapes += ring_bars(size, CELL / 2.0, DEPTH, t)
        else:
            for bar in triangle_bars(size, size + 0.012, DEPTH):
                block.shapes.append(solids.Shape(bar.kind, bar.geometry, t @ bar.pose))
        parts.append(block)
    bodies = [Body('cast', np.eye(4), parts, 0.0, (0.42, 0.22, 0.58))]
    pieces = (
        ('square piece', solids.box((2 * SQUARE, 2 * SQUARE, PIECE)), (0.16, 0.36, 0.80), -0.16, 0.3),
        ('round piece', solids.cylinder(DISC, PIECE), (0.80, 0.18, 0.16), -0.06, 0.0),
        ('triangular piece', wedge(TRIANGLE), (0.16, 0.58, 0.28), 0.06, 0.5),
        ('long piece', solids.box((2 * BAR[0], 2 * BAR[1], PIECE)), (0.90, 0.72, 0.12), 0.16, -0.6),
    )
    for name, part, color, x, turn in pieces:
        pose = sp.transform(sp.axis_angle(sp.Z, turn), (x, -0.12, PIECE / 2 + 0.0005))
        bodies.append(
            Body(
                name,
                pose,
                [q.moved(pose) for q in (part, handle())],
                0.08,
                color,
                friction=0.6,
                restitution=0.0,
            )
        )
    return Model(
        'training_cast',
        'A cast with four wells and the four pieces that fit them.',
        bodies,
        namespace='/ambf/env/training_cast/',
    )
