#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What drawing costs: frame time beside a bare Ogre loop, physics with and without a renderer, latency, memory.

  ./ambf bench render [--pairs 7] [--seconds 2.5]

Physics runs as fast as it can in one container; the time of its steps with a renderer that makes 640 x 480 images at up
to 30 frames a second is compared with that without, in interleaved rounds: pinned (physics on core 0, everything else on
core 1) and unpinned, LP_NUM_THREADS=1. Beside it stands a control: a loop that burns the renderer's core and does nothing
else. What it costs physics is the machine's (shared caches, clock, hypervisor), not the renderer's.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time

import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from composition_interfaces.srv import LoadNode
from rcl_interfaces.msg import Parameter, ParameterValue
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import Image

from ambf_msgs.msg import WorldSnapshot, WorldState

IMAGE = '/ambf/env/cameras/main_camera/ImageData'
PHYSICS_CORE, RENDER_CORE = 0, 1


def program(package: str, name: str) -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


def world() -> str:
    """The demo world."""
    return str(pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds/demo/launch.yaml')


def quartiles(values: list) -> str:
    """Median with quartiles."""
    low, middle, high = statistics.quantiles(values, n=4)
    return f'{middle:.3f} [{low:.3f}, {high:.3f}]'


class Table:
    """Rows of the report: printed as they come, written as JSON at the end."""

    def __init__(self) -> None:
        self.rows = []

    def add(self, name: str, values: list, unit: str = '', bound: float | None = None) -> None:
        """A row of samples; with a bound, the median must not be above it."""
        median = statistics.median(values)
        verdict = '' if bound is None else f'   at most {bound}: {"met" if median <= bound else "NOT met"}'
        shown = quartiles(values) if len(values) > 1 else f'{median:.3f}'
        print(f'{name:<58} {shown} {unit}{verdict}', flush=True)
        self.rows.append({'name': name, 'unit': unit, 'bound': bound, 'median': median, 'samples': values})

    def write(self, file: pathlib.Path) -> None:
        file.write_text(json.dumps(self.rows, indent=1) + '\n')
        print(f'samples in {file.resolve()}')


def frames(table: Table, rounds: int, count: int) -> None:
    """Frame time of the node's path beside a bare Ogre loop."""
    results = []
    for _ in range(rounds):
        text = subprocess.run(
            [program('ambf_rendering', 'frame_probe'), world(), str(count)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        results.append({name: float(value) for name, value in re.findall(r'^RESULT (\S+) value=(\S+)$', text, re.M)})
    ours, bare = ([r[key] for r in results] for key in ('frame_ms', 'bare_frame_ms'))
    table.add('frame of the demo world at 640 x 480', ours, 'ms')
    table.add('the same by a bare Ogre loop', bare, 'ms')
    table.add('node / bare loop', [a / b for a, b in zip(ours, bare)], '', 1.3)
    table.add('the same frame with four samples per pixel', [r['frame_4_samples_ms'] for r in results], 'ms')
    table.add('memory of fifty copies of one robot', [r['fifty_copies_mb'] for r in results], 'MB')


class Bench:
    """One container with physics; `beside`: 'nothing', a 'renderer' in it, or a 'burner' on the renderer's core."""

    def __init__(self, beside: str, pinned: bool):
        path = pathlib.Path(get_package_prefix('rclcpp_components')) / 'lib/rclcpp_components/component_container_mt'
        # All threads start on the renderer's core; physics moves to its own by its parameter.
        self.process = subprocess.Popen(
            [str(path), '--ros-args', '-r', '__node:=bench', '--log-level', 'error'],
            preexec_fn=(lambda: os.sched_setaffinity(0, {RENDER_CORE})) if pinned else None,
        )
        self.burner = None
        if beside == 'burner':
            self.burner = subprocess.Popen(
                ['sh', '-c', 'while :; do :; done'], preexec_fn=lambda: os.sched_setaffinity(0, {RENDER_CORE})
            )
        self.node = rclpy.create_node('bench_render')
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.states, self.latencies, self.images = [], [], 0
        self.walls = {}
        self.load(
            'ambf_physics_node',
            'ambf_physics::PhysicsNode',
            'physics',
            {
                'world': world(),
                'mode': 'free',
                'physics_core': PHYSICS_CORE if pinned else -1,
                'publish': 'none',
                'snapshot_rate': 60.0,
            },
        )
        if beside == 'renderer':
            self.load(
                'ambf_render_node',
                'ambf_render::RenderNode',
                'render',
                {'headless': True, 'display': 'private', 'rate': 30.0, 'render_core': RENDER_CORE if pinned else -1},
            )
            self.node.create_subscription(Image, IMAGE, self.take_image, 1)
            self.node.create_subscription(WorldSnapshot, '/ambf/env/World/Snapshot', self.take_snapshot, 1)
        self.node.create_subscription(WorldState, '/ambf/env/World/State', self.take_state, 1)

    def load(self, package: str, plugin: str, name: str, parameters: dict) -> None:
        client = self.node.create_client(LoadNode, '/bench/_container/load_node')
        if not client.wait_for_service(30.0):
            sys.exit('the container does not answer')
        kinds = {
            bool: (1, 'bool_value'),
            int: (2, 'integer_value'),
            float: (3, 'double_value'),
            str: (4, 'string_value'),
        }
        values = []
        for key, value in parameters.items():
            kind, field = kinds[type(value)]
            values.append(Parameter(name=key, value=ParameterValue(type=kind, **{field: value})))
        intra = Parameter(name='use_intra_process_comms', value=ParameterValue(type=1, bool_value=True))
        future = client.call_async(
            LoadNode.Request(
                package_name=package, plugin_name=plugin, node_name=name, parameters=values, extra_arguments=[intra]
            )
        )
        self.executor.spin_until_future_complete(future, 60.0)
        if not future.done() or not future.result().success:
            sys.exit(future.result().error_message if future.done() else 'no reply of the container')

    def take_state(self, message: WorldState) -> None:
        self.states.append((message.wall_time.sec + 1e-9 * message.wall_time.nanosec, message.sim_step))

    def take_snapshot(self, message: WorldSnapshot) -> None:
        self.walls[(message.header.stamp.sec, message.header.stamp.nanosec)] = (
            message.wall_time.sec + 1e-9 * message.wall_time.nanosec
        )

    def take_image(self, message: Image) -> None:
        self.images += 1
        wall = self.walls.get((message.header.stamp.sec, message.header.stamp.nanosec))
        if wall is not None:
            self.latencies.append(time.time() - wall)

    def spin(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.executor.spin_once(timeout_sec=0.05)

    def measure(self, seconds: float) -> float:
        """Microseconds of a physics step, after a second of warming up."""
        self.spin(1.0)
        self.states.clear()
        self.images = 0
        self.spin(seconds)
        (begin, first), (end, last) = self.states[0], self.states[-1]
        return 1e6 * (end - begin) / (last - first)

    def close(self) -> None:
        if self.burner:
            self.burner.kill()
            self.burner.wait(timeout=30)
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)
        self.node.destroy_node()


def physics(table: Table, rounds: int, seconds: float, pinned: bool) -> None:
    """Physics with a renderer in its container and with a mere burner, beside physics alone."""
    ways = ['nothing', 'renderer', 'burner'] if pinned else ['nothing', 'renderer']
    times = {way: [] for way in ways}
    latencies, images = [], []
    for number in range(rounds):
        # Another order in every round, so that what else the machine does falls on all.
        for way in ways[number % len(ways) :] + ways[: number % len(ways)]:
            bench = Bench(way, pinned)
            times[way].append(bench.measure(seconds))
            if way == 'renderer':
                latencies += bench.latencies
                images.append(bench.images / seconds)
            bench.close()
    how = 'pinned' if pinned else 'unpinned'
    ratio = {way: [a / b for a, b in zip(times[way], times['nothing'])] for way in ways}
    table.add(f'physics step alone, {how}', times['nothing'], 'us')
    table.add(f'physics step with renderer / alone, {how}', ratio['renderer'], '', 1.05 if pinned else None)
    if pinned:
        table.add('physics step with a burner on that core / alone', ratio['burner'])
    table.add(f'images of the renderer, {how}', images, '1/s')
    if latencies:
        table.add(f'snapshot to image in another process, {how}', [1e3 * v for v in latencies], 'ms')


def main() -> int:
    """Run all parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pairs', type=int, default=7, help='interleaved rounds; at least 2')
    parser.add_argument('--seconds', type=float, default=2.5, help='of measurement in each')
    parser.add_argument('--frames', type=int, default=40, help='per round of the frame time')
    parser.add_argument('--json', type=pathlib.Path, default=pathlib.Path('bench_render.json'))
    options = parser.parse_args()
    os.environ['LP_NUM_THREADS'] = '1'
    rounds = max(2, options.pairs)
    table = Table()
    frames(table, rounds, options.frames)
    rclpy.init()
    for pinned in (True, False):
        if pinned:
            if not {PHYSICS_CORE, RENDER_CORE} <= os.sched_getaffinity(0):
                print('this machine has no two cores to pin to: left out')
                continue
            everywhere = os.sched_getaffinity(0)
            os.sched_setaffinity(0, {RENDER_CORE})  # this process, too, must not disturb physics
        physics(table, rounds, options.seconds, pinned)
        if pinned:
            os.sched_setaffinity(0, everywhere)
    rclpy.shutdown()
    table.write(options.json)
    return 0


if __name__ == '__main__':
    sys.exit(main())
