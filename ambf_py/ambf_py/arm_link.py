# SPDX-License-Identifier: BSD-3-Clause
"""How a program is connected to arms: one node and one thread for all arms of a domain, topics that are read and written."""

import os
import threading
import time
from collections.abc import Callable

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message

from .calls import ServiceCalls
from .errors import ArmSilent
from .ros_process import check_domain, check_fork, choose_transport

# How often the graph is looked at while something is awaited that comes without an event [s].
LOOK = 0.005


class ArmCalls(ServiceCalls):
    """Services of an arm."""

    below = ''
    gone = ArmSilent
    server = 'the arm'
    advice = 'this arm does not offer it, or its program has ended'


class Link:
    """A context, a node and a thread in a domain, shared by the arms of this program."""

    _lock = threading.Lock()
    _links: dict[int, 'Link'] = {}

    def __init__(self, domain: int):
        check_fork()
        choose_transport()
        self.domain = domain
        self.users = 0
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.node = rclpy.create_node(f'ambf_arms_{os.getpid()}', context=self.context, start_parameter_services=False)
        self._executor = SingleThreadedExecutor(context=self.context)
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._spin, name='ambf_arms', daemon=True)
        self._thread.start()

    @classmethod
    def take(cls, domain_id: int | None) -> 'Link':
        domain = check_domain(domain_id)
        with cls._lock:
            link = cls._links.get(domain)
            if link is None:
                link = cls._links[domain] = cls(domain)
            link.users += 1
            return link

    def give_back(self):
        with Link._lock:
            self.users -= 1
            if self.users > 0:
                return
            del Link._links[self.domain]
        self._executor.shutdown()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=5.0)
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def _spin(self):
        try:
            self._executor.spin()
        except ExternalShutdownException:
            pass

    def run(self, work: Callable[[], None]):
        """Do something in the thread that waits: what it waits for must not be taken away meanwhile."""
        if self._thread is threading.current_thread():
            work()
            return
        done = threading.Event()

        def do():
            try:
                work()
            finally:
                done.set()

        self._executor.create_task(do)
        while not done.wait(0.1):
            if not self._thread.is_alive():
                return

    def arms(self) -> list[str]:
        """Names below which somebody publishes the joints of an arm, without the first slash."""
        published = {
            topic: kinds for topic, kinds in self.node.get_topic_names_and_types() if self.node.count_publishers(topic)
        }
        found = []
        for topic, kinds in published.items():
            name, _, leaf = topic.rpartition('/')
            if leaf != 'measured_js' or 'sensor_msgs/msg/JointState' not in kinds:
                continue
            # Jaws and grippers have joints, too, but no pose and no state.
            if f'{name}/measured_cp' in published or f'{name}/operating_state' in published:
                found.append(name.lstrip('/'))
        return sorted(found)

    def quality(self, topic: str, depth: int, latched: bool) -> QoSProfile:
        """What matches every publisher that is there; `latched`: also what was said before, where that is kept."""
        offered = [info.qos_profile for info in self.node.get_publishers_info_by_topic(topic)]
        kept = latched and offered and all(q.durability == DurabilityPolicy.TRANSIENT_LOCAL for q in offered)
        reliable = all(q.reliability == ReliabilityPolicy.RELIABLE for q in offered)
        return QoSProfile(
            depth=depth,
            durability=DurabilityPolicy.TRANSIENT_LOCAL if kept else DurabilityPolicy.VOLATILE,
            reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        )

    def quality_for_readers(self, topic: str) -> QoSProfile:
        """What matches every reader that is there: some arms also hear commands that were given before they came."""
        asked = [info.qos_profile for info in self.node.get_subscriptions_info_by_topic(topic)]
        kept = any(q.durability == DurabilityPolicy.TRANSIENT_LOCAL for q in asked)
        return QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL if kept else DurabilityPolicy.VOLATILE)


class Reader:
    """The newest message of a topic, unpacked when somebody looks."""

    def __init__(
        self, link: Link, changed: threading.Condition, kind, topic: str, depth: int = 1, latched: bool = False
    ):
        self.topic, self.count, self.arrived = topic, 0, 0.0
        self._kind, self._changed, self._raw, self._message = kind, changed, b'', None
        self._node = link.node
        quality = link.quality(topic, depth, latched)
        # Whether those who come later are told what was said last.
        self.kept = quality.durability == DurabilityPolicy.TRANSIENT_LOCAL
        self.subscription = link.node.create_subscription(kind, topic, self._take, quality, raw=True)

    def _take(self, raw: bytes):
        with self._changed:
            self._raw, self._message = raw, None
            self.count += 1
            self.arrived = time.monotonic()
            self.heard()
            self._changed.notify_all()

    def heard(self):
        """For those that must not miss a message; the lock is held."""

    @property
    def message(self):
        """Only after `count` is above 0."""
        with self._changed:
            if self._message is None:
                self._message = deserialize_message(self._raw, self._kind)
            return self._message

    def close(self):
        """Only in the link's thread, see Link.run."""
        self._node.destroy_subscription(self.subscription)


class StateReader(Reader):
    """Operating states: remembers at which one the arm was busy last."""

    busy_at = 0

    def heard(self):
        if self.message.is_busy:
            self.busy_at = self.count
