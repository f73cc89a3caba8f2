# SPDX-License-Identifier: BSD-3-Clause
"""What hands see of a world: its time and where its bodies are."""

from collections.abc import Callable

import numpy as np

from ..rotations import transform

# A hand that is held up between two looks goes on from where it was, and does not jump [s].
LONGEST = 0.03


class Sight:
    """The newest look at a world; bodies by name (`psm1/baselink`).

    `index` finds the row of a body, `take` brings the next look: time of the world [s], bodies (n x 13).
    """

    def __init__(self, index: Callable[[str], int]):
        self._index = index
        self._rows: dict[str, int] = {}
        self.time = 0.0
        self.clock = 0.0  # what hands move by: the world's time, but never more than LONGEST between two looks [s]
        self._bodies = np.zeros((0, 13))

    def take(self, time: float, bodies: np.ndarray):
        self.clock += min(max(0.0, time - self.time), LONGEST)
        self.time, self._bodies = time, bodies

    def _row(self, body: str) -> np.ndarray:
        if body not in self._rows:
            self._rows[body] = self._index(body)
        return self._bodies[self._rows[body]]

    def pose(self, body: str) -> np.ndarray:
        """T_world_body, 4 x 4."""
        return transform(self._row(body)[:7])

    def speed(self, body: str) -> float:
        """Of the origin [m/s]."""
        return float(np.linalg.norm(self._row(body)[7:10]))
