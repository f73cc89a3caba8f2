# SPDX-License-Identifier: BSD-3-Clause
"""Floating grippers of other kinds: forceps with pivoting jaws, and one whose three fingers have two links each."""

import functools
import math

import numpy as np

from . import gripper, skins, solids
from . import spatial as sp
from .adf import Body, Joint, Model

# Forceps: below the palm's frame, pivots of the jaws, and their pads, which are parallel with this gap at angle 0.
PIVOT, PIVOT_Z = 0.010, -0.020
GAP, PAD_TOP, PAD_BOTTOM = 0.0116, -0.070, -0.102
# Fingers: where they begin around the palm's axis, lengths of their links.
RING, RING_Z = 0.034, -0.015
NEAR_LINK, FAR_LINK = 0.045, 0.042
NEAR_RADIUS, FAR_RADIUS = 0.0055, 0.0050
# What they lift: radius of the ball and its foot; stands.
BALL, FOOT_RADIUS, FOOT = 0.026, 0.010, 0.031
CAN, CAN_HEIGHT = 0.022, 0.036
PIN_FOOT, PIN_RADIUS, PIN_TOP, PIN_BOTTOM = (0.024, 0.024, 0.008), 0.006, 0.030, -0.012
POST_RADIUS, POST = 0.012, 0.045
DISH_RADIUS, DISH = 0.018, 0.012
FRONT, BACK = -0.09, 0.07  # where things stand at the beginning and in the end, along y
BALL_X, CAN_X, PIN_XS = 0.07, 0.16, (-0.07, -0.14)


def jaw(side: float) -> list:
    """One jaw of the forceps: two rods and a pad."""
    pivot, elbow = (side * PIVOT, 0, PIVOT_Z), (side * 0.022, 0, -0.052)
    pad_x = side * (GAP / 2.0 + 0.003)
    pad = solids.box((0.006, 0.012, PAD_TOP - PAD_BOTTOM), sp.transform(None, (pad_x, 0, (PAD_TOP + PAD_BOTTOM) / 2.0)))
    return [
        solids.rod(pivot, elbow, 0.0045).painted('steel'),
        solids.rod(elbow, (pad_x, 0, PAD_TOP - 0.006), 0.0038).painted('steel'),
        pad.painted('rubber'),
    ]


def wrist(z: float) -> list:
    """What stands on a palm, for looks: a ring and a short rod."""
    return [
        solids.cylinder(0.0166, 0.005, sp.transform(None, (0, 0, z))).painted('orange'),
        solids.cylinder(0.010, 0.034, sp.transform(None, (0, 0, z + 0.017))).painted('steel'),
    ]


def finish_gripper(name: str, summary: str, bodies: list, joints: list) -> Model:
    """A floating gripper that is held by its palm and weighs nothing."""
    bodies[0].controller = gripper.hold(bodies)
    model = Model(
        name,
        summary,
        bodies,
        joints,
        namespace=f'/ambf/env/{name}/',
        gravity=(0.0, 0.0, 0.0),
        ignore_inter_collision=True,
    )
    gripper.gripper_gains(model)
    return model


@functools.cache
def forceps() -> Model:
    """Build the forceps: both jaws swing about pivots in the palm."""
    palm = solids.box((0.050, 0.026, 0.030), sp.transform(None, (0, 0, -0.004)))

    def at(z):
        return sp.transform(None, (0, 0, z))

    cover = skins.loft(
        [
            (at(z), x, y, 4.5)
            for z, x, y in (
                (-0.026, 0.020, 0.008),
                (-0.023, 0.025, 0.011),
                (-0.006, 0.026, 0.0135),
                (0.010, 0.021, 0.0135),
                (0.014, 0.017, 0.012),
            )
        ]
    )
    pins = [
        solids.rod((s * PIVOT, -0.015, PIVOT_Z), (s * PIVOT, 0.015, PIVOT_Z), 0.003).painted('brass') for s in (-1, 1)
    ]
    elbows = {s: [solids.sphere(0.0046, sp.transform(None, (s * 0.022, 0, -0.052))).painted('steel')] for s in (-1, 1)}
    dark = (0.15, 0.16, 0.18)
    bodies = [
        Body(
            'palm',
            np.eye(4),
            [palm.covered()],
            0.25,
            (0.2, 0.35, 0.7),
            trim=[solids.drawn([cover], 'blue')] + pins + wrist(0.016),
        ),
        Body('left jaw', np.eye(4), jaw(-1.0), 0.05, dark, friction=1.0, trim=elbows[-1]),
        Body('right jaw', np.eye(4), jaw(1.0), 0.05, dark, friction=1.0, trim=elbows[1]),
    ]
    joints = [
        # Positive opens; below 0 the pads would meet.
        Joint('palm', 'left jaw', 'revolute', sp.vec(-PIVOT, 0, PIVOT_Z), sp.Y, (-0.20, 0.30)),
        Joint('palm', 'right jaw', 'revolute', sp.vec(PIVOT, 0, PIVOT_Z), -sp.Y, (-0.20, 0.30)),
    ]
    return finish_gripper('forceps', 'Floating forceps: two jaws that swing.', bodies, joints)


