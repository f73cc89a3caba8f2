# SPDX-License-Identifier: BSD-3-Clause
"""Parallel-jaw gripper that floats: the simulated end-effector of an input device."""

import functools
import math

import numpy as np

from . import gains, skins, solids
from . import spatial as sp
from .adf import Body, Joint, Model

STROKE = 0.035
PAD_TOP, PAD_BOTTOM = -0.065, -0.105  # z of the pads below the palm's frame


def finger(side: float) -> list:
    """Finger whose pad is the plane x = 0 when closed."""
    stem = solids.box((0.010, 0.018, 0.050), sp.transform(None, (side * 0.016, 0, -0.045)))
    pad = solids.box(
        (0.012, 0.022, PAD_TOP - PAD_BOTTOM), sp.transform(None, (side * 0.006, 0, (PAD_TOP + PAD_BOTTOM) / 2))
    )
    return [stem.painted('steel'), pad.painted('rubber')]


def palm_cover() -> list:
    """Lofted cover of the palm, the rail of the fingers, and a coloured ring at the wrist."""

    def at(x):
        return sp.transform(sp.axis_angle(sp.Y, math.pi / 2.0), (x, 0, 0))

    # In these frames x is down and y is y: half heights come first.
    cover = skins.loft(
        [
            (at(x), h, w, 4.5)
            for x, h, w in (
                (-0.055, 0.0085, 0.015),
                (-0.052, 0.0105, 0.018),
                (-0.034, 0.012, 0.020),
                (0.0, 0.014, 0.0215),
                (0.034, 0.012, 0.020),
                (0.052, 0.0105, 0.018),
                (0.055, 0.0085, 0.015),
            )
        ]
    )
    rail = solids.box((0.096, 0.010, 0.006), sp.transform(None, (0, 0, -0.014)))
    ring = solids.cylinder(0.0166, 0.005, sp.transform(None, (0, 0, 0.030)))
    return [solids.drawn([cover], 'blue'), rail.painted('dark steel'), ring.painted('orange')]


def resistive_pad(side: float, name: str, parent: str) -> dict:
    """Sensor of 3 x 3 rays from just outside the pad towards the other finger."""
    rays = [
        {'offset': {'x': -side * 0.0002, 'y': y, 'z': z}, 'direction': {'x': -side, 'y': 0.0, 'z': 0.0}}
        for z in (-0.075, -0.085, -0.095)
        for y in (-0.008, 0.0, 0.008)
    ]
    return {
        'name': name,
        'type': 'Resistance',
        'parent': parent,
        'location': {'position': {'x': 0.0, 'y': 0.0, 'z': 0.0}, 'orientation': {'r': 0.0, 'p': 0.0, 'y': 0.0}},
        'range': 0.003,
        'array': rays,
        'contact stiffness': 3.0,
        'contact damping': 0.02,
        'contact area': 0.001,
        'friction': {'static': 3000.0, 'damping': 5.0, 'dynamic': 0.5, 'variable': True},
        'visible': False,
        'visible size': 0.001,
    }


@functools.cache
def make(resistive: bool = False) -> Model:
    """Build the gripper, fingers along -z and closed; with tactile pads if `resistive`."""
    name = 'gripper_resistive' if resistive else 'gripper'
    palm = [
        solids.box((0.11, 0.040, 0.024), sp.transform(None, (0, 0, 0))),
        solids.cylinder(0.016, 0.030, sp.transform(None, (0, 0, 0.027))),
    ]
    blue, dark = (0.20, 0.35, 0.70), (0.15, 0.16, 0.18)
    bodies = [
        Body('palm', np.eye(4), [palm[0].covered(), palm[1].painted('steel')], 0.30, blue, trim=palm_cover()),
        Body('left finger', np.eye(4), finger(-1.0), 0.08, dark, friction=1.0),
        Body('right finger', np.eye(4), finger(1.0), 0.08, dark, friction=1.0),
    ]
    joints = [
        # Positive opens for both fingers.
        Joint('palm', 'left finger', 'prismatic', sp.vec(0, 0, -0.02), -sp.X, (0.0, STROKE)),
        Joint('palm', 'right finger', 'prismatic', sp.vec(0, 0, -0.02), sp.X, (0.0, STROKE)),
    ]
    bodies[0].controller = hold(bodies)
    space = f'/ambf/env/{name}/'
    zero = {'position': {'x': 0.0, 'y': 0.0, 'z': -0.014}, 'orientation': {'r': 0.0, 'p': 0.0, 'y': 0.0}}
    sensors = {
        'SENSOR proximity': {
            'name': 'proximity',
            'type': 'Proximity',
            'parent': 'BODY palm',
            'location': zero,
            'range': 0.12,
            'array': [{'offset': {'x': 0.0, 'y': 0.0, 'z': 0.0}, 'direction': {'x': 0.0, 'y': 0.0, 'z': -1.0}}],
            'visible': False,
            'visible size': 0.002,
        }
    }
    if resistive:
        sensors['SENSOR left pad'] = resistive_pad(-1.0, 'left_pad', 'BODY left finger')
        sensors['SENSOR right pad'] = resistive_pad(1.0, 'right_pad', 'BODY right finger')
    actuators = {
        'ACTUATOR constraint': {
            'name': 'constraint',
            'type': 'Constraint',
            'parent': 'BODY palm',
            'location': zero,
            'visible': False,
            'visible size': 0.002,
        }
    }
    summary = 'Floating parallel-jaw gripper with a proximity sensor and a constraint actuator'
    model = Model(
        name,
        summary + (', resistive pads.' if resistive else '.'),
        bodies,
        joints,
        namespace=space,
        gravity=(0.0, 0.0, 0.0),
        ignore_inter_collision=True,
        mesh_folder='gripper',
        blocks={'sensors': sensors, 'actuators': actuators},
    )
    gripper_gains(model)
    return model


def hold(bodies: list, frequency: float = 8.0) -> dict:
    """Controller of a palm: critically damped at `frequency` [Hz] with everything that hangs on it."""
    omega = 2.0 * math.pi * frequency
    return {
        kind: {'P': gains.round_digits(m * omega**2), 'I': 0.0, 'D': gains.round_digits(2.0 * m * omega)}
        for kind, m in (('linear', sum(b.mass for b in bodies)), ('angular', largest_moment(bodies)))
    }


def largest_moment(bodies: list) -> float:
    """Largest moment of inertia of all bodies together about their centre of mass."""
    frames = [b.inertial() for b in bodies]
    mass = sum(b.mass for b in bodies)
    com = sum((b.mass * f[:3, 3] for b, (f, _) in zip(bodies, frames)), np.zeros(3)) / mass
    total = np.zeros((3, 3))
    for body, (frame, moments) in zip(bodies, frames):
        s = sp.skew(frame[:3, 3] - com)
        total += frame[:3, :3] @ np.diag(moments) @ frame[:3, :3].T - body.mass * s @ s
    return float(np.diag(total).max())


def gripper_gains(model: Model) -> None:
    """Finger gains against a held palm."""
    palm = model.body('palm')
    mass, palm.mass = palm.mass, 0.0
    gains.set_gains(model)
    palm.mass = mass
