# SPDX-License-Identifier: BSD-3-Clause
"""Needle pick: take the needle from the table and lift it, with its thread."""

import numpy as np

from ..rotations import matrix_from_quaternion, pose_of, quaternion_from_rpy, transform
from ..task import Start, Task, View
from .psm_task import WaypointPolicy, arm_actions, arm_names

ARM = 'psm2'
NEEDLE = 'suture/needle'
TABLE = 0.7  # height of its top [m]
LIFT = 0.03  # how far the needle must be above it
THICKNESS = 0.0009  # radius of the needle
# Middle of its fifth piece, in the needle's frame: near its centre of mass.
GRIP = np.array([0.00196225791, 0.0123892089, 0.0])


class NeedlePickTask(Task):
    """Needle and thread lie turned and moved as one; the goal is the height of the needle."""

    world = 'package://ambf_description/worlds/needle/launch.yaml'
    actions = arm_actions(ARM, grasp=True)
    bodies = (f'{ARM}/baselink', f'{ARM}/toolyawlink', NEEDLE)
    joints = arm_names(ARM)[0]
    home = dict(zip(arm_names(ARM)[0], (0.0, -0.3, 0.08, 0.0, 0.5, 0.0)))
    settle_steps = 100
    frame_skip = 20
    max_steps = 400
    goal_size = 1
    camera = ((-0.1, -0.2, 0.9), (-0.09, 0.1, 0.71))

    def __init__(self):
        self._start_poses = start_poses()

    def start(self, rng: np.random.Generator) -> Start:
        """Moved by up to 8 mm, turned by up to 0.15 rad about the needle: the thread stays clear of the blocks."""
        shift, yaw = rng.uniform(-0.008, 0.008, 2), rng.uniform(-0.15, 0.15)
        pivot = self._start_poses[NEEDLE][:3]
        turn = transform(np.concatenate([pivot + [*shift, 0.0], quaternion_from_rpy(0.0, 0.0, yaw)]))
        turn[:3, 3] -= turn[:3, :3] @ pivot
        placed = {name: pose_of(turn @ transform(pose)) for name, pose in self._start_poses.items()}
        return Start(placed, np.array([TABLE + LIFT]))

    def observe(self, view: View, goal: np.ndarray) -> np.ndarray:
        tool, needle = view.pose(f'{ARM}/toolyawlink'), view.pose(NEEDLE)
        return np.concatenate([view.targets, tool, needle, needle[:, :3] - tool[:, :3], goal], axis=1)

    def height(self, view: View) -> np.ndarray:
        """Of the middle of the needle above the table [m]."""
        return view.point(NEEDLE, GRIP)[:, 2] - TABLE

    def reward(self, view: View, goal: np.ndarray, action: np.ndarray) -> np.ndarray:
        reach = np.linalg.norm(view.point(f'{ARM}/toolyawlink', (0.0, 0.0102, 0.0)) - view.point(NEEDLE, GRIP), axis=1)
        return 10.0 * np.minimum(self.height(view), LIFT) - reach + self.success(view, goal)

    def success(self, view: View, goal: np.ndarray) -> np.ndarray:
        return view.point(NEEDLE, GRIP)[:, 2] > goal[:, 0]

    def metrics(self, view: View, goal: np.ndarray) -> dict[str, np.ndarray]:
        return {'height': self.height(view)}


def start_poses() -> dict[str, np.ndarray]:
    """Needle and thread as the world's file places them."""
    import pathlib

    import yaml

    from ..simulator import resolve

    file = pathlib.Path(resolve(NeedlePickTask.world)).parent / 'needle_thread.yaml'
    data = yaml.safe_load(file.read_text())
    poses = {}
    for block in data['bodies']:
        position, angles = (data[block]['location'][key] for key in ('position', 'orientation'))
        name = 'suture/' + data[block]['name'].replace(' ', '')
        poses[name] = np.array([position[a] for a in 'xyz'] + quaternion_from_rpy(*(angles[a] for a in 'rpy')).tolist())
    return poses


class NeedlePickPolicy(WaypointPolicy):
    """Above the middle of the needle, down, hold, lift; once more where the needle slipped away."""

    arm = ARM
    phases = 4

    def after(self, phase: int) -> int:
        return (phase + 1) % self.phases

    def waypoint(self, phase: int, view, goal: np.ndarray):
        if phase <= 1 and self._goal is None:
            # Looked at again from above: the thread moves the needle while it settles.
            needle = view.pose(NEEDLE)
            self._point = needle[:3] + matrix_from_quaternion(needle[3:7]) @ GRIP
        surface = self._point[2] + THICKNESS
        heights = (surface + 0.03, surface + 0.003, surface + 0.003, goal[0] + 0.02)
        return np.array([*self._point[:2], heights[phase]]), (-1.0, -1.0, 1.0, 1.0)[phase], (0, 2, 5, 0)[phase]
