# SPDX-License-Identifier: BSD-3-Clause
"""Two grippers solve the puzzle: three pieces onto their posts, and the chain, lifted by both together, onto its own three."""

import dataclasses
import math

import numpy as np

from .floating import FloatingGrippers, Gripper
from .hand import Work, together, turned
from .performance import Performance
from .sight import Sight

BASE = 'puzzle/puzzlebase'
PLATES = tuple(f'puzzle/chainplate{number}' for number in (1, 2, 3))
# In the frame of the base, where they belong: middle of each plate of the chain [m].
PLATE_GOALS = tuple(np.array([x, 0.170, 0.021]) for x in (-0.060, 0.0, 0.060))
PIECE_REST = 0.025  # height of the middle of a piece on the base [m]
CLEAR = 0.075  # height of the middle of what is carried over the posts [m]
# Of the lower ends of the pads above the middle of what they take, around its handle: posts end below that [m].
PIECE_GRASP, CHAIN_GRASP = 0.032, 0.018
ABOVE = 0.045  # of the pads above that place before they go down [m]
DROP = 0.003  # above its place when it is let go [m]
NEAR = 0.004  # of a piece from its place: a hole is 2.5 mm wider than its post on each side [m]
OPEN, CLOSED = 0.020, 0.0  # of each finger from the middle
PARK = (0.20, -0.12, 0.15)  # beside the middle, in front of it, above the table
SPEED, SLOW = 0.10, 0.05  # [m/s]
TRIES = 3


@dataclasses.dataclass(frozen=True)
class Piece:
    """A piece, its handle in its own frame, and the place of its post on the base."""

    name: str
    body: str
    handle: tuple[float, float]
    post: float
    turn: float = 0.0  # of the piece about the vertical when it fits


TRIANGLE = Piece('triangle', 'puzzle/trianglepiece', (0.0, 0.0195), 0.085, -math.pi / 2.0)
SQUARE = Piece('square', 'puzzle/squarepiece', (0.0235, 0.0), -0.085)
DISC = Piece('disc', 'puzzle/roundpiece', (0.0245, 0.0), 0.0)
PIECES = (TRIANGLE, SQUARE, DISC)


