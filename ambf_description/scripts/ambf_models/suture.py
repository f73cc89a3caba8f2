# SPDX-License-Identifier: BSD-3-Clause
"""Needle with a thread: a chain of capsules on six-dof springs, and two blocks to sew."""

import math

import numpy as np

from . import solids
from . import spatial as sp
from .adf import Body, Joint, Model

NEEDLE_RADIUS, NEEDLE_TUBE, NEEDLE_PIECES = 0.0127, 0.0009, 10
# Light enough for a jaw to carry by friction what hangs from the needle, heavy enough for a step of 1 ms.
LINKS, LINK_LENGTH, LINK_RADIUS, LINK_MASS = 30, 0.010, 0.0008, 0.0003
# Each pad is a block with a lip that stands on it beside the wound; the lips have holes for the needle, one behind the other.
BLOCK = (0.033, 0.060, 0.008)
WOUND, LIP, LIP_TOP = 0.002, 0.003, 0.0215  # gap between the lips, their thickness, height of their upper edge
HOLE, HOLE_HEIGHT = 0.006, 0.016  # width and height of a hole, height of its middle
HOLES = (-0.022, -0.008, 0.006, 0.020)  # places along y


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

    30 rad/s and critical for a link of 7.7e-9 kg m^2: k = I w^2, c = 2 I w.
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
            'stiffness': spring(0.0, 6.9e-6),
            'damping': spring(0.0, 4.6e-7),
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


def lip(side: float) -> list:
    """Wall along y with a row of square holes: strips below and above them, and what stands between."""
    x, half = side * (WOUND + LIP) / 2.0, BLOCK[1] / 2.0
    low, high = HOLE_HEIGHT - HOLE / 2.0, HOLE_HEIGHT + HOLE / 2.0

    def block(y: tuple, z: tuple) -> solids.Part:
        size = (LIP, y[1] - y[0], z[1] - z[0])
        return solids.box(size, sp.transform(None, (x, (y[0] + y[1]) / 2.0, (z[0] + z[1]) / 2.0)))

    ends = [-half] + [y + s * HOLE / 2.0 for y in HOLES for s in (-1.0, 1.0)] + [half]
    between = [block((a, b), (low, high)) for a, b in zip(ends[::2], ends[1::2])]
    return [block((-half, half), (BLOCK[2], low)), *between, block((-half, half), (high, LIP_TOP))]


def pads() -> Model:
    """Two fixed blocks with a wound between them, whose lips the needle is driven through."""
    bodies = []
    for side, name in ((-1.0, 'left pad'), (1.0, 'right pad')):
        pose = sp.transform(None, (side * (WOUND + BLOCK[0]) / 2.0, 0, BLOCK[2] / 2.0))
        bodies.append(
            Body(
                name,
                pose,
                [solids.box(BLOCK, pose)] + [part.painted('wound') for part in lip(side)],
                0.0,
                (0.85, 0.60, 0.55),
                friction=0.3,
                mesh_name=name,
                finish='silicone',
            )
        )
    return Model(
        'suture_pads',
        'Two blocks with a wound between them; its lips have holes.',
        bodies,
        namespace='/ambf/env/suture/',
    )
