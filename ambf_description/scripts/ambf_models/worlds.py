# SPDX-License-Identifier: BSD-3-Clause
"""Worlds: a world file, a launch file, and the models placed in it."""

import dataclasses
import math

import numpy as np

from . import (
    adf,
    ecm,
    gripper,
    grippers,
    hands,
    kit,
    linkages,
    mtm,
    pegs,
    psm,
    puzzle,
    soft,
    suj,
    suture,
    theatre,
    wells,
)
from . import spatial as sp
from . import surroundings as sur

COLORS = """# Colour names of AMBF's `color` key; our models give colours by value.
white: {r: 255, g: 255, b: 255, a: 255}
grey: {r: 128, g: 128, b: 128, a: 255}
black: {r: 0, g: 0, b: 0, a: 255}
red: {r: 200, g: 50, b: 45, a: 255}
green: {r: 60, g: 150, b: 70, a: 255}
blue: {r: 50, g: 90, b: 190, a: 255}
"""
PSMS = {'PSM1': ('psm_over_table', 'psm1'), 'PSM2': ('psm_over_table', 'psm2')}
DEVICES = '# No input device by default.\ninput devices: []\n'
TWO_HANDS = ['hand: right, arm: PSM1', 'hand: left, arm: PSM2']


@dataclasses.dataclass
class Placed:
    """A model at a place in a world, in a file of that world's folder."""

    file: str
    model: adf.Model
    base: np.ndarray
    namespace: str | None = None
    by_device: bool = False  # not in the launch file: an input device brings it along


@dataclasses.dataclass
class World:
    """A world folder."""

    name: str
    summary: str
    placed: list
    eye: tuple
    look_at: tuple
    more_views: dict = dataclasses.field(default_factory=dict)  # name to (eye, look_at)
    devices: list = dataclasses.field(default_factory=list)
    scripts: dict = dataclasses.field(default_factory=dict)  # device to hands.Script
    arms: dict = dataclasses.field(default_factory=dict)  # arm's name to (file of arms/, file of the placed model)
    arms_text: str = ''  # of an arms.yaml of its own
    pairs: list = dataclasses.field(default_factory=list)  # of hands and arms: parameters of each as a line of YAML
    seen_through: str = ''  # what a hand's directions are those of: two parameters as lines of YAML

    def views(self) -> dict:
        """Name to (eye, look_at) of all cameras."""
        return {'main camera': (self.eye, self.look_at)} | self.more_views


def psm_pair() -> list:
    """PSM1 right, PSM2 left of the table's middle, tools towards each other."""
    lean = math.radians(20.0)
    out = []
    for name, side in (('psm1', 1.0), ('psm2', -1.0)):
        # The stand's side, -y of the base frame, outwards along +-x, then lean outwards about the world's y axis.
        turn = sp.axis_angle(sp.Y, side * lean) @ sp.axis_angle(sp.Z, side * math.pi / 2.0)
        base = sp.transform(turn, (side * 0.085, 0.0, sur.TABLE_TOP + 0.13))
        out.append(Placed(name, psm.make(), base, f'/ambf/env/{name}/'))
    return out


def camera_arm() -> Placed:
    """ECM over the front of the table, its stand behind it: it looks back towards its stand, and down."""
    turn = sp.axis_angle(sp.X, math.radians(35.0)) @ sp.axis_angle(sp.Z, math.pi)
    base = sp.transform(turn, (0.0, -0.07, sur.TABLE_TOP + 0.17))
    return Placed('ecm', ecm.make(), base)


def stands(arms: list) -> Placed:
    """Columns below the mounts of the arms."""
    walls = {'psm': psm.CLASSIC.wall, 'ecm': ecm.DIMENSIONS['Classic'].wall}
    bodies = [sur.stand(f'stand {a.file}', a.base, walls[a.model.name]) for a in arms]
    model = adf.Model('stands', 'Columns that carry the arms.', bodies)
    return Placed('stands', model, np.eye(4))


