# SPDX-License-Identifier: BSD-3-Clause
"""Instruments of the PSM: what hangs on its carriage, as part of an arm or as a model of its own.

Wrists and ranges are those of the dVRK's tool files (sawIntuitiveResearchKit 2.4), the same numbers as
in ambf_arms; lengths and shapes of the jaws, and all masses, are plausible.

A tool is exchanged in a running world like this (ARM is the place of the arm, e.g. psm1):

1. `remove` the bodies of the old tool (`ARM/BODY tool roll link`, ... : BODIES, as far as they exist),
   or its model by name once it has been exchanged before. Joints, sensor and actuator go with them.
2. `load_model` with uri package://ambf_description/tools/<file>.yaml, ns ARM, pose that of
   `ARM/BODY main insertion link`. The file's frame is the frame of that body, and its first joint names
   it as parent; a name that the file does not know is looked for at the place of the model first.

The new bodies and joints have the names of the old ones, so clients find them where they were. The arm
itself is not touched. The new tool starts with its own joints at zero.
"""

import dataclasses
import functools
import math

import numpy as np

from . import arm_looks as looks
from . import gains, solids
from . import remote_centre_arm as rca
from . import spatial as sp
from .adf import Body, Joint, Model, moved

HALF_PI = math.pi / 2.0
CARRIAGE = 'main insertion link'
BODIES = ['tool roll link', 'tool pitch link', 'tool yaw link', 'tool gripper1 link', 'tool gripper2 link']
SNAKE = ['tool roll link', 'tool snake1 link', 'tool snake2 link', 'tool snake3 link', 'tool yaw link'] + BODIES[3:]

# Insertion offset of the arm and length of the shaft from the carriage to the first wrist axis [m].
OFFSET = {'Classic': 0.4318, 'Si': 0.4826}
SHAFT = {'Classic': 0.4162, 'Si': 0.467}
SNAKE_SHAFT = {'Classic': 0.4024, 'Si': 0.4532}
SNAKE_LINK = 0.0034


@dataclasses.dataclass(frozen=True)
class Tool:
    """An instrument; angles in degrees, lengths in metres."""

    number: str  # of the Classic tool; that of the Si tool has a 2 in the second place
    name: str
    wrist: float  # pitch axis to yaw axis
    roll: float
    pitch: float
    yaw: float
    jaw: float  # widest angle between the fingers; 0: no jaw
    length: float  # yaw axis to tip: plausible
    shape: str
    snake: bool = False

    def model(self, generation: str) -> str:
        """Part number."""
        return self.number if generation == 'Classic' else f'42{self.number[2:]}'

    def file(self, generation: str) -> str:
        """Name of the tool's file."""
        return f'{self.name.lower()}_{self.model(generation)}'

    @property
    def finger(self) -> tuple:
        """Range of one finger, a little wider than half of the jaw: what commands the jaw clips it first."""
        return (0.0, round(math.radians(self.jaw) / 2.0 + 0.1, 1))


TOOLS = [
    Tool('400006', 'LARGE_NEEDLE_DRIVER', 0.0091, 260, 80, 80, 80, 0.0102, 'driver'),
    Tool('400194', 'MEGA_NEEDLE_DRIVER', 0.0112, 255, 70, 80, 80, 0.0130, 'driver'),
    Tool('400007', 'ROUND_TIP_SCISSORS', 0.0091, 260, 80, 80, 40, 0.0140, 'scissors'),
    Tool('400036', 'DEBAKEY_FORCEPS', 0.0091, 260, 80, 80, 80, 0.0150, 'debakey'),
    Tool('400049', 'CADIERE_FORCEPS', 0.0091, 260, 80, 80, 80, 0.0200, 'window'),
    Tool('400093', 'PROGRASP_FORCEPS', 0.0107, 260, 80, 80, 80, 0.0220, 'short window'),
    Tool('400172', 'MARYLAND_BIPOLAR_FORCEPS', 0.0107, 255, 70, 90, 80, 0.0200, 'curved'),
    Tool('400205', 'FENESTRATED_BIPOLAR_FORCEPS', 0.0107, 255, 70, 90, 80, 0.0210, 'insulated window'),
    Tool('400183', 'PERMANENT_CAUTERY_HOOK', 0.0093, 260, 80, 85, 0, 0.0160, 'hook'),
    Tool('400184', 'PERMANENT_CAUTERY_SPATULA', 0.0093, 260, 80, 85, 0, 0.0160, 'spatula'),
    # Its wrist bends in four axes; the tip is 17.1 mm beyond the last one.
    Tool('400117', 'NEEDLE_DRIVER', 0.0034, 260, 45, 45, 50, 0.0085, 'small driver', snake=True),
]
SNAKE_TIP = 0.0171
NEEDLE_DRIVER = TOOLS[0]


