# SPDX-License-Identifier: BSD-3-Clause
"""A CRTK client as small as it gets, with the manners of those that the dVRK's users have.

It subscribes volatile, compares stamps with its own clock, waits for `busy` and for its end, gives up on data that are a
second old, and sends its state commands as soon as there is a publisher. An arm that cannot live with that will not
live with theirs.
"""

import threading
import time

import rclpy
from crtk_msgs.msg import OperatingState, StringStamped
from geometry_msgs.msg import PoseStamped
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState

LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class CrtkClient:
    """One arm; a context manager."""

    def __init__(self, arm: str):
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('crtk_client', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.event = threading.Event()
        self.state, self.stamps, self.last_busy = OperatingState(), [], 0
        self.data: dict[str, tuple[object, float]] = {}
        node = self.node
        node.create_subscription(OperatingState, f'{arm}/operating_state', self._on_state, 10)
        for leaf, kind in (('measured_js', JointState), ('setpoint_js', JointState), ('measured_cp', PoseStamped)):
            node.create_subscription(kind, f'{arm}/{leaf}', lambda message, leaf=leaf: self._on_data(leaf, message), 10)
        self.commands = node.create_publisher(StringStamped, f'{arm}/state_command', LATCHED)
        self.joints = node.create_publisher(JointState, f'{arm}/move_jp', 10)
        self.jaw = node.create_publisher(JointState, f'{arm}/jaw/move_jp', 10)
        self.thread = threading.Thread(target=self.executor.spin, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.executor.shutdown()
        self.thread.join(timeout=90.0)
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def now(self) -> int:
        return self.node.get_clock().now().nanoseconds

    def _on_state(self, message: OperatingState):
        stamp = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
        if message.is_busy:
            self.last_busy = max(self.last_busy, self.now())
        if not self.stamps or stamp > self.stamps[-1]:
            self.state = message
        self.stamps.append(stamp)
        self.event.set()

    def _on_data(self, leaf: str, message):
        self.data[leaf] = (message, time.monotonic())

    def read(self, leaf: str):
        """What came last; an error where that is older than a second."""
        message, arrived = self.data[leaf]
        assert time.monotonic() - arrived < 1.0, f'{leaf}: nothing for {time.monotonic() - arrived:.2f} s'
        return message

    def wait(self, condition, timeout: float = 90.0) -> bool:
        """Until a state fulfils it; looks only when a state comes."""
        end = time.monotonic() + timeout
        while True:
            if not self.event.wait(max(0.0, end - time.monotonic())):
                return False
            self.event.clear()
            if condition():
                return True

    def command(self, word: str):
        self.event.clear()
        message = StringStamped(string=word)
        message.header.stamp = self.node.get_clock().now().to_msg()
        self.commands.publish(message)

    def move(self, publisher, values) -> bool:
        """Busy, then not busy, both after the command went out."""
        while publisher.get_subscription_count() == 0:
            time.sleep(0.005)
        start = self.now()
        self.event.clear()
        publisher.publish(JointState(position=[float(v) for v in values]))
        return self.wait(lambda: self.last_busy > start and not self.state.is_busy)
