# SPDX-License-Identifier: BSD-3-Clause
"""ADF blocks as small value types, and the text that AMBF's format wants."""

import dataclasses
import math

import numpy as np

from . import finishes, solids
from . import spatial as sp


@dataclasses.dataclass
class Body:
    """A rigid body placed in the model's zero pose.

    `pose` is the body frame and `parts` its geometry, both in the model's base frame. `armature`
    [kg m^2] is added to all three moments: the inertia of the drive train seen from the joint,
    which for the finger-sized links of a tool is far larger than that of the link itself.
    """

    name: str
    pose: np.ndarray
    parts: list
    mass: float
    color: tuple
    armature: float = 0.0
    passive: bool = False
    groups: tuple = (0,)
    friction: float = 0.5
    rolling_friction: float = 0.01
    restitution: float = 0.1
    damping: tuple = (0.04, 0.1)
    shape: solids.Shape | None = None
    controller: dict | None = None
    mesh_name: str | None = None
    finish: str | None = None  # of parts that name none; None: plain, in the body's colour
    trim: list = dataclasses.field(default_factory=list)  # parts that are drawn only
    mesh_folder: str | None = None  # below meshes/, where it is not that of the model
    source: 'Body | None' = None  # the same body before `moved`: what it looks like in its own frame

    @property
    def dressed(self) -> list:
        """What is drawn: pairs of a skin and its finish (None: the body's colour)."""
        out = [(s, p.finish or self.finish) for p in self.parts + self.trim for s in p.skins]
        if any(f for _, f in out) and not all(f for _, f in out):
            raise ValueError(f'{self.name}: give all drawn parts a finish, or none')
        return out

    @property
    def is_primitive(self) -> bool:
        """Drawn as the primitive that it collides as."""
        return self.shape is not None and self.mesh_name is None

    @property
    def identifier(self) -> str:
        """Key of the block and what joints refer to."""
        return f'BODY {self.name}'

    def inertial(self) -> tuple[np.ndarray, np.ndarray]:
        """Pose of the principal frame in the base frame and the principal moments."""
        com, tensor = solids.mass_properties(self.parts, self.mass)
        moments, axes = sp.principal_axes(self.pose[:3, :3].T @ tensor @ self.pose[:3, :3])
        # Below this the moment of a planar or thread-like part is smaller than float noise.
        return (sp.transform(self.pose[:3, :3] @ axes, com), np.maximum(moments, 1e-12) + self.armature)


@dataclasses.dataclass
class Joint:
    """A joint given by its place and axis in the base frame at the zero pose."""

    parent: str
    child: str
    kind: str
    pivot: np.ndarray
    axis: np.ndarray
    limits: tuple | None = None
    gains: dict | None = None
    passive: bool = False
    damping: float = 0.0
    max_motor_impulse: float | None = None
    start: float = 0.0  # joint value in the file's pose
    extra: dict = dataclasses.field(default_factory=dict)

    @property
    def name(self) -> str:
        """Published name, in AMBF's way."""
        return f'{self.parent}-{self.child}'


@dataclasses.dataclass
class Model:
    """A model file: bodies, joints and whatever else it lists."""

    name: str
    summary: str
    bodies: list
    joints: list = dataclasses.field(default_factory=list)
    namespace: str = '/ambf/env/'
    gravity: tuple | None = None
    ignore_inter_collision: bool = False
    holds_position: bool = False  # driven joints stay where they are without a command
    mesh_folder: str | None = None
    blocks: dict = dataclasses.field(default_factory=dict)  # list name -> {key: block}
    outside: list = dataclasses.field(default_factory=list)  # bodies of another model that joints refer to
    extra_meshes: dict = dataclasses.field(default_factory=dict)  # file name -> OBJ text

    def body(self, name: str) -> Body:
        """Look a body up by name."""
        return next(b for b in self.bodies + self.outside if b.name == name)


def moved(model: Model, t: np.ndarray) -> Model:
    """Return the model with its base frame at `t` of another frame; its files stay where they are."""

    def body(b: Body) -> Body:
        parts, trim = [p.moved(t) for p in b.parts], [p.moved(t) for p in b.trim]
        shape = b.shape and solids.Shape(b.shape.kind, b.shape.geometry, t @ b.shape.pose)
        folder = b.mesh_folder or model.mesh_folder or model.name
        return dataclasses.replace(
            b, pose=t @ b.pose, parts=parts, trim=trim, shape=shape, mesh_folder=folder, source=b.source or b
        )

    def joint(j: Joint) -> Joint:
        return dataclasses.replace(j, pivot=sp.point(t, j.pivot), axis=sp.snap(t[:3, :3] @ j.axis))

    return dataclasses.replace(
        model,
        bodies=[body(b) for b in model.bodies],
        joints=[joint(j) for j in model.joints],
        outside=[body(b) for b in model.outside],
    )


def number(value: float) -> str:
    """Nine significant digits, always with a dot so that YAML 1.1 readers see a float."""
    value = float(value)
    if abs(value) < 1e-14:
        return '0.0'
    text = f'{value:.9g}'
    mantissa, _, exponent = text.partition('e')
    if '.' not in mantissa:
        mantissa += '.0'
    return mantissa + ('e' + exponent if exponent else '')


