# SPDX-License-Identifier: BSD-3-Clause
"""The part that PSM and ECM share: a double parallelogram with its remote centre on the tool axis.

Base frame = the dVRK's DH base frame, its origin is the remote centre O: z up, tool along -z, yaw
axis -y, pitch axis -x. The arm stands on the -y side: the dVRK's set-up joints end 0.4864 m (PSM)
and 0.6126 m (ECM) behind O, along -y of this frame (suj-simulated.json of sawIntuitiveResearchKit
2.4; its PSM_Si_physical.json says the same of the links). Positive pitch therefore leans the top of
the tool away from the stand.

Shapes are written in the stand's frame, the base frame turned half about z: y leads back to the
stand. Cranks turn about A and F of the yaw link; with the crank vector c the bottom link joins
B = A + c and E = O + c for any A, and the end link, parallel to the cranks by the second
parallelogram (offset t), turns about O exactly. A loop is singular where c is parallel to F - A, or
t to E - B.
"""

import dataclasses
import math

import numpy as np

from . import arm_looks as looks
from . import solids
from . import spatial as sp
from .adf import Body, Joint

# In the stand's frame; in the base frame both point along the negative axes.
YAW_AXIS = sp.Y
PITCH_AXIS = sp.X
STAND = sp.transform(sp.axis_angle(sp.Z, math.pi))


@dataclasses.dataclass
class Dimensions:
    """Lengths [m] and masses [kg] of a remote-centre arm; pairs are (y, z) of the stand's frame.

    A pitched arm folds towards the yaw axis and its own inertia about it shrinks up to twentyfold;
    the rotor behind its gear, which turns ratio times faster, does not.
    """

    back: tuple  # A, the back crank's pivot
    front: tuple  # F, the front crank's pivot
    crank: tuple  # crank vector c
    top: tuple  # offset t of the top link from the bottom link
    beam_top: float  # height of the end link's beam above O
    width: float  # width of the bars along x
    masses: dict
    yaw_armature: float  # of the yaw drive, at the joint [kg m^2]
    cannula: tuple  # inner and outer radius of the cannula at O
    color: tuple

    @property
    def wall(self) -> float:
        """Distance from O to the back of the mount, along the yaw axis."""
        return self.back[0] + 0.13


def si_dimensions(masses: dict, beam_top: float, width: float, cannula: tuple) -> Dimensions:
    """Linkage of PSM and ECM of the Si: pivots as in PSM_Si_physical.json of sawIntuitiveResearchKit 2.4.

    The pitch ranges over 2.57 rad; both loops are at right angles in the middle of that, so that they
    stay 0.27 rad and more away from where they would be singular.
    """
    a, c = np.array([0.33872, -0.0712]), np.array([0.0922, 0.1810])
    across = np.array([-c[1], c[0]]) / math.hypot(*c)
    up = np.array([-a[1], a[0]]) / math.hypot(*a)
    return Dimensions(
        back=tuple(a),
        front=tuple(a + 0.09 * across),
        crank=tuple(c),
        top=tuple(0.06 * up),
        beam_top=beam_top,
        width=width,
        masses=masses,
        yaw_armature=0.10,
        cannula=cannula,
        color=(0.84, 0.86, 0.88),
    )


def dh_frame(alpha: float, a: float, theta: float, d: float) -> np.ndarray:
    """Modified DH (Craig): Rx(alpha) Tx(a) Rz(theta) Tz(d)."""
    return (
        sp.transform(sp.axis_angle(sp.X, alpha))
        @ sp.transform(None, (a, 0.0, 0.0))
        @ sp.transform(sp.axis_angle(sp.Z, theta))
        @ sp.transform(None, (0.0, 0.0, d))
    )


def wrist_frames(rows: list) -> list:
    """Poses of the frames of modified DH rows (alpha, a, theta, d) at the zero pose."""
    out, pose = [], np.eye(4)
    for row in rows:
        pose = pose @ dh_frame(*row)
        pose[:3, :3] = sp.snap(pose[:3, :3])
        out.append(pose.copy())
    return out


