# SPDX-License-Identifier: BSD-3-Clause
"""Hands on the topics of arms (CRTK): servo_cp and jaw/servo_jp out, the world's snapshots in; in real time and in lockstep."""

import time

import numpy as np

from ..arm import Arm
from ..errors import AmbfError
from .hand import JAW_LENGTH, Hand
from .onlooker import Onlooker
from .running import PATIENCE, RunningWorld

TAKEN = 1e-9  # of a set-point from what was asked for [m, rad]: less than a hand moves between two looks
HOMED = 3000  # in lockstep the hands move from this step of the world on, or from a multiple of it: then all arms are at home
# The arm's own tip is where its jaw turns, behind the ends of the fingers.
T_TIP_ARM = np.eye(4)
T_TIP_ARM[2, 3] = -JAW_LENGTH


class CrtkArms(RunningWorld):
    """The arms of a running world, each with a hand; a context manager. `lockstep`: this steps the world.

    `places` of PSMs by their names, `endoscope` the name and place of an ECM that looks at what they do.
    """

    def __init__(
        self,
        places: dict[str, str],
        *,
        endoscope: tuple[str, str] | None = None,
        lockstep: bool = False,
        namespace: str = '',
    ):
        super().__init__(lockstep=lockstep, namespace=namespace)
        self.arms: dict[str, Arm] = {}
        self.hands = [Hand(self.sight, arm, place) for arm, place in places.items()]
        self.onlooker = Onlooker(self.sight, *endoscope) if endoscope else None
        self._namespace = namespace
        self._homes: dict[str, np.ndarray] = {}

    def close(self):
        for arm in self.arms.values():
            arm.close()
        super().close()

    def barrier(self) -> list[str]:
        # As members of the barrier arms have the names of their nodes, without slashes.
        return [name.replace('/', '_') for name in self.arms]

    def names(self) -> list[str]:
        """Of the arms that are moved."""
        return [hand.arm for hand in self.hands] + ([self.onlooker.arm] if self.onlooker else [])

    def take_over(self):
        for name in self.names():
            if name not in self.arms:
                self.arms[name] = self._find(name)
        self._announced()
        self.home()

    def _find(self, name: str) -> Arm:
        """Arms start after the world and are on the graph one after the other."""
        return Arm(
            name,
            namespace=self._namespace,
            timeout=PATIENCE,
            freshness=PATIENCE,
            step=self.step if self.lockstep else None,
        )

    def _announced(self):
        """Until every arm is a member of the barrier."""
        if not self.lockstep:
            return
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self.step(0)
            except AmbfError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def home(self):
        """Where the arms are when they have been homed, also after a reset of the world, which leaves them homed."""
        for name, arm in self.arms.items():
            arm.enable(timeout=PATIENCE)
            arm.home(timeout=PATIENCE)
            self._homes.setdefault(name, arm.setpoint_jp(fresh=True))
        if self.lockstep and self.arms:
            # How many steps it took until all arms were found and had answered is not the same every time.
            self.world.reset()
            self._announced()
        moves = [arm.move_jp(self._homes[name]) for name, arm in self.arms.items()]
        if self.lockstep and self.arms:
            self._await_all(moves, begun=True)
            self._step_home(moves)
        self._await_all(moves)
        self.look()
        for hand in self.hands:
            hand.begin()
        if self.onlooker:
            self.onlooker.begin(self.arms[self.onlooker.arm].setpoint_jp(fresh=True))

    def _step_home(self, moves: list):
        """The same number of steps every time, whenever it is heard that a move has ended."""
        until = HOMED
        while True:
            while self.state.step < until:
                self.step()
            # What was told at the last step has come by then.
            self.step(0)
            if not any(move.is_busy() for move in moves):
                return
            until += HOMED

    def _await_all(self, moves: list, begun: bool = False):
        """In lockstep the world stands meanwhile."""
        for move in moves:
            move.wait(is_busy=begun, timeout=PATIENCE, step=(lambda: self.step(0)) if self.lockstep else None)

    def command_all(self):
        super().command_all()
        if self.onlooker:
            self.command_onlooker()

    def command(self, hand: Hand):
        """Ask the arm for the hand's goal."""
        arm = self.arms[hand.arm]
        goal = np.linalg.inv(hand.base()) @ hand.goal @ T_TIP_ARM
        arm.jaw.servo_jp(hand.jaw)
        arm.servo_cp(goal)
        self._await_taken(arm, arm.jaw.setpoint_jp, hand.jaw)
        self._await_taken(arm, arm.setpoint_cp, goal)

    def command_onlooker(self):
        arm, joints = self.arms[self.onlooker.arm], self.onlooker.joints
        arm.servo_jp(joints)
        self._await_taken(arm, arm.setpoint_jp, joints)

    def _await_taken(self, arm: Arm, setpoint, goal, within: float = TAKEN):
        """In lockstep the next step is taken when the arm says that it has its goal: that is the same every time."""
        end = time.monotonic() + PATIENCE
        while self.lockstep and np.abs(setpoint() - goal).max() > within:
            if time.monotonic() > end:
                raise AmbfError(f'{arm.name} does not take its goal: it is asked for {np.asarray(goal).tolist()}')
            time.sleep(0.0002)
