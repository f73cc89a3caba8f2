# SPDX-License-Identifier: BSD-3-Clause
"""Endoscopic camera manipulators, Classic and Si: remote-centre arm with an endoscope, 4 DOF.

Modified DH of the dVRK: insertion offset 0.3822, scope 0.3829, the same for both. The crank vector
(0.103, 0.287) and the 0.340 m pivot are those of the dVRK's Classic ECM. Endoscopes look straight
ahead, or 30 degrees up or down; they weigh what sawIntuitiveResearchKit 2.4 uses (HD: 2.5 kg on the
Classic, 1.8 kg on the Si).

An endoscope is exchanged in a running world like a tool (tools.py): `remove` the body `tool link`,
`load_model` tools/endoscope_*.yaml at the pose of `main insertion link`.
"""

import dataclasses
import functools
import math

from . import gains, skins, solids
from . import remote_centre_arm as rca
from . import spatial as sp
from .adf import Body, Joint, Model, moved, vector

HALF_PI = math.pi / 2.0

# Insertion in the file's pose: zero is out of the Si's range.
START = {'Classic': 0.0, 'Si': 0.001}

LIMITS = {
    'Classic': {
        'yaw': (-1.5708, 1.5708),
        'pitch': (-0.76794, 1.1344),
        'insertion': (0.0, 0.255),
        'roll': (-1.552, 1.552),
    },
    'Si': {'yaw': (-2.964, 2.964), 'pitch': (-1.10, 1.04), 'insertion': (0.001, 0.259), 'roll': (-1.54, 1.54)},
}

DIMENSIONS = {
    'Classic': rca.Dimensions(
        back=(0.440, 0.0),
        front=(0.340, 0.0),
        crank=(0.103, 0.287),
        top=(0.0, 0.06),
        beam_top=0.47,
        width=0.040,
        masses={  # plausible
            'yaw link': 3.2,
            'pitch back link': 0.9,
            'pitch front link': 0.8,
            'pitch bottom link': 0.8,
            'pitch top link': 0.6,
            'pitch end link': 1.6,
        },
        yaw_armature=0.30,
        cannula=(0.0063, 0.0085),
        color=(0.84, 0.86, 0.88),
    ),
    'Si': rca.si_dimensions(
        # ECM_Si_physical.json of sawIntuitiveResearchKit 2.4, as for the PSM.
        {
            'yaw link': 1.003,
            'pitch back link': 1.391,
            'pitch front link': 0.25,
            'pitch bottom link': 1.792,
            'pitch top link': 0.25,
            'pitch end link': 1.845,
        },
        beam_top=0.47,
        width=0.034,
        cannula=(0.0063, 0.0085),
    ),
}


def rows(generation: str) -> list:
    """Modified DH rows (alpha, a, theta, d) in the file's pose."""
    return [
        (HALF_PI, 0.0, HALF_PI, 0.0),
        (-HALF_PI, 0.0, -HALF_PI, 0.0),
        (HALF_PI, 0.0, 0.0, START[generation] - 0.3822),
        (0.0, 0.0, 0.0, 0.3829),
    ]


# Of the view about the picture's x axis [rad].
VIEWS = {'straight': 0.0, 'up': -math.radians(30.0), 'down': math.radians(30.0)}
MASS = {'Classic': 2.5, 'Si': 1.8}


def camera_head(top, tip, angle: float) -> list:
    """Lofted head, its cable, and the two lenses at the scope's end; `angle` tilts the lenses."""
    up = sp.transform
    head = skins.loft(
        [
            (up(None, top + sp.vec(0, 0, 0.030)), 0.022, 0.022, 2.5),
            (up(None, top + sp.vec(0, 0, 0.040)), 0.031, 0.031, 3.5),
            (up(None, top + sp.vec(0, 0, 0.095)), 0.031, 0.031, 3.5),
            (up(None, top + sp.vec(0, 0, 0.120)), 0.022, 0.022, 2.5),
            (up(None, top + sp.vec(0, 0, 0.126)), 0.012, 0.012, 2.0),
        ]
    )
    band = solids.cylinder(0.0315, 0.006, up(None, top + sp.vec(0, 0, 0.062)))
    curve = [top + sp.vec(0, -0.10 * s * s, 0.12 + 0.10 * s - 0.05 * s * s) for s in (k / 10.0 for k in range(11))]
    cable = skins.sweep(curve, [0.0045] * len(curve), 14)
    # Up in the picture is -y of the base frame: a lens that looks up shows on that side.
    tilt = sp.axis_angle(sp.X, angle)
    lenses = [
        solids.cylinder(0.0016, 0.0008, up(tilt, tip + sp.vec(x, 0.004 * math.sin(angle), -0.0002)))
        for x in (-0.0025, 0.0025)
    ]
    return [solids.drawn([head], 'dark'), band.painted('blue'), solids.drawn([cable], 'rubber')] + [
        lens.painted('glass') for lens in lenses
    ]