def at(x: float, y: float, z: float) -> np.ndarray:
    """Point of the base frame."""
    return sp.vec(x, y, z)


def pin(p: np.ndarray, radius: float, half: float, towards: float) -> solids.Part:
    """Pin along x at `p` from x = towards - half to towards + half; a visual detail."""
    return (
        solids.rod(p + at(towards - half, 0, 0), p + at(towards + half, 0, 0), radius)
        .without_collision()
        .painted('steel')
    )


def linkage(dim: Dimensions, frames: list) -> tuple[list, list]:
    """Bodies and joints from the base to the end link, in the base frame; `frames` are the DH frames at zero.

    The yaw link and the links that stay parallel to it carry frame 1's axes; the cranks and the end
    link, which turn with pitch, carry frame 2's. The end link's origin is O itself.
    """
    frame1, frame2 = frames[0], frames[1]
    a, f = at(0, *dim.back), at(0, *dim.front)
    c, t = at(0, *dim.crank), at(0, *dim.top)
    b, g, e = a + c, f + c, c
    w, m = dim.width, dim.masses

    def body(name, frame, origin, parts, **options):
        pose = sp.transform(frame[:3, :3], origin)
        return Body(name, pose, parts, m[name], options.pop('color', dim.color), **options)

    crank_x, bottom_x = 1.6 * w, 0.55 * w
    dark, steel = (0.22, 0.23, 0.26), (0.62, 0.64, 0.68)
    white = {'finish': 'white'}
    wall = dim.wall - 0.055
    mount = solids.box((0.11, 0.05, 0.11), sp.transform(None, at(0, wall + 0.03, 0)))
    bearing = solids.rod(at(0, wall - 0.025, 0), at(0, wall + 0.006, 0), 0.042)
    bodies = [
        Body(
            'base link', np.eye(4), [mount, bearing.painted('steel')], 0.0, dark, finish='dark', trim=looks.mount(wall)
        ),
        body(
            'yaw link',
            frame1,
            a,
            [
                solids.box(
                    (1.6 * w, abs(a[1] - f[1]) + 0.075, 0.05), sp.transform(None, (a + f) / 2 + at(0, 0.005, 0))
                ).covered(),
                pin(a, 0.014, 0.7 * w, 1.3 * w),
                pin(f, 0.014, 0.7 * w, 1.3 * w),
            ],
            armature=dim.yaw_armature,
            trim=looks.shoulder(a, f, w),
            **white,
        ),
        body(
            'pitch back link',
            frame2,
            a,
            [
                solids.bar(a + at(crank_x, 0, 0), b + at(crank_x, 0, 0), 0.6 * w, 0.036),
                solids.bar(b + at(crank_x, 0, -0.01), b + t + at(crank_x, 0, 0.014), 0.6 * w, 0.032),
                pin(b, 0.010, 0.6 * w, 1.1 * w),
                pin(b + t, 0.010, 0.6 * w, 1.1 * w),
            ],
            trim=looks.crank([(a, 0.021), (b, 0.016), (b + t, 0.015)], crank_x, 0.3 * w),
            **white,
        ),
        body(
            'pitch bottom link',
            frame1,
            b,
            [
                solids.bar(b + at(bottom_x, 0.014, 0), e + at(bottom_x, -0.014, 0), 0.5 * w, 0.026),
                pin(e, 0.010, 0.5 * w, 0.3 * w),
            ],
            color=steel,
            passive=True,
            finish='dark steel',
            trim=looks.crank([(b, 0.014), (e, 0.014)], bottom_x, 0.25 * w),
        ),
        body(
            'pitch end link', frame2, at(0, 0, 0), end_link(dim, e), trim=looks.rail(e[1], e[2], dim.beam_top), **white
        ),
    ]
    supports = [
        body(
            'pitch front link',
            frame2,
            f,
            [solids.bar(f + at(crank_x, 0, 0), g + at(crank_x, 0, 0), 0.6 * w, 0.030), pin(g, 0.010, 0.6 * w, 1.1 * w)],
            passive=True,
            trim=looks.crank([(f, 0.018), (g, 0.015)], crank_x, 0.3 * w),
            **white,
        ),
        body(
            'pitch top link',
            frame1,
            b + t,
            [
                solids.bar(b + t + at(bottom_x, 0.012, 0), e + t + at(bottom_x, -0.012, 0), 0.5 * w, 0.020),
                pin(e + t, 0.009, 0.5 * w, 0.3 * w),
            ],
            color=steel,
            passive=True,
            finish='dark steel',
            trim=looks.crank([(b + t, 0.012), (e + t, 0.012)], bottom_x, 0.25 * w),
        ),
    ]
    chain = [
        Joint('base link', 'yaw link', 'revolute', at(0, dim.back[0], 0), YAW_AXIS),
        Joint('yaw link', 'pitch back link', 'revolute', a, PITCH_AXIS),
        Joint('pitch back link', 'pitch bottom link', 'revolute', b, PITCH_AXIS, passive=True),
        Joint('pitch bottom link', 'pitch end link', 'revolute', e, PITCH_AXIS, passive=True),
    ]
    loops = [
        Joint('yaw link', 'pitch front link', 'revolute', f, PITCH_AXIS, passive=True),
        Joint('pitch front link', 'pitch bottom link', 'revolute', g, PITCH_AXIS, passive=True),
        Joint('pitch back link', 'pitch top link', 'revolute', b + t, PITCH_AXIS, passive=True),
        Joint('pitch top link', 'pitch end link', 'revolute', e + t, PITCH_AXIS, passive=True),
    ]
    for one in bodies + supports:
        one.pose[:3, 3] = sp.point(STAND, one.pose[:3, 3])
        one.parts, one.trim = turned(one.parts), turned(one.trim)
    for joint in chain + loops:
        joint.pivot, joint.axis = sp.point(STAND, joint.pivot), sp.snap(STAND[:3, :3] @ joint.axis)
    return [bodies, supports], [chain, loops]


