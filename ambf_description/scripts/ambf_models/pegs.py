# SPDX-License-Identifier: BSD-3-Clause
"""Peg transfer: a board with twelve pegs and six triangular rings on the left ones."""

import functools
import math

import numpy as np

from . import solids
from . import spatial as sp
from .adf import Body, Model

BOARD = (0.150, 0.110, 0.012)
PEG_RADIUS, PEG_HEIGHT = 0.0025, 0.020
RING_INNER, RING_OUTER, RING_HEIGHT = 0.0054, 0.0076, 0.010  # inradii of hole and outline
LEFT_PEGS = [(-0.062, 0.032), (-0.062, -0.032), (-0.050, 0.0), (-0.020, 0.032), (-0.020, -0.032), (-0.020, 0.0)]


def ring_part() -> solids.Part:
    """Rounded triangle with a hole of the same shape; collides as its three bars."""
    points = 36
    outer, inner = [], []
    for k in range(points):
        phi = 2.0 * math.pi * k / points
        # Angle to the nearest side's normal; the sides' normals point to 90, 210 and 330 degrees.
        off = (phi - math.pi / 2.0 + math.pi / 3.0) % (2.0 * math.pi / 3.0) - math.pi / 3.0
        r = min(RING_OUTER / math.cos(off), 1.45 * RING_OUTER)
        outer.append((r * math.cos(phi), r * math.sin(phi)))
        r = min(RING_INNER / math.cos(off), 1.6 * RING_INNER)
        inner.append((r * math.cos(phi), r * math.sin(phi)))
    part = solids.framed_hole(outer, inner, RING_HEIGHT)
    part.shapes += triangle_bars(RING_INNER, RING_OUTER, RING_HEIGHT)
    return part


def triangle_bars(inner: float, outer: float, height: float) -> list:
    """Three boxes along the sides of a triangular frame with the given inradii."""
    length = 2.0 * math.sqrt(3.0) * (inner + outer) / 2.0
    out = []
    for k in range(3):
        turn = sp.axis_angle(sp.Z, 2.0 * math.pi * k / 3.0)
        centre = turn @ sp.vec(0.0, (inner + outer) / 2.0, 0.0)
        out.append(solids.Shape('BOX', {'x': length, 'y': outer - inner, 'z': height}, sp.transform(turn, centre)))
    return out


@functools.cache
def make() -> Model:
    """Build board and rings; the base frame is the middle of the board's underside."""
    top = BOARD[2]
    board = [solids.box(BOARD, sp.transform(None, (0, 0, top / 2)))]
    pegs = LEFT_PEGS + [(-x, y) for x, y in LEFT_PEGS]
    board += [
        solids.cylinder(PEG_RADIUS, PEG_HEIGHT, sp.transform(None, (x, y, top + PEG_HEIGHT / 2)), 16) for x, y in pegs
    ]
    colors = [
        (0.80, 0.20, 0.20),
        (0.20, 0.55, 0.25),
        (0.20, 0.35, 0.75),
        (0.85, 0.65, 0.15),
        (0.55, 0.25, 0.60),
        (0.20, 0.60, 0.65),
    ]
    rims = [solids.tube(PEG_RADIUS, 0.0048, 0.0012, sp.transform(None, (x, y, top + 0.0004)), 12) for x, y in pegs]
    tips = [solids.sphere(PEG_RADIUS, sp.transform(None, (x, y, top + PEG_HEIGHT)), 16) for x, y in pegs]
    plate = solids.box((0.158, 0.118, 0.006), sp.transform(None, (0, 0, 0.003)))
    bodies = [
        Body(
            'peg board',
            np.eye(4),
            [board[0].painted('dark')] + board[1:],
            0.0,
            (0.30, 0.32, 0.36),
            friction=0.6,
            finish='brass',
            trim=[r.painted('dark steel') for r in rims] + tips + [plate.painted('blue')],
        )
    ]
    for k, (x, y) in enumerate(LEFT_PEGS):
        pose = sp.transform(None, (x, y, top + RING_HEIGHT / 2 + 0.0003))
        bodies.append(
            Body(
                f'ring {k + 1}',
                pose,
                [ring_part().moved(pose)],
                0.004,
                colors[k],
                friction=0.8,
                restitution=0.0,
                damping=(0.2, 0.4),
                mesh_name='ring',
            )
        )
    return Model('peg_board', 'Peg-transfer board with six rings.', bodies, namespace='/ambf/env/peg_board/')
