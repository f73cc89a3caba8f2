# SPDX-License-Identifier: BSD-3-Clause
"""Peg transfer: a ring from the left half of the board onto a peg of the right half."""

import numpy as np

from ..rotations import matrix_from_quaternion, quaternion_from_rpy
from ..task import Start, Task, View
from .psm_task import WaypointPolicy, arm_actions, arm_names

ARM = 'psm1'
RINGS = tuple(f'peg_board/ring{i}' for i in range(1, 7))
# Pegs in the world frame [m]; ring i starts on LEFT[i - 1].
LEFT = np.array([[-0.062, 0.032], [-0.062, -0.032], [-0.05, 0.0], [-0.02, 0.032], [-0.02, -0.032], [-0.02, 0.0]])
RIGHT = np.array([[0.062, 0.032], [0.062, -0.032], [0.05, 0.0], [0.02, 0.032], [0.02, -0.032], [0.02, 0.0]])
REST = 0.7172  # height of a ring's centre when it lies on the board [m]
TOP = REST + 0.005  # upper face of such a ring
PEG_TOP = 0.732
BAR = np.array([0.0, 0.0065, 0.0])  # middle of one side of a ring, in its frame
CARRY = 0.765  # height of the tip when carrying: the ring passes above the pegs


class PegTransferTask(Task):
    """The goal is the number of the ring (0 to 5), then x and y of the peg."""

    world = 'package://ambf_description/worlds/peg_transfer/launch.yaml'
    actions = arm_actions(ARM, grasp=True)
    bodies = (f'{ARM}/baselink', f'{ARM}/toolyawlink') + RINGS
    joints = arm_names(ARM)[0]
    home = dict(zip(arm_names(ARM)[0], (0.0, -0.3, 0.08, 0.0, 0.5, 0.0)))
    settle_steps = 100
    frame_skip = 20
    max_steps = 500
    goal_size = 3
    camera = ((0.05, -0.3, 0.95), (0.0, 0.0, 0.73))

    def start(self, rng: np.random.Generator) -> Start:
        """Any ring, turned and moved on its peg as far as it fits, and any peg."""
        ring, peg = rng.integers(6), rng.integers(6)
        yaw, jitter = rng.uniform(-np.pi / 3, np.pi / 3), rng.uniform(-0.001, 0.001, 2)
        pose = np.concatenate([LEFT[ring] + jitter, [REST + 0.0002], quaternion_from_rpy(0.0, 0.0, yaw)])
        return Start({RINGS[ring]: pose}, np.concatenate([[ring], RIGHT[peg]]))

    def ring(self, view: View, goal: np.ndarray) -> np.ndarray:
        """n x 13: the ring that each environment is about."""
        which = goal[:, 0].astype(int) + len(self.bodies) - len(RINGS)
        return view.bodies[np.arange(len(which)), which]

    def observe(self, view: View, goal: np.ndarray) -> np.ndarray:
        ring = self.ring(view, goal)
        tool = view.pose(f'{ARM}/toolyawlink')
        return np.concatenate(
            [view.targets, tool, ring[:, :7], ring[:, :3] - tool[:, :3], goal[:, 1:], ring[:, :2] - goal[:, 1:]], axis=1
        )

    def offset(self, view: View, goal: np.ndarray) -> np.ndarray:
        """Distance of the ring's centre from the peg's axis [m]."""
        return np.linalg.norm(self.ring(view, goal)[:, :2] - goal[:, 1:], axis=1)

    def reward(self, view: View, goal: np.ndarray, action: np.ndarray) -> np.ndarray:
        return -10.0 * self.offset(view, goal) + self.success(view, goal)

    def success(self, view: View, goal: np.ndarray) -> np.ndarray:
        """The ring lies on the board around its peg: the peg fits with 2.9 mm to spare, 5.8 mm at the corners."""
        ring = self.ring(view, goal)
        still = np.linalg.norm(ring[:, 7:10], axis=1) < 0.02
        return (self.offset(view, goal) < 0.006) & (ring[:, 2] < REST + 0.001) & still

    def metrics(self, view: View, goal: np.ndarray) -> dict[str, np.ndarray]:
        return {'offset': self.offset(view, goal)}


class PegTransferPolicy(WaypointPolicy):
    """Above a side of the ring, down, hold, lift, over the peg, lower, let go, up."""

    arm = ARM
    phases = 8

    def waypoint(self, phase: int, view, goal: np.ndarray):
        ring = view.pose(RINGS[int(goal[0])])
        if phase <= 3 and self._point is None:
            self._point = self._side(ring)
        x, y = self._point[:2]
        if phase in (4, 5) and self._goal is None:
            # Where the tip must be for the ring's centre to be over the peg, as it hangs now.
            tip = view.point(f'{ARM}/toolyawlink', (0.0, 0.0102, 0.0))
            self._point = np.append(goal[1:] + tip[:2] - ring[:2], 0.0)
            x, y = self._point[:2]
        heights = (TOP + 0.03, TOP + 0.003, TOP + 0.003, CARRY, CARRY, PEG_TOP - 0.002, PEG_TOP - 0.002, CARRY)
        grasps = (-1.0, -1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0)
        stays = (0, 2, 5, 0, 3, 2, 10, 0)
        return np.array([x, y, heights[phase]]), grasps[phase], stays[phase]

    @staticmethod
    def _side(ring: np.ndarray) -> np.ndarray:
        """The side of the ring that is farthest from the middle of the board: pegs stand in rows beside the others."""
        sides = []
        for turn in (0.0, 2.0 * np.pi / 3.0, -2.0 * np.pi / 3.0):
            local = matrix_from_quaternion(quaternion_from_rpy(0.0, 0.0, turn)) @ BAR
            sides.append(ring[:3] + matrix_from_quaternion(ring[3:7]) @ local)
        return max(sides, key=lambda side: abs(side[1]))