def cameras(view: str) -> dict:
    """Stereo pair at the tip.

    The picture's axes in the tool frame: Rz(-90 degrees), then the view's angle about x; x is left, y is up,
    z is away.
    """
    axes = sp.axis_angle(sp.Z, -HALF_PI) @ sp.axis_angle(sp.X, VIEWS[view])
    left, up, away = sp.snap(axes).T
    out = {}
    for side, shift in (('left', 0.0025), ('right', -0.0025)):
        place = shift * left + 0.002 * away
        target = place + 0.098 * away
        out[f'CAMERA endoscope {side}'] = {
            'name': f'endoscope_{side}',
            'namespace': 'cameras/',
            'parent': 'BODY tool link',
            'location': vector(place),
            'look at': vector(target),
            'up': vector(up),
            'clipping plane': {'near': 0.001, 'far': 5.0},
            'field view angle': 1.05,
            'visible': False,
            'publish image': True,
            'publish image interval': 1,
            'publish image resolution': {'width': 640, 'height': 480},
        }
    return {'cameras': out}


def scope(view: str, generation: str, frames: list) -> tuple[Body, Joint]:
    """Endoscope with its camera head, and the joint that it rolls in."""
    top, tip = frames[2][:3, 3], frames[3][:3, 3]
    head = solids.cylinder(0.028, 0.090, sp.transform(None, top + sp.vec(0, 0, 0.076)))
    shaft = solids.rod(tip, top - sp.vec(0, 0, 0.03), 0.0058)
    body = Body(
        'tool link',
        frames[3],
        [shaft.painted('steel'), head.painted('dark')],
        MASS[generation],
        (0.20, 0.20, 0.22),
        armature=5.0e-4,
        trim=camera_head(top, tip, VIEWS[view]),
        mesh_name='endoscope' if view == 'straight' else f'endoscope_{view}',
    )
    return body, Joint('main insertion link', 'tool link', 'revolute', top, -sp.Z, LIMITS[generation]['roll'])


def carriage(frames: list) -> Body:
    """What slides on the arm and carries the endoscope."""
    top = frames[2][:3, 3]
    box = solids.box((0.060, 0.150, 0.060), sp.transform(None, top + sp.vec(0, 0.016, 0)))
    return Body('main insertion link', frames[2], rca.turned([box]), 0.7, (0.25, 0.26, 0.30), finish='grey')


@functools.cache
def make(generation: str = 'Classic') -> Model:
    """Build an ECM with its base frame (the remote centre) at the origin."""
    frames = rca.wrist_frames(rows(generation))
    limits = LIMITS[generation]
    (bodies, supports), (chain, loops) = rca.linkage(DIMENSIONS[generation], frames)
    rca.close(chain, loops, limits['pitch'])
    chain[0].limits, chain[1].limits = limits['yaw'], limits['pitch']
    slide = Joint('pitch end link', 'main insertion link', 'prismatic', frames[2][:3, 3], -sp.Z, limits['insertion'])
    slide.start = START[generation]
    endoscope, roll = scope('straight', generation, frames)
    name = 'ecm' if generation == 'Classic' else 'ecm_si'
    model = Model(
        name,
        f'Endoscopic camera manipulator ({generation}): remote centre by a double parallelogram.',
        bodies + [carriage(frames), dataclasses.replace(endoscope, mesh_folder='tools')] + supports,
        chain + [slide, roll] + loops,
        namespace=f'/ambf/env/{name}/',
        gravity=(0.0, 0.0, 0.0),
        ignore_inter_collision=True,
        holds_position=True,
        blocks=cameras('straight'),
    )
    gains.set_gains(model)
    return model


@functools.cache
def endoscope(view: str, generation: str) -> Model:
    """Model of an endoscope alone, in the frame of the carriage that it hangs on."""
    frames = rca.wrist_frames(rows(generation))
    body, roll = scope(view, generation, frames)
    model = Model(
        f'endoscope_{generation.lower()}_{view}',
        f'{generation}_HD_{view.upper()}, an endoscope to be loaded below an arm (tools.py says how).',
        [dataclasses.replace(carriage(frames), mass=0.0), body],
        [roll],
        gravity=(0.0, 0.0, 0.0),
        ignore_inter_collision=True,
        holds_position=True,
        mesh_folder='tools',
        blocks=cameras(view),
    )
    gains.set_gains(model)
    model = moved(model, sp.inverse(frames[2]))
    model.outside = [model.bodies.pop(0)]
    return model


def endoscopes() -> list:
    """Every endoscope of both generations."""
    return [endoscope(view, generation) for generation in ('Classic', 'Si') for view in VIEWS]
