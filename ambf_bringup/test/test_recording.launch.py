"""What `record` writes comes back by `ros2 bag play`: the same bytes, without a gap."""
import os
import pathlib
import subprocess
import tempfile
import time

import launch_testing
from ambf_msgs.msg import WorldSnapshot
from ambf_msgs.srv import StepWorld
from launch import LaunchDescription
from rcl_interfaces.srv import GetParameters
from rclpy.serialization import deserialize_message
from world_watch import WorldWatch, bring_up

os.chdir(tempfile.mkdtemp())
BAG = '1'  # a folder's name stays text also where it reads as a number
TOPIC = '/ambf/env/World/Snapshot'
STEPS = 50
last_step = 0


def generate_test_description():
    return LaunchDescription([
        bring_up('simulator.launch.py', mode='lockstep', record=BAG), launch_testing.actions.ReadyToTest()])


class Recording(WorldWatch):

    def test_steps_are_taken_while_the_recorder_listens(self):
        global last_step
        self.wait_for(lambda: self.manifests[''], 'the manifest')
        self.wait_for(lambda: self.node.count_subscribers(TOPIC) > 0, 'the recorder')
        depth = self.call(GetParameters, '/physics/get_parameters', names=['state_depth']).values[0]
        self.assertEqual(depth.integer_value, 100)
        # The publisher learns of the recorder a little after the graph does: steps go on meanwhile.
        end, taken = time.monotonic() + 6.0, 0
        while time.monotonic() < end or taken < STEPS:
            reply = self.call(StepWorld, '/ambf/env/World/step', agent='test', steps=1)
            self.assertTrue(reply.ok, reply.message)
            taken += 1
            time.sleep(0.02)  # a recorder that is held up for two seconds loses nothing
        last_step = reply.step


@launch_testing.post_shutdown_test()
class AfterShutdown(WorldWatch):

    def test_the_bag_has_no_gap_and_plays_the_same_bytes(self):
        from rosbags.highlevel import AnyReader
        with AnyReader([pathlib.Path(BAG)]) as reader:
            connections = [c for c in reader.connections if c.topic == TOPIC]
            recorded = [bytes(data) for _, _, data in reader.messages(connections)]
        self.assertGreaterEqual(len(recorded), STEPS)
        steps = [deserialize_message(data, WorldSnapshot).step for data in recorded]
        # A world that waits may tell a newcomer twice where it is.
        self.assertEqual(steps, sorted(steps))
        self.assertEqual(sorted(set(steps)), list(range(steps[0], last_step + 1)))
        played = []
        self.node.create_subscription(WorldSnapshot, TOPIC, played.append, 1000, raw=True)
        # The delay is for player and listener to meet; where it was too short the bag is played again.
        for delay in (4, 10, 30):
            played.clear()
            player = subprocess.Popen(
                ['ros2', 'bag', 'play', BAG, '--topics', TOPIC, '--delay', str(delay)], stdout=subprocess.DEVNULL)
            self.wait_for(lambda: player.poll() is not None, 'the end of the bag', 240.0)
            last = time.monotonic() + 2.0
            while time.monotonic() < last and len(played) < len(recorded):
                self.executor.spin_once(timeout_sec=0.05)
            if len(played) == len(recorded):
                break
        self.assertEqual(played, recorded)
