# SPDX-License-Identifier: BSD-3-Clause
"""Master tool manipulator: 7 DOF with a parallelogram at the elbow, and a two-lever gripper.

Standard DH of the dVRK's masters (upper arm 0.2794, forearm 0.3645, platform 0.1506; wrist roll offset
pi/2), the same for both sides. Base frame: origin at the shoulder, z up, x to the surgeon's right,
forearm along -y, towards the surgeon. Body frames are the DH frames. A crank on the shoulder axis and
a rod parallel to the upper arm close the loop with the forearm; the elbow joint is driven, so its
value is the DH joint value. Links of the left master are the mirror image of those of the right one,
and so are the ranges of yaw and platform. Masses are plausible: Wang et al. (RA-L 4(4), 2019) identify
sums of parameters of several links, not links.
"""

import dataclasses
import functools
import math

import numpy as np

from . import gains, skins, solids
from . import spatial as sp
from .adf import Body, Joint, Model

HALF_PI = math.pi / 2.0
UPPER, FOREARM, PLATFORM, CRANK = 0.2794, 0.3645, 0.1506, 0.101

DH = [  # alpha, a, d, theta at zero
    (HALF_PI, 0.0, 0.0, -HALF_PI),
    (0.0, UPPER, 0.0, -HALF_PI),
    (-HALF_PI, FOREARM, 0.0, HALF_PI),
    (HALF_PI, 0.0, PLATFORM, 0.0),
    (-HALF_PI, 0.0, 0.0, 0.0),
    (HALF_PI, 0.0, 0.0, -HALF_PI),
    (0.0, 0.0, 0.0, HALF_PI),
]

RIGHT = {
    'outer yaw': (-1.13446, 0.698132),
    'shoulder': (-0.31416, 1.13446),
    'elbow': (-0.872665, 0.610865),
    'platform': (-1.6580, 3.5779),
    'wrist pitch': (-1.6580, 3.2288),
    'wrist yaw': (-0.785398, 0.785398),
    'wrist roll': (-8.37758, 7.85398),
    'gripper': (0.0, 0.52),
}
LEFT = RIGHT | {'outer yaw': (-0.698132, 1.13446), 'shoulder': (-0.261799, 1.13446), 'platform': (-3.5779, 1.6580)}


def dh_frames() -> list:
    """Poses of the DH frames 0 to 7 at the zero pose: Rz(theta) Tz(d) Tx(a) Rx(alpha)."""
    out, pose = [np.eye(4)], np.eye(4)
    for alpha, a, d, theta in DH:
        pose = (
            pose
            @ sp.transform(sp.axis_angle(sp.Z, theta))
            @ sp.transform(None, (a, 0, d))
            @ sp.transform(sp.axis_angle(sp.X, alpha))
        )
        pose[:3, :3] = sp.snap(pose[:3, :3])
        out.append(pose.copy())
    return out


def p(x: float, y: float, z: float) -> np.ndarray:
    """Point of the base frame."""
    return sp.vec(x, y, z)


def arm_bodies(frames: list) -> list:
    """Panel, column, upper arm, forearm and the two links that close the loop."""
    white, grey, dark = (0.88, 0.88, 0.90), (0.60, 0.62, 0.66), (0.23, 0.24, 0.27)
    elbow = p(0, 0, -UPPER)
    wrist_base = p(0, -FOREARM, -UPPER)
    crank_end, rod_end = p(0, -CRANK, 0), p(0, -CRANK, -UPPER)
    shift = p(0.045, 0, 0)
    at = sp.transform
    panel = [
        solids.box((0.20, 0.16, 0.03), at(None, (0, 0.02, 0.155))),
        solids.cylinder(0.045, 0.04, at(None, (0, 0, 0.12))),
    ]
    column = [solids.cylinder(0.034, 0.07, at(None, (0, 0, 0.065))), solids.rod(p(-0.035, 0, 0), p(0.062, 0, 0), 0.028)]
    upper = [
        solids.bar(p(-0.024, 0, 0), elbow + p(-0.024, 0, 0), 0.024, 0.046),
        solids.rod(elbow + p(-0.036, 0, 0), elbow + p(0.014, 0, 0), 0.022),
    ]
    crank = [solids.bar(shift + p(0, 0.02, 0), shift + crank_end + p(0, -0.012, 0), 0.016, 0.030)]
    link = [solids.bar(shift + crank_end + p(0.014, 0, 0.010), shift + rod_end + p(0.014, 0, -0.010), 0.012, 0.020)]
    fore = [
        solids.bar(elbow + p(0, 0.03, 0), wrist_base + p(0, -0.012, 0), 0.026, 0.034),
        solids.rod(rod_end, rod_end + p(0.065, 0, 0), 0.009).without_collision(),
    ]
    return [
        Body('top panel', frames[0], panel, 0.0, dark, finish='dark'),
        Body(
            'outer yaw link',
            frames[1],
            [column[0], column[1].painted('steel')],
            1.0,
            grey,
            finish='grey',
            trim=[ring(p(0, 0, 0.086), p(0, 0, 0.090), 0.0355)],
        ),
        Body(
            'upper arm link',
            frames[2],
            [upper[0], upper[1].painted('dark')],
            0.8,
            white,
            finish='white',
            trim=bearing(p(-0.024, 0, 0), 0.012, 0.021) + bearing(elbow + p(-0.024, 0, 0), 0.014, 0.018),
        ),
        Body(
            'forearm link',
            frames[3],
            [fore[0], fore[1].painted('steel')],
            0.6,
            white,
            finish='white',
            trim=bearing(elbow, 0.013, 0.015)
            + [ring(wrist_base + p(0, 0.030, 0), wrist_base + p(0, 0.034, 0), 0.0195)],
        ),
        Body(
            'crank link',
            sp.transform(frames[1][:3, :3], p(0, 0, 0)),
            crank,
            0.20,
            grey,
            passive=True,
            finish='dark steel',
            trim=bearing(shift + crank_end, 0.008, 0.012),
        ),
        Body(
            'rod link',
            sp.transform(frames[2][:3, :3], crank_end),
            link,
            0.20,
            grey,
            passive=True,
            finish='dark steel',
            trim=bearing(shift + crank_end + p(0.014, 0, 0), 0.006, 0.008)
            + bearing(shift + rod_end + p(0.014, 0, 0), 0.006, 0.008),
        ),
    ]


