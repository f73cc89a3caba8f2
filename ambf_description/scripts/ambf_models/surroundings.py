# SPDX-License-Identifier: BSD-3-Clause
"""Floor, table, stands for the arms, a ball, and things that fall."""

import math

import numpy as np

from . import skins, solids
from . import spatial as sp
from .adf import Body, Model

TABLE_TOP = 0.70
TABLE_SIZE = (0.50, 0.50, 0.030)


def primitive(name: str, part: solids.Part, position, mass: float, color, turn=None, **options) -> Body:
    """Body that is one primitive; with a `mesh_name` it is drawn with rounded edges."""
    pose = sp.transform(turn, position)
    return Body(
        name,
        pose,
        [part.moved(pose)],
        mass,
        color,
        shape=solids.Shape(part.shapes[0].kind, part.shapes[0].geometry, pose),
        **options,
    )


def floor() -> Model:
    """Slab with its top at z = 0: soft bodies and rays like a box better than a plane."""
    slab = Body(
        'floor',
        sp.transform(None, (0, 0, -0.05)),
        [solids.box((6.0, 6.0, 0.1), sp.transform(None, (0, 0, -0.05)))],
        0.0,
        (0.55, 0.57, 0.60),
        friction=0.8,
        passive=True,
        finish='floor',
    )
    return Model('floor', 'Floor with its top at z = 0.', [slab])


