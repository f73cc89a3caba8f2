# SPDX-License-Identifier: BSD-3-Clause
"""The arms of the kit as arm blocks (docs/arms.md): which bodies and joints of a model an arm is."""

from . import adf, suj, theatre
from . import spatial as sp

JAW = ['JOINT tool yaw link-tool gripper1 link', 'JOINT tool yaw link-tool gripper2 link']
GRIPPER = ['JOINT wrist roll link-gripper left link', 'JOINT wrist roll link-gripper right link']


def psm(name: str, model: str) -> dict:
    """PSM with a large needle driver."""
    return {
        'name': name,
        'kind': 'PSM',
        'generation': 'Classic',
        'tool': 'LARGE_NEEDLE_DRIVER:400006',
        'model': model,
        'base': 'BODY base link',
        'tip': 'BODY tool yaw link',
        'jaw': {'joints': JAW, 'ratio': 0.5},
    }


def ecm(name: str, model: str) -> dict:
    """ECM with a straight endoscope."""
    return {
        'name': name,
        'kind': 'ECM',
        'generation': 'Classic',
        'endoscope': 'Classic_HD_STRAIGHT',
        'model': model,
        'base': 'BODY base link',
        'tip': 'BODY tool link',
    }


def setup(name: str, model: str) -> dict:
    """Set-up joints of an arm: an arm of their own, whose tip is the base frame of the arm that they carry."""
    return {
        'name': f'SUJ_{name.upper()}',
        'topic': f'SUJ/{name.upper()}',
        'carries': name.upper(),
        'reference arm': 'ECM',
        'kind': 'generic',
        'model': model,
        'base': 'BODY setup column link',
        'tip': 'BODY base link',
        'max velocity': 0.2,
        'max acceleration': 0.5,
        'home': list(suj.SETUPS[name].posture[: suj.SETUPS[name].driven]),
        # In the frame of the cart's foot, which the set-up joints of all arms share.
        'base offset': adf.location(suj.frames(suj.SETUPS[name])[0]),
        'base frame': {'reference': 'cart'},
    }


def mtm(name: str, model: str) -> dict:
    """Master in the frame of the console's viewer."""
    left = name == 'MTML'
    pose = sp.inverse(theatre.viewer()) @ theatre.master_base(left)
    return {
        'name': name,
        'kind': 'MTM',
        'side': 'left' if left else 'right',
        'model': model,
        'base': 'BODY top panel',
        'tip': 'BODY wrist roll link',
        'gripper': {'joints': GRIPPER, 'ratio': 0.5, 'high': 1.04},
        'base frame': {'reference': 'HRSV', **adf.location(pose)},
    }


def text(comment: list, blocks: list) -> str:
    """YAML of a list of arms."""
    lines = [f'# {line}' for line in comment] + ['arms:']
    for block in blocks:
        entries = [line for key, value in block.items() for line in adf.emit(key, value, 1)]
        lines += ['- ' + entries[0].lstrip()] + entries[1:]
    return '\n'.join(lines) + '\n'


def cart_arms() -> str:
    """Arms of the patient cart."""
    comment = [
        'The arms of the patient cart; models are those of this folder. The base frame of an arm is the pose of',
        'its base link, which its set-up joints (SUJ_...) carry; they tell it to the arm in the tip of the ECM.',
    ]
    blocks = [psm(f'PSM{k}', f'psm{k}.yaml') for k in (1, 2, 3)] + [ecm('ECM', 'ecm.yaml')]
    return text(comment, blocks + [setup(name, f'{name}.yaml') for name in suj.SETUPS])


def console_arms() -> str:
    """Arms of the surgeon's console."""
    comment = [
        'The masters; models are those of this folder. HRSV is the frame of the stereo viewer: x left in the',
        "picture, y up, z away; places are those of the dVRK's system-full-system-simulated.json.",
    ]
    return text(comment, [mtm('MTML', 'mtml.yaml'), mtm('MTMR', 'mtmr.yaml')])


def suj_arms() -> str:
    """arms/suj.yaml."""
    comment = ['adf/suj_*.yaml as arms: the set-up joints of the Classic patient cart. Tip: the base frame of the arm.']
    return text(comment, [setup(name, f'../adf/suj_{name}.yaml') for name in suj.SETUPS])