def scalar(value) -> str:
    """YAML scalar."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return number(value)
    return "''" if value == '' else str(value)


def flow(value) -> str:
    """YAML in one line."""
    if isinstance(value, dict):
        return '{' + ', '.join(f'{k}: {flow(v)}' for k, v in value.items()) + '}'
    if isinstance(value, (list, tuple)):
        return '[' + ', '.join(flow(v) for v in value) + ']'
    return scalar(value)


def emit(key: str, value, indent: int = 0) -> list:
    """YAML lines of `key: value`; maps that fit a line stay on it."""
    pad = '  ' * indent
    line = f'{pad}{key}: {flow(value)}'
    if not isinstance(value, (dict, list, tuple)) or not value:
        return [line]
    simple = isinstance(value, dict) and not any(isinstance(v, dict) for v in value.values())
    if len(line) <= 100 and (simple or not isinstance(value, dict)):
        return [line]
    lines = [f'{pad}{key}:']
    if isinstance(value, dict):
        for k, v in value.items():
            lines += emit(k, v, indent + 1)
        return lines
    for item in value:
        text = f'{pad}- {flow(item)}'
        if isinstance(item, dict) and len(text) > 100:
            entries = [line for k, v in item.items() for line in emit(k, v, indent + 1)]
            entries[0] = f'{pad}- {entries[0].lstrip()}'
            lines += entries
        else:
            lines.append(text)
    return lines


def vector(v) -> dict:
    """Map {x, y, z}."""
    return {'x': float(v[0]), 'y': float(v[1]), 'z': float(v[2])}


def location(t: np.ndarray) -> dict:
    """Map {position, orientation} of a transform."""
    r, p, y = sp.to_rpy(t[:3, :3])
    return {'position': vector(t[:3, 3]), 'orientation': {'r': r, 'p': p, 'y': y}}


def rgba(color) -> dict:
    """Map {r, g, b, a} of a 3-tuple or 4-tuple."""
    a = color[3] if len(color) == 4 else 1.0
    return {'r': float(color[0]), 'g': float(color[1]), 'b': float(color[2]), 'a': float(a)}


def collision_block(body: Body, to_body: np.ndarray) -> dict:
    """Collision keys of a body: one shape with its offset, or a compound."""
    shapes = [body.shape] if body.shape else [s for p in body.parts for s in p.shapes]
    if not shapes:
        raise ValueError(f'{body.name}: a body without collision shape would collide as its mesh')
    thinnest = min(min(v for v in thickness(s)) for s in shapes)
    block = {'collision margin': min(0.001, 0.05 * thinnest)}
    if len(shapes) == 1:
        block['collision shape'] = shapes[0].kind
        block['collision geometry'] = shapes[0].geometry
        block['collision offset'] = location(to_body @ shapes[0].pose)
    else:
        block['compound collision shape'] = [
            {'shape': s.kind, 'geometry': s.geometry, 'offset': location(to_body @ s.pose)} for s in shapes
        ]
    return block


def thickness(shape: solids.Shape) -> list:
    """Lengths across a primitive."""
    g = shape.geometry
    if shape.kind == 'BOX':
        return [g['x'], g['y'], g['z']]
    return [2.0 * g['radius']] + ([g['height']] if 'height' in g else [])


def body_block(body: Body, base: np.ndarray, folder: str, meshes: str) -> dict:
    """All keys of a rigid body whose model's base frame is placed at `base`; `folder` is that of the model's meshes."""
    place, body = (
        base @ body.pose,
        dataclasses.replace(body.source or body, mass=body.mass, mesh_folder=body.mesh_folder),
    )
    to_body = sp.inverse(body.pose)
    block = {'name': body.name}
    if body.is_primitive:
        block['shape'] = body.shape.kind
        block['geometry'] = body.shape.geometry
    else:
        block['mesh'] = mesh_file_name(body)
        if body.mesh_folder and body.mesh_folder != folder:
            block['high resolution path'] = f'{meshes}{body.mesh_folder}/'
            block['low resolution path'] = f'{meshes}{body.mesh_folder}/solid/'
    block['mass'] = body.mass
    if body.mass > 0.0:
        frame, moments = body.inertial()
        block['inertia'] = {'ix': moments[0], 'iy': moments[1], 'iz': moments[2]}
        block['inertial offset'] = location(to_body @ frame)
    block['scale'] = 1.0
    block['location'] = location(place)
    block.update(collision_block(body, to_body))
    block['collision groups'] = list(body.groups)
    block['friction'] = {'static': body.friction, 'rolling': body.rolling_friction}
    block['restitution'] = body.restitution
    block['damping'] = {'linear': body.damping[0], 'angular': body.damping[1]}
    if body.controller:
        block['controller'] = body.controller
    block['passive'] = body.passive
    if body.is_primitive or not any(f for _, f in body.dressed):
        block['color rgba'] = rgba(body.color)
    return block


def joint_block(joint: Joint, model: Model) -> dict:
    """All keys of a joint; its offset makes the file's pose the joint value `start`."""
    parent, child = model.body(joint.parent).pose, model.body(joint.child).pose
    axis = np.asarray(joint.axis, float)
    axis = axis / math.sqrt(float(np.dot(axis, axis)))
    parent_axis = sp.snap(parent[:3, :3].T @ axis)
    child_axis = sp.snap(child[:3, :3].T @ axis)
    if float(np.dot(parent_axis, child_axis)) < -0.999:
        raise ValueError(f'{joint.name}: opposite axes leave the minimal rotation to convention')
    # R_rel = Rot(a_p, offset) R_min(a_c -> a_p), the format's placement formula at q = 0.
    turn = parent[:3, :3].T @ child[:3, :3] @ sp.rotation_between(child_axis, parent_axis).T
    sine = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    offset = math.atan2(float(np.dot(sine, parent_axis)) / 2.0, (float(np.trace(turn)) - 1.0) / 2.0)
    slides = joint.kind == 'prismatic'
    child_pivot = joint.pivot + joint.start * axis if slides else joint.pivot
    block = {
        'name': joint.name,
        'type': joint.kind,
        'parent': f'BODY {joint.parent}',
        'child': f'BODY {joint.child}',
        'parent pivot': vector(sp.point(sp.inverse(parent), joint.pivot)),
        'parent axis': vector(parent_axis),
        'child pivot': vector(sp.point(sp.inverse(child), child_pivot)),
        'child axis': vector(child_axis),
    }
    offset -= 0.0 if slides else joint.start
    if abs(offset) > 1e-12:
        block['offset'] = offset
    if joint.limits is not None:
        block['joint limits'] = {'low': joint.limits[0], 'high': joint.limits[1]}
    if joint.gains:
        block['controller'] = joint.gains
    if joint.max_motor_impulse is not None:
        block['max motor impulse'] = joint.max_motor_impulse
    if 'damping' not in joint.extra:
        block['damping'] = joint.damping
    if model.holds_position and not joint.passive:
        block['hold position'] = True
    block['enable feedback'] = False
    block['passive'] = joint.passive
    block.update(joint.extra)
    return block