def rows(tool: Tool, generation: str) -> list:
    """Modified DH rows (alpha, a, theta, d) of the whole arm with the tool, at zero."""
    arm = [
        (HALF_PI, 0.0, HALF_PI, 0.0),
        (-HALF_PI, 0.0, -HALF_PI, 0.0),
        (HALF_PI, 0.0, 0.0, -OFFSET[generation]),
        (0.0, 0.0, 0.0, (SNAKE_SHAFT if tool.snake else SHAFT)[generation]),
        (-HALF_PI, 0.0, -HALF_PI, 0.0),
    ]
    if not tool.snake:
        return arm + [(-HALF_PI, tool.wrist, -HALF_PI, 0.0)]
    link = SNAKE_LINK
    return arm + [(-HALF_PI, link, 0.0, 0.0), (0.0, link, 0.0, 0.0), (HALF_PI, link, HALF_PI, 0.0)]


# -- Jaws. Shapes are those of the finger on the side of +x, which points along -z from its hinge at the origin.


def plate(outline: list, width: float, y: float = 0.0) -> solids.Part:
    """Prism over an outline of (x, z), counter-clockwise seen from +y after the turn; no collision shape."""
    turn = sp.axis_angle(sp.X, HALF_PI)
    return solids.prism(outline, width, sp.transform(turn, (0.0, y, 0.0)))


def taper(length: float, root: float, tip: float, width: float, y: float = 0.0, start: float = 0.0) -> solids.Part:
    """Block that is flat at x = 0 and tapers to the tip, with a box that collides."""
    part = plate([(0.0, start), (0.0, -length), (tip, -length), (root, start)], width, y)
    x, z = 0.5 * (root + tip) - 0.0002, length + start
    part.shapes.append(
        solids.Shape('BOX', {'x': x, 'y': width, 'z': z}, sp.transform(None, (x / 2, y, (start - length) / 2)))
    )
    return part


def block(x: tuple, y: tuple, z: tuple) -> solids.Part:
    """Box between two corners."""
    low, high = np.array([x[0], y[0], z[0]]), np.array([x[1], y[1], z[1]])
    return solids.box(high - low, sp.transform(None, (low + high) / 2))


def ridges(first: float, pitch: float, count: int, width: float) -> list:
    """Teeth on the gripping face."""
    return [
        solids.box((0.0003, width, 0.45 * pitch), sp.transform(None, (0.0001, 0, first - pitch * k))).painted(
            'dark steel'
        )
        for k in range(count)
    ]


def hub(radius: float, side: float, finish: str = 'steel') -> list:
    """Half of the hinge; the other finger has the other half."""
    return [solids.rod((0, side * 0.0005, 0), (0, side * 0.0026, 0), radius).painted(finish)]


def driver(tool: Tool, side: float) -> tuple[list, list]:
    """Short blunt jaw with teeth."""
    if tool.snake:
        return [taper(tool.length, 0.0017, 0.0009, 0.0030)], ridges(-0.0025, 0.0008, 7, 0.0026) + hub(0.0019, side)
    if tool.length < 0.012:
        return [taper(tool.length, 0.0024, 0.0012, 0.0044)], ridges(-0.0030, 0.0009, 8, 0.0040) + hub(0.0026, side)
    return [taper(tool.length, 0.0029, 0.0016, 0.0050)], ridges(-0.0034, 0.0009, 10, 0.0046) + hub(0.0030, side)


def window(tool: Tool, side: float) -> tuple[list, list]:
    """Long jaw with an opening: root, two rails, tip."""
    short = tool.shape == 'short window'
    half, rail, thick, end = 0.0025, 0.0012, 0.0020, -tool.length
    open_from, open_to = (-0.0075, end + 0.0060) if short else (-0.0060, end + 0.0030)
    parts = [
        taper(-open_from, 0.0026, thick, 2 * half),
        block((0, thick), (-half, -half + rail), (open_to, open_from)),
        block((0, thick), (half - rail, half), (open_to, open_from)),
        block((0, 0.8 * thick), (-0.9 * half, 0.9 * half), (end, open_to)),
    ]
    trim = hub(0.0027, side)
    if tool.shape == 'insulated window':
        sleeve = solids.box((0.0034, 0.0054, 0.0040), sp.transform(None, (0.0016, 0, -0.0040)))
        trim += [sleeve.painted('dark')]
    else:
        trim += ridges(open_from + 0.0022, 0.0009, 3, 0.0044) + ridges(open_to - 0.0006, 0.0009, 3, 0.0040)
    return parts, trim


