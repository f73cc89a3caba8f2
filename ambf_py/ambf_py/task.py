# SPDX-License-Identifier: BSD-3-Clause
"""What a task is: a world, actions and observations by name, a start, a reward. No simulator in it.

All arrays have the environments as their first dimension, so that one definition serves one world and many.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from . import names
from .errors import AmbiguousInModel, AmbiguousName, SpaceMismatch, UnknownInModel, UnknownObject


@dataclass(frozen=True)
class JointAction:
    """One number of the action, -1 to 1, drives one joint.

    Position mode: with `rate` (above 0) the joint's target moves by action * rate [rad or m] per environment step,
    without it the action spans `low` to `high`. Velocity, acceleration and effort modes have no rate and span `low` to `high`. Bounds
    default to the model's limits.
    """

    joint: str
    mode: str = 'position'
    rate: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class GraspAction:
    """One number of the action: above 0 the actuator takes what the sensor senses, else it lets go."""

    actuator: str
    sensor: str


@dataclass
class Start:
    """How an episode begins: poses of bodies (position, quaternion) and the goal."""

    placements: Mapping[str, np.ndarray] = field(default_factory=dict)
    goal: np.ndarray = field(default_factory=lambda: np.zeros(0))


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The cross product of rows; numpy.cross spends most of its time on the shapes of small arrays."""
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        product[..., i] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    return product


class Layout:
    """Where the things that a task names are in its world."""

    def __init__(self, bodies, joints, sensors, actuators):
        self._aliases = {'body': bodies, 'joint': [j.aliases for j in joints], 'sensor': sensors, 'actuator': actuators}
        self.joints = joints

    def index(self, name: str, kind: str) -> int:
        try:
            return names.find(name, self._aliases[kind], kind)
        except UnknownObject as error:
            raise UnknownInModel(str(error)) from None
        except AmbiguousName as error:
            raise AmbiguousInModel(str(error)) from None


@dataclass(frozen=True)
class JointFacts:
    """A joint of the world; infinite bounds where it has no limits."""

    aliases: Sequence[str]
    lower: float
    upper: float


class View:
    """The observed bodies and joints of all environments, by the names that the task gave."""

    def __init__(self, body_names: Sequence[str], joint_names: Sequence[str], count: int):
        self._bodies = {name: i for i, name in enumerate(body_names)}
        self._joints = {name: i for i, name in enumerate(joint_names)}
        self.bodies = np.zeros((count, len(body_names), 13))
        self.joints = np.zeros((count, len(joint_names), 3))
        self.targets = np.zeros((count, 0))

    def pose(self, name: str) -> np.ndarray:
        """n x 7."""
        return self.bodies[:, self._bodies[name], :7]

    def position(self, name: str) -> np.ndarray:
        return self.bodies[:, self._bodies[name], :3]

    def twist(self, name: str) -> np.ndarray:
        return self.bodies[:, self._bodies[name], 7:]

    def point(self, name: str, offset: Sequence[float]) -> np.ndarray:
        """n x 3: a point that is fixed to a body, world frame."""
        pose = self.pose(name)
        u, w = pose[:, 3:6], pose[:, 6:7]
        v = np.broadcast_to(np.asarray(offset, dtype=float), u.shape)
        # v + 2 w (u x v) + 2 u x (u x v) is the rotation by a unit quaternion.
        uv = cross(u, v)
        return pose[:, :3] + v + 2.0 * (w * uv + cross(u, uv))

    def positions(self, joint_names: Sequence[str]) -> np.ndarray:
        return self.joints[:, [self._joints[n] for n in joint_names], 0]

    def velocities(self, joint_names: Sequence[str]) -> np.ndarray:
        return self.joints[:, [self._joints[n] for n in joint_names], 1]


