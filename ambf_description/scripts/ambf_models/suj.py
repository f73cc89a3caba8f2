# SPDX-License-Identifier: BSD-3-Clause
"""Set-up joints of the Classic patient cart: four passive arms that carry PSM 1 to 3 and the ECM.

Frames are the dVRK's modified DH frames (suj-simulated.json of sawIntuitiveResearchKit 2.4): a lift, three
turns about vertical axes, and for the PSMs a turn about the forearm and one about the mount. The model's
frame is the foot of the cart: z up, y ahead, over the patient. The last body is the `base link` of the arm
that is carried; its frame is the remote centre, so the arm's base frame is the pose of that body, whatever
the set-up joints do.

The real joints are balanced and braked. Here they have no gravity and hold their position, three times as
stiff (in frequency) as the arms; a command moves them. Their ranges, all shapes and all masses are plausible.
"""

import dataclasses
import functools
import math

import numpy as np

from . import adf, ecm, gains, psm, skins, solids
from . import remote_centre_arm as rca
from . import spatial as sp
from .adf import Body, Joint, Model

HALF_PI = math.pi / 2.0
REACH = 0.4318  # of an arm that turns about a vertical axis
WHITE, GREY = (0.86, 0.87, 0.90), (0.35, 0.37, 0.42)

# Remote centre in the frame of the last joint, whose x is the base frame's y.
PSM_TIP = (0.4864, 0.0, 0.1524)
ECM_TIP = (0.6126, 0.0, 0.1016)
TIP_TURN = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


@dataclasses.dataclass(frozen=True)
class Setup:
    """One of the four; rows are (alpha, a, theta at zero, d), the first one slides."""

    name: str
    foot: tuple  # of the lift, in the frame of the cart
    turn: float
    rows: tuple
    tip: tuple
    driven: int  # joints that move; the rest stands at zero
    posture: tuple  # in the patient cart's world
    limits: tuple
    rail: tuple  # lower and upper end above the foot


def psm_rows(lift: float, first: float, drop: float) -> tuple:
    """Rows of a PSM's set-up joints."""
    return (
        (0.0, 0.0896, 0.0, 0.0),
        (0.0, 0.0, 0.0, lift),
        (0.0, first, 0.0, 0.1429),
        (0.0, REACH, HALF_PI, drop),
        (HALF_PI, 0.0, 0.0, 0.4089),
        (-HALF_PI, 0.0, -HALF_PI, -0.1029),
    )


ECM_ROWS = (
    (0.0, 0.0896, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.4166),
    (0.0, REACH, 0.0, 0.1429),
    (0.0, REACH, HALF_PI, -0.3459),
    (-math.pi / 4.0, 0.0, HALF_PI, 0.0),
    (0.0, -0.0667, 0.0, 0.0),
)
TURNS = ((-2.6, 2.6), (-2.6, 2.6), (-2.6, 2.6), (-1.0, 1.0), (-2.0, 2.0))

# Postures: remote centres 0.96 m above the floor, 0.11 m to either side of the endoscope's, tools leaning
# towards each other; PSM3 beside PSM2.
SETUPS = {
    'psm1': Setup(
        'psm1',
        (-0.1016, -0.1016, 0.43),
        math.pi,
        psm_rows(0.4166, REACH, -0.1302),
        PSM_TIP,
        6,
        (-0.0285, -0.1952, -1.9503, 0.5747, -0.28, -0.6523),
        ((-0.15, 0.40),) + TURNS,
        (-0.36, 0.52),
    ),
    'psm2': Setup(
        'psm2',
        (0.1016, -0.1016, 0.43),
        0.0,
        psm_rows(0.4166, REACH, -0.1302),
        PSM_TIP,
        6,
        (-0.0285, 0.1952, 1.9503, -0.5747, 0.28, 0.6523),
        ((-0.15, 0.40),) + TURNS,
        (-0.36, 0.52),
    ),
    'psm3': Setup(
        'psm3',
        (0.0, 0.0, 0.1264),
        HALF_PI,
        psm_rows(0.3404, 0.5842, 0.2571),
        PSM_TIP,
        6,
        (-0.0599, -0.8981, 0.5216, 0.1752, 0.2, 1.7761),
        ((-0.08, 0.15),) + TURNS,
        (-0.06, 0.24),
    ),
    'ecm': Setup(
        'ecm',
        (0.0, 0.0, 0.43),
        HALF_PI,
        ECM_ROWS,
        ECM_TIP,
        4,
        (0.6706, 0.7142, -1.4284, -2.4274, 0.0, 0.0),
        ((0.45, 0.95), (-2.6, 2.6), (-2.6, 2.6), (-3.1, 0.0)),
        (0.12, 1.05),
    ),
}


