# SPDX-License-Identifier: BSD-3-Clause
"""Hands on the topics of arms (CRTK): servo_cp and jaw/servo_jp out, the world's snapshots in; in real time and in lockstep."""

import time

import numpy as np

from ..arm import Arm
from ..client import Client
from ..errors import AmbfError
from ..view import State
from .hand import JAW_LENGTH, Hand
from .onlooker import Onlooker
from .sight import Sight

LOOK = 0.02  # world time between two looks in real time [s]
STEPS = 10  # between two looks in lockstep
PATIENCE = 90.0  # [s] of wall time; what takes longer hangs
# The arm's own tip is where its jaw turns, behind the ends of the fingers.
T_TIP_ARM = np.eye(4)
T_TIP_ARM[2, 3] = -JAW_LENGTH


class CrtkArms:
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
        self.client = Client('scripted_hands', namespace=namespace)
        self.lockstep = lockstep
        self.arms: dict[str, Arm] = {}
        self.sight = Sight(lambda name: self.client.view.find(name, 'bodies', 'body'))
        self.hands = [Hand(self.sight, arm, place) for arm, place in places.items()]
        self.onlooker = Onlooker(self.sight, *endoscope) if endoscope else None
        self._namespace = namespace
        self.state = State()
        self._homes: dict[str, np.ndarray] = {}
        self.slowest = 0.0  # longest time of the world between two looks [s]

    def __enter__(self):
        try:
            self.client.connect(timeout=PATIENCE)
            self.world = self.client.get_world_handle()
            if self.lockstep:
                self.world.set_mode('lockstep')
                self.world.join('scripted_hands')
            for name in self.names():
                self.arms[name] = self._find(name)
            self._announced()
            self.prepare()
            self.home()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for arm in self.arms.values():
            arm.close()
        self.client.clean_up()

    def names(self) -> list[str]:
        """Of the arms that are moved."""
        return [hand.arm for hand in self.hands] + ([self.onlooker.arm] if self.onlooker else [])

    def prepare(self):
        """What has to be done once in a world before hands work in it."""

    def _find(self, name: str) -> Arm:
        """Arms start after the world and are on the graph one after the other."""
        return Arm(name, namespace=self._namespace, timeout=PATIENCE, step=self._step if self.lockstep else None)

    def _announced(self):
        """Until every arm is a member of the barrier."""
        if not self.lockstep:
            return
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self._step(0)
            except AmbfError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def _step(self, steps: int = STEPS):
        # As members of the barrier arms have the names of their nodes, without slashes.
        members = [name.replace('/', '_') for name in self.arms]
        self.state = self.world.step(steps, barrier=members, barrier_timeout=PATIENCE)

    def home(self):
        """Where the arms are when they have been homed, also after a reset of the world, which leaves them homed."""
        for name, arm in self.arms.items():
            arm.enable(timeout=PATIENCE)
            arm.home(timeout=PATIENCE)
            self._homes.setdefault(name, arm.setpoint_jp(fresh=True))
            arm.move_jp(self._homes[name]).wait(timeout=PATIENCE)
        self.look()
        for hand in self.hands:
            hand.begin()
        if self.onlooker:
            self.onlooker.begin(self.arms[self.onlooker.arm].setpoint_jp(fresh=True))

    def restart(self):
        """The world from its start, the arms homed again."""
        self.world.reset()
        if self.lockstep:
            self._announced()
        self.state = State()
        self.home()

    def look(self):
        """The next look at the world."""
        if self.lockstep:
            self._step()
        else:
            view, step = self.client.view, self.state.step
            self.client._watch()
            size = view.manifest.step_size
            if not view.wait_for_step(step + max(1, round(LOOK / size)), self.client.timeout):
                self.client.wait_for_world()
            self.state = view.state()
        self.slowest = max(self.slowest, self.state.time - self.sight.time)
        self.sight.take(self.state.time, self.state.bodies)

    def command(self, hand: Hand):
        """Ask the arm for the hand's goal."""
        arm = self.arms[hand.arm]
        goal = np.linalg.inv(hand.base()) @ hand.goal @ T_TIP_ARM
        arm.jaw.servo_jp(hand.jaw)
        arm.servo_cp(goal)
        self._await_taken(arm, lambda: arm.setpoint_cp(fresh=True), goal)

    def command_onlooker(self):
        arm, joints = self.arms[self.onlooker.arm], self.onlooker.joints
        arm.servo_jp(joints)
        self._await_taken(arm, lambda: arm.setpoint_jp(fresh=True), joints)

    def _await_taken(self, arm: Arm, setpoint, goal: np.ndarray):
        """In lockstep the next step is taken when the arm says that it has its goal: that is the same every time."""
        end = time.monotonic() + PATIENCE
        while self.lockstep and np.abs(setpoint() - goal).max() > 1e-5:
            if time.monotonic() > end:
                raise AmbfError(f'{arm.name} does not take its goal: it is asked for {goal.tolist()}')

    def command_all(self):
        """Ask every arm for what its hand wants now."""
        for hand in self.hands:
            self.command(hand)
        if self.onlooker:
            self.command_onlooker()

    def run(self, work, look=None):
        """Until the work has ended; `look` is called after every look at the world."""
        for _ in work:
            self.command_all()
            self.look()
            if look is not None:
                look()
