# SPDX-License-Identifier: BSD-3-Clause
"""A small reader and kinematic solver for ADF files, independent of the generators.

It knows the format only from its documents: placement formula, header lists, file-relative paths.
"""

import copy
import functools
import math
import pathlib

import numpy as np
import yaml

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
MODEL_FILES = sorted(p for p in (PACKAGE / 'adf').glob('*.yaml'))
TOOL_FILES = sorted((PACKAGE / 'tools').glob('*.yaml'))
LAUNCH_FILES = sorted((PACKAGE / 'worlds').glob('*/launch.yaml'))
PLACED_FILES = sorted(
    p
    for p in (PACKAGE / 'worlds').glob('*/*.yaml')
    if p.name not in ('world.yaml', 'launch.yaml', 'input_devices.yaml', 'arms.yaml', 'teleoperation.yaml')
)


@functools.cache
def _load(path: pathlib.Path) -> dict:
    return yaml.load(path.read_text(), Loader=getattr(yaml, 'CSafeLoader', yaml.SafeLoader))


def load(path: pathlib.Path) -> dict:
    """Read a YAML file; the caller may change what it gets."""
    return copy.deepcopy(_load(path.resolve()))


def xyz(block: dict) -> np.ndarray:
    """Vector of an {x, y, z} map."""
    return np.array([block['x'], block['y'], block['z']], float)


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation about a unit axis."""
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def pose(block: dict) -> np.ndarray:
    """4x4 of a {position, orientation} map, R = Rz(y) Ry(p) Rx(r)."""
    t = np.eye(4)
    o = block['orientation']
    t[:3, :3] = rotation([0, 0, 1], o['y']) @ rotation([0, 1, 0], o['p']) @ rotation([1, 0, 0], o['r'])
    t[:3, 3] = xyz(block['position'])
    return t


def minimal_rotation(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """R_min(u -> v) of the format; opposite axes do not occur in our files."""
    axis = np.cross(u, v)
    sine = np.linalg.norm(axis)
    if sine < 1e-9:
        assert u @ v > 0, 'opposite joint axes: the result would be a matter of convention'
        return np.eye(3)
    return rotation(axis / sine, math.atan2(sine, u @ v))


def mesh_path(path: pathlib.Path, data: dict, block: dict, kind: str = 'low') -> pathlib.Path:
    """File of a body's mesh; a block may name a folder of its own."""
    key = f'{kind} resolution path'
    return path.parent / block.get(key, data[key]) / block['mesh']


def with_tool(arm: pathlib.Path, tool: pathlib.Path) -> dict:
    """An arm's description after its tool was exchanged: what hangs below the carriage is that of the tool's file."""
    data, other = load(arm), load(tool)
    carriage = data['BODY main insertion link']
    at = pose(carriage['location'])
    data['bodies'] = [b for b in data['bodies'] if not b.startswith('BODY tool ')]
    data['joints'] = [j for j in data['joints'] if not data[j]['child'].startswith('BODY tool ')]
    for key in other['bodies']:
        block = other[key]
        t = at @ pose(block['location'])
        cos_p = math.hypot(t[0, 0], t[1, 0])
        r, p, y = math.atan2(t[2, 1], t[2, 2]), math.atan2(-t[2, 0], cos_p), math.atan2(t[1, 0], t[0, 0])
        if cos_p < 1e-9:
            r, y = math.atan2(-t[1, 2], t[1, 1]), 0.0
        block['location'] = {
            'position': dict(zip('xyz', map(float, t[:3, 3]))),
            'orientation': {'r': r, 'p': p, 'y': y},
        }
        data[key] = block
    data |= {key: other[key] for key in other['joints']}
    data['bodies'] += other['bodies']
    data['joints'] += other['joints']
    return data


