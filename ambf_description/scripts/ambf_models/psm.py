# SPDX-License-Identifier: BSD-3-Clause
"""Patient-side manipulators, Classic and Si: remote-centre arm with a wristed instrument.

Kinematic constants: modified DH of the dVRK with the large needle driver, and its joint limits. Body
frames of the driven links are the DH frames, so a body's pose in the base link's frame is the DH
forward kinematics.
"""

import dataclasses
import functools
import math

from . import gains, tools
from . import remote_centre_arm as rca
from . import spatial as sp
from .adf import Joint, Model

LIMITS = {
    'Classic': {'yaw': (-1.588, 1.588), 'pitch': (-0.925025, 0.925025), 'insertion': (0.0, 0.24)},
    'Si': {'yaw': (-2.964, 2.964), 'pitch': (-1.265, 1.301), 'insertion': (0.0, 0.29)},
}

CLASSIC = rca.Dimensions(
    # Lengths of the links: 516 mm, and 96 mm between the cranks' pivots, as in the model of Wang et al. (RA-L 4(4), 2019).
    back=(0.516, 0.0),
    front=(0.420, 0.0),
    # 0.15 m cranks that lean 0.291 rad towards the stand, which leaves room for the carriage.
    crank=(0.15 * math.sin(0.291), 0.15 * math.cos(0.291)),
    top=(0.0, 0.05),
    beam_top=0.50,
    width=0.030,
    masses={  # plausible
        'yaw link': 2.0,
        'pitch back link': 0.5,
        'pitch front link': 0.4,
        'pitch bottom link': 0.6,
        'pitch top link': 0.45,
        'pitch end link': 0.9,
    },
    yaw_armature=0.04,
    cannula=(0.0045, 0.0065),
    color=(0.86, 0.87, 0.90),
)

DIMENSIONS = {
    'Classic': CLASSIC,
    'Si': rca.si_dimensions(
        # Of the links that the real arm has: as its gravity compensation uses them (PSM_Si_physical.json of
        # sawIntuitiveResearchKit 2.4). It has bands instead of the second bars, whose masses are plausible.
        {
            'yaw link': 0.994,
            'pitch back link': 1.005,
            'pitch front link': 0.25,
            'pitch bottom link': 2.060,
            'pitch top link': 0.25,
            'pitch end link': 2.041,
        },
        beam_top=0.56,
        width=0.034,
        cannula=(0.0045, 0.0065),
    ),
}


@functools.cache
def make(generation: str = 'Classic') -> Model:
    """Build a PSM with a large needle driver, its base frame (the remote centre) at the origin."""
    tool = tools.NEEDLE_DRIVER
    frames = rca.wrist_frames(tools.rows(tool, generation))
    limits = LIMITS[generation]
    (bodies, supports), (chain, loops) = rca.linkage(DIMENSIONS[generation], frames)
    rca.close(chain, loops, limits['pitch'])
    chain[0].limits, chain[1].limits = limits['yaw'], limits['pitch']
    slide = Joint('pitch end link', tools.CARRIAGE, 'prismatic', frames[2][:3, 3], -sp.Z, limits['insertion'])
    instrument = [dataclasses.replace(b, mesh_folder='tools') for b in tools.bodies(tool, generation, frames)]
    name = 'psm' if generation == 'Classic' else 'psm_si'
    model = Model(
        name,
        f'Patient-side manipulator ({generation}): remote centre by a double parallelogram, wristed tool.',
        bodies + [tools.carriage(generation, frames)] + instrument + supports,
        chain + [slide] + tools.joints(tool, frames) + loops,
        namespace=f'/ambf/env/{name}/',
        # The real arm is counterbalanced; without a controller it should stay where it is.
        gravity=(0.0, 0.0, 0.0),
        ignore_inter_collision=True,
        holds_position=True,
        blocks=tools.grasping(tool),
    )
    gains.set_gains(model)
    return model