class Task:
    """Subclass it and give the names; `AmbfEnv(task)` and `AmbfVectorEnv(task, n)` do the rest."""

    world: str = ''
    models: Sequence[str] = ()
    actions: Sequence[JointAction | GraspAction] = ()
    bodies: Sequence[str] = ()  # that `View` shows
    joints: Sequence[str] = ()
    home: Mapping[str, float] = {}  # where joints are driven before the first episode
    home_steps: int = 1000  # physics steps that takes
    settle_steps: int = 50  # physics steps after bodies were placed
    frame_skip: int = 10  # physics steps per environment step
    max_steps: int = 200  # environment steps until truncation
    goal_size: int = 0
    step_size: float = 0.001
    camera = ((0.35, -0.45, 0.25), (0.0, 0.0, -0.05))  # eye and target of `ambf-tasks` pictures, world frame [m]

    def start(self, rng: np.random.Generator) -> Start:
        """Where things are and what is wanted, drawn from `rng`."""
        return Start()

    def observe(self, view: View, goal: np.ndarray) -> np.ndarray:
        """n x size: what the agent sees; by default joints, targets, bodies and the goal."""
        count = len(view.bodies)
        return np.concatenate(
            [view.joints[:, :, :2].reshape(count, -1), view.targets, view.bodies[:, :, :7].reshape(count, -1), goal],
            axis=1,
        )

    def reward(self, view: View, goal: np.ndarray, action: np.ndarray) -> np.ndarray:
        """n."""
        return np.zeros(len(view.bodies))

    def success(self, view: View, goal: np.ndarray) -> np.ndarray:
        """n booleans; ends the episode."""
        return np.zeros(len(view.bodies), dtype=bool)

    def metrics(self, view: View, goal: np.ndarray) -> dict[str, np.ndarray]:
        """Further figures for `info`."""
        return {}


class ActionMap:
    """Turns actions of -1 to 1 into joint commands and grasps."""

    def __init__(self, task: Task, layout: Layout):
        self.joint_actions = [a for a in task.actions if isinstance(a, JointAction)]
        self.grasp_actions = [a for a in task.actions if isinstance(a, GraspAction)]
        if not task.actions:
            raise SpaceMismatch('the task declares no actions')
        self.joints = [layout.index(a.joint, 'joint') for a in self.joint_actions]
        for action, joint in zip(self.joint_actions, self.joints):
            if self.joints.count(joint) > 1:
                raise SpaceMismatch(f"action of joint '{action.joint}': two actions drive this joint, expected one")
            if action.rate is not None and not (action.mode == 'position' and 0.0 < action.rate < np.inf):
                raise SpaceMismatch(
                    f"action of joint '{action.joint}' ({action.mode}): found the rate {action.rate}, "
                    'expected one above 0, in position mode only'
                )
        self.actuators = [layout.index(a.actuator, 'actuator') for a in self.grasp_actions]
        self.sensors = [layout.index(a.sensor, 'sensor') for a in self.grasp_actions]
        bounds = np.array([self._bounds(a, layout.joints[j]) for a, j in zip(self.joint_actions, self.joints)])
        self.low, self.high = bounds.reshape(-1, 2).T
        self.rate = np.array([a.rate or 0.0 for a in self.joint_actions])
        self._columns = [i for i, a in enumerate(task.actions) if isinstance(a, JointAction)]
        self._grasp_columns = [i for i, a in enumerate(task.actions) if isinstance(a, GraspAction)]
        self.size = len(task.actions)

    @staticmethod
    def _bounds(action: JointAction, joint: JointFacts) -> tuple[float, float]:
        low = joint.lower if action.low is None and action.mode == 'position' else action.low
        high = joint.upper if action.high is None and action.mode == 'position' else action.high
        if low is None or high is None or not np.isfinite([low, high]).all() or low >= high:
            raise SpaceMismatch(
                f"action of joint '{action.joint}' ({action.mode}): found the bounds {low} to {high}, "
                'expected finite ones, low before high'
            )
        if action.mode == 'position' and (low < joint.lower - 1e-9 or high > joint.upper + 1e-9):
            raise SpaceMismatch(
                f"action of joint '{action.joint}': found the bounds {low} to {high}, expected them "
                f"within the joint's limits {joint.lower} to {joint.upper}"
            )
        return low, high

    def commands(self, actions: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Joint values and grasps, n rows each, for clipped actions and the targets so far."""
        part = np.clip(actions[:, self._columns], -1.0, 1.0)
        moved = np.clip(targets + part * self.rate, self.low, self.high)
        spanned = self.low + 0.5 * (part + 1.0) * (self.high - self.low)
        values = np.where(self.rate > 0.0, moved, spanned)
        return values, actions[:, self._grasp_columns]
