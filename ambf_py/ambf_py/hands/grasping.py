# SPDX-License-Identifier: BSD-3-Clause
"""Forceps and a gripper with three fingers of two links: each lifts two things, holds them, and puts them elsewhere."""

import math

import numpy as np

from .floating import FloatingGrippers, Gripper
from .hand import Work, together, turn_between
from .performance import Performance
from .pieces import Piece, Pieces
from .sight import Sight

BASE = 'grasping/stands'
HELD = 0.003  # that a thing may slip in the grip, at most [m]
LIFTED = 0.06  # at least [m]
SHOWN = 0.6  # how long it is held up [s]


class ScalarGripper(Gripper):
    """Any gripper with one number for all its joints: `jaw` from 0, all at their lower limits, to 1, all at their upper ones."""

    shut, wide, widest = 0.0, 0.5, 0.65
    finger = ''  # a body whose turn against the palm tells how far it is open
    range = (0.0, 1.0)  # of that turn [rad]

    def begin(self):
        super().begin()
        self.jaw = self.wide

    def targets(self, joints: list) -> list[float]:
        return [joint.lower + self.jaw * (joint.upper - joint.lower) for joint in joints]

    def opening(self) -> float:
        """From 0 to 1."""
        palm, finger = (self.sight.pose(f'{self.place}/{body}')[:3, :3] for body in ('palm', self.finger))
        low, high = self.range
        return (turn_between(palm, finger)[1] - low) / (high - low)


class Forceps(ScalarGripper):
    reach, above = 0.102, 0.055
    finger, range = 'rightjaw', (-0.20, 0.30)


class MultiLink(ScalarGripper):
    reach, above = 0.065, 0.085
    finger, range = 'nearlink1', (-0.25, 0.60)


# Where they stand at the beginning, and where they belong: along y of the base, in whose frame they are.
FRONT, BACK = -0.09, 0.07
THINGS = (
    Piece('ball', 'grasping/ball', (0.0, 0.0, 0.0), (0.07, BACK, 0.076), turn=None),
    Piece('can', 'grasping/can', (0.0, 0.0, 0.0), (0.16, BACK, 0.063), turn=None),
    Piece('first pin', 'grasping/pin1', (0.0, 0.0, 0.002), (-0.07, BACK, 0.024)),
    Piece('second pin', 'grasping/pin2', (0.0, 0.0, 0.002), (-0.14, BACK, 0.024)),
)


class Grasping(Pieces):
    """The right hand has ball and can, the left one the pins."""

    place_word = 'stand'
    drop = 0.0015

    def __init__(self, sight: Sight, right: Gripper, left: Gripper):
        super().__init__(sight, BASE, 0.150, [right, left])
        self.right, self.left = right, left
        self.slip, self.lifted = 0.0, math.inf
        self.held: set[str] = set()

    def in_hand(self, hand: Gripper, piece: Piece) -> np.ndarray:
        """Where a thing is in the frame of the palm."""
        return (np.linalg.inv(self.sight.pose(f'{hand.place}/palm')) @ self.sight.pose(piece.body))[:3, 3]

    def over(self, hand: Gripper, piece: Piece) -> Work:
        before = self.in_hand(hand, piece)
        hand.doing = f'holds the {piece.name}'
        yield from hand.wait(SHOWN)
        hand.doing = f'brings the {piece.name} to its {self.place_word}'
        yield from super().over(hand, piece)
        slip = float(np.linalg.norm(self.in_hand(hand, piece) - before))
        lift = float(self.off(piece)[2])
        self.slip, self.lifted = max(self.slip, slip), min(self.lifted, lift)
        if slip < HELD and lift > LIFTED:
            self.held.add(piece.name)
        self.say(f'the {piece.name} was held {1e3 * lift:.0f} mm high and slipped by {1e3 * slip:.2f} mm')

    def bring_all(self, goal: float) -> Work:
        """All things to the row at y = `goal`."""

        def all_of(hand: Gripper, things: tuple[Piece, ...]) -> Work:
            for thing in things:
                yield from self.put(hand, self.in_row(thing, goal))
            yield from self.park(hand)

        yield from together(all_of(self.right, THINGS[:2]), all_of(self.left, THINGS[2:]))

    def in_row(self, thing: Piece, goal: float) -> Piece:
        x, _, z = thing.goal
        return Piece(thing.name, thing.body, thing.handle, (x, goal, z), thing.turn)

    def count(self) -> int:
        """Of those that were held as they should and stand where they belong."""
        return sum(self.placed(thing) and thing.name in self.held for thing in THINGS)


class GripperClass(Performance):
    """Both grippers, two things each."""

    title = 'forceps and a gripper with fingers of two links lift pins, a ball and a can, by one number each'

    @classmethod
    def open(cls, *, lockstep: bool, namespace: str):
        places = {'three fingers': 'right_gripper', 'forceps': 'left_gripper'}
        kinds = {'three fingers': MultiLink, 'forceps': Forceps}
        return FloatingGrippers(places, kinds, lockstep=lockstep, namespace=namespace)

    def __init__(self, arms):
        super().__init__(arms)
        self.task = Grasping(arms.sight, *arms.hands)
        self.said = self.task.said

    def forth(self, parts: tuple[int, ...]) -> Work:
        self.task.held.clear()
        return self.task.bring_all(BACK)

    def back(self, parts: tuple[int, ...]) -> Work:
        return self.task.bring_all(FRONT)

    def done(self, parts: tuple[int, ...]) -> bool:
        return self.task.count() == len(THINGS) and self.task.all_open()

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {
            'lifted and put': f'{self.task.count()} of {len(THINGS)}',
            'lifted [mm]': f'{1e3 * self.task.lifted:.1f}',
            'slip in the grip [mm]': f'{1e3 * self.task.slip:.2f}',
            'slips': f'{self.task.retries}',
        }
