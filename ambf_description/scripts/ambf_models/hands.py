# SPDX-License-Identifier: BSD-3-Clause
"""Input devices of worlds, and scripted hands that solve the two-user puzzle."""

import dataclasses
import math

import numpy as np

from . import adf, puzzle
from . import surroundings as sur

RATE = 50.0  # states per second of a recording
PALM_ABOVE_PADS = 0.105  # of the gripper's palm above the lower end of its pads [m]
OPEN, CLOSED = 0.6, 0.0


@dataclasses.dataclass
class Device:
    """A block of an input-device file."""

    name: str
    hardware: str
    cameras: list
    multibody: str = ''
    root_link: str = ''
    haptic: tuple = (200.0, 0.5)
    buttons: dict = dataclasses.field(default_factory=dict)
    scaling: float = 1.0
    joints: bool = True
    controller: tuple = ()  # of the hold: linear P, D, angular P, D; empty: that of the body


def devices_text(summary: str, devices: list) -> str:
    """Text of an input-device file."""
    lines = [f'# {summary}', f'input devices: [{", ".join(d.name for d in devices)}]']
    for d in devices:
        block = {
            'hardware name': d.hardware,
            'workspace scaling': d.scaling,
            'deadband': 0.0,
            'max force': 5.0,
            'haptic gain': {'linear': d.haptic[0], 'angular': d.haptic[1]},
        }
        if d.controller:
            p, b, angular_p, angular_b = d.controller
            block['controller gain'] = {'linear': {'P': p, 'D': b}, 'angular': {'P': angular_p, 'D': angular_b}}
        if d.multibody:
            block['simulated multibody'] = d.multibody
        block['root link'] = d.root_link
        if not d.joints:
            block['enable joint control'] = False
        if d.buttons:
            block['button mapping'] = d.buttons
        block['pair cameras'] = d.cameras
        lines += [''] + adf.emit(d.name, block)
    return '\n'.join(lines) + '\n'


def view(eye, look_at) -> np.ndarray:
    """Axes of a camera: x back to the eye, y right, z up."""
    back = np.array(eye, float) - np.array(look_at, float)
    back /= np.linalg.norm(back)
    right = np.cross((0.0, 0.0, 1.0), back)
    right /= np.linalg.norm(right)
    return np.column_stack((back, right, np.cross(back, right)))


class Script:
    """Where a palm is to be in the world, and how far its gripper is open, over time."""

    def __init__(self, start):
        self.keys = [(0.0, np.array(start, float), OPEN)]

    @property
    def time(self) -> float:
        """When the last key is reached."""
        return self.keys[-1][0]

    def go(self, target, seconds: float, opening: float | None = None) -> 'Script':
        """Move to `target` within `seconds`; None in a coordinate keeps it."""
        _, before, was = self.keys[-1]
        place = [b if t is None else t for t, b in zip(target, before)]
        self.keys.append((self.time + seconds, np.array(place), was if opening is None else opening))
        return self

    def grip(self, opening: float, seconds: float = 0.4) -> 'Script':
        """Open or close where the palm is."""
        return self.go((None, None, None), seconds, opening)

    def wait(self, until: float) -> 'Script':
        """Stay where the palm is until a time."""
        return self.go((None, None, None), max(0.0, until - self.time))

    def at(self, time: float) -> tuple:
        """Position and opening at a time; smooth from key to key (3 s^2 - 2 s^3)."""
        for (t0, p0, g0), (t1, p1, g1) in zip(self.keys, self.keys[1:]):
            if time < t1:
                s = (time - t0) / (t1 - t0)
                s = s * s * (3.0 - 2.0 * s)
                return p0 + s * (p1 - p0), g0 + s * (g1 - g0)
        return self.keys[-1][1], self.keys[-1][2]


def recording(script: Script, axes: np.ndarray, seconds: float) -> str:
    """The hand that makes its palm follow the script, seen through a camera with these axes."""
    start = script.keys[0][1]
    lines = ['time,px,py,pz,qx,qy,qz,qw,gripper,position_clutch,camera_clutch,actions']
    for i in range(int(math.ceil(seconds * RATE)) + 1):
        position, opening = script.at(i / RATE)
        hand = axes.T @ (position - start) + 0.0
        numbers = ','.join(f'{v:.5f}'.rstrip('0').rstrip('.') for v in hand)
        lines.append(f'{i / RATE:g},{numbers},0,0,0,1,{opening:.3g},0,0,0'.replace('-0,', '0,'))
    return '\n'.join(lines) + '\n'


def place_piece(script: Script, handle, grasp: float, post, handle_offset) -> Script:
    """Take a piece by its handle and put it over its post."""
    low = sur.TABLE_TOP + grasp + PALM_ABOVE_PADS
    high = low + 0.10
    goal = np.array(post) + np.array(handle_offset)
    script.go((handle[0], handle[1], high), 1.2).go((None, None, low), 1.0).grip(CLOSED)
    script.go((None, None, high), 1.2).go((goal[0], goal[1], None), 1.4)
    script.go((None, None, low + 0.022), 1.2).wait(script.time + 0.3)
    return script.grip(OPEN).go((None, None, high), 1.0)


def puzzle_scripts(starts: dict) -> dict:
    """Both people solve the puzzle: three pieces to their posts, the chain up between two hands."""
    grasp = 0.0105 + 0.012  # the pads end 12 mm above a piece's middle, around its handle
    right = Script(starts['mtm_right'])
    place_piece(right, (0.09 + puzzle.TRIANGLE_HANDLE, -0.11), grasp, (0.085, 0.0), (puzzle.TRIANGLE_HANDLE, 0.0))
    right.go((0.20, -0.15, None), 1.0)
    left = Script(starts['mtm_left'])
    place_piece(left, (-0.09 + 0.0235, -0.11), grasp, (-0.085, 0.0), (0.0235, 0.0))
    left.wait(right.time - 0.5)
    place_piece(left, (0.0245, -0.11), grasp, (0.0, 0.0), (0.0245, 0.0))
    left.go((-0.20, -0.15, None), 1.0)
    scripts = {'mtm_right': right, 'mtm_left': left}
    low = sur.TABLE_TOP + 0.0065 + 0.012 + PALM_ABOVE_PADS
    for name, side in (('tracker_right', 1.0), ('tracker_left', -1.0)):
        hand = Script(starts[name])
        hand.go((side * 0.06, 0.10, low + 0.08), 1.2).go((None, None, low), 1.0).grip(CLOSED)
        hand.go((None, None, low + 0.06), 2.0).wait(6.0)
        hand.go((side * 0.062, None, None), 1.0).wait(9.0)  # pull: each feels the other
        hand.go((side * 0.06, None, None), 1.0).go((None, None, low + 0.002), 2.0).grip(OPEN)
        hand.go((None, None, low + 0.08), 1.0)
        scripts[name] = hand
    return scripts
