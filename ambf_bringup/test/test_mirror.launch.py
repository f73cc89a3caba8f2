# SPDX-License-Identifier: BSD-3-Clause
"""mirror_arm: what an arm of the world did, recorded by `ros2 bag record`, it does again when the bag is played."""

import pathlib
import signal
import subprocess
import sys
import tempfile

import launch_testing
from crtk_msgs.msg import OperatingState, StringStamped
from launch import LaunchDescription
from sensor_msgs.msg import JointState
from world_watch import WorldWatch, bring_up, world_file

TOPIC = '/PSM1/measured_js'
PROGRAM = 'import sys; from ambf_py.tools.mirror import main; sys.exit(main())'
HOME = [0.0, 0.0, 0.12, 0.0, 0.0, 0.0]
OUT = [0.5, -0.2, 0.15, 0.3, 0.0, 0.0]
BACK = [0.1, 0.2, 0.14, -0.3, 0.2, 0.0]
NEAR = 0.02  # rad and m


def generate_test_description():
    world = world_file('demo')
    return LaunchDescription(
        [bring_up('simulator.launch.py', world=world, render='false'), launch_testing.actions.ReadyToTest()]
    )


class Mirror(WorldWatch):
    def test_a_recording_leads_the_arm(self):
        self.states, self.joints = [], []
        self.node.create_subscription(OperatingState, '/PSM1/operating_state', self.states.append, 100)
        self.node.create_subscription(JointState, TOPIC, self.joints.append, 1000)
        self.commands = self.node.create_publisher(StringStamped, '/PSM1/state_command', 10)
        self.moves = self.node.create_publisher(JointState, '/PSM1/move_jp', 10)
        for publisher in (self.commands, self.moves):
            self.wait_for(lambda: publisher.get_subscription_count() > 0, 'the arm')
        for text in ('enable', 'home'):
            message = StringStamped(string=text)
            message.header.stamp = self.node.get_clock().now().to_msg()
            self.commands.publish(message)
        self.wait_for(lambda: self.states and self.states[-1].is_homed and not self.states[-1].is_busy, 'home')
        bag = self.record()
        self.move(HOME)
        # Again and again: of the first time the beginning is lost until player and mirror have found each other.
        play = ['ros2', 'bag', 'play', bag, '--loop', '--remap', f'{TOPIC}:=/recorded{TOPIC}']
        with self.mirror() as mirror:
            player = subprocess.Popen(play)
            try:
                self.wait_for(lambda: self.is_at(OUT), 'the way out')
                self.wait_for(lambda: self.is_at(BACK), 'the way back')
                self.assertIsNone(mirror.poll())
            finally:
                player.terminate()
                player.wait(timeout=90.0)

    def is_at(self, goal) -> bool:
        return bool(self.joints) and distance(self.joints[-1].position, goal) < NEAR

    def move(self, goal):
        self.moves.publish(JointState(position=goal))
        self.wait_for(lambda: self.is_at(goal), f'the arm at {goal}')

    def record(self) -> str:
        """A bag of the arm on its way out and back."""
        bag = str(pathlib.Path(tempfile.mkdtemp()) / 'bag')
        readers = self.node.count_subscribers(TOPIC)
        recorder = subprocess.Popen(['ros2', 'bag', 'record', '-o', bag, TOPIC])
        try:
            self.wait_for(lambda: self.node.count_subscribers(TOPIC) > readers, 'the recorder')
            self.move(OUT)
            self.move(BACK)
        finally:
            recorder.send_signal(signal.SIGINT)
            self.wait_for(lambda: recorder.poll() is not None, 'the end of the recorder')
        self.assertEqual(recorder.returncode, 0)
        return bag

    def mirror(self) -> 'Program':
        words = ['/recorded/PSM1', '/PSM1', '--speed', '20', '--patience', '5', '--timeout', '90']
        return Program([sys.executable, '-u', '-c', PROGRAM, *words])


class Program:
    """The mirror from its first word on; a context manager that ends it by Ctrl-C."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        line = self.process.stdout.readline()
        assert line == 'mirror_arm: PSM1 is ready and waits for /recorded/PSM1\n', line
        return self.process

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=90.0) == 0


def distance(a, b) -> float:
    return max(abs(x - y) for x, y in zip(a, b))