def curved(tool: Tool, side: float) -> tuple[list, list]:
    """Slim jaw that bends to the side, round outside."""
    n, bend = 10, 0.0035
    s = [k / n for k in range(n + 1)]
    points = [sp.vec(bend * t * t, -tool.length * t, 0) for t in s]
    radii = [0.0016 - 0.0009 * t for t in s]
    radii = [0.0] + radii + [0.0]
    points = [points[0] + sp.vec(0, 0.0002, 0)] + points + [points[-1] - sp.vec(0, 0.0003, 0)]
    # Local x bends towards y, local y runs along z; the axis lies beside the plane x = 0.
    turn = np.column_stack([sp.Y, sp.Z, sp.X])
    part = solids.bent_tube(points, radii).moved(sp.transform(turn, (0.00125, 0, 0)))
    for low, high in ((0.0, 0.4), (0.4, 0.7), (0.7, 1.0)):
        a = sp.vec(0.0010, bend * low * low, -tool.length * low)
        b = sp.vec(0.0010, bend * high * high, -tool.length * high)
        size = {'x': 0.0020, 'y': 0.0022, 'z': float(np.linalg.norm(b - a))}
        part.shapes.append(solids.Shape('BOX', size, sp.transform(sp.frame_along(b - a), (a + b) / 2)))
    sleeve = solids.box((0.0032, 0.0042, 0.0042), sp.transform(None, (0.0015, 0, -0.0030)))
    return [part], hub(0.0027, side) + [sleeve.painted('dark')]


def scissors(tool: Tool, side: float) -> tuple[list, list]:
    """Blade beside the other blade, its edge a little over the middle."""
    w, y = 0.0011, side * 0.00056
    outline = [(-0.0004, 0.0), (-0.0004, -tool.length), (0.0004, -tool.length), (0.0020, -0.6 * tool.length)]
    part = plate(outline + [(0.0024, 0.0)], w, y)
    part.shapes.append(
        solids.Shape('BOX', {'x': 0.0016, 'y': w, 'z': tool.length}, sp.transform(None, (0.0006, y, -tool.length / 2)))
    )
    return [part], hub(0.0026, side)


def debakey(tool: Tool, side: float) -> tuple[list, list]:
    """Long fine jaw with small teeth."""
    return [taper(tool.length, 0.0022, 0.0008, 0.0030)], ridges(-0.0050, 0.0007, 13, 0.0026) + hub(0.0025, side)


FINGERS = {
    'driver': driver,
    'small driver': driver,
    'window': window,
    'short window': window,
    'insulated window': window,
    'curved': curved,
    'scissors': scissors,
    'debakey': debakey,
}


def finger(tool: Tool, side: float, pose: np.ndarray) -> list:
    """Solid and details of the finger on one side, closed, with its hinge at the frame `pose`."""
    return [[(p if side > 0 else p.mirrored()).moved(pose) for p in parts] for parts in FINGERS[tool.shape](tool, side)]


def electrode(tool: Tool) -> list:
    """Tip of a cautery tool below the yaw axis: insulated cone, then hook or spatula."""
    cone = solids.cylinder(0.0022, 0.0060, sp.transform(None, (0, 0, -0.0030))).painted('yellow')
    end = -tool.length
    if tool.shape == 'spatula':
        blade = block((-0.0012, 0.0012), (-0.0004, 0.0004), (end, -0.0055))
        return [cone, blade]
    stem = solids.rod((0, 0, -0.0055), (0, 0, end), 0.0006)
    hook = solids.rod((-0.0005, 0, end), (0.0032, 0, end), 0.0006)
    nose = solids.rod((0.0030, 0, end), (0.0030, 0, end + 0.0018), 0.0005)
    return [cone, stem, hook, nose.without_collision()]


# -- Bodies and joints of a tool, in the base frame of its arm at zero.


