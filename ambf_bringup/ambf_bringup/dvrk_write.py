# SPDX-License-Identifier: BSD-3-Clause
"""What is written for a dVRK's system: descriptions of arms, a world with their models, a file for a real console."""

import copy
import json
import math
import pathlib
from typing import Any

import numpy as np
import yaml

from ambf_bringup.dvrk_arms import ArmPlan, System
from ambf_bringup.dvrk_files import plain

# Models of `ambf_description` by generation or side, and which of their bodies and joints make the arm.
MODELS = {
    'PSM': {
        'files': {'Classic': 'psm.yaml', 'Si': 'psm_si.yaml'},
        'base': 'BODY base link',
        'tip': 'BODY tool yaw link',
        'fingers': ['JOINT tool yaw link-tool gripper1 link', 'JOINT tool yaw link-tool gripper2 link'],
    },
    'ECM': {
        'files': {'Classic': 'ecm.yaml', 'Si': 'ecm_si.yaml'},
        'base': 'BODY base link',
        'tip': 'BODY tool link',
    },
    'MTM': {
        'files': {'left': 'mtml.yaml', 'right': 'mtmr.yaml'},
        'base': 'BODY top panel',
        'tip': 'BODY wrist roll link',
        'fingers': [
            'JOINT wrist roll link-gripper left link',
            'JOINT wrist roll link-gripper right link',
        ],
    },
}
CLASSES = {'PSM': 'dvrk_psm_from_ros', 'MTM': 'dvrk_mtm_from_ros', 'ECM': 'dvrk_arm_from_ros'}
# Where arms stand that nothing places: side by side, over the floor [m].
BESIDE, ABOVE = 0.7, 0.9


def number(value: float) -> float:
    """As it is, without a minus before zero."""
    return float(value) + 0.0


def rows_of(t: np.ndarray) -> list[list[float]]:
    return [[number(x) for x in row] for row in t]


def model_file(plan: ArmPlan) -> str:
    return MODELS[plan.kind]['files'][plan.side if plan.kind == 'MTM' else plan.generation]


def description(plan: ArmPlan, model: str | None) -> dict[str, Any]:
    """The block of docs/arms.md for one arm."""
    out: dict[str, Any] = {'name': plan.name, 'kind': plan.kind}
    if plan.kind != 'MTM':
        out['generation'] = plan.generation
    else:
        out['side'] = plan.side
    if plan.tool:
        out['tool'] = plan.tool
    if plan.endoscope:
        out['endoscope'] = plan.endoscope
    parts = MODELS[plan.kind]
    if model is not None:
        out.update(model=model, base=parts['base'], tip=parts['tip'])
    if plan.table is not None:
        rows = []
        for row in plan.table.rows:
            values = {'alpha': row.alpha, 'a': row.a, 'd': row.d, 'theta': row.theta}
            entry: dict[str, Any] = {key: number(value) for key, value in values.items()}
            rows.append({**entry, 'slides': True} if row.slides else entry)
        out['dh'] = {'convention': plan.table.convention, 'rows': rows}
        if plan.tip is not None:
            out['tip offset'] = {'matrix': rows_of(plan.tip)}
        out['joints'] = _joints(plan)
    fingers = {'joints': parts['fingers'], 'ratio': 0.5} if model is not None and 'fingers' in parts else {}
    if plan.jaw is not None:
        fingers.update(low=plan.jaw[0], high=plan.jaw[1])
    if fingers:
        out['gripper' if plan.kind == 'MTM' else 'jaw'] = fingers
    if plan.base is not None:
        out['base frame'] = {**({'reference': plan.reference} if plan.reference else {}), 'matrix': rows_of(plan.base)}
    return out


