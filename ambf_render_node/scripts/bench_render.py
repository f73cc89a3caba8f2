#!/usr/bin/env python3
"""What drawing costs: frame time beside a bare Ogre loop, physics with and without a renderer, latency, memory.

  ./ambf bench render [--pairs 7] [--seconds 4]

Physics runs as fast as it can in one container; its steps per second with a renderer that makes 640 x 480 images at
30 frames a second are compared with those without, in interleaved pairs: pinned (physics on core 0, the render
thread on core 1) and unpinned, LP_NUM_THREADS=1.
"""
import argparse
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


def world() -> str:
    """The demo world."""
    return str(pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds/demo/launch.yaml')


def quartiles(values: list) -> str:
    """Median with quartiles."""
    low, middle, high = statistics.quantiles(values, n=4)
    return f'{middle:.3f} [{low:.3f}, {high:.3f}]'


def frames(pairs: int, count: int) -> None:
    """Frame time of the node's path beside a bare Ogre loop."""
    ratios, ours, bare = [], [], []
    text = ''
    for _ in range(pairs):
        text = subprocess.run([str(pathlib.Path(__file__).resolve().parent / 'frame_probe'), world(), str(count)],
                              capture_output=True, text=True, check=True).stdout
        result = {name: float(value) for name, value in re.findall(r'^RESULT (\S+) value=(\S+)$', text, re.M)}
        ratios.append(result['frame_ms'] / result['bare_frame_ms'])
        ours.append(result['frame_ms'])
        bare.append(result['bare_frame_ms'])
    print(f'frame of the node          {quartiles(ours)} ms, {1e3 / statistics.median(ours):.0f} frames/s')
    print(f'frame of a bare Ogre loop  {quartiles(bare)} ms')
    print(f'ratio (at most 1.3)        {quartiles(ratios)}')
    print(f'50 copies of one robot     {result["fifty_copies_mb"]:.1f} MB')


class Bench:
    """One container with physics, with or without a renderer beside it."""

    def __init__(self, with_renderer: bool, pinned: bool):
        path = pathlib.Path(get_package_prefix('rclcpp_components')) / 'lib/rclcpp_components/component_container_mt'
        self.process = subprocess.Popen([str(path), '--ros-args', '-r', '__node:=bench', '--log-level', 'error'],
                                        env=dict(os.environ, LP_NUM_THREADS='1'))
        self.node = rclpy.create_node('bench_render')
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.rates, self.latencies, self.images = [], [], 0
        self.walls = {}
        self.load('ambf_physics_node', 'ambf_physics::PhysicsNode', 'physics',
                  {'world': world(), 'mode': 'free', 'physics_core': 0 if pinned else -1, 'publish': 'none',
                   'snapshot_rate': 60.0})
        if with_renderer:
            self.load('ambf_render_node', 'ambf_render::RenderNode', 'render',
                      {'headless': True, 'display': 'private', 'samples': 0, 'render_core': 1 if pinned else -1})
            self.node.create_subscription(Image, IMAGE, self.take_image, 1)
            self.node.create_subscription(WorldSnapshot, '/ambf/env/World/Snapshot', self.take_snapshot, 1)
        self.node.create_subscription(WorldState, '/ambf/env/World/State', self.take_state, 1)

    def load(self, package: str, plugin: str, name: str, parameters: dict) -> None:
        client = self.node.create_client(LoadNode, '/bench/_container/load_node')
        if not client.wait_for_service(30.0):
            sys.exit('the container does not answer')
        kinds = {bool: (1, 'bool_value'), int: (2, 'integer_value'), float: (3, 'double_value'), str: (4, 'string_value')}
        values = []
        for key, value in parameters.items():
            kind, field = kinds[type(value)]
            values.append(Parameter(name=key, value=ParameterValue(type=kind, **{field: value})))
        intra = Parameter(name='use_intra_process_comms', value=ParameterValue(type=1, bool_value=True))
        future = client.call_async(LoadNode.Request(package_name=package, plugin_name=plugin, node_name=name,
                                                    parameters=values, extra_arguments=[intra]))
        self.executor.spin_until_future_complete(future, 60.0)
        if not future.done() or not future.result().success:
            sys.exit(future.result().error_message if future.done() else 'no reply of the container')

    def take_state(self, message: WorldState) -> None:
        self.rates.append((time.monotonic(), message.sim_step))

    def take_snapshot(self, message: WorldSnapshot) -> None:
        self.walls[(message.header.stamp.sec, message.header.stamp.nanosec)] = (
            message.wall_time.sec + 1e-9 * message.wall_time.nanosec)

    def take_image(self, message: Image) -> None:
        self.images += 1
        wall = self.walls.get((message.header.stamp.sec, message.header.stamp.nanosec))
        if wall is not None:
            self.latencies.append(time.time() - wall)

    def measure(self, seconds: float) -> float:
        """Microseconds of a physics step."""
        end = time.monotonic() + 2.0 + seconds
        begin = time.monotonic() + 2.0
        while time.monotonic() < end:
            self.executor.spin_once(timeout_sec=0.05)
        inside = [r for r in self.rates if r[0] > begin]
        return 1e6 * (inside[-1][0] - inside[0][0]) / (inside[-1][1] - inside[0][1])

    def close(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)
        self.node.destroy_node()


def physics(pairs: int, seconds: float, pinned: bool) -> None:
    """Physics with a renderer in its container, beside physics alone."""
    ratios, latencies, images = [], [], 0
    for _ in range(pairs):
        times = []
        for with_renderer in (False, True):
            bench = Bench(with_renderer, pinned)
            times.append(bench.measure(seconds))
            latencies += bench.latencies
            images += bench.images
            bench.close()
        ratios.append(times[1] / times[0])
    bound = ' (at most 1.05)' if pinned else ''
    print(f'physics step with renderer / alone, {"pinned" if pinned else "unpinned"}{bound}  {quartiles(ratios)}; '
          f'{images / (pairs * (seconds + 2.0)):.0f} images/s')
    if len(latencies) > 1:
        print(f'snapshot to image in another process  {quartiles([1e3 * v for v in latencies])} ms')


def main() -> int:
    """Run all parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pairs', type=int, default=7)
    parser.add_argument('--seconds', type=float, default=4.0)
    parser.add_argument('--frames', type=int, default=60)
    options = parser.parse_args()
    os.environ['LP_NUM_THREADS'] = '1'
    frames(max(2, options.pairs), options.frames)
    rclpy.init()
    for pinned in (True, False):
        physics(max(2, options.pairs), options.seconds, pinned)
    rclpy.shutdown()
    return 0


if __name__ == '__main__':
    sys.exit(main())