def frames(setup: Setup, q: tuple | None = None) -> list:
    """Poses in the cart's frame: the foot, the six DH frames, the remote centre."""
    q = setup.posture if q is None else q
    pose = sp.transform(sp.axis_angle(sp.Z, setup.turn), setup.foot)
    out = [pose]
    for k, (alpha, a, theta, d) in enumerate(setup.rows):
        pose = pose @ rca.dh_frame(alpha, a, theta + (q[k] if k else 0.0), d + (0.0 if k else q[0]))
        out.append(pose)
    return out + [pose @ sp.transform(TIP_TURN, setup.tip)]


def at(x: float, y: float, z: float) -> np.ndarray:
    """Point of a link's frame."""
    return sp.vec(x, y, z)


def tube(start, end, radius: float, finish: str = 'white') -> solids.Part:
    """Round link."""
    return solids.rod(start, end, radius).painted(finish)


def beam(length: float, z: float, root: float, end: float) -> solids.Part:
    """Flat arm along x that is drawn as a rounded, tapering cover."""
    box = solids.box((length, 0.090, 0.070), sp.transform(None, (length / 2, 0, z)))
    # Sections lie across x: their own x is the link's -z, so that z of the frame points along.
    along = np.column_stack([-sp.Z, sp.Y, sp.X])
    sections = []
    for s in (0.0, 0.05, 0.3, 0.7, 0.95, 1.0):
        w = root + (end - root) * s
        shrink = 0.85 if s in (0.0, 1.0) else 1.0
        sections.append((sp.transform(along, (length * s, 0, z)), 0.038 * shrink, w * shrink, 4.0))
    return dataclasses.replace(box, skins=[skins.loft(sections)], finish='white')


def cap(z: float, x: float, radius: float) -> list:
    """Cover of a joint with a blue ring."""
    return [
        tube(at(x, 0, z), at(x, 0, z + 0.012), radius, 'dark'),
        tube(at(x, 0, z - 0.008), at(x, 0, z - 0.003), radius + 0.002, 'blue'),
    ]


def lift(setup: Setup) -> tuple[list, list]:
    """Carriage on the rail and the mast that carries the arms."""
    top = setup.rows[1][3]
    # PSM3's is down at the foot of the cart.
    low = 0.03 if setup.name == 'psm3' else -0.075
    box = solids.box((0.060, 0.086, 0.150), sp.transform(None, (-0.020, 0, low + 0.075))).painted('grey')
    return [box, tube(at(0, 0, low + 0.025), at(0, 0, top - 0.034), 0.040)], [
        tube(at(0, 0, top - 0.050), at(0, 0, top - 0.034), 0.043, 'dark')
    ]


def arm1(setup: Setup) -> tuple[list, list]:
    """First arm, with the joint of the second one at its end."""
    reach, rise = setup.rows[2][1], setup.rows[2][3]
    hubs = [tube(at(0, 0, -0.030), at(0, 0, 0.075), 0.052), tube(at(reach, 0, 0), at(reach, 0, rise - 0.042), 0.050)]
    return [beam(reach, 0.030, 0.050, 0.044)] + hubs, cap(0.075, 0.0, 0.046)


def arm2(setup: Setup) -> tuple[list, list]:
    """Second arm; its far end reaches down, or up, to the next joint."""
    reach, drop = setup.rows[3][1], setup.rows[3][3]
    low, high = (drop + 0.055, 0.040) if drop < 0 else (-0.040, drop - 0.055)
    hubs = [tube(at(0, 0, -0.040), at(0, 0, 0.050), 0.050), tube(at(reach, 0, low), at(reach, 0, high), 0.046)]
    return [beam(reach, 0.005, 0.048, 0.044)] + hubs, cap(0.050, 0.0, 0.044)


def elbow(setup: Setup) -> tuple[list, list]:
    """Joint at the end of the second arm, with the bearing of the forearm ahead (-y)."""
    hub = tube(at(0, 0, -0.050), at(0, 0, 0.052), 0.046)
    return [hub, tube(at(0, 0, 0), at(0, -0.105, 0), 0.042)], [tube(at(0, -0.098, 0), at(0, -0.103, 0), 0.044, 'blue')]


def forearm(setup: Setup) -> tuple[list, list]:
    """Tube that turns about itself (z), and the joint of the mount across its end."""
    length = setup.rows[4][3]
    return [
        tube(at(0, 0, 0.108 - length), at(0, 0, -0.02), 0.038),
        tube(at(0, -0.050, 0), at(0, 0.030, 0), 0.044),
    ], [tube(at(0, 0.030, 0), at(0, 0.040, 0), 0.038, 'dark')]


LINKS = [
    ('setup lift link', lift, 12.0),
    ('setup arm1 link', arm1, 8.0),
    ('setup arm2 link', arm2, 7.0),
    ('setup elbow link', elbow, 3.0),
    ('setup forearm link', forearm, 4.0),
]