def on_table(file: str, model: adf.Model, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Placed:
    """A model that stands on the table."""
    return Placed(file, model, sp.transform(None, (x, y, sur.TABLE_TOP + z)))


def on_floor(file: str, model: adf.Model, x: float = 0.0, y: float = 0.0, z: float = 0.0, turn: float = 0.0) -> Placed:
    """A model that stands on the floor."""
    return Placed(file, model, sp.transform(sp.axis_angle(sp.Z, turn), (x, y, z)))


def floating(name: str, model: adf.Model, x: float = 0.0, y: float = 0.0) -> Placed:
    """A gripper above the table."""
    return Placed(name, model, sp.transform(None, (x, y, sur.TABLE_TOP + 0.30)), f'/ambf/env/{name}/')


def two_grippers() -> list:
    """Parallel ones."""
    return [floating(f'{name}_gripper', gripper.make(), x) for name, x in (('right', 0.15), ('left', -0.15))]


def led(placed: list) -> list:
    """Devices with which people lead the grippers among what is placed: the one on the right first."""
    return [
        hands.Device(
            'right' if k == 0 else 'left',
            'MTMR' if k == 0 else 'MTML',
            ['main camera'],
            root_link=f'{p.namespace}BODY palm',
        )
        for k, p in enumerate(q for q in placed if any(b.name == 'palm' for b in q.model.bodies))
    ]


def with_grippers(name: str, summary: str, held: list, base: Placed, eye: tuple, look_at: tuple, **more) -> World:
    """A world of floating grippers over a table, which scripts or people lead."""
    placed = [Placed('table', sur.table(), np.eye(4))] + held + [base]
    return World(name, summary, placed, eye, look_at, devices=led(placed), **more)


def two_user_puzzle() -> World:
    """Two people with two hands each: masters in front of the table, trackers behind it."""
    placed = [Placed('table', sur.table(), np.eye(4)), on_table('puzzle', puzzle.make())]
    devices, starts = [], {}
    for name, x, y, turn, hardware, camera in (
        ('mtm_right', 0.14, -0.15, 0.0, 'MTMR', 'main camera'),
        ('mtm_left', -0.14, -0.15, 0.0, 'MTML', 'main camera'),
        # Turned, so that two palms find room on one chain.
        ('tracker_right', 0.14, 0.10, math.pi / 2.0, 'Razer Hydra', 'back camera'),
        ('tracker_left', -0.14, 0.10, math.pi / 2.0, 'Razer Hydra', 'back camera'),
    ):
        starts[name] = (x, y, sur.TABLE_TOP + 0.30)
        base = sp.transform(sp.axis_angle(sp.Z, turn), starts[name])
        placed.append(Placed(name, gripper.make(), base, f'/ambf/env/{name}/', by_device=True))
        haptic = (200.0, 0.5) if hardware.startswith('MTM') else (0.0, 0.0)
        devices.append(hands.Device(name, hardware, [camera], f'./{name}.yaml', 'BODY palm', haptic))
    return World(
        'two_user_puzzle',
        'The puzzle for two people with two hands each, in two views.',
        placed,
        (0.0, -1.0, 1.35),
        (0.0, 0.0, 0.78),
        {'back camera': ((0.0, 1.0, 1.35), (0.0, 0.0, 0.78))},
        devices,
        hands.puzzle_scripts(starts),
    )


def shared_proxy() -> World:
    """One gripper in the hands of three people: who brings it along owns its jaws."""
    name = 'shared_gripper'
    base = sp.transform(None, (0.0, -0.10, sur.TABLE_TOP + 0.25))
    placed = [
        Placed('table', sur.table(), np.eye(4)),
        on_table('puzzle', puzzle.make()),
        Placed(name, gripper.make(), base, f'/ambf/env/{name}/', by_device=True),
    ]
    palm = f'/ambf/env/{name}/BODY palm'
    # Soft enough to see who gives way; ten presses of a button, or one, take a gain away.
    share = {'buttons': {'a1': 0, 'a2': 1, 'next mode': 2, 'prev mode': 3}, 'controller': (100.0, 10.0, 1.0, 0.05)}
    devices = [
        hands.Device('teacher', 'MTMR', ['main camera'], f'./{name}.yaml', 'BODY palm', **share),
        hands.Device('pupil', 'Falcon', ['side camera'], root_link=palm, joints=False, **share),
        hands.Device('helper', 'Falcon', ['main camera'], root_link=palm, joints=False, **share),
    ]
    return World(
        'shared_proxy',
        'Three people hold one gripper and feel each other.',
        placed,
        (0.0, -0.62, 1.10),
        (0.0, 0.0, 0.80),
        {'side camera': ((0.62, -0.1, 1.05), (0.0, 0.0, 0.80))},
        devices,
    )


def gamepad() -> World:
    """One gripper that a gamepad moves."""
    name = 'gripper'
    base = sp.transform(None, (0.0, -0.10, sur.TABLE_TOP + 0.25))
    placed = [
        Placed('table', sur.table(), np.eye(4)),
        on_table('puzzle', puzzle.make()),
        Placed(name, gripper.make(), base, f'/ambf/env/{name}/', by_device=True),
    ]
    devices = [hands.Device('gamepad', 'gamepad', ['main camera'], f'./{name}.yaml', 'BODY palm', haptic=(0.0, 0.0))]
    return World(
        'gamepad',
        'A gripper for a gamepad, keyboard or mouse, and the puzzle.',
        placed,
        (0.0, -0.9, 1.25),
        (0.0, 0.0, 0.78),
        {},
        devices,
    )


def patient_cart() -> World:
    """The whole patient side; the cart stands behind the table, the patient lies before it."""
    cart = sp.transform(sp.axis_angle(sp.Z, math.pi), (0.0, 1.0, 0.0))
    middle = sp.point(cart, (0.03, 1.21, 0.0))
    placed = [
        Placed('cart', theatre.cart(), cart),
        Placed('operating_table', theatre.operating_table(), sp.transform(None, middle)),
    ]
    for name in suj.SETUPS:
        placed.append(Placed(name, suj.carry(name), cart, f'/ambf/env/{name}/'))
    return World(
        'patient_cart',
        'Patient cart: three PSMs and the ECM on their set-up joints, over a table with a phantom.',
        placed,
        (-1.55, -2.05, 1.75),
        (0.0, 0.15, 0.92),
        {'table camera': ((0.0, -0.95, 1.45), (0.0, -0.20, 0.90))},
        arms_text=kit.cart_arms(),
    )


def surgeon_console() -> World:
    """Two masters below the viewer of a console."""
    placed = [Placed('console', theatre.console(), np.eye(4))]
    for name in ('mtml', 'mtmr'):
        placed.append(Placed(name, mtm.make(name), theatre.master_base(name == 'mtml'), f'/ambf/env/{name}/'))
    return World(
        'surgeon_console',
        "Surgeon's console: two masters below a stereo viewer.",
        placed,
        (-1.25, -1.55, 1.45),
        (0.0, 0.35, 0.82),
        {'surgeon camera': ((0.0, -0.55, 1.05), (0.0, 0.40, 0.78))},
        arms_text=kit.console_arms(),
    )


def all_worlds() -> list:
    """Every world of the package."""
    pair = psm_pair()
    trio = psm_pair() + [camera_arm()]
    lone = Placed('psm', psm.make(), sp.transform(sp.axis_angle(sp.Z, math.pi), (0.0, 0.35, 0.45)))
    table = Placed('table', sur.table(), np.eye(4))
    master = on_floor('mtm', mtm.make(), -0.5, 0.0, 0.9)
    return [
        World(
            'demo',
            'A closed-loop arm, a four-bar, and bodies that fall.',
            [
                lone,
                stands([lone]),
                on_floor('four_bar', linkages.four_bar(), 0.75, 0.2),
                on_floor('falling', sur.falling(), -0.25, -0.55),
            ],
            (0.75, -1.75, 1.15),
            (0.12, 0.05, 0.33),
            arms={'PSM1': ('psm', 'psm')},
        ),
        World(
            'peg_transfer',
            'Two PSMs over a peg board with six rings.',
            [table] + pair + [stands(pair), on_table('peg_board', pegs.make())],
            # Close to the board: what the hands do is what people want to see.
            (0.0, -0.24, 0.92),
            (0.0, 0.0, 0.755),
            {'close camera': ((0.0, -0.105, 0.79), (0.0, 0.0, 0.735))},
            arms=PSMS,
            pairs=TWO_HANDS,
            seen_through='view: camera\n  view_of: main_camera',
        ),
        World(
            'needle',
            'Two PSMs, a needle with thread, and a wound to sew.',
            [table]
            + pair
            + [
                stands(pair),
                on_table('suture_pads', suture.pads(), 0.0, 0.034),
                on_table('needle_thread', suture.make(), -0.10, 0.12),
            ],
            # Close to the wound, with the needle on the left.
            (0.0, -0.22, 0.90),
            (-0.02, 0.02, 0.725),
            arms=PSMS,
            pairs=TWO_HANDS,
            seen_through='view: camera\n  view_of: main_camera',
        ),
        with_grippers(
            'puzzle',
            'Two floating grippers and the puzzle.',
            two_grippers(),
            on_table('puzzle', puzzle.make()),
            (0.0, -0.55, 1.12),
            (0.0, 0.03, 0.77),
        ),
        with_grippers(
            'peg_in_hole',
            'A floating gripper, a peg, and holes with less and less room for it.',
            [floating('gripper', gripper.make(), 0.12)],
            on_table('peg_in_hole', wells.peg_in_hole()),
            (0.06, -0.28, 0.91),
            (0.0, 0.0, 0.76),
            more_views={'close camera': ((0.14, -0.17, 0.82), (0.03, 0.0, 0.745))},
        ),
        with_grippers(
            'training_cast',
            'Two floating grippers, a cast with four wells, and the pieces that fit them.',
            two_grippers(),
            on_table('training_cast', wells.training_cast(), 0.0, 0.04),
            (0.0, -0.52, 1.08),
            (0.0, -0.01, 0.76),
        ),
        with_grippers(
            'grippers',
            'Forceps and a gripper with fingers of two links, and things to lift.',
            [
                floating('right_gripper', grippers.multi_link(), 0.15),
                floating('left_gripper', grippers.forceps(), -0.15),
            ],
            on_table('grasping', grippers.objects()),
            (0.0, -0.56, 1.02),
            (0.0, -0.01, 0.78),
        ),
        World(
            'two_psms_ecm',
            'Two PSMs and the ECM over a peg board.',
            [table] + trio + [stands(trio), on_table('peg_board', pegs.make())],
            (0.75, -1.35, 1.60),
            (0.0, 0.05, 0.82),
            arms=PSMS | {'ECM': ('ecm', 'ecm')},
            pairs=[
                *TWO_HANDS,
                'hand: right, arm: ECM, camera: true, ignore_jaw: true, rotation_locked: true, force: none',
            ],
            seen_through='view: endoscope\n  view_of: ECM',
        ),
        World(
            'boxes',
            'A pile of 200 boxes.',
            [on_floor('box_pile', sur.box_pile())],
            (1.0, -1.25, 0.95),
            (0.0, 0.0, 0.28),
        ),
        World(
            'cloth',
            'A cloth held at two corners, falling over a ball.',
            [on_floor('ball', sur.fixed_ball(), 0.0, 0.0, 0.25), on_floor('cloth', soft.cloth(), 0.0, 0.0, 0.50)],
            (0.72, -0.80, 0.72),
            (0.0, 0.0, 0.33),
        ),
        World(
            'mechanisms',
            'Master arm, four-bar and pendulum.',
            [
                master,
                Placed('hanger', sur.hanger(master.base, 0.20), np.eye(4)),
                on_floor('four_bar', linkages.four_bar(), 0.1, 0.0),
                on_floor('pendulum', linkages.pendulum(), 0.7, 0.0),
            ],
            (0.35, -2.0, 1.0),
            (0.05, 0.0, 0.55),
            arms={'MTMR': ('mtm', 'mtm')},
        ),
        patient_cart(),
        surgeon_console(),
        two_user_puzzle(),
        shared_proxy(),
        gamepad(),
    ]


def world_text(world: World) -> str:
    """Text of world.yaml."""
    lights = {
        'key light': {
            'name': 'key_light',
            'namespace': 'lights/',
            'location': {'x': 1.5, 'y': -1.5, 'z': 3.0},
            'direction': {'x': -0.4, 'y': 0.4, 'z': -0.82},
            'spot exponent': 0.3,
            'shadow quality': 4,
            'cutoff angle': 1.0,
        },
        'fill light': {
            'name': 'fill_light',
            'namespace': 'lights/',
            'location': {'x': -2.0, 'y': -1.0, 'z': 2.5},
            'direction': {'x': 0.6, 'y': 0.3, 'z': -0.74},
            'spot exponent': 0.3,
            'shadow quality': 0,
            'cutoff angle': 1.2,
        },
    }
    lines = [
        f'# {world.summary}',
        'adf version: "1.0"',
        'namespace: /ambf/env/',
        'max iterations: 50',
        'gravity: {x: 0.0, y: 0.0, z: -9.81}',
        'environment: ../../adf/floor.yaml',
        'lights: [key light, fill light]',
        f'cameras: [{", ".join(world.views())}]',
    ]
    for key, block in lights.items():
        lines += [''] + adf.emit(key, block)
    for key, (eye, target) in world.views().items():
        camera = {
            'name': key.replace(' ', '_'),
            'namespace': 'cameras/',
            'location': adf.vector(eye),
            'look at': adf.vector(target),
            'up': {'x': 0.0, 'y': 0.0, 'z': 1.0},
            'clipping plane': {'near': 0.01, 'far': 20.0},
            'field view angle': 0.8,
        }
        lines += [''] + adf.emit(key, camera)
    return '\n'.join(lines) + '\n'


def launch_text(world: World) -> str:
    """Text of launch.yaml; AMBF's `-l` counts the models from 0."""
    devices = '.' if world.devices else '..'
    lines = [
        f'# {world.summary}',
        'adf version: "1.0"',
        'world config: ./world.yaml',
        'color config: ../colors.yaml',
        f'input devices config: {devices}/input_devices.yaml',
        'multibody configs:',
    ]
    lines += [f'- ./{p.file}.yaml' for p in world.placed if not p.by_device]
    # They belong together: where nobody chooses, all of them.
    lines.append('default multibodies: all')
    if world.arms or world.arms_text:
        lines.append('arm configs:')
    if world.arms_text:
        lines.append('- ./arms.yaml')
    lines += [
        f'- {{config: ../../arms/{kind}.yaml, name: {name}, model: {model}}}'
        for name, (kind, model) in world.arms.items()
    ]
    return '\n'.join(lines) + '\n'


def teleoperation_text(world: World) -> str:
    """Text of teleoperation.yaml."""
    lines = [
        '# Which hand leads which arm, for teleop.launch.py; parameters are those of teleop_psm (docs/teleoperation.md).',
        'pairs:',
    ]
    lines += [f'- {{{pair}}}' for pair in world.pairs]
    lines += ['parameters:', '  scale: 0.3', f'  {world.seen_through}', '  force: limits']
    return '\n'.join(lines) + '\n'


def world_files() -> dict:
    """Map from path in the package to text for all worlds."""
    files = {'worlds/colors.yaml': COLORS, 'worlds/input_devices.yaml': DEVICES}
    for world in all_worlds():
        folder = f'worlds/{world.name}'
        files[f'{folder}/world.yaml'] = world_text(world)
        files[f'{folder}/launch.yaml'] = launch_text(world)
        if world.arms_text:
            files[f'{folder}/arms.yaml'] = world.arms_text
        if world.pairs:
            files[f'{folder}/teleoperation.yaml'] = teleoperation_text(world)
        if world.devices:
            files[f'{folder}/input_devices.yaml'] = hands.devices_text(world.summary, world.devices)
        for device in world.devices:
            if device.name in world.scripts:
                files[f'{folder}/{device.name}.csv'] = hands.recording(
                    world.scripts[device.name],
                    hands.view(*world.views()[device.cameras[0]]),
                    max(script.time for script in world.scripts.values()),
                )
        for p in world.placed:
            files[f'{folder}/{p.file}.yaml'] = adf.model_text(p.model, p.base, p.namespace, '../../meshes/')
            for name, text in adf.mesh_files(p.model).items():
                if files.setdefault(f'meshes/{name}', text) != text:
                    raise ValueError(f'meshes/{name}: two different meshes with one name')
    return files
