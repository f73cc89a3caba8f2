# SPDX-License-Identifier: BSD-3-Clause
"""How floating grippers take pieces, bring them to their places and see whether they lie there."""

import dataclasses
import math

import numpy as np

from .floating import Gripper
from .hand import Work, together, turned
from .sight import Sight

DROP = 0.003  # of a piece above its place when it is let go [m]
NEAR, LEVEL = 0.004, 0.002  # of a piece that lies in its place from its middle, beside it and in height [m]
SPEED, SLOW = 0.10, 0.05  # [m/s]
TRIES = 3


@dataclasses.dataclass(frozen=True)
class Piece:
    """A piece, where its handle is taken in its own frame, and where it belongs in the frame of the base."""

    name: str
    body: str
    handle: tuple[float, float, float]
    goal: tuple[float, float, float]
    turn: float | None = 0.0  # of the piece about the vertical when it fits; None: as it comes
    square: bool = False  # its handle has flat sides: the jaw turns with it
    near: float = NEAR


class Pieces:
    """Hands above a base, a body of the world that lies level and stays where it is. `clear` is how high above it things are carried."""

    park_at = (0.20, -0.12, 0.15)  # beside the middle of the base, in front of it, above it [m]
    drop = DROP
    place_word = 'place'

    def __init__(self, sight: Sight, base: str, clear: float, hands: list[Gripper]):
        self.sight, self.base, self.clear, self.all_hands = sight, base, clear, hands
        self.said: list[tuple[float, str]] = []
        self.retries = 0

    def say(self, text: str):
        self.said.append((self.sight.time, text))

    # What is seen

    def origin(self) -> np.ndarray:
        """Of the base in the world."""
        return self.sight.pose(self.base)[:3, 3]

    def on_base(self, body: str) -> np.ndarray:
        """Where a body is in the frame of the base."""
        base = self.sight.pose(self.base)
        return base[:3, :3].T @ (self.sight.pose(body)[:3, 3] - base[:3, 3])

    def off(self, piece: Piece) -> np.ndarray:
        """How far a piece is from its place [m]."""
        return self.on_base(piece.body) - piece.goal

    def placed(self, piece: Piece) -> bool:
        x, y, z = self.off(piece)
        return bool(math.hypot(x, y) < piece.near and abs(z) < LEVEL)

    def all_open(self) -> bool:
        return all(hand.opening() > 0.9 * hand.wide for hand in self.all_hands)

    # What hands do

    def to(self, hand: Gripper, place: np.ndarray, speed: float = SPEED, yaw: float | None = None) -> Work:
        """The tip to a place, upright, turned about the vertical as it was or by `yaw`."""
        goal = np.eye(4)
        goal[:3, :3] = turned(np.array([0.0, 0.0, 1.0]), hand.yaw() if yaw is None else yaw)
        goal[:3, 3] = place
        yield from hand.go(goal, speed)

    def up(self, hand: Gripper, height: float, speed: float = SPEED) -> Work:
        """Straight to a height above the base."""
        place = hand.goal[:3, 3].copy()
        place[2] = self.origin()[2] + height
        yield from self.to(hand, place, speed)

    def park(self, hand: Gripper) -> Work:
        hand.doing = ''
        x, y, z = self.park_at
        yield from self.to(hand, self.origin() + [x if hand.right else -x, y, z], yaw=0.0)

    def grasp(self, hand: Gripper, body: str, handle: tuple[float, float, float], yaw: float = 0.0) -> Work:
        """Over the place of the handle in the frame of the body, down, close."""
        pose = self.sight.pose(body)
        place = pose[:3, :3] @ np.array(handle) + pose[:3, 3]
        yield from together(self.to(hand, place + [0.0, 0.0, hand.above], yaw=yaw), hand.set_jaw(hand.wide))
        yield from self.to(hand, place, SLOW)
        yield from hand.set_jaw(hand.shut, 0.4)
        yield from hand.wait(0.2)

    def let_go(self, *hands: Gripper) -> Work:
        yield from together(*(hand.set_jaw(hand.widest, 0.4) for hand in hands))
        yield from hands[0].wait(0.2)
        above = hands[0].goal[2, 3] - self.origin()[2] + hands[0].above
        yield from together(*(self.up(hand, above) for hand in hands))

    def yaw_of(self, piece: Piece) -> float:
        """How the jaw is turned that takes a piece: flat sides are the same after a quarter of a turn."""
        if not piece.square:
            return 0.0
        r = self.sight.pose(piece.body)[:3, :3]
        yaw = math.atan2(r[1, 0], r[0, 0])
        return yaw - math.pi / 2.0 * round(yaw / (math.pi / 2.0))

    def place(self, hand: Gripper, piece: Piece) -> Work:
        """A piece to its place, and out of the way."""
        yield from self.put(hand, piece)
        yield from self.park(hand)

    def put(self, hand: Gripper, piece: Piece) -> Work:
        """A piece by its handle to its place; once more where it slipped."""
        for _ in range(TRIES):
            hand.doing = f'takes the {piece.name}'
            yield from self.grasp(hand, piece.body, piece.handle, self.yaw_of(piece))
            hand.doing = f'brings the {piece.name} to its {self.place_word}'
            yield from self.carry(hand, piece)
            yield from self.let_go(hand)
            if self.placed(piece):
                self.say(f'the {piece.name} is in its {self.place_word}')
                break
            self.say(f'the {piece.name} is not in its {self.place_word}: once more')
            self.retries += 1

    def carry(self, hand: Gripper, piece: Piece) -> Work:
        """Up, over its place, down."""
        yield from self.up(hand, self.clear + piece.handle[2])
        yield from self.over(hand, piece)
        yield from self.bring(hand, piece, piece.goal[2] + self.drop, SLOW)

    def over(self, hand: Gripper, piece: Piece) -> Work:
        yield from self.bring(hand, piece, self.clear, SPEED)
        yield from hand.wait(0.2)
        yield from self.bring(hand, piece, self.clear, SLOW)

    def bring(self, hand: Gripper, piece: Piece, height: float, speed: float) -> Work:
        """The piece level and turned as it fits, over its place: what has a round handle swings in the jaw."""
        now = self.sight.pose(piece.body)
        goal = np.eye(4)
        goal[:3, :3] = now[:3, :3] if piece.turn is None else turned(np.array([0.0, 0.0, 1.0]), piece.turn)
        goal[:3, 3] = self.origin() + [*piece.goal[:2], height]
        yield from hand.go(goal @ np.linalg.inv(now) @ hand.tip(), speed)
