# SPDX-License-Identifier: BSD-3-Clause
"""Two grippers put four pieces into the wells of a cast, each turned as it fits."""

from .floating import FloatingGrippers, Gripper
from .hand import Work, together
from .performance import Performance
from .pieces import Piece, Pieces
from .sight import Sight

BASE = 'training_cast/cast'
REST = 0.018  # height of the middle of a piece in its well [m]
GRASP = 0.018  # of the pads' lower ends above the middle of a piece


def piece(name: str, body: str, x: float) -> Piece:
    """A well has 2 mm of room on each side."""
    return Piece(name, f'training_cast/{body}', (0.0, 0.0, GRASP), (x, 0.0, REST), square=True, near=0.0035)


SQUARE = piece('square', 'squarepiece', -0.099)
DISC = piece('disc', 'roundpiece', -0.033)
TRIANGLE = piece('triangle', 'triangularpiece', 0.033)
BAR = piece('bar', 'longpiece', 0.099)
PIECES = (SQUARE, DISC, TRIANGLE, BAR)


class Cast(Pieces):
    """Each hand has the two pieces on its side; at the same time never the two wells in the middle."""

    place_word = 'well'

    def __init__(self, sight: Sight, right: Gripper, left: Gripper):
        super().__init__(sight, BASE, 0.065, [right, left])
        self.right, self.left = right, left

    def fill(self) -> Work:
        for right, left in ((TRIANGLE, SQUARE), (BAR, DISC)):
            yield from together(self.place(self.right, right), self.place(self.left, left))

    def count(self) -> int:
        return sum(self.placed(piece) for piece in PIECES)


class TrainingCast(Performance):
    """All four."""

    title = 'two grippers turn four pieces as they fit and put them into the wells of a cast'

    @classmethod
    def open(cls, *, lockstep: bool, namespace: str):
        places = {'right gripper': 'right_gripper', 'left gripper': 'left_gripper'}
        return FloatingGrippers(places, lockstep=lockstep, namespace=namespace)

    def __init__(self, arms):
        super().__init__(arms)
        self.task = Cast(arms.sight, *arms.hands)
        self.said = self.task.said

    def forth(self, parts: tuple[int, ...]) -> Work:
        return self.task.fill()

    def done(self, parts: tuple[int, ...]) -> bool:
        return self.task.count() == len(PIECES) and self.task.all_open()

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {'in the cast': f'{self.task.count()} of {len(PIECES)}', 'slips': f'{self.task.retries}'}