def _joints(plan: ArmPlan) -> list[dict[str, Any]]:
    """Names and ranges of the user's files; joints of the tool that it does not list keep ours."""
    out = []
    for row in plan.table.rows:
        entry: dict[str, Any] = {}
        for key, value in (('name', row.name), ('low', row.low), ('high', row.high), ('max effort', row.effort)):
            if value not in (None, ''):
                entry[key] = value
        out.append(entry)
    missing = {'PSM': 6, 'ECM': 4, 'MTM': 7}[plan.kind] - len(out)
    return out + [{} for _ in range(missing)]


def as_yaml(data: Any) -> str:
    return yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=140)


# The world


def matrix_of(location: dict) -> np.ndarray:
    """An ADF location: position and roll, pitch, yaw."""
    p, o = location.get('position', {}), location.get('orientation', {})
    cr, sr = math.cos(o.get('r', 0.0)), math.sin(o.get('r', 0.0))
    cp, sp = math.cos(o.get('p', 0.0)), math.sin(o.get('p', 0.0))
    cy, sy = math.cos(o.get('y', 0.0)), math.sin(o.get('y', 0.0))
    t = np.eye(4)
    t[:3, :3] = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    t[:3, 3] = [p.get(axis, 0.0) for axis in 'xyz']
    return t


def location_of(t: np.ndarray) -> dict:
    flat = math.hypot(t[0, 0], t[1, 0])
    pitch = math.atan2(-t[2, 0], flat)
    if flat > 1e-12:
        roll, yaw = math.atan2(t[2, 1], t[2, 2]), math.atan2(t[1, 0], t[0, 0])
    else:
        roll, yaw = math.atan2(-t[1, 2], t[1, 1]), 0.0
    return {
        'position': {axis: float(t[i, 3]) for i, axis in enumerate('xyz')},
        'orientation': {'r': roll, 'p': pitch, 'y': yaw},
    }


def placed_model(source: pathlib.Path, name: str, place: np.ndarray) -> str:
    """An ADF model as text, with a name and a place of its own."""
    model = yaml.safe_load(source.read_text())
    # Bodies of tools have folders of their own.
    for block in (model, *(value for value in model.values() if isinstance(value, dict))):
        for key in ('high resolution path', 'low resolution path'):
            if key in block:
                block[key] = str((source.parent / block[key]).resolve()) + '/'
    model['namespace'] = f'/ambf/env/{name}/'
    for body in model['bodies']:
        model[body]['location'] = location_of(place @ matrix_of(model[body].get('location', {})))
    return as_yaml(model)


def places(plans: list[ArmPlan]) -> dict[str, np.ndarray]:
    """Where arms stand in the world: as in their common reference, else side by side."""
    out, beside = {}, 0
    for plan in plans:
        t = np.eye(4)
        if plan.reference == 'Cart':
            t = plan.base
        else:
            t[:3, 3] = (BESIDE * beside, 0.0, ABOVE)
            beside += 1
        out[plan.name] = t
    return out


def write_world(
    system: System, folder: pathlib.Path, models: pathlib.Path, worlds: pathlib.Path
) -> tuple[pathlib.Path, pathlib.Path]:
    """Descriptions of the arms and a world with one model for each; returns the two files."""
    folder.mkdir(parents=True, exist_ok=True)
    where = places(system.arms)
    for plan in system.arms:
        text = placed_model(models / model_file(plan), plan.name, where[plan.name])
        (folder / f'{plan.name}.yaml').write_text(text)
    world = folder / 'world.yaml'
    world.write_text(
        as_yaml(
            {
                'adf version': '1.0',
                'world config': str(worlds / 'demo/world.yaml'),
                'color config': str(worlds / 'colors.yaml'),
                'multibody configs': [f'./{plan.name}.yaml' for plan in system.arms],
                'default multibodies': 'all',
            }
        )
    )
    return write_arms(system, folder, True), world


def write_arms(system: System, folder: pathlib.Path, with_models: bool) -> pathlib.Path:
    folder.mkdir(parents=True, exist_ok=True)
    arms = folder / 'arms.yaml'
    blocks = [description(plan, f'{plan.name}.yaml' if with_models else None) for plan in system.arms]
    arms.write_text(f'# Of {system.file.name}.\n' + as_yaml({'arms': blocks}))
    return arms