def shaft_body(tool: Tool, generation: str, frames: list) -> Body:
    """Shaft with the round housing below the carriage."""
    top, wrist = frames[2][:3, 3], frames[4][:3, 3]
    radius = 0.0026 if tool.snake else 0.0041
    housing = solids.cylinder(0.019, 0.034, sp.transform(None, top - sp.vec(0, 0, 0.053)))
    shaft = solids.rod(wrist + sp.vec(0, 0, 0.002), top - sp.vec(0, 0, 0.06), radius)
    neck = solids.rod(wrist, wrist + sp.vec(0, 0, 0.012), radius + 0.0002)
    return Body(
        'tool roll link',
        frames[3],
        [shaft.painted('dark'), housing.painted('dark')],
        0.15,
        STEEL,
        armature=1.5e-4,
        trim=[neck.painted('steel')],
        mesh_name=f'{"thin_" if tool.snake else ""}shaft_{generation.lower()}',
    )


STEEL = (0.75, 0.76, 0.78)


def wrist_bodies(tool: Tool, frames: list) -> list:
    """Clevis and pin of a wrist of two axes; a tool without jaws ends in the pin's body."""
    wrist, yaw = frames[4][:3, 3], frames[5][:3, 3]
    clevis = solids.box((0.0052, 0.0052, tool.wrist), sp.transform(None, (wrist + yaw) / 2))
    pin = solids.rod(yaw + sp.vec(0, -0.0028, 0), yaw + sp.vec(0, 0.0028, 0), 0.0022)
    parts, name = [pin], 'pin'
    if not tool.jaw:
        parts += [p.moved(sp.transform(None, yaw)) for p in electrode(tool)]
        name = tool.shape
    return [
        Body(
            'tool pitch link',
            frames[4],
            [clevis],
            0.03,
            STEEL,
            armature=6.0e-5,
            finish='steel',
            mesh_name=f'clevis_{round(1e4 * tool.wrist)}',
        ),
        Body('tool yaw link', frames[5], parts, 0.02, STEEL, armature=3.0e-5, finish='steel', mesh_name=name),
    ]


def snake_bodies(frames: list) -> list:
    """Four short links; the last one carries the jaws."""
    out = []
    masses, armatures = (0.04, 0.03, 0.025, 0.02), (6.0e-5, 5.0e-5, 4.0e-5, 3.0e-5)
    for k in range(4):
        start = frames[4 + k][:3, 3]
        end = start - sp.vec(0, 0, SNAKE_LINK) if k < 3 else start - sp.vec(0, 0, SNAKE_TIP - 0.0085)
        parts = [solids.rod(start + sp.vec(0, 0, 0.0006), end + sp.vec(0, 0, 0.0006), 0.0024)]
        ring = solids.rod(start + sp.vec(0, 0, 0.0004), start - sp.vec(0, 0, 0.0004), 0.0026)
        out.append(
            Body(
                SNAKE[1 + k],
                frames[4 + k],
                parts,
                masses[k],
                STEEL,
                armature=armatures[k],
                finish='steel',
                trim=[ring.painted('dark steel')],
                mesh_name=f'snake{k + 1}',
            )
        )
    return out


def hinge(tool: Tool, frames: list) -> np.ndarray:
    """Frame of the closed fingers: z up along the tool, the first finger opens towards x."""
    if not tool.snake:
        return sp.transform(None, frames[5][:3, 3])
    # The fingers of a snake open half-way between its axes.
    across = frames[7][:3, :3] @ sp.vec(1.0, 0.0, 1.0)
    turn = sp.axis_angle(sp.Z, math.atan2(across[1], across[0]))
    return sp.transform(turn, frames[7][:3, 3] - sp.vec(0, 0, SNAKE_TIP - tool.length))


def bodies(tool: Tool, generation: str, frames: list) -> list:
    """Everything below the carriage."""
    out = [shaft_body(tool, generation, frames)]
    out += snake_bodies(frames) if tool.snake else wrist_bodies(tool, frames)
    if not tool.jaw:
        return out
    at = hinge(tool, frames)
    # Body frames of the fingers are the yaw frame of a wrist of two axes: y points out of the tool.
    pose = at @ sp.transform(np.column_stack([-sp.X, -sp.Z, -sp.Y]))
    stem = 'small_driver' if tool.snake else tool.shape.replace(' ', '_')
    for k, side in ((1, 1.0), (2, -1.0)):
        parts, trim = finger(tool, side, at)
        out.append(
            Body(
                f'tool gripper{k} link',
                pose,
                parts,
                0.01,
                STEEL,
                armature=5.0e-6,
                friction=1.0,
                finish='steel',
                trim=trim,
                mesh_name=f'{stem}_{round(1e4 * tool.length)}_{k}',
            )
        )
    return out


