# SPDX-License-Identifier: BSD-3-Clause
"""Hands in a running world: its snapshots in, their goals out; in real time and in lockstep."""

from ..client import Client
from ..view import State
from .sight import Sight

LOOK = 0.02  # world time between two looks in real time [s]
STEPS = 10  # between two looks in lockstep
PATIENCE = 90.0  # [s] of wall time; what takes longer hangs


class RunningWorld:
    """A world on its topics, with `hands` in it; a context manager. `lockstep`: this steps the world.

    A subclass says how the hands take over (`take_over`), how a goal is given (`command`), and who must have heard of a
    step before the next one (`barrier`).
    """

    def __init__(self, *, lockstep: bool = False, namespace: str = ''):
        self.client = Client('scripted_hands', namespace=namespace)
        self.lockstep = lockstep
        self.sight = Sight(lambda name: self.client.view.find(name, 'bodies', 'body'))
        self.hands: list = []
        self.state = State()
        self.slowest = 0.0  # longest time of the world between two looks [s]

    def __enter__(self):
        try:
            self.client.connect(timeout=PATIENCE)
            self.world = self.client.get_world_handle()
            if self.lockstep:
                self.world.set_mode('lockstep')
                self.world.join('scripted_hands')
            self.take_over()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.client.clean_up()

    def take_over(self):
        """The hands as the task wants them at its begin, in a world that has just been found or reset."""
        raise NotImplementedError

    def command(self, hand):
        """Ask for the hand's goal."""
        raise NotImplementedError

    def command_all(self):
        for hand in self.hands:
            self.command(hand)

    def barrier(self) -> list[str]:
        return []

    def orders(self) -> list:
        """Commands of bodies that go with the next step."""
        return []

    def step(self, steps: int = STEPS):
        self.state = self.world.step(
            steps, barrier=self.barrier(), barrier_timeout=PATIENCE, body_commands=self.orders()
        )

    def restart(self):
        """The world from its start."""
        self.world.reset()
        self.state = State()
        self.take_over()

    def look(self):
        """The next look at the world."""
        if self.lockstep:
            self.step()
        else:
            view, step = self.client.view, self.state.step
            self.client._watch()
            size = view.manifest.step_size
            if not view.wait_for_step(step + max(1, round(LOOK / size)), self.client.timeout):
                self.client.wait_for_world()
            self.state = view.state()
        self.slowest = max(self.slowest, self.state.time - self.sight.time)
        self.sight.take(self.state.time, self.state.bodies)

    def run(self, work, look=None):
        """Until the work has ended; `look` is called after every look at the world."""
        for _ in work:
            self.command_all()
            self.look()
            if look is not None:
                look()