class Mechanism:
    """Bodies and joints of one model."""

    def __init__(self, path: pathlib.Path | dict):
        self.data = path if isinstance(path, dict) else load(path)
        self.bodies = list(self.data.get('bodies') or [])
        self.joints = [self.data[j] for j in self.data.get('joints') or []]
        self.location = {b: pose(self.data[b]['location']) for b in self.bodies}
        self.tree, self.loops, reached = [], [], set()
        for joint in self.joints:
            (self.loops if joint['child'] in reached else self.tree).append(joint)
            reached.add(joint['child'])

    def child_in_parent(self, joint: dict, q: float) -> np.ndarray:
        """Placement formula: pose of the child's frame in the parent's."""
        a_p, a_c = (xyz(joint[k]) / np.linalg.norm(xyz(joint[k])) for k in ('parent axis', 'child axis'))
        slides = joint['type'] == 'prismatic'
        turn = joint.get('offset', 0.0) + (0.0 if slides else q)
        t = np.eye(4)
        t[:3, :3] = rotation(a_p, turn) @ minimal_rotation(a_c, a_p)
        t[:3, 3] = xyz(joint['parent pivot']) - t[:3, :3] @ xyz(joint['child pivot'])
        if slides:
            t[:3, 3] += q * a_p
        return t

    def start_value(self, joint: dict) -> float:
        """Joint value in the file's pose."""
        rel = np.linalg.inv(self.location[joint['parent']]) @ self.location[joint['child']]
        zero = self.child_in_parent(joint, 0.0)
        axis = xyz(joint['parent axis']) / np.linalg.norm(xyz(joint['parent axis']))
        if joint['type'] == 'prismatic':
            return float(axis @ (rel[:3, 3] - zero[:3, 3]))
        turn = rel[:3, :3] @ zero[:3, :3].T
        sine = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
        return math.atan2(sine @ axis, (np.trace(turn) - 1) / 2)

    def start_error(self, joint: dict) -> tuple[float, float]:
        """Distance [m] and angle [rad] between the file's pose and the joint's."""
        rel = np.linalg.inv(self.location[joint['parent']]) @ self.location[joint['child']]
        want = self.child_in_parent(joint, self.start_value(joint))
        pivot = np.append(xyz(joint['child pivot']), 1.0)
        gap = np.linalg.norm((rel - want) @ pivot)
        return gap, np.linalg.norm(rel[:3, :3] - want[:3, :3]) / math.sqrt(2)

    def forward(self, q: dict) -> dict:
        """World poses of all bodies with tree joints at q (missing ones at 0)."""
        out = {b: t for b, t in self.location.items() if all(j['child'] != b for j in self.joints)}
        for joint in self.tree:
            out[joint['child']] = out[joint['parent']] @ self.child_in_parent(joint, q.get(joint['name'], 0.0))
        return out

    def loop_residual(self, bodies: dict) -> np.ndarray:
        """Per loop joint: gap of the pivots [m] and misalignment of the axes [-]."""
        out = []
        for joint in self.loops:
            parent, child = bodies[joint['parent']], bodies[joint['child']]
            gap = (parent @ np.append(xyz(joint['parent pivot']), 1) - child @ np.append(xyz(joint['child pivot']), 1))[
                :3
            ]
            a_p = parent[:3, :3] @ xyz(joint['parent axis'])
            a_c = child[:3, :3] @ xyz(joint['child axis'])
            out += [gap, np.cross(a_p, a_c)]
        return np.concatenate(out) if out else np.zeros(0)

    def close(self, driven: dict, guess: dict | None = None) -> tuple[dict, dict]:
        """Solve the loops for the passive tree joints (Gauss-Newton); returns q and world poses."""
        free = [j['name'] for j in self.tree if j['name'] not in driven]
        if not free:
            return driven, self.forward(driven)
        x = np.array([(guess or {}).get(n, 0.0) for n in free])

        def residual(values):
            return self.loop_residual(self.forward({**driven, **dict(zip(free, values))}))

        for _ in range(30):
            r = residual(x)
            jacobian = np.column_stack([(residual(x + h) - residual(x - h)) / 2e-6 for h in 1e-6 * np.eye(len(x))])
            step = np.linalg.lstsq(jacobian, -r, rcond=None)[0]
            # Short steps keep to the branch of the guess.
            x = x + step * min(1.0, 0.3 / max(np.abs(step).max(), 1e-12))
            if np.abs(step).max() < 1e-13:
                break
        q = {**driven, **dict(zip(free, x))}
        return q, self.forward(q)

    def driven(self) -> list:
        """Joints that clients command, in file order."""
        return [j for j in self.joints if not j['passive']]