@functools.cache
def multi_link() -> Model:
    """Build the gripper with three fingers of two links each."""
    palm = solids.cylinder(0.036, 0.022, sp.transform(None, (0, 0, 0)))
    rim = solids.cylinder(0.0366, 0.006, sp.transform(None, (0, 0, 0.004)))
    bodies = [
        Body(
            'palm',
            np.eye(4),
            [palm.painted('blue')],
            0.30,
            (0.2, 0.35, 0.7),
            trim=[rim.painted('dark steel')] + wrist(0.013),
        )
    ]
    joints = []
    dark = (0.15, 0.16, 0.18)
    for k in range(3):
        angle = math.pi / 2.0 + 2.0 * math.pi * k / 3.0
        out = sp.vec(math.cos(angle), math.sin(angle), 0.0)
        opens = sp.vec(math.sin(angle), -math.cos(angle), 0.0)  # a turn about it takes what hangs down outwards
        knuckle, middle = RING * out + sp.vec(0, 0, RING_Z), RING * out + sp.vec(0, 0, RING_Z - NEAR_LINK)
        end = middle + sp.vec(0, 0, -FAR_LINK)
        near, far = f'near link {k + 1}', f'far link {k + 1}'
        bodies += [
            Body(
                near,
                np.eye(4),
                [solids.rod(knuckle, middle, NEAR_RADIUS).painted('steel')],
                0.04,
                dark,
                friction=1.0,
                trim=[
                    solids.rod(p - 0.008 * opens, p + 0.008 * opens, 0.0062).painted('dark steel')
                    for p in (knuckle, middle)
                ],
            ),
            Body(
                far,
                np.eye(4),
                [
                    solids.rod(middle, end, FAR_RADIUS).painted('rubber'),
                    solids.sphere(FAR_RADIUS, sp.transform(None, end)).painted('rubber'),
                ],
                0.025,
                dark,
                friction=1.0,
            ),
        ]
        joints += [
            Joint('palm', near, 'revolute', knuckle, opens, (-0.25, 0.60)),
            Joint(near, far, 'revolute', middle, opens, (-0.60, 0.15)),
        ]
    return finish_gripper(
        'multi_link_gripper', 'Floating gripper with three fingers of two links each.', bodies, joints
    )


def pin(finish: str) -> list:
    """A round stem on a square foot."""
    foot = sp.transform(None, (0, 0, PIN_BOTTOM + PIN_FOOT[2] / 2.0))
    low = PIN_BOTTOM + PIN_FOOT[2]
    stem = sp.transform(None, (0, 0, (low + PIN_TOP) / 2.0))
    return [
        solids.box(PIN_FOOT, foot).painted('dark'),
        solids.cylinder(PIN_RADIUS, PIN_TOP - low, stem).painted(finish),
    ]


def stand(x: float, y: float, radius: float, height: float) -> solids.Part:
    """Round post that something stands on; it collides as the box inside it, on which things stand still."""
    t = sp.transform(None, (x, y, height / 2.0))
    part = solids.cylinder(radius, height, t)
    side = math.sqrt(2.0) * radius
    part.shapes = [solids.Shape('BOX', {'x': side, 'y': side, 'z': height}, t)]
    return part


@functools.cache
def objects() -> Model:
    """Build what the grippers lift, and where it belongs; the base frame is the middle of the plate's underside."""
    plate = 0.006
    posts, rims = [], []
    for y in (FRONT, BACK):
        for x, radius, height in (
            (BALL_X, POST_RADIUS, POST),
            (CAN_X, POST_RADIUS, POST),
            *((x, DISH_RADIUS, DISH) for x in PIN_XS),
        ):
            posts.append(stand(x, y, radius, height).painted('grey' if y == FRONT else 'dark steel'))
            ring = sp.transform(None, (x, y, height - 0.0022))
            rims.append(
                solids.tube(radius, radius + 0.0015, 0.004, ring).painted('brass' if y == BACK else 'dark steel')
            )
    base = solids.box((0.44, 0.24, plate), sp.transform(None, (0, -0.01, plate / 2.0)))
    ball_pose = sp.transform(None, (BALL_X, FRONT, POST + FOOT + 0.0003))
    can_pose = sp.transform(None, (CAN_X, FRONT, POST + CAN_HEIGHT / 2.0 + 0.0003))
    foot = solids.cylinder(FOOT_RADIUS, FOOT, sp.transform(None, (0, 0, -FOOT / 2.0)))
    bodies = [
        Body('stands', np.eye(4), [base.painted('wood')] + posts, 0.0, (0.5, 0.5, 0.5), friction=0.7, trim=rims),
        Body(
            'ball',
            ball_pose,
            [p.moved(ball_pose) for p in (solids.sphere(BALL).painted('orange'), foot.painted('dark'))],
            0.10,
            (0.9, 0.4, 0.1),
            friction=0.7,
            restitution=0.0,
            damping=(0.1, 0.3),
            rolling_friction=0.0,
        ),
        Body(
            'can',
            can_pose,
            [solids.cylinder(CAN, CAN_HEIGHT).moved(can_pose).painted('blue')],
            0.10,
            (0.1, 0.3, 0.7),
            friction=0.7,
            restitution=0.0,
            damping=(0.1, 0.3),
            rolling_friction=0.0,
            trim=[
                solids.cylinder(CAN + 0.0004, 0.003, can_pose @ sp.transform(None, (0, 0, z))).painted('white')
                for z in (-0.010, 0.010)
            ],
        ),
    ]
    for k, x in enumerate(PIN_XS):
        pose = sp.transform(None, (x, FRONT, DISH - PIN_BOTTOM + 0.0003))
        bodies.append(
            Body(
                f'pin {k + 1}',
                pose,
                [p.moved(pose) for p in pin('yellow' if k else 'orange')],
                0.04,
                (0.9, 0.7, 0.1),
                friction=0.7,
                restitution=0.0,
                damping=(0.1, 0.3),
                rolling_friction=0.0,
            )
        )
    return Model('grasping', 'Things to be lifted, and stands for them.', bodies, namespace='/ambf/env/grasping/')
