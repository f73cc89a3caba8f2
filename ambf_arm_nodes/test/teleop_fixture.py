# SPDX-License-Identifier: BSD-3-Clause
"""A hand that a test moves, and what a teleoperation tells."""

import collections

from arm_fixture import Client, Process, parameters_of, program
from crtk_msgs.msg import StringStamped
from geometry_msgs.msg import Pose, QuaternionStamped
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import Joy
from std_msgs.msg import Bool, Float64, String

from ambf_msgs.msg import Caption, DeviceSample, ProxyState

BEST_EFFORT = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
LATCHED = QoSProfile(depth=20, durability=DurabilityPolicy.TRANSIENT_LOCAL)
TOLD = {
    'current_state': String,
    'desired_state': String,
    'status': String,
    'warning': String,
    'error': String,
    'following': Bool,
    'align_mtm': Bool,
    'scale': Float64,
    'rotation_locked': Joy,
    'translation_locked': Joy,
    'alignment_offset': QuaternionStamped,
}
HEARD = {
    'state_command': StringStamped,
    'set_scale': Float64,
    'lock_rotation': Bool,
    'lock_translation': Bool,
    'set_align_MTM': Bool,
}


def teleop_process(name: str = 'teleop', executable: str = 'teleop_psm', **parameters) -> Process:
    words = parameters_of(parameters)
    return Process(program('ambf_arm_nodes', executable), *words, '-r', f'__node:={name}')


class Hand:
    """A device by its samples, which go on while the client waits."""

    def __init__(self, client: Client, device: str, rate: float = 100.0):
        topic = f'/ambf/env/{device}'
        self.client = client
        self.sample = DeviceSample(pose=Pose(), gripper=0.5)
        self.sample.pose.orientation.w = 1.0
        self.silent = False
        self.proxies = []
        self.publisher = client.node.create_publisher(DeviceSample, f'{topic}/Sample', BEST_EFFORT)
        client.node.create_subscription(ProxyState, f'{topic}/Proxy', self.proxies.append, BEST_EFFORT)
        self.timer = client.node.create_timer(1.0 / rate, self.send)

    def send(self):
        if self.silent:
            return
        self.sample.sequence += 1
        self.sample.wall_time = self.client.node.get_clock().now().to_msg()
        self.publisher.publish(self.sample)

    def move(self, x: float = 0.0, y: float = 0.0, z: float = 0.0, answered: bool = True):
        """Less than a jump at a time; `answered`: wait until the teleoperation has used the last sample."""
        at = self.sample.pose.position
        at.x, at.y, at.z = at.x + x, at.y + y, at.z + z
        self.send()
        count = self.sample.sequence
        if answered:
            self.client.wait_for(lambda: self.proxies and self.proxies[-1].sequence >= count, 'an answer to the hand')


class Teleop:
    """A client of one teleoperation: what it hears, newest last."""

    def __init__(self, client: Client, name: str):
        self.client, self.name = client, name
        self.heard = collections.defaultdict(list)
        for topic, kind in TOLD.items():
            qos = 10 if topic == 'alignment_offset' else LATCHED
            client.node.create_subscription(kind, f'/{name}/{topic}', self.heard[topic].append, qos)
        self.captions = []
        client.node.create_subscription(Caption, '/ambf/env/World/Caption', self._take_caption, 20)
        self.publishers = {
            topic: client.node.create_publisher(kind, f'/{name}/{topic}', 10) for topic, kind in HEARD.items()
        }

    def _take_caption(self, caption: Caption):
        if caption.source == f'/{self.name}':
            self.captions.append(caption)

    def wait_for_caption(self, words: str, level: int = Caption.INFO, count: int = 0) -> Caption:
        """Among those after the first `count`."""

        def told():
            return [c for c in self.captions[count:] if words in c.text and c.level == level]

        self.client.wait_for(told, f'a caption: {words}')
        return told()[0]

    def newest(self, topic: str):
        return self.heard[topic][-1].data if self.heard[topic] else None

    def wait_for(self, topic: str, value):
        self.client.wait_for(lambda: self.newest(topic) == value, f'/{self.name}/{topic} {value}')

    def wait_for_following(self):
        self.wait_for('following', True)

    def say(self, topic: str, value):
        to = self.publishers[topic]
        self.client.wait_for(lambda: to.get_subscription_count() > 0, f'{topic} to be heard')
        kind = HEARD[topic]
        to.publish(kind(string=value) if kind is StringStamped else kind(data=value))

    def wait_for_words(self, topic: str, words: str, count: int = 0):
        """In what was told after the first `count`."""
        self.client.wait_for(
            lambda: any(words in message.data for message in self.heard[topic][count:]), f'{topic}: {words}'
        )