def table() -> Model:
    """Table; the base frame stands on the floor below its middle."""
    x, y, h = TABLE_SIZE
    top = [solids.box(TABLE_SIZE, sp.transform(None, (0, 0, TABLE_TOP - h / 2)))]
    leg = TABLE_TOP - h
    top += [
        solids.box((0.04, 0.04, leg), sp.transform(None, (sx * (x / 2 - 0.03), sy * (y / 2 - 0.03), leg / 2)))
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    shoes = [
        solids.box((0.046, 0.046, 0.02), sp.transform(None, (sx * (x / 2 - 0.03), sy * (y / 2 - 0.03), 0.010)))
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    aprons = [
        solids.box((x - 0.10, 0.016, 0.05), sp.transform(None, (0, s * (y / 2 - 0.03), leg - 0.025))) for s in (-1, 1)
    ]
    aprons += [
        solids.box((0.016, y - 0.10, 0.05), sp.transform(None, (s * (x / 2 - 0.03), 0, leg - 0.025))) for s in (-1, 1)
    ]
    return Model(
        'table',
        f'Table, top at z = {TABLE_TOP}.',
        [
            Body(
                'table',
                np.eye(4),
                [top[0].painted('wood')] + top[1:],
                0.0,
                (0.70, 0.66, 0.58),
                friction=0.7,
                passive=True,
                finish='grey',
                trim=[q.painted('rubber') for q in shoes] + aprons,
            )
        ],
    )


def stand(name: str, base: np.ndarray, wall: float) -> Body:
    """Column from the floor that carries an arm placed at `base`.

    `wall` is the distance from the arm's base frame to the back of its mount, along -y.
    """
    mount = sp.point(base, (0.0, 0.005 - wall, 0.0))
    outward = -base[:3, :3] @ sp.Y
    outward = np.array([outward[0], outward[1], 0.0])
    outward = outward / math.sqrt(float(np.dot(outward, outward)))
    head = mount + 0.12 * outward
    foot = sp.vec(head[0], head[1], 0.0)
    pose = sp.transform(None, foot)
    parts = [
        solids.rod(mount, head, 0.03),
        solids.rod(foot, head + sp.vec(0, 0, 0.03), 0.04),
        solids.box((0.28, 0.28, 0.03), sp.transform(None, foot + sp.vec(0, 0, 0.015))),
    ]
    return Body(name, pose, parts, 0.0, (0.35, 0.37, 0.42), passive=True, **column_looks(foot, head))


def column_looks(foot: np.ndarray, head: np.ndarray, half: float = 0.14) -> dict:
    """Finish and details of a column on a square foot: lofted base, collar, cap, screws, feet."""

    def at(z, x=0.0, y=0.0):
        return foot + sp.vec(x, y, z)

    flare = skins.loft(
        [
            (sp.transform(None, at(0.029)), 0.085, 0.085, 4.0),
            (sp.transform(None, at(0.034)), 0.080, 0.080, 4.0),
            (sp.transform(None, at(0.050)), 0.058, 0.058, 3.0),
            (sp.transform(None, at(0.080)), 0.046, 0.046, 2.4),
            (sp.transform(None, at(0.130)), 0.0415, 0.0415, 2.0),
        ]
    )
    collar = solids.rod(head - sp.vec(0, 0, 0.062), head - sp.vec(0, 0, 0.048), 0.0425)
    cap = solids.rod(head + sp.vec(0, 0, 0.026), head + sp.vec(0, 0, 0.036), 0.041)
    bolts = [at(0.030, sx * (half - 0.025), sy * (half - 0.025)) for sx in (-1, 1) for sy in (-1, 1)]
    return {
        'finish': 'grey',
        'trim': [
            solids.drawn([flare], 'grey'),
            collar.painted('blue'),
            cap.painted('dark'),
            solids.screws(bolts, sp.Z, 0.009),
        ],
    }


def hanger(base: np.ndarray, height: float) -> Model:
    """Column behind a master arm at `base`, and the beam it hangs from, `height` above that."""
    top = sp.point(base, (0.0, 0.05, height))
    head = sp.point(base, (0.0, 0.35, height))
    foot = sp.vec(head[0], head[1], 0.0)
    parts = [
        solids.rod(top, head, 0.03),
        solids.rod(foot, head + sp.vec(0, 0, 0.03), 0.04),
        solids.box((0.40, 0.40, 0.03), sp.transform(None, foot + sp.vec(0, 0, 0.015))),
    ]
    body = Body(
        'hanger',
        sp.transform(None, foot),
        parts,
        0.0,
        (0.35, 0.37, 0.42),
        passive=True,
        **column_looks(foot, head, 0.20),
    )
    return Model('stands', 'Column that carries the master arm.', [body])


def box_pile() -> Model:
    """200 boxes of 80 mm and 0.5 kg in eight layers, each turned against the one below."""
    side, gap = 0.080, 0.004
    part = solids.box((side, side, side))
    bodies = []
    for layer in range(8):
        angle = math.radians(6.0 * (layer % 3 - 1))
        turn = sp.axis_angle(sp.Z, angle)
        for k in range(25):
            i, j = k // 5 - 2, k % 5 - 2
            place = turn @ sp.vec(i * (side + gap), j * (side + gap), 0.0)
            place = place + sp.vec(0, 0, (layer + 0.5) * side + (layer + 1) * 0.002)
            shade = 0.45 + 0.05 * ((i + j) % 3)
            color = (0.85 - 0.06 * layer, shade, 0.25 + 0.06 * layer)
            bodies.append(primitive(f'box {25 * layer + k + 1:03d}', part, place, 0.5, color, turn, mesh_name='box'))
    return Model('box_pile', 'Pile of 200 boxes.', bodies, namespace='/ambf/env/boxes/')


def falling() -> Model:
    """Boxes, balls, cylinders and capsules above the floor, without touching."""
    kinds = [
        solids.box((0.09, 0.07, 0.06)),
        solids.sphere(0.04),
        solids.cylinder(0.035, 0.08),
        solids.capsule(0.03, 0.11),
    ]
    names = ['box', 'ball', 'cylinder', 'capsule']
    colors = [(0.85, 0.35, 0.20), (0.20, 0.55, 0.80), (0.35, 0.70, 0.35), (0.75, 0.60, 0.20)]
    bodies = []
    for k in range(24):
        kind = (k + k // 4) % 4
        place = (0.18 * (k % 3 - 1) + 0.01 * (k // 3), 0.18 * (k // 3 % 2) - 0.09, 0.30 + 0.16 * (k // 6))
        turn = sp.rpy(0.35 * k, 0.5 * k, 0.25 * k)
        bodies.append(
            primitive(
                f'{names[kind]} {k + 1}',
                kinds[kind],
                place,
                0.2 + 0.02 * kind,
                colors[kind],
                turn,
                friction=0.6,
                restitution=0.2,
                mesh_name=names[kind],
            )
        )
    return Model('falling', 'Two dozen bodies that fall.', bodies, namespace='/ambf/env/falling/')


def ball() -> Model:
    """Ball that falls and rolls: the smallest thing to load into a world."""
    body = primitive(
        'ball',
        solids.sphere(0.05),
        (0, 0, 0),
        0.2,
        (0.85, 0.45, 0.15),
        friction=0.5,
        restitution=0.3,
        damping=(0.0, 0.0),
    )
    return Model('ball', 'Ball of 0.2 kg that falls and rolls.', [body])


def fixed_ball() -> Model:
    """Fixed ball for the cloth to drape over."""
    body = primitive('ball', solids.sphere(0.09), (0, 0, 0), 0.0, (0.30, 0.45, 0.60), friction=0.5, passive=True)
    return Model('ball', 'Fixed ball.', [body], namespace='/ambf/env/cloth/')
