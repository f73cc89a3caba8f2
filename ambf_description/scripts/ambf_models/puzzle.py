# SPDX-License-Identifier: BSD-3-Clause
"""Puzzle: a base with three posts, three pieces whose holes fit them, and a three-plate chain."""

import math

import numpy as np

from . import solids
from . import spatial as sp
from .adf import Body, Joint, Model
from .pegs import triangle_bars

PLATE = (0.26, 0.10, 0.015)
POST = 0.040
HEIGHT = 0.020  # of the pieces
# The triangle's handle is on its side, which faces +x: jaws that close along x have none of its weight to keep from turning.
TRIANGLE_TURN = sp.axis_angle(sp.Z, -math.pi / 2.0)
TRIANGLE_HANDLE = 0.0195


def circle(radius: float, n: int) -> list:
    """Counter-clockwise polygon."""
    return [(radius * math.cos(2.0 * math.pi * k / n), radius * math.sin(2.0 * math.pi * k / n)) for k in range(n)]


def square(half: float) -> list:
    """Counter-clockwise square."""
    return [(half, half), (-half, half), (-half, -half), (half, -half)]


def triangle(inradius: float) -> list:
    """Counter-clockwise triangle with its point at -y, as `triangle_bars` has its sides."""
    r = 2.0 * inradius
    return [(r * math.cos(a), r * math.sin(a)) for a in (math.pi / 6.0, 5.0 * math.pi / 6.0, 3.0 * math.pi / 2.0)]


def base_parts() -> list:
    """Plate with a square, a round and a triangular post."""
    top = PLATE[2]
    z = top + POST / 2.0
    parts = [solids.box(PLATE, sp.transform(None, (0, 0, top / 2)))]
    parts.append(solids.box((0.030, 0.030, POST), sp.transform(None, (-0.085, 0, z))))
    parts.append(solids.cylinder(0.016, POST, sp.transform(None, (0, 0, z))))
    wedge = solids.prism(triangle(0.012), POST, sp.transform(TRIANGLE_TURN, (0.085, 0, z)))
    # Bars inside the triangle: across a bar of depth t the side shortens by 2 t / sqrt(3).
    inner, depth = 0.012, 0.005
    for k in range(3):
        turn = TRIANGLE_TURN @ sp.axis_angle(sp.Z, 2.0 * math.pi * k / 3.0)
        centre = turn @ sp.vec(0, inner - depth / 2.0, 0) + sp.vec(0.085, 0, z)
        length = 2.0 * math.sqrt(3.0) * inner - 2.0 * depth / math.sqrt(3.0)
        wedge.shapes.append(solids.Shape('BOX', {'x': length, 'y': depth, 'z': POST}, sp.transform(turn, centre)))
    return parts + [wedge]


def handle(x: float, y: float) -> solids.Part:
    """Round grip that stands on a piece."""
    return solids.cylinder(0.006, 0.040, sp.transform(None, (x, y, HEIGHT / 2 + 0.020)), 16)


def square_piece() -> list:
    """Frame with a 34 mm square hole."""
    part = solids.framed_hole(square(0.030), square(0.017), HEIGHT)
    for k in range(4):
        turn = sp.axis_angle(sp.Z, math.pi / 2.0 * k)
        part.shapes.append(
            solids.Shape(
                'BOX', {'x': 0.047, 'y': 0.013, 'z': HEIGHT}, sp.transform(turn, turn @ sp.vec(-0.0065, 0.0235, 0))
            )
        )
    return [part, handle(0.0235, 0.0)]


def round_piece() -> list:
    """Disc with a hole of 18 mm radius; collides as ten bars."""
    part = solids.framed_hole(circle(0.031, 40), circle(0.018, 40), HEIGHT)
    length = 2.0 * 0.0245 * math.tan(math.pi / 10.0)
    for k in range(10):
        turn = sp.axis_angle(sp.Z, 2.0 * math.pi * k / 10.0)
        part.shapes.append(
            solids.Shape('BOX', {'x': length, 'y': 0.013, 'z': HEIGHT}, sp.transform(turn, turn @ sp.vec(0, 0.0245, 0)))
        )
    return [part, handle(0.0245, 0.0)]


def triangle_piece() -> list:
    """Triangular frame with a hole of 14.5 mm inradius."""
    part = solids.framed_hole(triangle(0.0245), triangle(0.0145), HEIGHT)
    part.shapes += triangle_bars(0.0145, 0.0245, HEIGHT)
    return [part, handle(0.0, TRIANGLE_HANDLE)]


def chain_plate(number: int) -> list:
    """Plate of the chain; the outer two carry a handle."""
    plate = solids.box((0.056, 0.040, 0.012))
    if number == 1:
        return [plate]
    return [plate, solids.cylinder(0.006, 0.040, sp.transform(None, (0, 0, 0.026)), 16)]


def make() -> Model:
    """Build the puzzle; the base frame is the middle of the base plate's underside."""
    yellow, green, blue, red, orange = (
        (0.85, 0.70, 0.15),
        (0.20, 0.60, 0.30),
        (0.20, 0.40, 0.80),
        (0.80, 0.25, 0.20),
        (0.90, 0.50, 0.15),
    )
    bodies = [Body('puzzle base', np.eye(4), base_parts(), 0.0, yellow)]
    pieces = [
        ('square piece', square_piece(), blue, -0.09),
        ('round piece', round_piece(), red, 0.0),
        ('triangle piece', triangle_piece(), green, 0.09),
    ]
    for name, parts, color, x in pieces:
        pose = sp.transform(TRIANGLE_TURN if name == 'triangle piece' else None, (x, -0.11, HEIGHT / 2 + 0.0005))
        bodies.append(Body(name, pose, [q.moved(pose) for q in parts], 0.09, color, friction=0.7, restitution=0.0))
    joints = []
    for k in range(3):
        pose = sp.transform(None, ((k - 1) * 0.060, 0.10, 0.006 + 0.0005))
        bodies.append(
            Body(
                f'chain plate {k + 1}',
                pose,
                [q.moved(pose) for q in chain_plate(k)],
                0.07,
                orange if k != 1 else green,
                friction=0.7,
                restitution=0.0,
            )
        )
    for k in range(2):
        joints.append(
            Joint(
                f'chain plate {k + 1}',
                f'chain plate {k + 2}',
                'revolute',
                sp.vec((k - 0.5) * 0.060, 0.10, 0.0065),
                sp.Y,
                (-1.2, 1.2),
                passive=True,
                damping=0.0002,
            )
        )
    return Model(
        'puzzle',
        'Puzzle with three posts, three pieces and a chain of plates.',
        bodies,
        joints,
        namespace='/ambf/env/puzzle/',
    )
