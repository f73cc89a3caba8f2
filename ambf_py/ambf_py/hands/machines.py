# SPDX-License-Identifier: BSD-3-Clause
"""Hands on machines: arms that are led joint by joint or by a pose, and objects of the world by commands of their own."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..arm import Arm
from ..errors import AmbfError
from ..scene_objects import SoftBody
from .crtk import CrtkArms
from .hand import Work
from .performance import Performance

STEPS = 20  # between two looks in lockstep


def smooth(share: float) -> float:
    """From 0 to 1 without a jump of speed or acceleration."""
    share = min(max(share, 0.0), 1.0)
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)


class Machines(CrtkArms):
    """A context manager. `joints` and `tips` say what the named arms are asked for at the next look.

    `brings`: models that the hands bring along, by name with their descriptions; they are taken away again.
    """

    def __init__(
        self,
        arms: Sequence[str] = (),
        *,
        brings: Mapping[str, str] | None = None,
        lockstep: bool = False,
        namespace: str = '',
    ):
        super().__init__({}, lockstep=lockstep, namespace=namespace)
        self._names, self._brings, self._brought = list(arms), dict(brings or {}), []
        self._objects: dict[str, object] = {}
        self.joints: dict[str, np.ndarray] = {}  # positions of all joints
        self.tips: dict[str, np.ndarray] = {}  # T_reference_tip, as servo_cp takes it
        self._asked: dict[tuple[str, str], np.ndarray] = {}

    def names(self) -> list[str]:
        return self._names

    def take_over(self):
        self._bring()
        super().take_over()

    def _bring(self):
        there = [model.name for model in self.client.view.manifest.models]
        for name, text in self._brings.items():
            # One that another hand left there when it was killed serves as well.
            if name not in there:
                self._brought += self.world.load(text=text, name=name, allow_rename=False)

    def close(self):
        try:
            self.let_go()
            for name in self._brought:
                # Its handle would go on to command what is not there any more.
                self.object(name)._active = False
                self.world.remove(name)
        except AmbfError:
            pass  # the world has ended, and everything with it
        super().close()

    def object(self, name: str):
        """The handle of a body or soft body; what it is told is held until it is told otherwise."""
        if name not in self._objects:
            self._objects[name] = self.client.get_obj_handle(name)
        return self._objects[name]

    def let_go(self):
        """Of all objects."""
        for handle in self._objects.values():
            if isinstance(handle, SoftBody):
                handle.set_node_forces((), ())
            else:
                handle.release()
        self.client.flush()

    def home(self):
        self.let_go()
        super().home()
        self.joints = {name: home.copy() for name, home in self._homes.items()}
        self.tips.clear()
        self._asked = {('joints', name): home.copy() for name, home in self._homes.items()}

    def step(self, steps: int = STEPS):
        super().step(steps)

    def command_all(self):
        """Only what is new: an arm stays where it was asked to be."""
        told = []
        for name, goal in self.joints.items():
            if self._is_new('joints', name, goal):
                self.arms[name].servo_jp(goal)
                told.append((self.arms[name], Arm.setpoint_jp, goal))
        for name, goal in self.tips.items():
            if self._is_new('tips', name, goal):
                self.arms[name].servo_cp(goal)
                told.append((self.arms[name], Arm.setpoint_cp, goal))
        for arm, setpoint, goal in told:
            self._await_taken(arm, lambda arm=arm, setpoint=setpoint: setpoint(arm), goal)

    def _is_new(self, kind: str, name: str, goal: np.ndarray) -> bool:
        known = self._asked.get((kind, name))
        if known is not None and np.array_equal(known, goal):
            return False
        self._asked[(kind, name)] = np.array(goal)
        return True

    def frame(self, name: str) -> np.ndarray:
        """T_world_reference: where the frame is in which an arm is told poses."""
        arm = self.arms[name]
        # Both are told together; an arm that rests tells the same again and again.
        local, reference = arm.local.setpoint_cp(fresh=True), arm.setpoint_cp(fresh=True)
        return arm.base_in_world() @ local @ np.linalg.inv(reference)


class MachinePerformance(Performance):
    """A task of hands on machines: `arms_needed` by name, `brings` as Machines have it."""

    arms_needed: tuple[str, ...] = ()
    brings: dict[str, str] = {}
    rest = 1.0  # before the next time [s]

    @classmethod
    def open(cls, *, lockstep: bool, namespace: str) -> Machines:
        return Machines(cls.arms_needed, brings=cls.brings, lockstep=lockstep, namespace=namespace)

    def __init__(self, arms):
        super().__init__(arms)
        self.doing = ''

    def caption(self) -> str:
        return self.doing

    def back(self, parts: tuple[int, ...]) -> Work | None:
        return self.wait(self.rest)

    def wait(self, seconds: float) -> Work:
        end = self.arms.sight.clock + seconds
        while self.arms.sight.clock < end:
            yield

    def during(self, seconds: float) -> Work:
        """Yields the share of the time that is over: 0 up to 1."""
        begun, share = self.arms.sight.clock, 0.0
        while share < 1.0:
            share = min(1.0, (self.arms.sight.clock - begun) / seconds)
            yield share

    def lead(self, arm: str, goal, seconds: float) -> Work:
        """The joints of an arm evenly to a goal."""
        start, goal = self.arms.joints[arm], np.asarray(goal, dtype=float)
        for share in self.during(seconds):
            self.arms.joints[arm] = start + smooth(share) * (goal - start)
            yield
