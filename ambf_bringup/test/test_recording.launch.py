# SPDX-License-Identifier: BSD-3-Clause
"""What `record` writes comes back by `ros2 bag play`: the same bytes, without a gap."""

import os
import pathlib
import subprocess
import tempfile
import time

import launch_testing
from launch import LaunchDescription
from rcl_interfaces.srv import GetParameters
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from rclpy.serialization import deserialize_message
from rosgraph_msgs.msg import Clock
from world_watch import WorldWatch, bring_up

from ambf_msgs.msg import WorldSnapshot
from ambf_msgs.srv import StepWorld

os.chdir(tempfile.mkdtemp())
BAG = '1'  # a folder's name stays text also where it reads as a number
TOPIC = '/ambf/env/World/Snapshot'
STEPS = 50
last_step = 0


def generate_test_description():
    return LaunchDescription(
        [bring_up('simulator.launch.py', mode='lockstep', record=BAG), launch_testing.actions.ReadyToTest()]
    )


class Recording(WorldWatch):
    def test_steps_are_taken_while_the_recorder_listens(self):
        global last_step
        self.wait_for(lambda: self.manifests[''], 'the manifest')
        # The recorder waits for the world's time, which the first step starts.
        self.wait_for(lambda: self.step() and 'recorder' in self.readers(), 'the recorder')
        depth = self.call(GetParameters, '/physics/get_parameters', names=['state_depth']).values[0]
        self.assertEqual(depth.integer_value, 100)
        for _ in range(STEPS):
            last_step = self.step()
            time.sleep(0.02)  # a recorder that is held up for two seconds loses nothing

    def readers(self) -> list[str]:
        """The nodes that listen; the arm of this world does so, too."""
        return [reader.node_name for reader in self.node.get_subscriptions_info_by_topic(TOPIC)]

    def step(self) -> int:
        reply = self.call(StepWorld, '/ambf/env/World/step', agent='test', steps=1)
        self.assertTrue(reply.ok, reply.message)
        return reply.step


@launch_testing.post_shutdown_test()
class AfterShutdown(WorldWatch):
    def test_the_bag_has_no_gap_and_plays_the_same_bytes(self):
        try:
            from rosbags.highlevel import AnyReader
        except ImportError:
            self.skipTest('rosbags is not installed: pip install rosbags')
        with AnyReader([pathlib.Path(BAG)]) as reader:
            connections = [c for c in reader.connections if c.topic == TOPIC]
            messages = [(time, bytes(data)) for _, time, data in reader.messages(connections)]
        recorded = [data for _, data in messages]
        for log_time, data in messages:  # the world's own time, as the stamps
            stamp = deserialize_message(data, WorldSnapshot).header.stamp
            self.assertLess(abs(log_time - stamp.sec * 10**9 - stamp.nanosec), 10**8)
        self.assertGreaterEqual(len(recorded), STEPS)
        steps = [deserialize_message(data, WorldSnapshot).step for data in recorded]
        # A world that waits may tell a newcomer twice where it is.
        self.assertEqual(steps, sorted(steps))
        self.assertEqual(sorted(set(steps)), list(range(steps[0], last_step + 1)))
        played = []
        # Whom the player meets while it plays gets all of it, also what was sent before. The bag is over in a moment, and
        # whoever misses the first hello of the middleware hears the next one three seconds later.
        kept = QoSProfile(depth=10 * len(recorded), durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.node.create_subscription(WorldSnapshot, TOPIC, played.append, kept, raw=True)
        profiles = pathlib.Path(BAG).with_name('profiles.yaml')
        profiles.write_text(
            f'{TOPIC}: {{reliability: reliable, durability: transient_local, history: keep_last, '
            f'depth: {10 * len(recorded)}}}\n'
        )
        player = subprocess.Popen(
            [
                'ros2',
                'bag',
                'play',
                BAG,
                '--topics',
                TOPIC,
                '--delay',
                '10',
                '--qos-profile-overrides-path',
                str(profiles),
            ],
            stdout=subprocess.DEVNULL,
        )
        self.wait_for(lambda: player.poll() is not None and len(played) >= len(recorded), 'the whole bag', 240.0)
        self.assertEqual(played, recorded)
        # What --clock tells fits the stamps of what is played.
        clocks = []
        self.node.create_subscription(Clock, '/clock', clocks.append, qos_profile_sensor_data)
        player = subprocess.Popen(
            ['ros2', 'bag', 'play', BAG, '--topics', TOPIC, '--loop', '--clock'], stdout=subprocess.DEVNULL
        )
        try:
            self.wait_for(lambda: clocks, 'the clock of the player', 240.0)
        finally:
            player.terminate()
            player.wait()
        told = [c.clock.sec + c.clock.nanosec * 1e-9 for c in clocks]
        self.assertLess(max(told), last_step * 0.001 + 60.0)
