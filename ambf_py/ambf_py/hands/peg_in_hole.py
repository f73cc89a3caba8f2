# SPDX-License-Identifier: BSD-3-Clause
"""One gripper puts a peg into holes with less and less room for it."""

import math

import numpy as np

from .floating import FloatingGrippers, Gripper
from .hand import Work
from .performance import Performance
from .pieces import SLOW, Piece, Pieces
from .sight import Sight

PEG = 'peg_in_hole/peg'
BASE = 'peg_in_hole/holes'
PLATE, TOP = 0.006, 0.036  # of the base: where the peg stands, and where the cups end [m]
HOME = (-0.0825, 0.0025)  # place of a hole along x, and the room that the peg has in it all around [m]
HOLES = ((-0.0275, 0.002), (0.0275, 0.001), (0.0825, 0.0005))
GRASP = 0.056  # of the pads' lower ends above the peg's lower end
STUCK = 0.006  # of the peg above its place: it stands on the rim [m]
SEARCH, TURN = 0.0004, 0.9  # a spiral: radius per step [m], angle per step [rad]
STEPS = 24


class Insertion(Pieces):
    """The peg, hole after hole."""

    park_at = (0.12, -0.05, 0.16)

    def __init__(self, sight: Sight, hand: Gripper):
        super().__init__(sight, BASE, TOP + 0.020, [hand])
        self.hand = hand
        self.searched = 0
        self.inserted: dict[int, float] = {}  # depth by the hole's number [m]

    def peg(self, hole: tuple[float, float]) -> Piece:
        """The peg as something that belongs into a hole."""
        place, room = hole
        return Piece('peg', PEG, (0.0, 0.0, GRASP), (place, 0.0, PLATE), square=True, near=room + 0.0006)

    def insert(self, hole: tuple[float, float]) -> Work:
        self.place_word = f'hole with {1e3 * hole[1]:g} mm of room'
        yield from self.put(self.hand, self.peg(hole))

    def bring_all(self, which: tuple[int, ...]) -> Work:
        for number in which:
            yield from self.insert(HOLES[number])
            if self.placed(self.peg(HOLES[number])):
                self.inserted[number] = TOP - float(self.on_base(PEG)[2])
        yield from self.park(self.hand)

    def carry(self, hand: Gripper, piece: Piece) -> Work:
        """A peg that stands on the rim is led along a spiral, pressed down a little, until it falls in."""
        yield from super().carry(hand, piece)
        middle = hand.goal.copy()
        for step in range(1, STEPS + 1):
            if self.off(piece)[2] < STUCK:
                return
            self.searched += 1
            goal = middle.copy()
            goal[:2, 3] += SEARCH * step * np.array([math.cos(TURN * step), math.sin(TURN * step)])
            goal[2, 3] = hand.tip()[2, 3] - 0.002
            yield from hand.go(goal, SLOW)
        yield from self.bring(hand, piece, piece.goal[2] + self.drop, SLOW)


class PegInHole(Performance):
    """All holes."""

    title = 'a gripper puts a peg into holes with 2, 1 and 0.5 mm of room'
    parts = tuple(f'{1e3 * room:g} mm' for _, room in HOLES)

    @classmethod
    def open(cls, *, lockstep: bool, namespace: str):
        return FloatingGrippers({'gripper': 'gripper'}, lockstep=lockstep, namespace=namespace)

    def __init__(self, arms):
        super().__init__(arms)
        self.task = Insertion(arms.sight, *arms.hands)
        self.said = self.task.said

    def forth(self, parts: tuple[int, ...]) -> Work:
        self.task.inserted.clear()
        return self.task.bring_all(parts)

    def back(self, parts: tuple[int, ...]) -> Work:
        return self.task.insert(HOME)

    def done(self, parts: tuple[int, ...]) -> bool:
        return set(parts) <= set(self.task.inserted) and self.task.all_open()

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        depths = self.task.inserted.values()
        return {
            'holes': f'{len(depths)} of {len(parts)}',
            'depth [mm]': f'{1e3 * min(depths, default=0.0):.1f}',
            'searched': f'{self.task.searched}',
            'slips': f'{self.task.retries}',
        }
