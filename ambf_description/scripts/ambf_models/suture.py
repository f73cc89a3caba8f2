# SPDX-License-Identifier: BSD-3-Clause
"""Needle with a thread: a chain of capsules on six-dof springs, and two blocks to sew."""

import math

import numpy as np

from . import solids
from . import spatial as sp
from .adf import Body, Joint, Model

NEEDLE_RADIUS, NEEDLE_TUBE, NEEDLE_PIECES = 0.0127, 0.0009, 10
LINKS, LINK_LENGTH, LINK_RADIUS, LINK_MASS = 30, 0.010, 0.0008, 0.002


def needle_parts() -> list:
    """Half circle in the plane z = 0 about the origin, eye at +x, tip at -x."""
    samples = 24
    arc = [math.pi * k / samples for k in range(samples + 1)]
    points = [sp.vec(NEEDLE_RADIUS * math.cos(a), NEEDLE_RADIUS * math.sin(a), 0.0) for a in arc]
    taper = 5
    radii = [NEEDLE_TUBE * min(1.0, (samples - k) / taper) for k in range(samples + 1)]
    radii[-1] = 0.0
    start = points[0] - sp.vec(0, 0.0002, 0)
    part = solids.bent_tube([start] + points, [0.0] + radii)
    for k in range(NEEDLE_PIECES):
        a, b = (math.pi * i / NEEDLE_PIECES for i in (k, k + 1))
        p = sp.vec(NEEDLE_RADIUS * math.cos(a), NEEDLE_RADIUS * math.sin(a), 0.0)
        q = sp.vec(NEEDLE_RADIUS * math.cos(b), NEEDLE_RADIUS * math.sin(b), 0.0)
        length = math.sqrt(float(np.dot(q - p, q - p)))
        radius = NEEDLE_TUBE if k < NEEDLE_PIECES - 2 else 0.6 * NEEDLE_TUBE
        part.shapes.append(
            solids.Shape(
                'CAPSULE',
                {'radius': radius, 'height': length + 2.0 * radius * 0.8, 'axis': 'Z'},
                sp.transform(sp.frame_along(q - p), (p + q) / 2.0),
            )
        )
    return [part]


def spring(linear: float, angular: float) -> dict:
    """Map {linear{x,y,z}, angular{x,y,z}} with equal axes."""
    return {'linear': {'x': linear, 'y': linear, 'z': linear}, 'angular': {'x': angular, 'y': angular, 'z': angular}}


def thread_joint(parent: str, child: str, pivot: np.ndarray) -> Joint:
    """Bending and twisting spring between links; the pivots stay together.

    30 rad/s and critical for a link of 2.2e-8 kg m^2: k = I w^2, c = 2 I w.
    """
    bend, twist = 1.2, 0.6
    limit = {
        'linear': {'low': {'x': 0.0, 'y': 0.0, 'z': 0.0}, 'high': {'x': 0.0, 'y': 0.0, 'z': 0.0}},
        'angular': {'low': {'x': -bend, 'y': -bend, 'z': -twist}, 'high': {'x': bend, 'y': bend, 'z': twist}},
    }
    return Joint(
        parent,
        child,
        'six dof spring',
        pivot,
        -sp.Y,
        passive=True,
        extra={
            'joint limits': limit,
            'stiffness': spring(0.0, 2.0e-5),
            'damping': spring(0.0, 1.3e-6),
            'equilibrium point': spring(0.0, 0.0),
        },
    )


def make() -> Model:
    """Build needle and thread, lying in the plane z = 0 with the thread along -y."""
    lift = NEEDLE_TUBE + 0.0005
    pose = sp.transform(None, (0, 0, lift))
    bodies = [
        Body(
            'needle',
            pose,
            [q.moved(pose) for q in needle_parts()],
            0.004,
            (0.80, 0.80, 0.83),
            armature=2.0e-8,
            friction=0.8,
            restitution=0.0,
            damping=(0.3, 0.5),
            finish='steel',
        )
    ]
    joints = []
    previous, end = 'needle', sp.vec(NEEDLE_RADIUS, 0.0, lift)
    for k in range(LINKS):
        centre = end + sp.vec(0, -LINK_LENGTH / 2, 0)
        along = sp.transform(sp.axis_angle(sp.X, math.pi / 2.0), centre)  # z of the link = -y
        # Caps overlap the neighbours' a little, so that nothing slips between two links.
        part = solids.capsule(LINK_RADIUS, LINK_LENGTH + LINK_RADIUS, along, 12)
        name = f'thread {k + 1}'
        bodies.append(
            Body(
                name,
                along,
                [part],
                LINK_MASS,
                (0.15, 0.20, 0.55),
                armature=5.0e-9,
                passive=True,
                friction=0.4,
                restitution=0.0,
                damping=(0.3, 0.6),
                mesh_name='thread',
            )
        )
        joints.append(thread_joint(previous, name, end))
        previous, end = name, end + sp.vec(0, -LINK_LENGTH, 0)
    return Model(
        'needle_thread', 'Suture needle with a thread of thirty links.', bodies, joints, namespace='/ambf/env/suture/'
    )


def wound(side: float, pose: np.ndarray) -> list:
    """Red face towards the gap, and dots where the needle should go in and out."""
    face = solids.box((0.0016, 0.0792, 0.0184), sp.transform(None, (-side * 0.0194, 0, -0.0002)))
    dots = [
        solids.cylinder(0.0016, 0.0006, sp.transform(None, (-side * 0.012, y, 0.0101)), 12)
        for y in (-0.024, -0.012, 0.0, 0.012, 0.024)
    ]
    return [q.moved(pose) for q in [face.painted('wound')] + [d.painted('dark') for d in dots]]


def pads() -> Model:
    """Two fixed blocks with a gap between them, to drive the needle through."""
    bodies = []
    for side, name in ((-1.0, 'left pad'), (1.0, 'right pad')):
        pose = sp.transform(None, (side * 0.022, 0, 0.010))
        bodies.append(
            Body(
                name,
                pose,
                [solids.box((0.040, 0.080, 0.020), pose)],
                0.0,
                (0.85, 0.60, 0.55),
                friction=0.7,
                mesh_name=name,
                finish='silicone',
                trim=wound(side, pose),
            )
        )
    return Model('suture_pads', 'Two blocks with a gap to sew.', bodies, namespace='/ambf/env/suture/')
