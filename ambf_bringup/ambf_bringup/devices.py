"""Which device nodes a world asks for: its input-device file, and who drives each device."""
import csv
import dataclasses
import pathlib
from typing import Any

import yaml

MASTERS = ('MTM', 'sigma', 'omega', 'delta', 'PHANTOM', 'Touch', 'Falcon')
MASTER_RATE, TRACKER_RATE = 1000.0, 300.0  # of the seeds' masters and trackers [Hz]


@dataclasses.dataclass
class DeviceNode:
    """A process to start: one device, one driver."""

    name: str
    executable: str
    parameters: dict[str, Any]


def device_blocks(world: pathlib.Path) -> dict[str, dict]:
    """Blocks of the input-device file that an ADF launch file names; none where there is no file."""
    launch = yaml.safe_load(world.read_text()) or {}
    name = launch.get('input devices config')
    if not name or not (world.parent / name).is_file():
        return {}
    file = yaml.safe_load((world.parent / name).read_text()) or {}
    return {device: file.get(device) or {} for device in file.get('input devices') or []}


def resampled(recording: pathlib.Path, rate: float, folder: pathlib.Path) -> pathlib.Path:
    """Write a recording with a state for every sample of a device of this rate; positions in between are linear."""
    with recording.open() as file:
        rows = list(csv.reader(line for line in file if not line.startswith('#')))
    head, states = rows[0][:12], [[float(word) for word in row[:12]] for row in rows[1:]]
    lines, at, count = [','.join(head)], 0, round(states[-1][0] * rate) + 1
    for i in range(count):
        time = i / rate
        while at + 1 < len(states) and states[at + 1][0] <= time:
            at += 1
        here, there = states[at], states[min(at + 1, len(states) - 1)]
        part = (time - here[0]) / (there[0] - here[0]) if there[0] > here[0] else 0.0
        # Position and gripper move; turns, clutches and buttons stand until the next state.
        row = [time] + [h + part * (t - h) for h, t in zip(here[1:4], there[1:4])] + here[4:8]
        row += [here[8] + part * (there[8] - here[8])]
        lines.append(','.join(f'{v:.9g}' for v in row) + ',' + ','.join(f'{v:.0f}' for v in here[9:]))
    out = folder / recording.name
    out.write_text('\n'.join(lines) + '\n')
    return out


def device_nodes(world: pathlib.Path, drivers: dict[str, dict], folder: pathlib.Path) -> list[DeviceNode]:
    """One node per device of the world; a mock where `drivers` names no other driver.

    `drivers` maps a device to `{executable: ..., parameters: {...}}`. A mock replays `<device>.csv` beside
    the world's launch file, or moves along the seeds' test motion. Other keys of `drivers` are an error.
    """
    blocks = device_blocks(world)
    unknown = sorted(set(drivers) - set(blocks))
    if unknown:
        raise ValueError(f"drivers: found {', '.join(unknown)}, expected devices of {world}: {', '.join(blocks)}")
    nodes = []
    for name, block in blocks.items():
        chosen = drivers.get(name) or {}
        executable = chosen.get('executable', 'mock_device')
        hardware = str(block.get('hardware name', ''))
        master = hardware.startswith(MASTERS)
        gain = block.get('haptic gain') or {}
        parameters: dict[str, Any] = {
            'device': ''.join(name.split()),
            'workspace_scale': float(block.get('workspace scaling', 1.0)),
            'linear_stiffness': [float(gain.get('linear', 0.0))] * 3,
            'angular_stiffness': [float(gain.get('angular', 0.0))] * 3,
            'max_force': float(block.get('max force', 10.0)), 'dead_band': float(block.get('deadband', 0.0))}
        if executable == 'mock_device':
            rate = float((chosen.get('parameters') or {}).get('rate', MASTER_RATE if master else TRACKER_RATE))
            parameters |= {'rate': rate, 'gives_force': master, 'trajectory_scale': 0.02}
            recording = world.parent / f'{name}.csv'
            if recording.is_file():
                # Scripts of several hands go together only if they begin together and follow the one world's time.
                parameters |= {'recording': str(resampled(recording, rate, folder)), 'repeat': False,
                               'wait_for_hands': len(blocks), 'clock': 'world'}
        nodes.append(DeviceNode(name, executable, parameters | (chosen.get('parameters') or {})))
    return nodes
