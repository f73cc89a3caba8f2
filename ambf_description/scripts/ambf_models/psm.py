"""Patient-side manipulator: remote-centre arm with a wristed instrument, 6 DOF and two jaws.

Kinematic constants: modified DH of the dVRK with the Large Needle Driver (insertion offset 0.4318,
roll to wrist 0.4162, pitch to yaw 0.0091, tip 0.0102) and its joint limits. Body frames of the
driven links are the DH frames, so a body's pose in the base link's frame is the DH forward
kinematics.
"""

import functools
import math

from . import arm_looks as looks
from . import gains
from . import remote_centre_arm as rca
from . import solids
from . import spatial as sp
from .adf import Body, Joint, Model

HALF_PI = math.pi / 2.0

DH = [  # alpha, a, theta, d at zero
    (HALF_PI, 0.0, HALF_PI, 0.0),
    (-HALF_PI, 0.0, -HALF_PI, 0.0),
    (HALF_PI, 0.0, 0.0, -0.4318),
    (0.0, 0.0, 0.0, 0.4162),
    (-HALF_PI, 0.0, -HALF_PI, 0.0),
    (-HALF_PI, 0.0091, -HALF_PI, 0.0),
]
TIP = 0.0102

LIMITS = {
    "yaw": (-1.588, 1.588),
    "pitch": (-0.925025, 0.925025),
    "insertion": (0.0, 0.24),
    "roll": (-4.53786, 4.53786),
    "wrist pitch": (-1.39626, 1.39626),
    "wrist yaw": (-1.39626, 1.39626),
    "jaw": (0.0, 0.8),
}

DIMENSIONS = rca.Dimensions(
    back=0.516, front=0.420,
    # 0.15 m cranks that lean 0.291 rad towards the base, which leaves room for the carriage.
    crank=(0.15 * math.sin(0.291), 0.15 * math.cos(0.291)),
    top=0.05, beam_top=0.50, width=0.030,
    masses={"yaw link": 2.0, "pitch back link": 0.5, "pitch front link": 0.4,
            "pitch bottom link": 0.6, "pitch top link": 0.45, "pitch end link": 0.9},
    yaw_armature=0.04, cannula=(0.0045, 0.0065), color=(0.86, 0.87, 0.90))


def jaw(side: float, pivot) -> list:
    """One jaw below `pivot`: a block that tapers to the tip, flat on the plane x = 0."""
    flat = [(0.0, 0.0), (0.0024, 0.0), (0.0012, -TIP), (0.0, -TIP)]  # (x, z), side +1
    polygon = [(side * x, z) for x, z in flat]
    if side > 0:
        polygon = polygon[::-1]
    # The prism runs along its own z; turn that to -y so that (x, y) of the outline become (x, z).
    turn = sp.axis_angle(sp.X, HALF_PI)
    part = solids.prism(polygon, 0.0044, sp.transform(turn, pivot))
    part.shapes.append(solids.Shape(
        "BOX", {"x": 0.0016, "y": 0.0044, "z": TIP},
        sp.transform(None, pivot + sp.vec(side * 0.0008, 0, -TIP / 2))))
    return [part]


def teeth(side: float, pivot) -> list:
    """Dark insert with ridges on the gripping face of a jaw, and its hinge."""
    ridges = [solids.box((0.0003, 0.0040, 0.0004), sp.transform(
        None, pivot + sp.vec(side * 0.0001, 0, -0.0030 - 0.0009 * k))) for k in range(8)]
    hub = solids.rod(pivot + sp.vec(0, side * 0.0005, 0), pivot + sp.vec(0, side * 0.0026, 0), 0.0026)
    return [r.painted("dark steel") for r in ridges] + [hub.painted("steel")]