def column(setup: Setup, pose: np.ndarray) -> Body:
    """Rail that the lift slides on; it stands still."""
    low, high = setup.rail
    rail = solids.box((0.060, 0.060, high - low), sp.transform(None, (0, 0, (high + low) / 2)))
    strip = [
        solids.box((0.008, 0.010, high - low - 0.02), sp.transform(None, (0.032, y, (high + low) / 2)))
        for y in (-0.018, 0.018)
    ]
    parts, trim = [p.moved(pose) for p in [rail]], [p.moved(pose).painted('steel') for p in strip]
    name = f'column_{setup.name}'
    return Body('setup column link', pose, parts, 0.0, GREY, finish='grey', trim=trim, mesh_name=name, passive=True)


def bracket(setup: Setup, chain: list) -> list:
    """What ties the last joint to the mount of the arm, in the arm's base frame."""
    if setup.driven == 6:
        y = -setup.tip[0]
        back = -psm.CLASSIC.wall
        return [
            tube(at(0, y, -0.172), at(0, y, -0.105), 0.044),
            solids.box((0.080, y - back + 0.02, 0.045), sp.transform(None, (0, (y + back - 0.02) / 2, -0.150))).painted(
                'white'
            ),
            solids.box((0.090, 0.046, 0.130), sp.transform(None, (0, back + 0.025, -0.110))).painted('white'),
        ]
    joint = sp.inverse(chain[7]) @ chain[4]
    axis, place = joint[:3, 2], joint[:3, 3]
    back = at(0, 0.02 - ecm.DIMENSIONS['Classic'].wall, 0)
    knee = place - 0.03 * axis
    return [
        tube(place + 0.052 * axis, place - 0.070 * axis, 0.048),
        tube(knee, back, 0.044),
    ]


def base_link(setup: Setup, arm: Model, chain: list) -> Body:
    """Base link of the arm with the bracket that hangs it on the set-up joints, in the arm's base frame."""
    old = arm.body('base link')
    kind = 'ecm' if setup.name == 'ecm' else 'psm'
    return dataclasses.replace(
        old, parts=old.parts + bracket(setup, chain), mass=4.0, mesh_name=f'{kind}_base_link', mesh_folder='suj'
    )


def linkage(setup: Setup) -> tuple[list, list]:
    """Bodies and joints up to the one that carries the arm."""
    chain = frames(setup)
    bodies, joints = [column(setup, chain[0])], []
    names = ['setup column link'] + [name for name, _, _ in LINKS[: setup.driven - 1]] + ['base link']
    for k, (name, shape, mass) in enumerate(LINKS[: setup.driven - 1]):
        pose = chain[k + 1]
        parts, trim = ([p.moved(pose) for p in some] for some in shape(setup))
        kind = 'ecm' if setup.name == 'ecm' else 'psm3' if setup.name == 'psm3' else 'psm'
        mesh = f'{name.split()[1]}_{kind if k < 3 else "psm"}'
        bodies.append(Body(name, pose, parts, mass, WHITE, finish='white', trim=trim, mesh_name=mesh))
    for k in range(setup.driven):
        joint = Joint(
            names[k],
            names[k + 1],
            'prismatic' if k == 0 else 'revolute',
            chain[k + 1][:3, 3],
            chain[k + 1][:3, 2],
            setup.limits[k],
            start=setup.posture[k],
        )
        if k == 0:
            joint.pivot = joint.pivot - setup.posture[0] * joint.axis
        joints.append(joint)
    return bodies, joints


@functools.cache
def carry(name: str, alone: bool = False) -> Model:
    """Set-up joints with the arm that they carry, or alone with its base link, in the cart's frame."""
    setup = SETUPS[name]
    chain = frames(setup)
    arm = ecm.make() if name == 'ecm' else psm.make()
    if alone:
        arm = dataclasses.replace(arm, bodies=[arm.body('base link')], joints=[], blocks={})
    base = base_link(setup, arm, chain)
    placed = adf.moved(dataclasses.replace(arm, bodies=[base] + arm.bodies[1:]), chain[7])
    bodies, joints = linkage(setup)
    what = f'the {name.upper()}' if alone else f'the {name.upper()}, which it carries'
    model = Model(
        f'suj_{name}',
        f'Set-up joints of {what}: a lift and {setup.driven - 1} turns, balanced and held.',
        bodies + placed.bodies,
        joints + placed.joints,
        namespace=f'/ambf/env/suj_{name}/' if alone else f'/ambf/env/{name}/',
        gravity=(0.0, 0.0, 0.0),
        ignore_inter_collision=True,
        holds_position=True,
        mesh_folder='suj',
        blocks=placed.blocks,
    )
    gains.set_gains(model)
    for joint in joints:
        gains.stiffen(joint, 3.0)  # brakes
    return model


def all_models() -> list:
    """The four of them without arms."""
    return [carry(name, alone=True) for name in SETUPS]