def turned(parts: list) -> list:
    """Parts of the stand's frame in the base frame."""
    return [part.moved(STAND) for part in parts]


def end_link(dim: Dimensions, e: np.ndarray) -> list:
    """Beam along the tool, with the arm that holds the cannula around O."""
    inner, outer = dim.cannula
    foot = e[2] - 0.018
    holder = at(0, outer + 0.004, 0.055)
    knee = at(0, e[1], foot)
    beam_y = e[1]
    beam = solids.box((0.030, 0.024, dim.beam_top - foot), sp.transform(None, at(0, beam_y, (dim.beam_top + foot) / 2)))
    cannula = solids.tube(inner, outer, 0.11, sp.transform(None, at(0, 0, 0.025)))
    cannula.shapes.append(
        solids.Shape('CYLINDER', {'radius': outer, 'height': 0.11, 'axis': 'Z'}, sp.transform(None, at(0, 0, 0.025)))
    )
    collar = solids.tube(outer - 0.0005, outer + 0.006, 0.016, sp.transform(None, at(0, 0, 0.055)))
    return [beam, solids.bar(knee, holder, 0.018, 0.016), cannula.painted('steel'), collar.painted('dark')]


def close(chain: list, loops: list, pitch_limits: tuple) -> None:
    """Limits of the passive joints: pitch's with a margin, so that pitch's own limit acts."""
    margin = 0.05
    low, high = pitch_limits[0] - margin, pitch_limits[1] + margin
    for joint in chain[2:4] + loops:
        # Joints to bodies that stay parallel to the yaw link count against pitch.
        follows = joint.child in ('pitch end link', 'pitch front link')
        joint.limits = (low, high) if follows else (-high, -low)
