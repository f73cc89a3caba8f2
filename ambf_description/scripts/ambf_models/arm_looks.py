# SPDX-License-Identifier: BSD-3-Clause
"""What is drawn on the remote-centre arms beyond their solids: covers, bearings, rails.

All places are in the frame of the arm's stand: x across, y back towards the stand, z up.
"""

import math

import numpy as np

from . import skins, solids
from . import spatial as sp


def along_y(p, turn: float = 0.0) -> np.ndarray:
    """Frame at `p` whose z is the base frame's y."""
    return sp.transform(sp.axis_angle(sp.X, -math.pi / 2.0) @ sp.axis_angle(sp.Z, turn), p)


def mount(wall: float) -> list:
    """Round flange and screws on the plate that carries the arm."""
    face = wall + 0.005
    flange = solids.rod(sp.vec(0, face - 0.010, 0), sp.vec(0, face + 0.004, 0), 0.050)
    corners = [sp.vec(sx * 0.042, face, sz * 0.042) for sx in (-1, 1) for sz in (-1, 1)]
    ring = [
        sp.vec(0.046 * math.cos(q), face - 0.010, 0.046 * math.sin(q))
        for q in (2.0 * math.pi * k / 8 for k in range(8))
    ]
    return [flange.painted('grey'), solids.screws(corners, -sp.Y, 0.005), solids.screws(ring, -sp.Y, 0.0025)]


def shoulder(a: np.ndarray, f: np.ndarray, w: float) -> list:
    """Lofted cover over the drives of the yaw link, with a status ring at its root."""
    back, front = a[1] + 0.040, f[1] - 0.036
    sections = []
    for s, x, z, n in (
        (0.00, 0.62, 0.019, 4),
        (0.04, 0.80, 0.024, 4),
        (0.20, 0.95, 0.029, 4),
        (0.55, 1.00, 0.031, 4),
        (0.85, 0.88, 0.027, 4),
        (0.97, 0.72, 0.021, 4),
        (1.00, 0.55, 0.016, 4),
    ):
        y = back + s * (front - back)
        sections.append((along_y((0, y, 0), math.pi), x * 0.82 * w, z, n))
    # From the back to the front the frames' z must point ahead, towards -y.
    flip = sp.transform(sp.axis_angle(sp.X, math.pi))
    body = skins.loft([(frame @ flip, x, z, n) for frame, x, z, n in sections])
    neck = solids.rod(a + sp.vec(0, 0.030, 0), a + sp.vec(0, 0.052, 0), 0.030)
    ring = solids.rod(a + sp.vec(0, 0.040, 0), a + sp.vec(0, 0.0435, 0), 0.0315)
    caps = [solids.rod(p + sp.vec(2.0 * w, 0, 0), p + sp.vec(2.06 * w, 0, 0), 0.010).painted('blue') for p in (a, f)]
    return [solids.drawn([body]), neck.painted('dark'), ring.painted('blue')] + caps


def crank(pivots: list, x: float, half: float) -> list:
    """Bearings on both faces of a bar at x: [(pivot, radius), ...]; `half` is half its width."""
    out = []
    for p, radius in pivots:
        middle = p + sp.vec(x, 0, 0)
        for side in (-1.0, 1.0):
            face = middle + sp.vec(side * half, 0, 0)
            tip = face + sp.vec(side * 0.0035, 0, 0)
            out.append(solids.rod(face, tip, radius * 0.82).painted('dark'))
            out.append(solids.rod(face, tip + sp.vec(side * 0.0012, 0, 0), radius * 0.5).painted('steel'))
    first, last = pivots[0][0], pivots[-1][0]
    along = last - first
    length = math.sqrt(float(np.dot(along, along)))
    inset = solids.bar(first + 0.2 * along, last - 0.2 * along, 2.0 * half + 0.003, 0.28 * min(r for _, r in pivots))
    shift = sp.transform(None, (x, 0, 0))
    return out + ([inset.moved(shift).painted('grey')] if length > 0.08 else [])


def rail(y: float, low: float, high: float) -> list:
    """Rail that the carriage slides on, a stripe, and a rounded head on the beam."""
    # The tool side of the beam is -y.
    face = y - 0.012
    strip = solids.box(
        (0.012, 0.006, high - low - 0.04), sp.transform(None, (0, face - 0.002, (high + low) / 2 + 0.01))
    )
    grooves = [
        solids.box(
            (0.002, 0.0085, high - low - 0.05), sp.transform(None, (sx * 0.0034, face - 0.002, (high + low) / 2 + 0.01))
        )
        for sx in (-1, 1)
    ]
    head = solids.box((0.034, 0.030, 0.018), sp.transform(None, (0, y, high + 0.004)))
    foot = solids.box((0.034, 0.028, 0.030), sp.transform(None, (0, y, low)))
    stripe = solids.box((0.0325, 0.0265, 0.010), sp.transform(None, (0, y, high - 0.030)))
    ends = [sp.vec(0, face - 0.005, low + 0.025 + k * (high - low - 0.06) / 5) for k in range(6)]
    return [
        strip.painted('steel'),
        head.painted('dark'),
        foot.painted('dark'),
        stripe.painted('blue'),
        solids.screws(ends, -sp.Y, 0.0022),
    ] + [g.painted('dark steel') for g in grooves]


def instrument(top: float, half: float) -> list:
    """Instrument housing on the carriage: a lofted body with two levers and a label."""
    up = sp.transform
    body = skins.loft(
        [
            (up(None, (0, 0, top - 0.036)), 0.024, 0.023, 5),
            (up(None, (0, 0, top - 0.030)), 0.027, 0.026, 5),
            (up(None, (0, 0, top + 0.020)), 0.027, 0.026, 5),
            (up(None, (0, -0.003, top + 0.034)), 0.024, 0.022, 4),
            (up(None, (0, -0.005, top + 0.044)), 0.017, 0.015, 3),
            (up(None, (0, -0.006, top + 0.048)), 0.010, 0.009, 2.5),
        ]
    )
    band = skins.loft(
        [(up(None, (0, 0, top - 0.012)), 0.0274, 0.0264, 5), (up(None, (0, 0, top - 0.004)), 0.0274, 0.0264, 5)]
    )
    levers = [solids.box((0.004, 0.014, 0.026), up(None, (sx * half, -0.006, top + 0.002))) for sx in (-1, 1)]
    return [solids.drawn([body], 'grey'), solids.drawn([band], 'blue')] + [lever.painted('dark') for lever in levers]