class Puzzle:
    """The right hand has the triangle, the left one the square and the disc; the chain needs both."""

    def __init__(self, sight: Sight, right: Gripper, left: Gripper):
        self.sight, self.right, self.left = sight, right, left
        self.said: list[tuple[float, str]] = []
        self.lift = 0.0  # how high the middle of the chain was above where it lay [m]
        self._floor: float | None = None
        self.retries = 0

    def say(self, text: str):
        self.said.append((self.sight.time, text))

    def look(self):
        """To be called at every look."""
        height = float(self.sight.pose(PLATES[1])[2, 3])
        self._floor = height if self._floor is None else self._floor
        self.lift = max(self.lift, height - self._floor)

    # What is seen

    def on_base(self, body: str) -> np.ndarray:
        """Where a body is in the frame of the base."""
        base = self.sight.pose(BASE)
        return base[:3, :3].T @ (self.sight.pose(body)[:3, 3] - base[:3, 3])

    def placed(self, piece: Piece) -> bool:
        x, y, z = self.on_base(piece.body)
        return bool(np.hypot(x - piece.post, y) < NEAR and abs(z - PIECE_REST) < 0.002)

    def chain_placed(self) -> bool:
        offs = [self.on_base(body) - goal for body, goal in zip(PLATES, PLATE_GOALS)]
        return all(np.hypot(*off[:2]) < NEAR and abs(off[2]) < 0.002 for off in offs)

    def placed_count(self) -> int:
        """Of four: the chain is one."""
        return sum(self.placed(piece) for piece in PIECES) + self.chain_placed()

    def both_open(self) -> bool:
        return all(hand.opening() > OPEN for hand in (self.right, self.left))

    # What hands do

    def to(self, hand: Gripper, place: np.ndarray, speed: float = SPEED) -> Work:
        """The tip to a place, upright."""
        goal = np.eye(4)
        goal[:3, 3] = place
        yield from hand.go(goal, speed)

    def up(self, hand: Gripper, height: float, speed: float = SPEED) -> Work:
        """Straight to a height above the base."""
        place = hand.goal[:3, 3].copy()
        place[2] = self.sight.pose(BASE)[2, 3] + height
        yield from self.to(hand, place, speed)

    def park(self, hand: Gripper) -> Work:
        hand.doing = ''
        side = 1.0 if hand is self.right else -1.0
        yield from self.to(hand, self.sight.pose(BASE)[:3, 3] + [side * PARK[0], PARK[1], PARK[2]])

    def grasp(self, hand: Gripper, body: str, handle: tuple[float, float, float]) -> Work:
        """Over the place of the handle in the frame of the body, down, close."""
        pose = self.sight.pose(body)
        place = pose[:3, :3] @ np.array(handle) + pose[:3, 3]
        yield from together(self.to(hand, place + [0.0, 0.0, ABOVE]), hand.set_jaw(OPEN))
        yield from self.to(hand, place, SLOW)
        yield from hand.set_jaw(CLOSED, 0.4)
        yield from hand.wait(0.2)

    def let_go(self, *hands: Gripper) -> Work:
        yield from together(*(hand.set_jaw(OPEN + 0.005, 0.4) for hand in hands))
        yield from hands[0].wait(0.2)
        above = hands[0].goal[2, 3] - self.sight.pose(BASE)[2, 3] + ABOVE
        yield from together(*(self.up(hand, above) for hand in hands))

    def place(self, hand: Gripper, piece: Piece) -> Work:
        """A piece by its handle onto its post; once more where it slipped."""
        for _ in range(TRIES):
            hand.doing = f'takes the {piece.name}'
            yield from self.grasp(hand, piece.body, (*piece.handle, PIECE_GRASP))
            hand.doing = f'brings the {piece.name} to its post'
            yield from self.carry(hand, piece)
            yield from self.let_go(hand)
            if self.placed(piece):
                self.say(f'the {piece.name} is on its post')
                break
            self.say(f'the {piece.name} is not on its post: once more')
            self.retries += 1
        yield from self.park(hand)

    def carry(self, hand: Gripper, piece: Piece) -> Work:
        """Up, over the post, down."""
        base = self.sight.pose(BASE)[:3, 3]

        def bring(height: float, speed: float) -> Work:
            """The piece level and turned as it fits, over its post: its handle is round, and it swings in the jaw."""
            goal = np.eye(4)
            goal[:3, :3] = turned(np.array([0.0, 0.0, 1.0]), piece.turn)
            goal[:3, 3] = base + [piece.post, 0.0, height]
            yield from hand.go(goal @ np.linalg.inv(self.sight.pose(piece.body)) @ hand.tip(), speed)

        yield from self.up(hand, CLEAR + PIECE_GRASP)
        yield from bring(CLEAR, SPEED)
        yield from hand.wait(0.2)
        yield from bring(CLEAR, SLOW)
        yield from bring(PIECE_REST + DROP, SLOW)

    def place_chain(self) -> Work:
        """Both hands at the same pace: what lies between them stays straight."""
        both, ends = (self.left, self.right), (PLATES[0], PLATES[2])
        goals = np.array([PLATE_GOALS[0], PLATE_GOALS[2]])

        def by(goal: np.ndarray, speed: float) -> Work:
            """Both as far as the middle of the chain is from there."""
            base = self.sight.pose(BASE)[:3, 3]
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
        return self.task.placed_count() == len(PIECES) + 1 and self.task.both_open()

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {
            'on the base': f'{self.task.placed_count()} of {len(PIECES) + 1}',
            'chain lifted [mm]': f'{1e3 * self.task.lift:.1f}',
            'slips': f'{self.task.retries}',
        }
