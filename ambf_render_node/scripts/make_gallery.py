#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/gallery.md and its pictures: every demo at its start, and scripted hands at work in it.

./ambf exec ros2 run ambf_render_node make_gallery.py --output docs
"""

import argparse
import dataclasses
import pathlib
import signal
import subprocess
import sys
import time

import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from rclpy.executors import SingleThreadedExecutor

from ambf_msgs.srv import SavePicture, StepWorld


@dataclasses.dataclass(frozen=True)
class Entry:
    """A world, what stands in it, and what scripted hands do in it in the first seconds of their film."""

    world: str
    what: str
    hands: str
    seconds: float  # of the world
    speed: float = 2.0  # of the film
    cameras: str = ''  # of the film, side by side; empty: the first one
    launch: tuple[str, ...] = ()  # more arguments of the launch file


PACE = {2.0: 'Twice as fast', 3.0: 'Three times as fast', 4.0: 'Four times as fast', 5.0: 'Five times as fast'}
ENTRIES = (
    Entry(
        'peg_transfer',
        'Two patient-side arms over the peg board.',
        'Two hands carry a ring across the board and hand it over in the air; beside it what happens at the tips.',
        13.0,
        cameras='main_camera,close_camera',
    ),
    Entry(
        'two_psms_ecm',
        'Two patient-side arms and the endoscope over the peg board.',
        'The same hands, and what the camera arm, which follows them, sees with its two eyes beside the room.',
        13.0,
        cameras='main_camera,endoscope_left,endoscope_right',
    ),
    Entry(
        'needle',
        'Two patient-side arms, a needle with its thread, and a wound whose lips have holes.',
        'Two hands make a stitch.',
        34.0,
        3.0,
    ),
    Entry('puzzle', 'Two floating grippers and the puzzle.', 'Two hands solve it.', 38.0, 3.0),
    Entry(
        'peg_in_hole',
        'A floating gripper, a peg, and holes with less and less room for it.',
        'A hand puts the peg into holes with 2, 1 and 0.5 mm of room.',
        27.0,
        3.0,
        'main_camera,close_camera',
    ),
    Entry(
        'training_cast',
        'Two floating grippers, a cast with four wells, and the pieces that fit them.',
        'Two hands turn the pieces as they fit and put them into their wells.',
        22.0,
        3.0,
    ),
    Entry(
        'grippers',
        'Forceps and a gripper with fingers of two links, and things to lift.',
        'One number closes all joints of each; what they hold is held by friction.',
        26.0,
        3.0,
    ),
    Entry(
        'shared_proxy',
        'One gripper that three people hold.',
        'Two, then three of them lead it together, from SISO to AINO; each feels what the law of sharing says.',
        50.0,
        5.0,
        launch=('n_devices:=-1',),
    ),
    Entry(
        'patient_cart',
        'Three patient-side arms and the endoscope on the set-up joints of their cart.',
        'The set-up joints lift the arms, whose tips go round circles while the camera arm looks on.',
        16.0,
    ),
    Entry(
        'surgeon_console',
        'Two masters below the viewer of a console.',
        'The masters draw a figure of eight, each the mirror image of the other.',
        9.0,
    ),
    Entry(
        'mechanisms',
        'Master arm, four-bar and pendulum.',
        'One after the other they move; loops stay closed, and the period is that of the books.',
        24.0,
        3.0,
    ),
    Entry('boxes', 'A pile of two hundred boxes.', 'A heavy ball, led by a hand, knocks the pile over.', 12.0),
    Entry(
        'cloth', 'A soft body over a ball.', 'Two hands lift the cloth by its loose corners and let it fall again.', 9.0
    ),
    Entry(
        'demo',
        'A manipulator, a four-bar, and bodies that fall.',
        "The manipulator's tip goes round a circle at a fixed remote centre, the crank turns, and what falls comes to rest.",
        12.0,
    ),
)


def program(package: str, name: str) -> str:
    """Path of an executable of a package."""
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


class Studio:
    """A world in lockstep and a renderer without windows, in two processes."""

    def __init__(self, entry: Entry, width: int, height: int):
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
                    f'world:={share}/worlds/{entry.world}/launch.yaml',
                    *(word for argument in entry.launch for word in ('-p', argument)),
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


def film(entry: Entry, file: pathlib.Path) -> None:
    """Hands at work, from the world in lockstep; what they move and what draws them runs in one container."""
    share = pathlib.Path(get_package_share_directory('ambf_description'))
    command = ['ros2', 'launch', 'ambf_bringup', 'simulator.launch.py', 'mode:=lockstep', 'headless:=true']
    command += [f'world:={share}/worlds/{entry.world}/launch.yaml', *entry.launch]
    # Several pictures side by side are smaller each.
    count = len(entry.cameras.split(','))
    more = ['--cameras', entry.cameras, '--size', '400x300' if count == 2 else '320x240'] if entry.cameras else []
    simulator = subprocess.Popen(command, start_new_session=True)
    try:
        done = subprocess.run(
            [
                program('ambf_py', 'ambf-hands'),
                entry.world,
                '--film',
                str(file),
                '--seconds',
                str(entry.seconds),
                '--speed',
                str(entry.speed),
                *more,
            ]
        )
    finally:
        simulator.send_signal(signal.SIGINT)
        simulator.wait(timeout=90)
    if done.returncode:
        sys.exit(f'{file.name} was not made')


def page(folder: pathlib.Path) -> str:
    """Text of gallery.md: of the pictures that are there, so that some of them can be made anew."""
    lines = [
        '# Gallery',
        '',
        'The demos of `./ambf demo --list`, drawn by `ambf_render_node` without a display. This page and its pictures are made by',
        '',
        '    ./ambf exec ros2 run ambf_render_node make_gallery.py --output docs',
        '',
    ]
    for entry in ENTRIES:
        name, text, pictures = entry.world, entry.what, []
        if (folder / f'{name}.png').is_file():
            pictures.append(f'![{name}](figures/gallery/{name}.png)')
        if (folder / f'{name}.gif').is_file():
            pictures.append(f'![{name}, hands at work](figures/gallery/{name}.gif)')
            text += f' {entry.hands} {PACE[entry.speed]} as it is.'
        if pictures:
            lines += [f'## {name}', '', text, '', ' '.join(pictures), '']
    return '\n'.join(lines)


def main() -> int:
    """Draw all worlds and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--output', type=pathlib.Path, default=pathlib.Path('docs'), help='folder of gallery.md')
    parser.add_argument('--size', default='480x360', help='of the pictures, in pixels')
    parser.add_argument('--worlds', nargs='*', help='only these; the page has all whose pictures are there')
    parser.add_argument('--stills', action='store_true', help='leave the films as they are: they take long')
    options = parser.parse_args()
    width, height = (int(v) for v in options.size.split('x'))
    folder = options.output / 'figures' / 'gallery'
    folder.mkdir(parents=True, exist_ok=True)
    rclpy.init()
    for entry in ENTRIES:
        name = entry.world
        if options.worlds and name not in options.worlds:
            continue
        print(name, flush=True)
        studio = Studio(entry, width, height)
        studio.open()
        studio.advance(1)
        studio.save(folder / f'{name}.png')
        studio.close()
        if not options.stills:
            film(entry, folder / f'{name}.gif')
    rclpy.shutdown()
    (options.output / 'gallery.md').write_text(page(folder))
    return 0


if __name__ == '__main__':
    sys.exit(main())
