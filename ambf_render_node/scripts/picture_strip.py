#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a running world at given moments, side by side in one file.

ros2 launch ambf_bringup teleop.launch.py headless:=true                      # in one terminal
ros2 run ambf_render_node picture_strip.py --hands 4 --times 0 4 9 13 18 --slower 0.2 --output puzzle.png
"""

import argparse
import pathlib
import sys
import tempfile

import rclpy
from PIL import Image
from rclpy.executors import SingleThreadedExecutor

from ambf_msgs.msg import WorldState
from ambf_msgs.srv import SavePicture, SetWorldMode


class Photographer:
    """Waits for moments of a world and has its render node draw them."""

    def __init__(self, namespace: str):
        self.node = rclpy.create_node('picture_strip')
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.state = None
        base = namespace.rstrip('/')
        self.node.create_subscription(WorldState, f'{base}/ambf/env/World/State', self._take, 10)
        self.mode_client = self.node.create_client(SetWorldMode, f'{base}/ambf/env/World/set_mode')
        self.save_client = self.node.create_client(SavePicture, f'{base}/render/save_picture')

    def _take(self, state: WorldState) -> None:
        self.state = state

    def now(self) -> float:
        """Time of the world [s]."""
        return self.state.header.stamp.sec + 1e-9 * self.state.header.stamp.nanosec

    def wait(self, condition, what: str, timeout: float) -> None:
        """Until something is so; ends the program if it does not come to be."""
        end = self.node.get_clock().now().nanoseconds + timeout * 1e9
        while not (self.state and condition()):
            if self.node.get_clock().now().nanoseconds > end:
                sys.exit(f'picture_strip: {what} did not come within {timeout:.0f} s; does the world run?')
            self.executor.spin_once(timeout_sec=0.1)

    def call(self, client, request):
        """Reply of a service."""
        if not client.wait_for_service(30.0):
            sys.exit(f'picture_strip: {client.srv_name} is not offered; does the render node run?')
        future = client.call_async(request)
        self.executor.spin_until_future_complete(future, 60.0)
        if not future.done():
            sys.exit(f'picture_strip: {client.srv_name} does not answer')
        if not future.result().ok:
            sys.exit(f'picture_strip: {client.srv_name}: {future.result().message}')
        return future.result()

    def set_speed(self, factor: float) -> None:
        """Real-time factor."""
        self.call(self.mode_client, SetWorldMode.Request(mode=WorldState.MODE_REALTIME, real_time_factor=factor))


def main() -> int:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--times', type=float, nargs='+', required=True, help='seconds of the world, from the start on')
    parser.add_argument('--hands', type=int, default=0, help='the start is when so many devices are live; 0: now')
    parser.add_argument('--camera', default='', help='name of the camera; the first one by default')
    parser.add_argument('--size', default='400x300', help='of each picture, in pixels')
    parser.add_argument(
        '--slower', type=float, default=1.0, help='real-time factor meanwhile, so that drawing keeps up'
    )
    parser.add_argument('--namespace', default='', help='of the world')
    parser.add_argument('--output', type=pathlib.Path, required=True, help='PNG file')
    options = parser.parse_args()
    if sorted(options.times) != options.times or options.times[0] < 0.0 or options.slower <= 0.0:
        parser.error('times must rise from 0 on, and the factor must be above 0')
    width, height = (int(v) for v in options.size.split('x'))
    rclpy.init()
    photographer = Photographer(options.namespace)
    photographer.wait(lambda: True, 'World/State', 60.0)
    photographer.set_speed(options.slower)
    photographer.wait(lambda: photographer.state.n_devices >= options.hands, f'{options.hands} live hands', 60.0)
    start, strip = photographer.now(), Image.new('RGB', (width * len(options.times), height))
    with tempfile.TemporaryDirectory() as folder:
        for i, moment in enumerate(options.times):
            photographer.wait(
                lambda end=start + moment: photographer.now() >= end,
                f'{moment} s',
                30.0 + 2.0 * moment / options.slower,
            )
            shown = photographer.now() - start
            reply = photographer.call(
                photographer.save_client,
                SavePicture.Request(file=f'{folder}/{i}.png', camera=options.camera, width=width, height=height),
            )
            strip.paste(Image.open(reply.file).convert('RGB'), (i * width, 0))
            print(f'{i + 1} of {len(options.times)}: {shown:.2f} s', flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    strip.save(options.output, optimize=True)
    photographer.set_speed(1.0)
    print(options.output)
    rclpy.shutdown()
    return 0


if __name__ == '__main__':
    sys.exit(main())
