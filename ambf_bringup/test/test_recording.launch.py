"""What `record` writes comes back by `ros2 bag play`: the same messages, without a gap."""
import os
import pathlib
import subprocess
import tempfile

import launch_testing
from ambf_msgs.msg import WorldSnapshot
from ambf_msgs.srv import StepWorld
from launch import LaunchDescription
from rclpy.serialization import serialize_message
from world_watch import WorldWatch, bring_up

BAG = os.path.join(tempfile.mkdtemp(), 'run')
STEPS = 50


def generate_test_description():
    return LaunchDescription([
        bring_up('simulator.launch.py', mode='lockstep', record=BAG), launch_testing.actions.ReadyToTest()])


class Recording(WorldWatch):

    def test_steps_are_taken_while_the_recorder_listens(self):
        self.wait_for(lambda: self.manifests[''], 'the manifest')
        topic = '/ambf/env/World/Snapshot'
        self.wait_for(lambda: self.node.count_subscribers(topic) > 0, 'the recorder')
        for _ in range(STEPS):
            reply = self.call(StepWorld, '/ambf/env/World/step', agent='test', steps=1)
            self.assertTrue(reply.ok, reply.message)


@launch_testing.post_shutdown_test()
class AfterShutdown(WorldWatch):

    def test_the_bag_holds_every_step_and_plays_the_same_bytes(self):
        from rosbags.highlevel import AnyReader
        topic = '/ambf/env/World/Snapshot'
        with AnyReader([pathlib.Path(BAG)]) as reader:
            connections = [c for c in reader.connections if c.topic == topic]
            recorded = [bytes(data) for _, _, data in reader.messages(connections)]
        self.assertGreaterEqual(len(recorded), STEPS)
        played = []
        self.node.create_subscription(
            WorldSnapshot, topic, lambda message: played.append(serialize_message(message)), 1000)
        player = subprocess.Popen(
            ['ros2', 'bag', 'play', BAG, '--topics', topic, '--delay', '2'], stdout=subprocess.DEVNULL)
        self.wait_for(lambda: len(played) == len(recorded), 'all messages of the bag')
        self.wait_for(lambda: player.poll() is not None, 'the end of the player')
        self.assertEqual(played, recorded)