def bearing(centre: np.ndarray, half: float, radius: float) -> list:
    """Discs on both faces of a bar whose pivot runs along x."""
    out = []
    for side in (-1.0, 1.0):
        face = centre + p(side * half, 0, 0)
        out += [
            solids.rod(face, face + p(side * 0.003, 0, 0), radius).painted('dark'),
            solids.rod(face, face + p(side * 0.004, 0, 0), 0.6 * radius).painted('steel'),
        ]
    return out


def ring(start: np.ndarray, end: np.ndarray, radius: float) -> solids.Part:
    """Coloured ring around a round link."""
    return solids.rod(start, end, radius).painted('blue')


def grip(c: np.ndarray) -> list:
    """Lofted handle around the roll axis, and the finger ring's knob."""
    along = sp.transform(sp.frame_along(p(0, -1, 0)))

    def at(y):
        return sp.transform(along[:3, :3], c + p(0, y, 0))

    handle = skins.loft(
        [
            (at(0.024), 0.0050, 0.0050, 2.0),
            (at(0.018), 0.0072, 0.0072, 2.2),
            (at(0.000), 0.0062, 0.0062, 2.2),
            (at(-0.018), 0.0070, 0.0070, 2.2),
            (at(-0.030), 0.0046, 0.0046, 2.0),
        ],
        20,
    )
    return [solids.drawn([handle], 'rubber'), ring(c + p(0, 0.030, 0), c + p(0, 0.033, 0), 0.0088)]


def wrist_bodies(frames: list) -> list:
    """Platform and the three brackets of the gimbal around the wrist centre, then the levers."""
    white, grey, dark = (0.88, 0.88, 0.90), (0.60, 0.62, 0.66), (0.15, 0.15, 0.17)
    base = p(0, -FOREARM, -UPPER)
    c = frames[7][:3, 3]
    rod = solids.rod
    # Platform: from the forearm's tip out and up to the pitch axis, which it meets at x = +0.075.
    platform = [
        solids.cylinder(0.020, 0.040, sp.transform(None, base + p(0, 0, 0.024))),
        rod(base + p(0, 0, 0.044), c + p(0.075, 0, -0.056), 0.010),
        rod(c + p(0.075, 0, -0.056), c + p(0.075, 0, 0.012), 0.010),
    ]
    # Pitch bracket: from the pitch axis at x = 0.06 round to the yaw axis below the centre.
    pitch = [
        rod(c + p(0.070, 0, 0), c + p(0.052, 0, 0), 0.009),
        rod(c + p(0.052, 0, 0.006), c + p(0.052, 0, -0.050), 0.006),
        rod(c + p(0.056, 0, -0.048), c + p(-0.006, 0, -0.048), 0.006),
    ]
    # Yaw bracket: from the yaw axis up behind the handle to the roll axis.
    yaw = [
        rod(c + p(0, 0, -0.046), c + p(0, 0, -0.034), 0.008),
        rod(c + p(0, -0.004, -0.036), c + p(0, 0.050, -0.036), 0.005),
        rod(c + p(0, 0.048, -0.040), c + p(0, 0.048, 0.006), 0.005),
    ]
    roll = [rod(c + p(0, 0.042, 0), c + p(0, 0.022, 0), 0.008), rod(c + p(0, 0.024, 0), c + p(0, -0.030, 0), 0.0045)]
    return [
        Body(
            'platform link',
            frames[4],
            platform,
            0.30,
            white,
            armature=2e-4,
            finish='white',
            trim=knees([c + p(0.075, 0, -0.056)], 0.0102)
            + [ring(base + p(0, 0, 0.036), base + p(0, 0, 0.040), 0.0204)],
        ),
        Body(
            'wrist pitch link',
            frames[5],
            pitch,
            0.15,
            grey,
            armature=1e-4,
            finish='steel',
            trim=knees([c + p(0.052, 0, 0), c + p(0.052, 0, -0.048)], 0.0068),
        ),
        Body(
            'wrist yaw link',
            frames[6],
            yaw,
            0.12,
            grey,
            armature=1e-4,
            finish='steel',
            trim=knees([c + p(0, 0.048, -0.036)], 0.0058),
        ),
        Body('wrist roll link', frames[7], roll, 0.10, dark, armature=8e-5, finish='dark', trim=grip(c)),
        Body('gripper left link', frames[7], lever(c, 1.0), 0.02, grey, armature=3e-5, finish='steel'),
        Body('gripper right link', frames[7], lever(c, -1.0), 0.02, grey, armature=3e-5, finish='steel'),
    ]