def model_text(
    model: Model, base: np.ndarray | None = None, namespace: str | None = None, mesh_path: str = '../meshes/'
) -> str:
    """Text of the model file with its base frame at `base` in the world."""
    base = np.eye(4) if base is None else base
    folder = f'{mesh_path}{model.mesh_folder or model.name}/'
    lines = [f'# {model.summary}', '# Written by ambf_description/scripts/generate.py.', 'adf version: "1.0"']
    lines += emit('bodies', [b.identifier for b in model.bodies])
    lines += emit('joints', [f'JOINT {j.name}' for j in model.joints])
    for kind, blocks in model.blocks.items():
        lines += emit(kind, list(blocks))
    lines += emit('high resolution path', folder) + emit('low resolution path', folder + 'solid/')
    lines += emit('namespace', namespace or model.namespace)
    lines += emit('ignore inter-collision', model.ignore_inter_collision)
    if model.gravity is not None:
        lines += emit('gravity', vector(model.gravity))
    for body in model.bodies:
        block = body_block(body, base, model.mesh_folder or model.name, mesh_path)
        lines += [''] + emit(body.identifier, block)
    for joint in model.joints:
        lines += [''] + emit(f'JOINT {joint.name}', joint_block(joint, model))
    for kind, blocks in model.blocks.items():
        for key, block in blocks.items():
            if kind == 'soft bodies':
                block = {**block, 'location': location(base)}
            lines += [''] + emit(key, block)
    return '\n'.join(lines) + '\n'


def mesh_file_name(body: Body) -> str:
    """File name of a body's mesh."""
    return (body.mesh_name or body.name).replace(' ', '_') + '.obj'


def mesh_files(model: Model) -> dict:
    """Map from file name below meshes/ to text or bytes.

    Each mesh is in its body's frame: what is drawn in the model's folder, and below it in solid/
    the closed shells that mass and inertia are those of.
    """
    folder = model.mesh_folder or model.name
    files = {f'{folder}/{n}': t for n, t in model.extra_meshes.items()}
    used = set()
    for body in model.bodies:
        if body.is_primitive:
            continue
        folder = body.mesh_folder or model.mesh_folder or model.name
        body = body.source or body
        name = mesh_file_name(body)
        to_body = sp.inverse(body.pose)
        dressed = [(s.moved(to_body), f) for s, f in body.dressed]
        used |= {folder for _, f in dressed if f}
        parts = [p.moved(to_body) for p in body.parts]
        for path, text in (
            (f'{folder}/{name}', finishes.drawn_obj(dressed, f'{folder}/{name}')),
            (f'{folder}/solid/{name}', solids.obj_text(parts, f'{folder}/solid/{name}')),
        ):
            if files.setdefault(path, text) != text:
                raise ValueError(f'{path}: two different meshes with one name')
    for folder in used:
        files[f'{folder}/finish.mtl'] = finishes.mtl_text()
    return files