def write_parameters(
    system: System, folder: pathlib.Path, standard: pathlib.Path, rate: float, tf_rate: float, namespace: str = ''
) -> pathlib.Path:
    """The simulator's parameters, and the rates of each arm's data and frames [Hz]."""
    file, below = folder / 'parameters.yaml', f'/{namespace.strip("/")}'.rstrip('/')
    # By their full names: launch finds no others for nodes in a container.
    rates = {'rate': round(float(rate), 6), 'tf_rate': round(float(tf_rate), 6)}
    arms = {f'{below}/{plan.name}': {'ros__parameters': dict(rates)} for plan in system.arms}
    file.write_text(standard.read_text() + as_yaml(arms))
    return file


# A file for a real console


def from_ros(system: System, period: float, names: list[str] | None = None) -> tuple[dict[str, Any], list[str]]:
    """The system with PSMs and ECMs (or the named arms) taken from ROS; what it says, and notes about it."""
    known = {plan.name: plan.kind for plan in system.arms}
    chosen = [name for name, kind in known.items() if (name in names if names is not None else kind in ('PSM', 'ECM'))]
    notes: list[str] = []
    data = {plain(key): copy.deepcopy(value) for key, value in system.data.items()}
    out: dict[str, Any] = {'$id': 'dvrk-system.schema.json', '$version': '1'}
    manager = {plain(key): value for key, value in data.get('component_manager', {}).items()}
    components = [
        component
        for component in manager.get('components', [])
        if component.get('constructor-arg', {}).get('Name') not in chosen
    ]
    components += [
        {
            'shared-library': 'dvrk_arm_from_ros',
            'class-name': CLASSES[known[name]],
            'constructor-arg': {'Name': name, 'Period': period},
        }
        for name in chosen
    ]
    out['component_manager'] = {**manager, 'components': components}
    out.update({key: data[key] for key in ('settings', 'IOs', 'ISI_focus_controller') if key in data})
    out['arms'] = []
    for arm in data.get('arms', []):
        name = arm.get('name')
        if name in chosen:
            out['arms'].append(
                {
                    'name': name,
                    'type': f'{known[name]}_GENERIC',
                    'component': name,
                    'interface': name,
                    'skip_ROS_bridge': True,
                }
            )
        else:
            out['arms'].append(_new_keys(arm))
    masters = [name for name in chosen if known[name] == 'MTM']
    out['consoles'] = []
    for console in data.get('consoles', []):
        console = dict(console)
        for teleop in console.get('teleop_PSMs', []):
            if teleop.get('MTM') in masters:
                teleop.setdefault('configure_parameter', {})['align_MTM'] = False
                notes.append(
                    f'{teleop["MTM"]} and {teleop.get("PSM")}: align_MTM is false, a master from ROS has no move_cp'
                )
        kept = []
        for teleop in console.get('teleop_ECMs', []):
            if {teleop.get('MTML'), teleop.get('MTMR')} & set(masters):
                notes.append('the ECM cannot be led by masters from ROS: its teleoperation is left out')
            else:
                kept.append(teleop)
        if 'teleop_ECMs' in console:
            console['teleop_ECMs'] = kept
        out['consoles'].append(console)
    if not out['consoles']:
        del out['consoles']
    return out, notes


def _new_keys(arm: dict[str, Any]) -> dict[str, Any]:
    """The arm as dVRK 2.4 writes it."""
    names = {'arm': 'arm_file', 'skip_ros_bridge': 'skip_ROS_bridge'}
    if str(arm.get('type', '')).startswith('SUJ'):
        names['kinematic'] = 'arm_file'
    out = {}
    for key, value in arm.items():
        key = names.get(plain(key), plain(key))
        out[key] = {plain(k): v for k, v in value.items()} if isinstance(value, dict) else value
    return out


def as_json(data: Any) -> str:
    return json.dumps(data, indent=4) + '\n'
