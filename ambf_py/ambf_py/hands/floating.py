# SPDX-License-Identifier: BSD-3-Clause
"""Hands on floating grippers: commands of their palms and fingers out, the world's snapshots in."""

import math
from collections.abc import Mapping

import numpy as np

from ambf_msgs.msg import JointMode, RigidBodyCmd

from ..base_object import set_xyz
from ..rotations import pose_of
from .hand import Hand
from .running import RunningWorld

SETTLE = 50  # looks until what lies on the table is at rest


class Gripper(Hand):
    """A hand on a floating gripper: the tip is where it takes things, z up, and the jaw opens along x.

    This is the parallel one: the tip is between the lower ends of the pads, and `jaw` is how far each finger is from the middle [m].
    """

    near = 0.002  # the hold on the palm is soft: it gives way under the weight of what it carries [m]
    reach = 0.105  # of the tip below the palm's frame [m]
    above = 0.045  # of the tip above what it takes, before it goes down [m]
    shut, wide, widest = 0.0, 0.020, 0.025  # jaw that takes, that goes down around something, that lets go

    @property
    def right(self) -> bool:
        """Whether it is the hand on the right."""
        return not self.place.startswith('left')

    def palm_to_tip(self) -> np.ndarray:
        t = np.eye(4)
        t[2, 3] = -self.reach
        return t

    def tip(self) -> np.ndarray:
        return self.sight.pose(f'{self.place}/palm') @ self.palm_to_tip()

    def yaw(self) -> float:
        """How the goal is turned about the vertical [rad]."""
        return math.atan2(self.goal[1, 0], self.goal[0, 0])

    def opening(self) -> float:
        """How far the fingers are from each other, more than when they are closed [m]."""
        palm = np.linalg.inv(self.sight.pose(f'{self.place}/palm'))
        right, left = (palm @ self.sight.pose(f'{self.place}/{side}finger') for side in ('right', 'left'))
        return float(right[0, 3] - left[0, 3])

    def targets(self, joints: list) -> list[float]:
        """Positions of the joints below the palm, as the manifest has them."""
        return [float(self.jaw)] * len(joints)


class FloatingGrippers(RunningWorld):
    """Grippers of a running world, `places` by their names, each with a hand. A palm is drawn to its goal by the controller of its file.

    `kinds` by the same names says what other grippers they are.
    """

    def __init__(
        self,
        places: Mapping[str, str],
        kinds: Mapping[str, type[Gripper]] | None = None,
        *,
        lockstep: bool = False,
        namespace: str = '',
    ):
        super().__init__(lockstep=lockstep, namespace=namespace)
        self.hands = [(kinds or {}).get(name, Gripper)(self.sight, name, place) for name, place in places.items()]
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
        palm = pose_of(hand.goal @ np.linalg.inv(hand.palm_to_tip()))
        set_xyz(order.pose.position, palm[:3])
        order.pose.orientation.x, order.pose.orientation.y, order.pose.orientation.z, order.pose.orientation.w = palm[
            3:
        ]
        joints = [manifest.joints[index] for index in body.client_joints]
        order.joint_names = [joint.name for joint in joints]
        order.joint_modes = [JointMode.POSITION] * len(joints)
        order.joint_cmds = hand.targets(joints)
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
