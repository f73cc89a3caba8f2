# SPDX-License-Identifier: BSD-3-Clause
"""Small mechanisms: a crank-rocker four-bar and a pendulum."""

import functools
import math

import numpy as np

from . import gains, solids
from . import spatial as sp
from .adf import Body, Joint, Model

# Grashof: shortest + longest (0.10 + 0.30) < the other two (0.25 + 0.22), so the crank turns fully.
GROUND, CRANK, COUPLER, ROCKER = 0.30, 0.10, 0.25, 0.22
HEIGHT = 0.35


def hubs(start, end, y: float) -> list:
    """Screws on the pins at both ends of a link."""
    places = [q + sp.vec(0, y - 0.009, 0) for q in (start, end)]
    return [solids.screws(places, -sp.Y, 0.005, 'dark steel')]


@functools.cache
def four_bar() -> Model:
    """Planar four-bar in the x-z plane, crank straight up at zero."""
    a, d = sp.vec(-GROUND / 2, 0, HEIGHT), sp.vec(GROUND / 2, 0, HEIGHT)
    b = a + sp.vec(0, 0, CRANK)
    # Coupler end: circles about b (coupler) and d (rocker), the crossing above the ground bar.
    to_d = d - b
    span = math.sqrt(float(np.dot(to_d, to_d)))
    along = (COUPLER**2 - ROCKER**2 + span**2) / (2.0 * span)
    across = math.sqrt(COUPLER**2 - along**2)
    unit = to_d / span
    c = b + along * unit + across * np.cross(unit, sp.Y) * -1.0
    if c[2] < HEIGHT:
        c = b + along * unit + across * np.cross(unit, sp.Y)

    def link(start, end, y, depth=0.024):
        """Bar in the plane y = const with round ends as visuals."""
        turn = sp.axis_angle(sp.Z, math.pi / 2)
        to_yz = sp.transform(turn.T)  # takes the x-z plane to the y-z plane of `bar`
        shift = sp.vec(0, y, 0)
        start, end = start + shift, end + shift
        bar = solids.bar(sp.point(to_yz, start), sp.point(to_yz, end), 0.012, depth)
        ends = [
            solids.rod(q - sp.vec(0, 0.009, 0), q + sp.vec(0, 0.009, 0), depth / 2).without_collision().painted('steel')
            for q in (start, end)
        ]
        return [bar.moved(sp.transform(turn))] + ends

    frame = [
        solids.box((GROUND + 0.10, 0.04, 0.03), sp.transform(None, (0, 0, HEIGHT - 0.05))),
        solids.box((0.03, 0.04, HEIGHT - 0.065), sp.transform(None, (0, 0, (HEIGHT - 0.065) / 2))),
        solids.bar(a + sp.vec(0, -0.02, 0), a + sp.vec(0, -0.02, -0.04), 0.03, 0.012),
        solids.bar(d + sp.vec(0, -0.02, 0), d + sp.vec(0, -0.02, -0.04), 0.03, 0.012),
    ]
    red, blue, grey = (0.80, 0.25, 0.20), (0.20, 0.40, 0.80), (0.45, 0.47, 0.50)
    bodies = [
        Body(
            'frame',
            np.eye(4),
            frame,
            0.0,
            grey,
            finish='grey',
            trim=[solids.box((0.16, 0.16, 0.016), sp.transform(None, (0, 0, 0.008))).painted('dark')],
        ),
        Body('crank', sp.transform(None, a), link(a, b, 0.0), 0.30, red, finish='orange', trim=hubs(a, b, 0.0)),
        Body('coupler', sp.transform(None, b), link(b, c, 0.016), 0.50, blue, finish='blue', trim=hubs(b, c, 0.016)),
        Body('rocker', sp.transform(None, d), link(d, c, 0.0), 0.45, grey, finish='white', trim=hubs(d, c, 0.0)),
    ]
    joints = [
        Joint('frame', 'crank', 'continuous', a, sp.Y),
        Joint('crank', 'coupler', 'revolute', b, sp.Y, passive=True),
        Joint('frame', 'rocker', 'revolute', d, sp.Y, passive=True),
        Joint('coupler', 'rocker', 'revolute', c, sp.Y, passive=True),
    ]
    model = Model(
        'four_bar',
        'Crank-rocker four-bar linkage, the smallest closed loop.',
        bodies,
        joints,
        namespace='/ambf/env/four_bar/',
        ignore_inter_collision=True,
    )
    gains.set_gains(model)
    return model


def pendulum() -> Model:
    """Undamped rod with a bob, hanging 0.5 m below its hinge and released 0.5 rad from rest."""
    start, length = 0.5, 0.5
    hinge = sp.vec(0, 0, 1.0)
    swing = sp.transform(sp.axis_angle(sp.Y, start), hinge)
    rod = solids.rod((0, 0, 0), (0, 0, -length), 0.006).moved(swing)
    bob = solids.sphere(0.04, swing @ sp.transform(None, (0, 0, -length)))
    support = [solids.box((0.12, 0.06, 0.04), sp.transform(None, hinge + sp.vec(0, 0, 0.04)))]
    bodies = [
        Body(
            'support',
            sp.transform(None, hinge),
            support,
            0.0,
            (0.35, 0.36, 0.40),
            finish='grey',
            trim=[
                solids.rod(hinge - sp.vec(0, 0.03, 0), hinge + sp.vec(0, 0.03, 0), 0.009).painted('steel'),
                solids.box((0.024, 0.012, 0.03), sp.transform(None, hinge + sp.vec(0, 0.022, 0.012))),
                solids.box((0.024, 0.012, 0.03), sp.transform(None, hinge + sp.vec(0, -0.022, 0.012))),
            ],
        ),
        # Its frame hangs straight at zero: the joint reads 0.5 rad at the start.
        Body('bob', swing, [rod.painted('steel'), bob.painted('brass')], 1.0, (0.85, 0.55, 0.15), damping=(0.0, 0.0)),
    ]
    joint = Joint('support', 'bob', 'revolute', hinge, sp.Y, start=start)
    return Model(
        'pendulum',
        'Undamped pendulum, released 0.5 rad from rest.',
        bodies,
        [joint],
        namespace='/ambf/env/pendulum/',
        ignore_inter_collision=True,
    )
