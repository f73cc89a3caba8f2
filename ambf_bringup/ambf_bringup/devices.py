# SPDX-License-Identifier: BSD-3-Clause
"""Which device nodes a world asks for: its input-device file, and who drives each device."""

import dataclasses
import pathlib
import re
from typing import Any

import yaml

from .teleoperation import DEVICES

MASTERS = ('MTM', 'sigma', 'omega', 'delta', 'PHANTOM', 'Touch', 'Falcon')
MASTER_RATE, TRACKER_RATE = 1000.0, 300.0  # of the seeds' masters and trackers [Hz]


@dataclasses.dataclass
class DeviceNode:
    """A process to start: one device, one driver."""

    name: str
    executable: str
    parameters: dict[str, Any]


def topic_token(name: str) -> str:
    """A name as the world has it in its topics: the rule of topic_token in ambf_adf/names.hpp, which binds the device.

    Blanks vanish, a row of other characters that ROS does not allow becomes one underscore, a digit or nothing at
    the beginning is preceded by one, and the reserved word is followed by one.
    """
    token = re.sub(r'[^A-Za-z0-9]+', '_', re.sub(r'[ \t-\r]', '', name))
    if not token or token[0].isdigit():
        token = '_' + token
    return token + '_' if token == 'World' else token


def number(value: Any) -> float | str:
    """A number of the file; what is none is handed on, and refused by its own device in words: the others go on."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value)


def a_block(value: Any) -> dict:
    return value if isinstance(value, dict) else {}


def device_blocks(world: pathlib.Path) -> dict[str, dict]:
    """Blocks of the input-device file that an ADF launch file names; none where there is no file."""
    launch = yaml.safe_load(world.read_text()) or {}
    name = launch.get('input devices config')
    if not name or not (world.parent / name).is_file():
        return {}
    file = yaml.safe_load((world.parent / name).read_text()) or {}
    return {str(device): a_block(file.get(device)) for device in file.get('input devices') or []}


def chosen_blocks(blocks: dict[str, dict], indices: str, count: str) -> dict[str, dict]:
    """The devices that the physics node binds, by the rule of its parameters `device_indices` and `n_devices`."""
    names = list(blocks)
    plain = indices.replace(' ', '')
    if plain in ('', 'all'):
        first = -1 if plain else int(count or 0)
        return {name: blocks[name] for name in (names if first < 0 else names[:first])}
    try:
        return {names[int(index)]: blocks[names[int(index)]] for index in plain.split(',')}
    except (ValueError, IndexError):
        raise ValueError(
            f"device_indices: found '{indices}', expected indices from 0 to {len(names) - 1}, e.g. 0,2, or all"
        ) from None


HARDWARE = 'hardware'  # key of a drivers file: drivers by the `hardware name` of a device, one per device of that name


def read_drivers(chosen: str, demo: str, folder: pathlib.Path) -> dict[str, dict]:
    """Who drives the devices: a file, or the name of one in `folder`; none chosen: the demo's, if it has one.

    `hardware` stands for what all files of the folder say about hardware names: each device gets the driver of its own.
    """
    known = {file.stem: file for file in sorted(folder.glob('*.yaml'))}
    if chosen == HARDWARE:
        every = [yaml.safe_load(file.read_text()) or {} for file in known.values()]
        return {HARDWARE: {name: drivers for one in every for name, drivers in a_block(one.get(HARDWARE)).items()}}
    file = known.get(chosen or demo, pathlib.Path(chosen))
    if file.is_file():
        return yaml.safe_load(file.read_text()) or {}
    if chosen:
        raise FileNotFoundError(
            f"drivers: found '{chosen}', expected a YAML file that maps devices to drivers, or one of "
            f'{", ".join([HARDWARE, *known])}'
        )
    return {}


def drivers_of(blocks: dict[str, dict], drivers: dict[str, dict]) -> dict[str, dict]:
    """The driver of each device: by its own name, else by its hardware name, in the order of the world's file."""
    by_hardware = {str(name).lower(): (name, listed) for name, listed in a_block(drivers.get(HARDWARE)).items()}
    taken: dict[str, int] = {}
    found = {}
    for device, block in blocks.items():
        hardware = str(block.get('hardware name', ''))
        if device in drivers:
            found[device] = drivers[device] or {}
        elif hardware.lower() in by_hardware:
            name, listed = by_hardware[hardware.lower()]
            listed = listed if isinstance(listed, list) else [listed]
            index = taken.get(name, 0)
            taken[name] = index + 1
            if index >= len(listed):
                raise ValueError(
                    f"drivers: found {len(listed)} for the hardware name '{name}', expected one more for the device "
                    f"'{device}': give it one by its own name in a file of yours"
                )
            found[device] = listed[index] or {}
    return found


def by_people(hands: str, index: int) -> dict:
    """The driver of a device that has none of its own."""
    if hands not in ('gamepad', 'keyboard'):
        return {}
    executable, parameters = DEVICES[hands]
    return {'executable': executable, 'parameters': parameters | ({'index': index} if hands == 'gamepad' else {})}


def device_nodes(
    world: pathlib.Path, drivers: dict[str, dict], indices: str = 'all', count: str = '', hands: str = 'mock'
) -> list[DeviceNode]:
    """One node per chosen device of the world; a mock where `drivers` names no other driver, or what `hands` says.

    `drivers` maps a device to `{executable: ..., parameters: {...}}`. A mock replays `<device>.csv` beside
    the world's launch file, or moves along the seeds' test motion. Below `hardware` stand drivers by hardware name,
    of which a world may have some. Other keys of `drivers` are an error. `hands` is mock, gamepad or keyboard, one for
    each device that has no driver; none: such a device has no node, somebody else publishes its samples.
    """
    blocks = device_blocks(world)
    unknown = sorted(set(drivers) - set(blocks) - {HARDWARE})
    if unknown:
        raise ValueError(f'drivers: found {", ".join(unknown)}, expected devices of {world}: {", ".join(blocks)}')
    nodes = []
    drivers = drivers_of(blocks, drivers)  # of all devices: the second of its kind is that also where it is alone
    blocks = chosen_blocks(blocks, indices, count)
    for index, (name, block) in enumerate(blocks.items()):
        if hands == 'none' and not drivers.get(name):
            continue
        chosen = drivers.get(name) or by_people(hands, index)
        executable = chosen.get('executable', 'mock_device')
        hardware = str(block.get('hardware name', ''))
        master = hardware.startswith(MASTERS)
        gain = a_block(block.get('haptic gain'))
        parameters: dict[str, Any] = {
            'device': topic_token(name),
            'workspace_scale': number(block.get('workspace scaling', 1.0)),
            'linear_stiffness': [number(gain.get('linear', 0.0))] * 3,
            'angular_stiffness': [number(gain.get('angular', 0.0))] * 3,
            'max_force': number(block.get('max force', 10.0)),
            'dead_band': number(block.get('deadband', 0.0)),
        }
        if executable == 'mock_device':
            parameters |= {
                'rate': MASTER_RATE if master else TRACKER_RATE,
                'gives_force': master,
                'trajectory_scale': 0.02,
            }
            recording = world.parent / f'{name}.csv'
            if recording.is_file():
                # Scripts of several hands go together only if they begin together and follow the one world's time.
                parameters |= {
                    'recording': str(recording),
                    'repeat': False,
                    'wait_for_hands': len(blocks),
                    'clock': 'world',
                }
        nodes.append(DeviceNode(topic_token(name), executable, parameters | (chosen.get('parameters') or {})))
    return nodes
