# SPDX-License-Identifier: BSD-3-Clause
"""Publishes and takes what the public ROS driver of an input device does, by the names and types that it documents.

The devices are not there: a hand that goes round in a circle of 5 cm, buttons that tests press. Nothing here was
recorded on hardware.
"""

import math
import time

from crtk_msgs.msg import OperatingState, StringStamped
from geometry_msgs.msg import PoseStamped, TransformStamped, Twist, TwistStamped, WrenchStamped
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState, Joy
from std_msgs.msg import Bool, Float32, Float32MultiArray
from tf2_msgs.msg import TFMessage

LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
EVENT = QoSProfile(depth=10)  # buttons of cisst are events that nobody keeps
RATE = 200.0  # [Hz]


class StandIn:
    """What all of them share: a timer on the test's node, the hand's motion, the force it was given last."""

    def __init__(self, node):
        self.node, self.began = node, time.monotonic()
        self.force = None  # in the device's own axes
        self.timer = node.create_timer(1.0 / RATE, self.tick)

    def hand(self) -> tuple[float, float, float]:
        angle = time.monotonic() - self.began
        return 0.05 * math.cos(angle), 0.05 * math.sin(angle), 0.1

    def keep(self, force):
        self.force = (force.x, force.y, force.z)

    def tick(self):
        raise NotImplementedError

    def press(self, down: bool):
        raise NotImplementedError


class Crtk(StandIn):
    """sensable_phantom and force_dimension: CRTK topics of cisst, enabled and homed by itself."""

    def __init__(self, node, arm: str, button: str = '', gripper: bool = False):
        self.state = node.create_publisher(OperatingState, f'{arm}/operating_state', LATCHED)
        self.poses = node.create_publisher(PoseStamped, f'{arm}/measured_cp', 100)
        self.twists = node.create_publisher(TwistStamped, f'{arm}/measured_cv', 100)
        self.buttons = node.create_publisher(Joy, f'{arm}/{button}', LATCHED) if button else None
        self.gripper = node.create_publisher(JointState, f'{arm}/gripper/measured_js', 100) if gripper else None
        node.create_subscription(WrenchStamped, f'{arm}/body/servo_cf', lambda m: self.keep(m.wrench.force), 1)
        node.create_subscription(Bool, f'{arm}/use_gravity_compensation', lambda _: None, 1)
        node.create_subscription(StringStamped, f'{arm}/state_command', lambda _: None, 1)
        self.state.publish(OperatingState(state='ENABLED', is_homed=True))
        super().__init__(node)

    def tick(self):
        pose = PoseStamped()
        pose.header.stamp = self.node.get_clock().now().to_msg()
        pose.pose.position.x, pose.pose.position.y, pose.pose.position.z = self.hand()
        self.poses.publish(pose)
        self.twists.publish(TwistStamped())
        if self.gripper:
            self.gripper.publish(JointState(name=['gripper'], position=[0.5]))

    def press(self, down: bool):
        self.buttons.publish(Joy(buttons=[1 if down else 0]))


class Hydra(StandIn):
    """hydra_node of razer_hydra: two paddles on tf, and a Joy for both."""

    def __init__(self, node):
        self.frames = node.create_publisher(TFMessage, '/tf', 100)
        self.joy = node.create_publisher(Joy, '/hydra_joy', 1)
        self.down = False
        super().__init__(node)

    def tick(self):
        message = TFMessage()
        for name in ('hydra_left_pivot', 'hydra_right_pivot', 'hydra_left_grab', 'hydra_right_grab'):
            one = TransformStamped()
            one.header.stamp = self.node.get_clock().now().to_msg()
            one.header.frame_id, one.child_frame_id = 'hydra_base', name
            at = one.transform.translation
            at.x, at.y, at.z = self.hand()
            message.transforms.append(one)
        self.frames.publish(message)
        joy = Joy(axes=[0.0] * 16, buttons=[0] * 16)
        joy.axes[8] = 1.0  # the left trigger
        joy.buttons[0] = 1 if self.down else 0
        self.joy.publish(joy)

    def press(self, down: bool):
        self.down = down


class Haply(StandIn):
    """haply_inverse3_pos of ros2_haply_inverse3_python."""

    def __init__(self, node):
        self.numbers = node.create_publisher(Float32MultiArray, '/haply_pos_vel', 10)
        node.create_subscription(Float32MultiArray, '/haply_forces', self.take, 10)
        super().__init__(node)

    def take(self, message):
        self.force = tuple(message.data)

    def tick(self):
        self.numbers.publish(Float32MultiArray(data=[*self.hand(), 0.0, 0.0, 0.0]))


class Quest(StandIn):
    """Quest2ROS2, and somebody who publishes the clutch."""

    def __init__(self, node):
        self.poses = node.create_publisher(PoseStamped, '/q2r_left_hand_pose', 10)
        self.twists = node.create_publisher(Twist, '/q2r_left_hand_twist', 10)
        self.clutch = node.create_publisher(Bool, '/quest/left/clutch', 10)
        self.gripper = node.create_publisher(Float32, '/quest/left/gripper', 10)
        self.down = False
        super().__init__(node)

    def tick(self):
        pose = PoseStamped()
        pose.pose.position.x, pose.pose.position.y, pose.pose.position.z = self.hand()
        self.poses.publish(pose)
        self.twists.publish(Twist())
        self.gripper.publish(Float32(data=1.0))
        self.clutch.publish(Bool(data=self.down))

    def press(self, down: bool):
        self.down = down
