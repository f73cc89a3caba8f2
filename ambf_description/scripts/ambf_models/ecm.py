"""Endoscopic camera manipulator: remote-centre arm with an endoscope, 4 DOF.

Modified DH of the dVRK: insertion offset 0.3822, scope 0.3829. The crank vector (0.103, 0.287) and
the 0.340 m pivot are those of the dVRK's ECM.
"""

import functools
import math

from . import gains
from . import remote_centre_arm as rca
from . import skins
from . import solids
from . import spatial as sp
from .adf import Body, Joint, Model

HALF_PI = math.pi / 2.0

DH = [
    (HALF_PI, 0.0, HALF_PI, 0.0),
    (-HALF_PI, 0.0, -HALF_PI, 0.0),
    (HALF_PI, 0.0, 0.0, -0.3822),
    (0.0, 0.0, 0.0, 0.3829),
]

LIMITS = {
    "yaw": (-1.5708, 1.5708),
    "pitch": (-0.76794, 1.1344),
    "insertion": (0.0, 0.255),
    "roll": (-1.552, 1.552),
}

DIMENSIONS = rca.Dimensions(
    back=0.440, front=0.340, crank=(0.103, 0.287), top=0.06, beam_top=0.47, width=0.040,
    masses={"yaw link": 3.2, "pitch back link": 0.9, "pitch front link": 0.8,
            "pitch bottom link": 0.8, "pitch top link": 0.6, "pitch end link": 1.6},
    yaw_armature=0.30, cannula=(0.0063, 0.0085), color=(0.84, 0.86, 0.88))


def camera_head(top, tip) -> list:
    """Lofted head, its cable, and the two lenses at the scope's end."""
    up = sp.transform
    head = skins.loft([(up(None, top + sp.vec(0, 0, 0.030)), 0.022, 0.022, 2.5),
                       (up(None, top + sp.vec(0, 0, 0.040)), 0.031, 0.031, 3.5),
                       (up(None, top + sp.vec(0, 0, 0.095)), 0.031, 0.031, 3.5),
                       (up(None, top + sp.vec(0, 0, 0.120)), 0.022, 0.022, 2.5),
                       (up(None, top + sp.vec(0, 0, 0.126)), 0.012, 0.012, 2.0)])
    band = solids.cylinder(0.0315, 0.006, up(None, top + sp.vec(0, 0, 0.062)))
    curve = [top + sp.vec(0, 0.10 * s * s, 0.12 + 0.10 * s - 0.05 * s * s)
             for s in (k / 10.0 for k in range(11))]
    cable = skins.sweep(curve, [0.0045] * len(curve), 14)
    lenses = [solids.cylinder(0.0016, 0.0008, up(None, tip + sp.vec(x, 0, -0.0002)))
              for x in (-0.0025, 0.0025)]
    return [solids.drawn([head], "dark"), band.painted("blue"), solids.drawn([cable], "rubber")] + [
        lens.painted("glass") for lens in lenses]


@functools.cache
def make() -> Model:
    """Build the ECM with its base frame (the remote centre) at the origin."""
    frames = rca.wrist_frames(DH)
    (bodies, supports), (chain, loops) = rca.linkage(DIMENSIONS, frames)
    rca.close(chain, loops, LIMITS["pitch"])
    chain[0].limits, chain[1].limits = LIMITS["yaw"], LIMITS["pitch"]
    top = frames[2][:3, 3]
    carriage = solids.box((0.060, 0.150, 0.060), sp.transform(None, top + sp.vec(0, 0.016, 0)))
    head = solids.cylinder(0.028, 0.090, sp.transform(None, top + sp.vec(0, 0, 0.076)))
    scope = solids.rod(frames[3][:3, 3], top - sp.vec(0, 0, 0.03), 0.0058)
    bodies += [
        Body("main insertion link", frames[2], [carriage], 0.7, (0.25, 0.26, 0.30), finish="grey"),
        Body("tool link", frames[3], [scope.painted("steel"), head.painted("dark")], 0.6,
             (0.20, 0.20, 0.22), armature=5.0e-4, trim=camera_head(top, frames[3][:3, 3])),
    ]
    tool = [
        Joint("pitch end link", "main insertion link", "prismatic", top, -sp.Z,
              LIMITS["insertion"]),
        Joint("main insertion link", "tool link", "revolute", top, -sp.Z, LIMITS["roll"]),
    ]
    # The scope looks along the tool frame's z (down at zero); x of that frame is up in the picture.
    cameras = {
        f"CAMERA endoscope {side}": {
            "name": f"endoscope_{side}",
            "namespace": "cameras/",
            "parent": "BODY tool link",
            "location": {"x": 0.0, "y": y, "z": 0.002},
            "look at": {"x": 0.0, "y": y, "z": 0.1},
            "up": {"x": 1.0, "y": 0.0, "z": 0.0},
            "clipping plane": {"near": 0.001, "far": 5.0},
            "field view angle": 1.05,
            "visible": False,
            "publish image": True,
            "publish image interval": 1,
            "publish image resolution": {"width": 640, "height": 480},
        } for side, y in (("left", -0.0025), ("right", 0.0025))
    }
    model = Model(
        "ecm", "Endoscopic camera manipulator: remote centre by a double parallelogram.",
        bodies + supports, chain + tool + loops, namespace="/ambf/env/ecm/",
        gravity=(0.0, 0.0, 0.0), ignore_inter_collision=True,
        blocks={"cameras": cameras})
    gains.set_gains(model)
    return model
