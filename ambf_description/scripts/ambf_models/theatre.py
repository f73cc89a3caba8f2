# SPDX-License-Identifier: BSD-3-Clause
"""What stands around the arms of the whole kit: patient cart, operating table with a phantom, console."""

import math

import numpy as np

from . import skins, solids
from . import spatial as sp
from .adf import Body, Model

GREY, WHITE = (0.35, 0.37, 0.42), (0.88, 0.88, 0.90)
TABLE_TOP = 0.74
# Console: the viewer's frame HRSV (x left in the picture, y up, z away) with its eyes at this place; the masters'
# shoulders are in it where the dVRK's system-full-system-simulated.json has them.
EYES = (0.0, -0.10, 1.22)
MASTER_IN_VIEWER = (0.18, 0.400, 0.475)
VIEWER_TILT = math.radians(60.0)


def at(x: float, y: float, z: float) -> np.ndarray:
    """Frame without a turn."""
    return sp.transform(None, (x, y, z))


def slab(sections: list, finish: str) -> solids.Part:
    """Drawn loft through upright superellipses: (z, x, y, half x, half y)."""
    skin = skins.loft([(at(x, y, z), a, b, 5.0) for z, x, y, a, b in sections], 40)
    return solids.drawn([skin], finish)


def cart() -> Model:
    """Foot, tower and head of the patient cart; the rails of the set-up joints stand before it."""
    foot = solids.box((0.72, 0.80, 0.030), at(0, -0.12, 0.050))
    tower = solids.box((0.30, 0.16, 1.20), at(0, -0.260, 0.70))
    spine = solids.box((0.14, 0.13, 1.36), at(0, -0.110, 0.78))
    legs = [solids.box((0.10, 0.42, 0.030), at(s * 0.27, 0.32, 0.050)) for s in (-1, 1)]
    wheels = [
        solids.cylinder(0.032, 0.03, sp.transform(sp.axis_angle(sp.Y, math.pi / 2), (s * 0.27, y, 0.032))).painted(
            'rubber'
        )
        for s in (-1, 1)
        for y in (-0.45, 0.50)
    ]
    cover = slab(
        [
            (0.060, 0, -0.20, 0.33, 0.28),
            (0.085, 0, -0.20, 0.33, 0.28),
            (0.22, 0, -0.23, 0.22, 0.16),
            (0.45, 0, -0.265, 0.165, 0.100),
            (1.10, 0, -0.265, 0.155, 0.095),
            (1.32, 0, -0.255, 0.130, 0.085),
            (1.36, 0, -0.255, 0.110, 0.070),
        ],
        'white',
    )
    handle = skins.sweep(
        [
            sp.vec(0.20 * math.cos(q), -0.37 - 0.10 * math.sin(q), 1.02 + 0.05 * math.sin(q))
            for q in (math.pi * k / 16 for k in range(17))
        ],
        [0.014] * 17,
        14,
    )
    stripe = solids.box((0.012, 0.006, 0.60), at(0, -0.363, 0.78)).painted('blue')
    body = Body(
        'cart',
        np.eye(4),
        [foot.painted('dark'), tower.covered(), spine.painted('dark')] + [leg.painted('dark') for leg in legs],
        0.0,
        GREY,
        finish='dark',
        trim=wheels + [cover, solids.drawn([handle], 'dark'), stripe],
        passive=True,
        mesh_name='cart',
    )
    return Model('cart', 'Patient cart: foot, tower, head.', [body], mesh_folder='theatre')


def operating_table() -> Model:
    """Table with a phantom: a pad of silicone with bumps and a vessel."""
    top = TABLE_TOP
    board = solids.box((0.50, 1.10, 0.05), at(0, 0, top - 0.025))
    column = solids.box((0.26, 0.34, top - 0.11), at(0, 0.10, (top - 0.11) / 2 + 0.06))
    foot = solids.box((0.46, 0.80, 0.06), at(0, 0.10, 0.03))
    cushion = slab(
        [
            (top - 0.002, 0, 0, 0.245, 0.545),
            (top + 0.012, 0, 0, 0.250, 0.550),
            (top + 0.028, 0, 0, 0.243, 0.543),
            (top + 0.032, 0, 0, 0.225, 0.525),
        ],
        'dark',
    )
    rails = [solids.box((0.012, 0.60, 0.026), at(s * 0.264, 0.05, top - 0.025)).painted('steel') for s in (-1, 1)]
    table = Body(
        'operating table',
        np.eye(4),
        [board.painted('grey'), column.painted('white'), foot.painted('dark')],
        0.0,
        GREY,
        finish='grey',
        trim=[cushion] + rails,
        passive=True,
        friction=0.7,
    )
    base = top + 0.034
    plate = solids.box((0.36, 0.30, 0.012), at(0, 0, base + 0.006)).painted('white')
    pad = solids.box((0.24, 0.18, 0.018), at(0, 0, base + 0.021)).painted('silicone')
    organs = [
        solids.sphere(0.030, at(-0.055, 0.030, base + 0.022)).painted('wound'),
        solids.sphere(0.024, at(0.050, 0.045, base + 0.022)).painted('silicone'),
        solids.sphere(0.022, at(0.015, -0.045, base + 0.020)).painted('silicone'),
        solids.rod((-0.10, -0.02, base + 0.032), (0.10, 0.005, base + 0.032), 0.006).painted('wound'),
    ]
    # Between the ports and the cart, where the endoscope looks.
    parts = [p.moved(at(0, 0.10, 0)) for p in [plate, pad] + organs]
    phantom = Body('phantom', at(0, 0.10, base), parts, 0.0, WHITE, finish='white', passive=True, friction=0.7)
    return Model('operating_table', 'Operating table with a phantom.', [table, phantom], mesh_folder='theatre')


