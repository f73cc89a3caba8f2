# SPDX-License-Identifier: BSD-3-Clause
"""Several hands on one gripper: each an input device of the world, whose samples go out and whose proxy comes back."""

import collections
import time

import numpy as np
from rclpy.qos import QoSProfile, ReliabilityPolicy

from ambf_msgs.msg import DeviceSample, ProxyState

from ..base_object import set_xyz, xyz
from ..errors import AmbfError
from ..rotations import matrix_from_quaternion, pose_of, transform
from .floating import SETTLE, Gripper
from .hand import Work
from .running import PATIENCE, RunningWorld

STROKE = 0.035  # of each finger [m]
FARTHEST = 0.02  # that a hand moves between two samples [m]
AGAIN = 0.05  # a sample that was not taken for so long was lost on its way [s]
REMEMBERED = 100  # samples
STEPS = 30  # between two samples in lockstep


def pose_matrix(pose) -> np.ndarray:
    """4 x 4 matrix of a message."""
    q = pose.orientation
    return transform([*xyz(pose.position), q.x, q.y, q.z, q.w])


class Person(Gripper):
    """A person with a device in the hand. `goal` is where they want the gripper's tip; others may want it elsewhere."""

    near = 1.0  # nobody waits until the gripper is where they want it

    def __init__(self, sight, arm: str, place: str):
        super().__init__(sight, arm, place)
        self.proxy: ProxyState | None = None  # the newest that the world told
        self.sequence = 0
        self.leave()

    def leave(self):
        """The hand is off the device, which says nothing."""
        self.present, self.actions = False, 0
        self.pose = np.eye(4)  # of the hand, in the frame of the device
        self.sent: collections.OrderedDict[int, np.ndarray] = collections.OrderedDict()

    def join(self):
        """The hand takes the device where the gripper is: nothing jumps."""
        self.goal, self.present = self.tip(), True

    def reference(self) -> np.ndarray:
        """Where the world says that this hand wants the palm, T_world_palm."""
        return pose_matrix(self.proxy.reference_pose)

    def move(self):
        """The hand from where it was to where the world's reference becomes the goal, whatever camera and clutches did."""
        known = self.sent.get(self.proxy.sequence) if self.proxy else None
        if known is None:
            return
        view = matrix_from_quaternion([getattr(self.proxy.active_camera_pose.orientation, k) for k in 'xyzw'])
        goal, now = self.goal @ np.linalg.inv(self.palm_to_tip()), self.reference()
        way = goal[:3, 3] - now[:3, 3]
        way *= min(1.0, FARTHEST / max(1e-9, float(np.linalg.norm(way))))
        self.pose = known.copy()
        self.pose[:3, 3] += view.T @ way
        self.pose[:3, :3] = view.T @ goal[:3, :3] @ now[:3, :3].T @ view @ known[:3, :3]

    def sample(self) -> DeviceSample:
        """The next one."""
        self.move()
        self.sequence += 1
        self.sent[self.sequence] = self.pose.copy()
        while len(self.sent) > REMEMBERED:
            self.sent.popitem(last=False)
        message = DeviceSample(sequence=self.sequence, gripper=float(np.clip(self.jaw / STROKE, 0.0, 1.0)))
        place = pose_of(self.pose)
        set_xyz(message.pose.position, place[:3])
        for key, value in zip('xyzw', place[3:]):
            setattr(message.pose.orientation, key, float(value))
        message.actions = [bool(self.actions >> bit & 1) for bit in range(4)]
        return message

    def taken(self) -> bool:
        """Whether the world has the newest sample."""
        return self.proxy is not None and self.proxy.sequence >= self.sequence

    def press(self, button: int, times: int = 1) -> Work:
        """A button down and up again, each until the world has seen it."""
        for actions in (1 << button, 0) * times:
            self.actions, before = actions, self.sequence
            while self.proxy.sequence <= before:
                yield


class SharedHands(RunningWorld):
    """People at devices, `devices` by their names with the place of the gripper that they hold; nobody is there at the beginning."""

    def __init__(self, devices: dict[str, str], *, lockstep: bool = False, namespace: str = ''):
        super().__init__(lockstep=lockstep, namespace=namespace)
        self.hands = [Person(self.sight, name, place) for name, place in devices.items()]
        self._publishers: dict = {}

    def take_over(self):
        for person in self.hands:
            person.leave()
            if person.arm not in self._publishers:
                self._connect(person)
        for _ in range(SETTLE):
            self.look()
        if self.lockstep:
            # Once more: the first hello may have come before the world listened, which then takes us for dead when it is slow.
            self.world.join()
        for person in self.hands:
            person.begin()

    def _connect(self, person: Person):
        node = self.client.open_node
        topic = next((d.topic for d in self.client.view.manifest.devices if d.name == person.arm), None)
        if topic is None:
            raise AmbfError(f"the world has no device '{person.arm}': start it with n_devices:=-1")
        newest = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
        node.create_subscription(ProxyState, f'{topic}/Proxy', lambda state: setattr(person, 'proxy', state), newest)
        self._publishers[person.arm] = node.create_publisher(DeviceSample, f'{topic}/Sample', newest)
        self.client.wait_for_reader(self._publishers[person.arm])

    def step(self, steps: int = STEPS):
        super().step(steps)

    def command_all(self):
        told = {person.arm: (person, person.sample()) for person in self.hands if person.present}
        for name, (_, sample) in told.items():
            self._publishers[name].publish(sample)
        if self.lockstep:
            self._await_taken(told)

    def _await_taken(self, told: dict):
        """The world stands until it has all samples: the same steps follow every time."""
        end = time.monotonic() + PATIENCE
        again = time.monotonic() + AGAIN
        while waiting := [name for name, (person, _) in told.items() if not person.taken()]:
            self.step(0)
            if time.monotonic() > end:
                raise AmbfError(f'the world takes no sample of {", ".join(waiting)}')
            if time.monotonic() > again:
                again = time.monotonic() + AGAIN
                for name in waiting:
                    self._publishers[name].publish(told[name][1])
