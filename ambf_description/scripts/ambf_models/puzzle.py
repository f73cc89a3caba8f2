# SPDX-License-Identifier: BSD-3-Clause
"""Puzzle: a base with posts, three pieces whose holes fit three of them, and a three-plate chain that fits the others."""

import math

import numpy as np

from . import solids
from . import spatial as sp
from .adf import Body, Joint, Model
from .pegs import triangle_bars

PLATE = (0.26, 0.10, 0.015)
POST = 0.040
HEIGHT = 0.020  # of the pieces
CHAIN_PLATE = (0.056, 0.040, 0.012)
CHAIN_Y, CHAIN_PITCH = 0.10, 0.060  # where the chain lies, and from plate to plate
# The part of the base that the chain belongs on lies behind it: depth and middle along y, height of its posts.
CHAIN_BASE, CHAIN_BASE_Y, CHAIN_POST = 0.070, 0.170, 0.016
# Holes of the chain's plates: place along x in the plate, size; a post is 5 mm smaller. The outer ones stand beside the handles.
CHAIN_HOLES = ((-0.016, 0.013, 0.021), (0.0, 0.021, 0.021), (0.016, 0.013, 0.021))
# The triangle's handle is on its side, which faces +x: jaws that close along x have none of its weight to keep from turning.
TRIANGLE_TURN = sp.axis_angle(sp.Z, -math.pi / 2.0)
TRIANGLE_HANDLE = 0.0195


def circle(radius: float, n: int) -> list:
    """Counter-clockwise polygon."""
    return [(radius * math.cos(2.0 * math.pi * k / n), radius * math.sin(2.0 * math.pi * k / n)) for k in range(n)]


def square(half: float) -> list:
    """Counter-clockwise square."""
    return [(half, half), (-half, half), (-half, -half), (half, -half)]


CORNERS = ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))  # of a rectangle, counter-clockwise


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
    return parts + [wedge] + chain_base_parts()


def chain_base_parts() -> list:
    """Plate with a post for each plate of the chain, and what joins it to the other plate around the chain."""
    top, deep = PLATE[2], PLATE[1] / 2.0
    front = CHAIN_BASE_Y - CHAIN_BASE / 2.0
    parts = [solids.box((PLATE[0], CHAIN_BASE, top), sp.transform(None, (0, CHAIN_BASE_Y, top / 2)))]
    for side in (-1.0, 1.0):
        place = (side * (PLATE[0] / 2.0 - 0.008), (deep + front) / 2.0, top / 2)
        parts.append(solids.box((0.016, front - deep, top), sp.transform(None, place)))
    for k, (x, wide, long) in enumerate(CHAIN_HOLES):
        place = ((k - 1) * CHAIN_PITCH + x, CHAIN_BASE_Y, top + CHAIN_POST / 2.0)
        parts.append(solids.box((wide - 0.005, long - 0.005, CHAIN_POST), sp.transform(None, place)))
    return parts


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
    """Plate of the chain with the hole for its post; the outer two carry a handle."""
    (length, width, height), (x, wide, long) = CHAIN_PLATE, CHAIN_HOLES[number]
    # A frame around the hole, as long as it can be with the hole in its middle, and a box for the rest of the plate.
    half, side = length / 2.0 - abs(x), (width - long) / 2.0
    outer, inner = ([(a * s, b * t) for s, t in CORNERS] for a, b in ((half, width / 2.0), (wide / 2.0, long / 2.0)))
    frame = solids.framed_hole(outer, inner, height)
    edge = half - wide / 2.0
    for s in (-1.0, 1.0):
        for size, place in (
            ((edge, width), (s * (half - edge / 2.0), 0.0)),
            ((wide, side), (0.0, s * (width - side) / 2.0)),
        ):
            geometry = {'x': size[0], 'y': size[1], 'z': height}
            frame.shapes.append(solids.Shape('BOX', geometry, sp.transform(None, (*place, 0.0))))
    frame = frame.moved(sp.transform(None, (x, 0, 0)))
    if x == 0.0:
        return [frame]
    rest = solids.box((2.0 * abs(x), width, height), sp.transform(None, (-math.copysign(half, x), 0, 0)))
    return [frame, rest, solids.cylinder(0.006, 0.040, sp.transform(None, (0, 0, 0.026)), 16)]


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
        pose = sp.transform(None, ((k - 1) * CHAIN_PITCH, CHAIN_Y, CHAIN_PLATE[2] / 2.0 + 0.0005))
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
                sp.vec((k - 0.5) * CHAIN_PITCH, CHAIN_Y, CHAIN_PLATE[2] / 2.0 + 0.0005),
                sp.Y,
                (-1.2, 1.2),
                passive=True,
                damping=0.0002,
            )
        )
    return Model(
        'puzzle',
        'Puzzle: a base with six posts, three pieces and a chain of three plates.',
        bodies,
        joints,
        namespace='/ambf/env/puzzle/',
    )