def viewer() -> np.ndarray:
    """Pose of HRSV in the console's frame, whose axes are the masters': x right, y ahead, z up."""
    # Columns of the masters' base frame in HRSV, as the dVRK's file has them.
    c, s = math.cos(VIEWER_TILT), math.sin(VIEWER_TILT)
    masters = np.array([[-1.0, 0.0, 0.0], [0.0, s, c], [0.0, c, -s]])
    return sp.transform(masters.T, EYES)


def master_base(left: bool) -> np.ndarray:
    """Pose of a master's base frame in the console's frame."""
    x, y, z = MASTER_IN_VIEWER
    return sp.transform(None, sp.point(viewer(), (x if left else -x, y, z)))


def console() -> Model:
    """Surgeon's console: foot with pedals, two columns, arm rest, beam above the masters, stereo viewer."""
    shoulder = master_base(True)[:3, 3]
    beam_z = shoulder[2] + 0.205
    parts = [
        solids.box((0.86, 0.70, 0.06), at(0, 0.42, 0.06)).painted('dark'),
        *[solids.box((0.09, 0.30, 1.20), at(s * 0.40, 0.66, 0.68)).painted('white') for s in (-1, 1)],
        solids.box((0.72, 0.30, 0.07), at(0, shoulder[1] + 0.03, beam_z)).painted('white'),
        solids.box((0.72, 0.06, 0.60), at(0, 0.80, 0.55)).painted('white'),
        solids.box((0.80, 0.10, 0.035), at(0, 0.02, 0.70)).painted('rubber'),
        *[solids.box((0.045, 0.62, 0.040), at(s * 0.40, 0.30, 0.685)).painted('dark') for s in (-1, 1)],
    ]
    away, up = viewer()[:3, 2], viewer()[:3, 1]
    eyes = np.array(EYES)
    face = np.column_stack([sp.X, -up, away])  # z along the look, right-handed
    # The picture comes over mirrors: the housing lies ahead of the eyes, above the hands.
    ahead = np.column_stack([-sp.X, sp.Z, sp.Y])
    sections = [
        (0.020, 0.035, 0.110, 0.040),
        (0.035, 0.040, 0.150, 0.060),
        (0.120, 0.060, 0.190, 0.090),
        (0.300, 0.090, 0.215, 0.110),
        (0.520, 0.110, 0.215, 0.120),
        (0.660, 0.110, 0.190, 0.105),
        (0.690, 0.110, 0.150, 0.080),
    ]
    hood = skins.loft([(sp.transform(ahead, eyes + sp.vec(0, y, z)), a, b, 4.0) for y, z, a, b in sections], 40)
    core = solids.box((0.36, 0.56, 0.14), at(0, eyes[1] + 0.36, eyes[2] + 0.09)).covered()
    sight = solids.box((0.124, 0.060, 0.060), sp.transform(face, eyes + 0.030 * away)).covered()
    neck = solids.box((0.24, 0.22, 0.08), at(0, 0.58, beam_z + 0.05)).painted('white')
    pads = [
        solids.drawn(
            [
                skins.loft(
                    [
                        (sp.transform(face, eyes + s * 0.032 * sp.X + d * away), r, r, 2.0)
                        for d, r in ((-0.010, 0.020), (-0.004, 0.026), (0.060, 0.030))
                    ],
                    24,
                )
            ],
            'rubber',
        )
        for s in (-1, 1)
    ]
    lenses = [
        solids.cylinder(0.017, 0.004, sp.transform(face, eyes + s * 0.032 * sp.X - 0.009 * away)).painted('glass')
        for s in (-1, 1)
    ]
    brow = solids.rod(eyes - 0.13 * sp.X + 0.085 * up, eyes + 0.13 * sp.X + 0.085 * up, 0.020).painted('rubber')
    pedals = [
        solids.box((0.10, 0.14, 0.022), sp.transform(sp.axis_angle(sp.X, 0.2), (x, 0.20, 0.115))).painted('steel')
        for x in (-0.26, -0.13, 0.0, 0.13, 0.26)
    ]
    stripe = solids.box((0.70, 0.006, 0.010), at(0, shoulder[1] - 0.122, beam_z)).painted('blue')
    body = Body(
        'console',
        np.eye(4),
        parts + [core, sight, neck],
        0.0,
        WHITE,
        finish='white',
        trim=[solids.drawn([hood], 'white')] + pads + lenses + [brow, stripe] + pedals,
        passive=True,
    )
    return Model('console', "Surgeon's console with a stereo viewer.", [body], mesh_folder='theatre')