def joints(tool: Tool, frames: list) -> list:
    """Roll, wrist, fingers. Both fingers open with positive angles."""
    down = -sp.Z
    rad = math.radians
    out = [Joint(CARRIAGE, 'tool roll link', 'revolute', frames[2][:3, 3], down, span(rad(tool.roll)))]
    if tool.snake:
        # Half of the wrist's pitch is turned by the first and the last axis, half of its yaw by the two between.
        names = SNAKE[:5]
        for k, angle in enumerate((tool.pitch, tool.yaw, tool.yaw, tool.pitch)):
            f = frames[4 + k]
            out.append(Joint(names[k], names[k + 1], 'revolute', f[:3, 3], f[:3, 2], span(rad(angle) / 2.0)))
    else:
        for k, angle in enumerate((tool.pitch, tool.yaw)):
            f = frames[4 + k]
            out.append(Joint(BODIES[k], BODIES[k + 1], 'revolute', f[:3, 3], f[:3, 2], span(rad(angle))))
    if tool.jaw:
        at = hinge(tool, frames)
        pivot, axis = at[:3, 3], -at[:3, 1]
        out += [
            Joint('tool yaw link', 'tool gripper1 link', 'revolute', pivot, axis, tool.finger),
            Joint('tool yaw link', 'tool gripper2 link', 'revolute', pivot, -axis, tool.finger),
        ]
    return out


def span(angle: float) -> tuple:
    """Range of plus and minus an angle, with six digits as the dVRK's files have."""
    return (-float(f'{angle:.6g}'), float(f'{angle:.6g}'))


def grasping(tool: Tool) -> dict:
    """Ray between the jaws that sees what they hold, and the constraint that can hold it.

    Scissor jaws push what they squeeze outwards, and contact solvers let it creep; tasks that must
    not lose an object hold it by the actuator.
    """
    if not tool.jaw:
        return {}
    reach = SNAKE_TIP if tool.snake else tool.length

    def at(distance):
        # The last frame of a snake has y back along the tool.
        y = -distance if tool.snake else distance
        return {'position': {'x': 0.0, 'y': y, 'z': 0.0}, 'orientation': {'r': 0.0, 'p': 0.0, 'y': 0.0}}

    ahead = -1.0 if tool.snake else 1.0
    sensor = {
        'name': 'jaw_proximity',
        'type': 'Proximity',
        'parent': 'BODY tool yaw link',
        'location': at(reach),
        'range': 0.008,
        'array': [{'offset': {'x': 0.0, 'y': ahead * 0.0005, 'z': 0.0}, 'direction': {'x': 0.0, 'y': ahead, 'z': 0.0}}],
        'visible': False,
        'visible size': 0.001,
    }
    actuator = {
        'name': 'jaw_constraint',
        'type': 'Constraint',
        'parent': 'BODY tool yaw link',
        'location': at(reach - 0.5 * tool.length),
        'visible': False,
        'visible size': 0.001,
    }
    return {'sensors': {'SENSOR jaw proximity': sensor}, 'actuators': {'ACTUATOR jaw constraint': actuator}}


def carriage(generation: str, frames: list) -> Body:
    """What slides on the arm and carries the tool."""
    z = frames[2][2, 3]
    box = solids.box((0.052, 0.050, 0.070), sp.transform(None, (0, 0, z)))
    return Body(
        CARRIAGE,
        frames[2],
        [box.covered()],
        0.5 if generation == 'Classic' else 0.637,
        (0.25, 0.26, 0.30),
        finish='grey',
        trim=rca.turned(looks.instrument(z, 0.028)),
    )


@functools.cache
def make(tool: Tool, generation: str) -> Model:
    """Model of a tool alone, in the frame of the carriage that it hangs on."""
    frames = rca.wrist_frames(rows(tool, generation))
    # The carriage is there while gains are computed: what the tool hangs on stands still.
    stand = dataclasses.replace(carriage(generation, frames), mass=0.0)
    model = Model(
        tool.file(generation),
        f'{tool.name}:{tool.model(generation)}, an instrument to be loaded below an arm (tools.py says how).',
        [stand] + bodies(tool, generation, frames),
        joints(tool, frames),
        gravity=(0.0, 0.0, 0.0),
        ignore_inter_collision=True,
        holds_position=True,
        mesh_folder='tools',
        blocks=grasping(tool),
    )
    gains.set_gains(model)
    model = moved(model, sp.inverse(frames[2]))
    model.outside = [model.bodies.pop(0)]
    return model


def all_models() -> list:
    """Every tool of both generations."""
    return [make(tool, generation) for generation in ('Classic', 'Si') for tool in TOOLS]
