#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/gallery.md and its pictures: every world of ambf_description at its start and later.

./ambf exec ros2 run ambf_render_node make_gallery.py --output docs
"""

import argparse
import pathlib
import signal
import subprocess
import sys
import time

import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from rclpy.executors import SingleThreadedExecutor

from ambf_msgs.srv import SavePicture, StepWorld

# World, what is to be seen, seconds of simulation until the second picture (0: none).
WORLDS = [
    ('demo', 'A closed-loop arm, a four-bar, and bodies that fall.', 0.0),
    ('peg_transfer', 'Two patient-side arms over the peg board.', 0.0),
    ('needle', 'Two patient-side arms, a needle with its thread, and a wound whose lips have holes.', 0.0),
    ('puzzle', 'Two floating grippers and the puzzle.', 0.0),
    ('two_psms_ecm', 'Two patient-side arms and the endoscope over the peg board.', 0.0),
    ('patient_cart', 'Three patient-side arms and the endoscope on the set-up joints of their cart.', 0.0),
    ('surgeon_console', 'Two masters below the viewer of a console.', 0.0),
    ('boxes', 'A pile of two hundred boxes.', 0.0),
    ('cloth', 'A soft body over a ball.', 0.0),
    ('mechanisms', 'Master arm, four-bar and pendulum.', 0.8),
]
# Worlds in which scripted hands work; a film of their first seconds stands beside the picture, twice as fast as it is.
HANDS = {
    'demo': (
        "The arm's tip goes round a circle at a fixed remote centre, the crank turns, and what falls comes to rest.",
        12.0,
    ),
    'peg_transfer': ('Two scripted hands carry a ring across the board and hand it over in the air.', 13.0),
    'two_psms_ecm': (
        'The same hands, and what the camera arm, which follows them, sees with its two eyes beside the room.',
        13.0,
        'main_camera,endoscope_left,endoscope_right',
    ),
    'patient_cart': (
        'The set-up joints lift the arms, whose tips go round circles while the camera arm looks on.',
        16.0,
    ),
    'surgeon_console': ('The masters draw a figure of eight, each the mirror image of the other.', 9.0),
    'boxes': ('A heavy ball, led by a hand, knocks the pile over.', 12.0),
    'cloth': ('Two hands lift the cloth by its loose corners and let it fall again.', 9.0),
    'mechanisms': ('One after the other they move; loops stay closed, and the period is that of the books.', 24.0),
    'needle': ('Two scripted hands make a stitch; three times as fast as it is.', 34.0, '', 3),
    'puzzle': ('Two scripted grippers solve it; three times as fast as it is.', 38.0, '', 3),
}


def program(package: str, name: str) -> str:
    """Path of an executable of a package."""
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


class Studio:
    """A world in lockstep and a renderer without windows, in two processes."""

    def __init__(self, world: str, width: int, height: int):
        share = pathlib.Path(get_package_share_directory('ambf_description'))
        self.size = {'width': width, 'height': height}
        self.processes = [
            subprocess.Popen(
                [
                    program('ambf_physics_node', 'physics_node'),
                    '--ros-args',
                    '-p',
                    'mode:=lockstep',
                    '-p',
                    f'world:={share}/worlds/{world}/launch.yaml',
                    '--log-level',
                    'warn',
                ]
            ),
            subprocess.Popen(
                [
                    program('ambf_render_node', 'render_node'),
                    '--ros-args',
                    '-p',
                    'headless:=true',
                    '-p',
                    'barrier:=true',
                    '-p',
                    'display:=private',
                    '-p',
                    'samples:=4',
                    '--log-level',
                    'warn',
                ]
            ),
        ]
        self.node = rclpy.create_node('gallery')
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.step_client = self.node.create_client(StepWorld, '/ambf/env/World/step')
        self.save_client = self.node.create_client(SavePicture, '/render/save_picture')

    def call(self, client, request, timeout: float = 120.0):
        """Reply of a service."""
        if not client.wait_for_service(timeout):
            sys.exit(f'{client.srv_name} is not offered')
        future = client.call_async(request)
        self.executor.spin_until_future_complete(future, timeout)
        if not future.done():
            sys.exit(f'{client.srv_name} does not answer')
        return future.result()

    def step(self, steps: int):
        """Take steps; the reply comes when the renderer has the last one."""
        return self.call(
            self.step_client, StepWorld.Request(agent='gallery', steps=steps, barrier=['render'], barrier_timeout=30.0)
        )

    def open(self) -> None:
        """Wait until the renderer has drawn the world as it starts; no step is taken for that."""
        end = time.monotonic() + 120.0
        reply = self.step(0)
        while not reply.ok:
            if time.monotonic() > end:
                sys.exit(reply.message)
            time.sleep(0.2)
            reply = self.step(0)

    def advance(self, steps: int) -> None:
        """Take exactly these steps."""
        reply = self.step(steps)
        if not reply.ok:
            sys.exit(reply.message)

    def save(self, file: pathlib.Path) -> None:
        """Save what the first camera sees."""
        reply = self.call(self.save_client, SavePicture.Request(file=str(file), **self.size))
        if not reply.ok:
            sys.exit(reply.message)
        print(f'{file.name}: step {reply.step}', flush=True)

    def close(self) -> None:
        """End both processes."""
        for process in self.processes:
            process.send_signal(signal.SIGINT)
        for process in self.processes:
            process.wait(timeout=30)
        self.node.destroy_node()


def film(world: str, file: pathlib.Path, seconds: float, cameras: str = '', speed: int = 2) -> None:
    """Hands at work, from the world in lockstep; what they move and what draws them runs in one container."""
    share = pathlib.Path(get_package_share_directory('ambf_description'))
    command = ['ros2', 'launch', 'ambf_bringup', 'simulator.launch.py', 'mode:=lockstep', 'headless:=true']
    # Several pictures side by side are smaller each.
    more = ['--cameras', cameras, '--size', '320x240'] if cameras else []
    simulator = subprocess.Popen([*command, f'world:={share}/worlds/{world}/launch.yaml'], start_new_session=True)
    try:
        done = subprocess.run(
            [
                program('ambf_py', 'ambf-hands'),
                world,
                '--film',
                str(file),
                '--seconds',
                str(seconds),
                '--speed',
                str(speed),
                *more,
            ]
        )
    finally:
        simulator.send_signal(signal.SIGINT)
        simulator.wait(timeout=90)
    if done.returncode:
        sys.exit(f'{file.name} was not made')


def main() -> int:
    """Draw all worlds and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--output', type=pathlib.Path, default=pathlib.Path('docs'), help='folder of gallery.md')
    parser.add_argument('--size', default='480x360', help='of the pictures, in pixels')
    parser.add_argument('--worlds', nargs='*', help='only these')
    parser.add_argument('--stills', action='store_true', help='leave the films as they are: they take long')
    options = parser.parse_args()
    width, height = (int(v) for v in options.size.split('x'))
    folder = options.output / 'figures' / 'gallery'
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        '# Gallery',
        '',
        'The worlds of `ambf_description`, drawn by `ambf_render_node` without a display. This page and its pictures are made by',
        '',
        '    ./ambf exec ros2 run ambf_render_node make_gallery.py --output docs',
        '',
    ]
    rclpy.init()
    for name, text, later in WORLDS:
        if options.worlds and name not in options.worlds:
            continue
        print(name, flush=True)
        studio = Studio(name, width, height)
        studio.open()
        studio.advance(1)
        studio.save(folder / f'{name}.png')
        pictures = [f'![{name}](figures/gallery/{name}.png)']
        if later > 0.0:
            studio.advance(round(later * 1000))
            studio.save(folder / f'{name}_later.png')
            pictures.append(f'![{name} after {later} s](figures/gallery/{name}_later.png)')
        studio.close()
        if name in HANDS:
            what, *how = HANDS[name]
            if not options.stills:
                film(name, folder / f'{name}.gif', *how)
            pictures.append(f'![{name}, hands at work](figures/gallery/{name}.gif)')
            text += f' {what}'
        lines += [f'## {name}', '', text + (f' Right: {later} s later.' if later else ''), '', ' '.join(pictures), '']
    rclpy.shutdown()
    if not options.worlds:
        (options.output / 'gallery.md').write_text('\n'.join(lines))
    return 0


if __name__ == '__main__':
    sys.exit(main())
