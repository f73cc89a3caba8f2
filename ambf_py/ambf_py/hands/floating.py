# SPDX-License-Identifier: BSD-3-Clause
"""Hands on floating grippers: commands of their palms and fingers out, the world's snapshots in."""

import numpy as np

from ambf_msgs.msg import JointMode, RigidBodyCmd

from ..base_object import set_xyz
from ..rotations import pose_of
from .hand import Hand
from .running import RunningWorld

SETTLE = 50  # looks until what lies on the table is at rest
PADS = 0.105  # of the lower ends of the pads below the palm's frame [m]
T_PALM_TIP = np.eye(4)
T_PALM_TIP[2, 3] = -PADS


class Gripper(Hand):
    """A hand on a floating gripper: the tip is between the lower ends of the pads, z up, and the jaw opens along x.

    `jaw` is how far each finger is from the middle [m].
    """

    near = 0.002  # the hold on the palm is soft: it gives way under the weight of what it carries [m]

    def tip(self) -> np.ndarray:
        return self.sight.pose(f'{self.place}/palm') @ T_PALM_TIP

    def opening(self) -> float:
        """How far the fingers are from each other, more than when they are closed [m]."""
        palm = np.linalg.inv(self.sight.pose(f'{self.place}/palm'))
        right, left = (palm @ self.sight.pose(f'{self.place}/{side}finger') for side in ('right', 'left'))
        return float(right[0, 3] - left[0, 3])


class FloatingGrippers(RunningWorld):
    """Grippers of a running world, `places` by their names, each with a hand. A palm is drawn to its goal by the controller of its file."""

    def __init__(self, places: dict[str, str], *, lockstep: bool = False, namespace: str = ''):
        super().__init__(lockstep=lockstep, namespace=namespace)
        self.hands = [Gripper(self.sight, name, place) for name, place in places.items()]
        self._commands: dict[str, RigidBodyCmd] = {}
        self._publishers: dict = {}

    def take_over(self):
        self._commands.clear()
        for _ in range(SETTLE):
            self.look()
        if self.lockstep:
            # Once more: the first hello may have come before the world listened, which then takes us for dead when it is slow.
            self.world.join()
        for hand in self.hands:
            hand.begin()

    def orders(self) -> list:
        return list(self._commands.values())

    def command(self, hand: Gripper):
        manifest = self.client.view.manifest
        body = manifest.bodies[self.client.view.find(f'{hand.place}/palm', 'bodies', 'body')]
        order = RigidBodyCmd(name=body.topic, cartesian_cmd_type=RigidBodyCmd.TYPE_POSITION)
        palm = pose_of(hand.goal @ np.linalg.inv(T_PALM_TIP))
        set_xyz(order.pose.position, palm[:3])
        order.pose.orientation.x, order.pose.orientation.y, order.pose.orientation.z, order.pose.orientation.w = palm[
            3:
        ]
        order.joint_names = [manifest.joints[index].name for index in body.client_joints]
        order.joint_modes = [JointMode.POSITION] * len(order.joint_names)
        order.joint_cmds = [float(hand.jaw)] * len(order.joint_names)
        if self.lockstep:
            self._commands[hand.arm] = order  # goes with the next step: the same every time
        else:
            self._publisher(body.topic).publish(order)

    def _publisher(self, topic: str):
        if topic not in self._publishers:
            node = self.client.open_node
            self._publishers[topic] = node.create_publisher(RigidBodyCmd, f'{topic}/Command', 1)
            self.client.wait_for_reader(self._publishers[topic])
        return self._publishers[topic]