def knees(places: list, radius: float) -> list:
    """Balls where round bars meet."""
    return [solids.sphere(radius, sp.transform(None, q)) for q in places]


def lever_pivot(c: np.ndarray, side: float) -> np.ndarray:
    """Hinge of a gripper lever: beside the handle, at its rear end."""
    return c + p(side * 0.009, 0.016, 0)


def lever(c: np.ndarray, side: float) -> list:
    """Lever of the finger grip, closed along the handle."""
    start = lever_pivot(c, side)
    return [solids.box((0.004, 0.050, 0.012), sp.transform(None, start + p(0, -0.025, 0)))]


def mirrored(bodies: list) -> list:
    """Links of the left master: the frames stay, the shapes change sides; the levers are a pair already."""

    def other(body: Body) -> Body:
        parts, trim = [p.mirrored() for p in body.parts], [p.mirrored() for p in body.trim]
        return body if body.name.startswith('gripper') else dataclasses.replace(body, parts=parts, trim=trim)

    return [other(body) for body in bodies]


@functools.cache
def make(name: str = 'mtm') -> Model:
    """Build a master with its base frame (the shoulder) at the origin: 'mtml', 'mtmr', or 'mtm', which is the right."""
    frames = dh_frames()
    left = name == 'mtml'
    limits = LEFT if left else RIGHT
    elbow = p(0, 0, -UPPER)
    crank_end, rod_end = p(0, -CRANK, 0), p(0, -CRANK, -UPPER)
    axis = [f[:3, 2] for f in frames]
    names = [
        'top panel',
        'outer yaw link',
        'upper arm link',
        'forearm link',
        'platform link',
        'wrist pitch link',
        'wrist yaw link',
        'wrist roll link',
    ]
    keys = ['outer yaw', 'shoulder', 'elbow', 'platform', 'wrist pitch', 'wrist yaw', 'wrist roll']
    joints = [Joint(names[i], names[i + 1], 'revolute', frames[i][:3, 3], axis[i], limits[keys[i]]) for i in range(7)]
    c = frames[7][:3, 3]
    # Positive opens: the left lever's free end, ahead in -y, goes to +x by a turn about +z.
    joints += [
        Joint('wrist roll link', 'gripper left link', 'revolute', lever_pivot(c, 1.0), sp.Z, limits['gripper']),
        Joint('wrist roll link', 'gripper right link', 'revolute', lever_pivot(c, -1.0), -sp.Z, limits['gripper']),
    ]
    shoulder, bend = limits['shoulder'], limits['elbow']
    turn = (shoulder[0] + bend[0] - 0.05, shoulder[1] + bend[1] + 0.05)
    joints += [
        Joint('outer yaw link', 'crank link', 'revolute', p(0, 0, 0), axis[1], turn, passive=True),
        Joint(
            'crank link', 'rod link', 'revolute', crank_end, axis[1], (-bend[1] - 0.05, -bend[0] + 0.05), passive=True
        ),
        Joint('rod link', 'forearm link', 'revolute', rod_end, axis[1], (bend[0] - 0.05, bend[1] + 0.05), passive=True),
    ]
    assert np.allclose(elbow, frames[2][:3, 3])
    links = arm_bodies(frames) + wrist_bodies(frames)
    model = Model(
        name,
        f'Master tool manipulator ({"left" if left else "right"}): 7 DOF, parallelogram at the elbow, gripper.',
        mirrored(links) if left else links,
        joints,
        namespace=f'/ambf/env/{name}/',
        mesh_folder='mtml' if left else 'mtm',
        # The real master is gravity-compensated by its controller.
        gravity=(0.0, 0.0, 0.0),
        ignore_inter_collision=True,
    )
    gains.set_gains(model)
    return model
