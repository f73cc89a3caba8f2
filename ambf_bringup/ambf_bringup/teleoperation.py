# SPDX-License-Identifier: BSD-3-Clause
"""Which hands lead which arms of a world: the file teleoperation.yaml beside its launch file."""

import dataclasses
import pathlib
from typing import Any

import yaml

FILE = 'teleoperation.yaml'
ARM_PACKAGE, DEVICE_PACKAGE = 'ambf_arm_nodes', 'ambf_device_nodes'
# What is started for each hand, by the argument `hands`; nothing for hands that are there already.
DEVICES: dict[str, tuple[str, dict[str, Any]] | None] = {
    'mock': ('mock_device', {'rate': 500.0, 'trajectory_scale': 0.02, 'trajectory_rate': 1.0}),
    'gamepad': ('sdl_device', {'input': 'gamepad'}),
    'keyboard': ('sdl_device', {'input': 'keyboard'}),
    'dvrk': None,
    'none': None,
}
SCALE = 0.2  # of pairs that give none, by teleop_psm
MASTERS = {'left': 'MTML', 'right': 'MTMR'}


@dataclasses.dataclass
class Process:
    """A node in a process of its own."""

    name: str
    package: str
    executable: str
    parameters: dict[str, Any]


def read_pairs(world: pathlib.Path, chosen: str = '') -> list[dict[str, Any]]:
    """Parameters of each pair of the world, or of a chosen file; RuntimeError, which ends the launch, for what cannot be."""
    file = pathlib.Path(chosen) if chosen else world.parent / FILE
    if chosen and not file.is_file():
        raise RuntimeError(f"pairs: found '{chosen}', which is no file; expected one that pairs hands with arms")
    if not file.is_file():
        return []
    try:
        content = yaml.safe_load(file.read_text()) or {}
    except yaml.YAMLError as error:
        raise RuntimeError(f'{file} is no YAML: {error}') from None
    content = content if isinstance(content, dict) else {}
    common, pairs = content.get('parameters') or {}, content.get('pairs')
    if not isinstance(common, dict):
        raise RuntimeError(f"{file}: 'parameters': expected names and values, which every pair gets")
    pairs = pairs if isinstance(pairs, list) else []
    # A file that pairs nobody is a mistake, such as `pair:`: nothing would move, and nobody would say why.
    if not pairs or not all(isinstance(pair, dict) and pair.get('hand') and pair.get('arm') for pair in pairs):
        raise RuntimeError(f"{file}: 'pairs': expected a list of {{hand: ..., arm: ...}}")
    pairs = [{**common, **pair} for pair in pairs]
    for pair in pairs:
        if isinstance(pair.get('scale', 1), bool) or not isinstance(pair.get('scale', 1), (int, float)):
            raise RuntimeError(f"{file}: 'scale': found '{pair['scale']}', expected a number")
    for key in ('hand', 'arm'):
        # The same hand may have an endoscope besides: while its camera clutch is pressed, or the console's camera pedal.
        names = [str(pair[key]) for pair in pairs if key == 'arm' or not (pair.get('camera') or 'second_hand' in pair)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise RuntimeError(f'{file}: {key} {twice[0]} is in two pairs; expected each {key} in one')
    return pairs


def device_of(kind: str, index: int, pair: dict[str, Any]) -> list[Process]:
    """The device node of one hand; none where the hand is there already."""
    device = DEVICES[kind]
    if device is None:
        return []
    executable, parameters = device
    parameters = {'device': str(pair['hand']), 'workspace_scale': float(pair.get('scale', SCALE)), **parameters}
    if kind == 'gamepad':
        parameters['index'] = index
    return [Process(str(pair['hand']), DEVICE_PACKAGE, executable, parameters)]


def teleoperation_nodes(world: pathlib.Path, hands: str, chosen: str = '') -> list[Process]:
    """For each pair its device, if one is asked for, and its teleoperation; and a console for all of them.

    `hands`: mock, gamepad, keyboard, none (somebody else publishes the hands' samples), or dvrk (the masters MTML and
    MTMR and the pedals of a console that is there).
    """
    if hands not in DEVICES:
        raise RuntimeError(f"hands: found '{hands}', expected one of {', '.join(DEVICES)}")
    nodes, names, endoscopes = [], [], []
    # The camera clutch is a device's; the console of a dVRK moves its endoscope by a pedal.
    pairs = [pair for pair in read_pairs(world, chosen) if not (hands == 'dvrk' and pair.get('camera'))]
    for index, pair in enumerate(pairs):
        parameters = dict(pair)
        if hands == 'dvrk':
            parameters |= {'hand': MASTERS.get(str(pair['hand']), str(pair['hand'])), 'hand_kind': 'crtk'}
            parameters |= {'enable': True, 'force': 'none'}
        name = '_'.join(str(parameters[key]) for key in ('hand', 'second_hand', 'arm') if key in parameters)
        if pair.get('camera'):
            # Its clutch says when it works, no pedal.
            parameters['enable'] = True
        else:
            nodes += [] if 'second_hand' in pair else device_of(hands, index, pair)
            (endoscopes if 'second_hand' in pair else names).append(name)
        nodes.append(Process(name, ARM_PACKAGE, 'teleop_psm', parameters))
    if (names or endoscopes) and hands != 'dvrk':
        arms = [str(pair['arm']) for pair in pairs]
        lists = {'pairs': names, 'endoscopes': endoscopes, 'arms': arms}
        # An empty list has no type, and launch refuses it.
        parameters = {key: words for key, words in lists.items() if words}
        scales = {float(pair.get('scale', SCALE)) for pair in pairs if not pair.get('camera')}
        # What the console says of all pairs is true only where they agree.
        if len(scales) == 1:
            parameters['scale'] = scales.pop()
        nodes.append(Process('console', ARM_PACKAGE, 'console', parameters))
    return nodes
