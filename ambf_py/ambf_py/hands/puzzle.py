# SPDX-License-Identifier: BSD-3-Clause
"""Two grippers solve the puzzle: three pieces onto their posts, and the chain, lifted by both together, onto its own three."""

import math

import numpy as np

from .floating import FloatingGrippers, Gripper
from .hand import Work, together
from .performance import Performance
from .pieces import DROP, NEAR, SLOW, SPEED, TRIES, Piece, Pieces
from .sight import Sight

BASE = 'puzzle/puzzlebase'
PLATES = tuple(f'puzzle/chainplate{number}' for number in (1, 2, 3))
# In the frame of the base, where they belong: middle of each plate of the chain [m].
PLATE_GOALS = tuple(np.array([x, 0.170, 0.021]) for x in (-0.060, 0.0, 0.060))
PIECE_REST = 0.025  # height of the middle of a piece on the base [m]
CLEAR = 0.075  # height of the middle of what is carried over the posts [m]
# Of the lower ends of the pads above the middle of what they take, around its handle: posts end below that [m].
PIECE_GRASP, CHAIN_GRASP = 0.032, 0.018

# A hole is 2.5 mm wider than its post on each side.
TRIANGLE = Piece(
    'triangle', 'puzzle/trianglepiece', (0.0, 0.0195, PIECE_GRASP), (0.085, 0.0, PIECE_REST), -math.pi / 2.0
)
SQUARE = Piece('square', 'puzzle/squarepiece', (0.0235, 0.0, PIECE_GRASP), (-0.085, 0.0, PIECE_REST))
DISC = Piece('disc', 'puzzle/roundpiece', (0.0245, 0.0, PIECE_GRASP), (0.0, 0.0, PIECE_REST))
PIECES = (TRIANGLE, SQUARE, DISC)


class Puzzle(Pieces):
    """The right hand has the triangle, the left one the square and the disc; the chain needs both."""

    place_word = 'post'

    def __init__(self, sight: Sight, right: Gripper, left: Gripper):
        super().__init__(sight, BASE, CLEAR, [right, left])
        self.right, self.left = right, left
        self.lift = 0.0  # how high the middle of the chain was above where it lay [m]
        self._floor: float | None = None

    def look(self):
        """To be called at every look."""
        height = float(self.sight.pose(PLATES[1])[2, 3])
        self._floor = height if self._floor is None else self._floor
        self.lift = max(self.lift, height - self._floor)

    def chain_placed(self) -> bool:
        offs = [self.on_base(body) - goal for body, goal in zip(PLATES, PLATE_GOALS)]
        return all(np.hypot(*off[:2]) < NEAR and abs(off[2]) < 0.002 for off in offs)

    def placed_count(self) -> int:
        """Of four: the chain is one."""
        return sum(self.placed(piece) for piece in PIECES) + self.chain_placed()

    def place_chain(self) -> Work:
        """Both hands at the same pace: what lies between them stays straight."""
        both, ends = (self.left, self.right), (PLATES[0], PLATES[2])
        goals = np.array([PLATE_GOALS[0], PLATE_GOALS[2]])

        def by(goal: np.ndarray, speed: float) -> Work:
            """Both as far as the middle of the chain is from there."""
            base = self.origin()
            way = np.mean(
                [base + place + goal - self.sight.pose(end)[:3, 3] for place, end in zip(goals, ends)], axis=0
            )
            yield from together(*(self.to(hand, hand.goal[:3, 3] + way, speed) for hand in both))

        for _ in range(TRIES):
            self.doing('takes an end of the chain')
            yield from together(*(self.grasp(hand, end, (0.0, 0.0, CHAIN_GRASP)) for hand, end in zip(both, ends)))
            self.doing('lifts the chain')
            yield from by(np.array([0.0, self.on_base(PLATES[1])[1] - PLATE_GOALS[1][1], 0.060]), SLOW)
            self.doing('brings the chain to its posts')
            yield from by(np.array([0.0, 0.0, 0.050]), SPEED)
            yield from by(np.array([0.0, 0.0, 0.040]), SLOW)
            yield from by(np.array([0.0, 0.0, DROP]), SLOW)
            yield from self.let_go(*both)
            if self.chain_placed():
                self.say('the chain is on its posts')
                break
            self.say('the chain is not on its posts: once more')
            self.retries += 1

    def doing(self, text: str):
        self.right.doing = self.left.doing = text

    def solve(self) -> Work:
        yield from together(self.place(self.right, TRIANGLE), self.place(self.left, SQUARE))
        yield from self.place(self.left, DISC)
        yield from self.place_chain()
        yield from together(self.park(self.right), self.park(self.left))


class PuzzlePerformance(Performance):
    """All pieces onto the base."""

    title = 'two grippers put three pieces on their posts and the chain, held by both, on its own'

    @classmethod
    def open(cls, *, lockstep: bool, namespace: str):
        places = {'right gripper': 'right_gripper', 'left gripper': 'left_gripper'}
        return FloatingGrippers(places, lockstep=lockstep, namespace=namespace)

    def __init__(self, arms):
        super().__init__(arms)
        self.task = Puzzle(arms.sight, *arms.hands)
        self.said = self.task.said

    def look(self):
        self.task.look()

    def forth(self, parts: tuple[int, ...]) -> Work:
        return self.task.solve()

    def done(self, parts: tuple[int, ...]) -> bool:
        return self.task.placed_count() == len(PIECES) + 1 and self.task.all_open()

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {
            'on the base': f'{self.task.placed_count()} of {len(PIECES) + 1}',
            'chain lifted [mm]': f'{1e3 * self.task.lift:.1f}',
            'slips': f'{self.task.retries}',
        }