def tool_bodies(frames: list) -> list:
    """Carriage, shaft, wrist and jaws at the zero pose."""
    carriage_z, wrist, yaw = 0.4318, frames[4][:3, 3], frames[5][:3, 3]
    steel, dark = (0.75, 0.76, 0.78), (0.25, 0.26, 0.30)
    carriage = solids.box((0.052, 0.050, 0.070), sp.transform(None, (0, 0, carriage_z)))
    housing = solids.cylinder(0.019, 0.034, sp.transform(None, (0, 0, carriage_z - 0.053)))
    shaft = solids.rod(wrist + sp.vec(0, 0, 0.002), (0, 0, carriage_z - 0.06), 0.0041)
    clevis = solids.box((0.0052, 0.0052, 0.0091), sp.transform(None, (wrist + yaw) / 2))
    pin = solids.rod(yaw + sp.vec(0, -0.0028, 0), yaw + sp.vec(0, 0.0028, 0), 0.0022)
    neck = solids.rod(wrist, wrist + sp.vec(0, 0, 0.012), 0.0043)
    return [
        Body("main insertion link", frames[2], [carriage.covered()], 0.5, dark, finish="grey",
             trim=looks.instrument(carriage_z, 0.028)),
        Body("tool roll link", frames[3], [shaft.painted("dark"), housing.painted("dark")], 0.15,
             steel, armature=1.5e-4, trim=[neck.painted("steel")]),
        Body("tool pitch link", frames[4], [clevis], 0.03, steel, armature=6.0e-5, finish="steel"),
        Body("tool yaw link", frames[5], [pin], 0.02, steel, armature=3.0e-5, finish="steel"),
        Body("tool gripper1 link", frames[5], jaw(1.0, yaw), 0.01, steel, armature=5.0e-6,
             friction=1.0, finish="steel", trim=teeth(1.0, yaw)),
        Body("tool gripper2 link", frames[5], jaw(-1.0, yaw), 0.01, steel, armature=5.0e-6,
             friction=1.0, finish="steel", trim=teeth(-1.0, yaw)),
    ]


def grasping() -> dict:
    """Ray between the jaws that sees what they hold, and the constraint that can hold it.

    Scissor jaws push what they squeeze outwards, and contact solvers let it creep; tasks that must
    not lose an object hold it by the actuator.
    """
    tip = {"position": {"x": 0.0, "y": TIP, "z": 0.0},
           "orientation": {"r": 0.0, "p": 0.0, "y": 0.0}}
    between = {"position": {"x": 0.0, "y": 0.5 * TIP, "z": 0.0},
               "orientation": {"r": 0.0, "p": 0.0, "y": 0.0}}
    sensor = {"name": "jaw_proximity", "type": "Proximity", "parent": "BODY tool yaw link",
              "location": tip, "range": 0.008,
              "array": [{"offset": {"x": 0.0, "y": 0.0005, "z": 0.0},
                         "direction": {"x": 0.0, "y": 1.0, "z": 0.0}}],
              "visible": False, "visible size": 0.001}
    actuator = {"name": "jaw_constraint", "type": "Constraint", "parent": "BODY tool yaw link",
                "location": between, "visible": False, "visible size": 0.001}
    return {"sensors": {"SENSOR jaw proximity": sensor},
            "actuators": {"ACTUATOR jaw constraint": actuator}}


@functools.cache
def make() -> Model:
    """Build the PSM with its base frame (the remote centre) at the origin."""
    frames = rca.wrist_frames(DH)
    (bodies, supports), (chain, loops) = rca.linkage(DIMENSIONS, frames)
    rca.close(chain, loops, LIMITS["pitch"])
    chain[0].limits, chain[1].limits = LIMITS["yaw"], LIMITS["pitch"]
    wrist, yaw = frames[4][:3, 3], frames[5][:3, 3]
    down = -sp.Z
    pitch_axis, yaw_axis = frames[4][:3, 2], frames[5][:3, 2]
    tool = [
        Joint("pitch end link", "main insertion link", "prismatic", frames[2][:3, 3], down,
              LIMITS["insertion"]),
        Joint("main insertion link", "tool roll link", "revolute", frames[2][:3, 3], down,
              LIMITS["roll"]),
        Joint("tool roll link", "tool pitch link", "revolute", wrist, pitch_axis,
              LIMITS["wrist pitch"]),
        Joint("tool pitch link", "tool yaw link", "revolute", yaw, yaw_axis, LIMITS["wrist yaw"]),
        # Positive opens for both jaws.
        Joint("tool yaw link", "tool gripper1 link", "revolute", yaw, yaw_axis, LIMITS["jaw"]),
        Joint("tool yaw link", "tool gripper2 link", "revolute", yaw, -yaw_axis, LIMITS["jaw"]),
    ]
    model = Model(
        "psm", "Patient-side manipulator: remote centre by a double parallelogram, wristed tool.",
        bodies + tool_bodies(frames) + supports, chain + tool + loops,
        namespace="/ambf/env/psm/",
        # The real arm is counterbalanced; without a controller it should stay where it is.
        gravity=(0.0, 0.0, 0.0), ignore_inter_collision=True, blocks=grasping())
    gains.set_gains(model)
    return model
