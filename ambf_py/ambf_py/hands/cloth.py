# SPDX-License-Identifier: BSD-3-Clause
"""Two hands take a cloth by its loose corners, lift it off the ball that it lies on, and let it fall again."""

import numpy as np

from .hand import Work
from .machines import MachinePerformance, smooth

LOOSE, HELD = (0, 40), (420, 440)  # corners of cloth.yaml; nodes are counted as the mesh's triangles name them
PULL = np.array([0.0, -0.15, 0.14])  # of each hand: up, and away from the corners that are held [N]
LIFTED = 0.10  # that the corners come up, at least [m]
DROPPED = 0.05  # from where they hung, at most, when they hang again [m]
FIXED = 1e-3  # that the held corners may move [m]


class Cloth(MachinePerformance):
    title = 'two hands lift a cloth off a ball by its loose corners and let it fall over it again'

    def __init__(self, arms):
        super().__init__(arms)
        self.lifted = self.moved = 0.0
        self.left = np.inf

    def corners(self, which: tuple[int, ...]) -> np.ndarray:
        return self.arms.object('cloth/cloth').nodes[list(which)].astype(float)

    def pull(self, share: float):
        cloth = self.arms.object('cloth/cloth')
        cloth.set_node_forces(LOOSE, [share * PULL, share * PULL] if share > 0.0 else np.zeros((2, 3)))

    def forth(self, parts: tuple[int, ...]) -> Work:
        self.doing = 'The cloth falls over the ball'
        yield from self.wait(2.0)
        hung, held = self.corners(LOOSE), self.corners(HELD)
        self.doing = 'Two hands lift it by its loose corners'
        for share in self.during(2.0):
            self.pull(smooth(share))
            yield
        yield from self.wait(1.0)
        self.lifted = float((self.corners(LOOSE) - hung)[:, 2].min())
        self.doing = 'They let it fall again'
        for share in self.during(1.5):
            self.pull(1.0 - share)
            yield
        yield from self.wait(2.0)
        self.left = float(np.linalg.norm(self.corners(LOOSE) - hung, axis=1).max())
        self.moved = float(np.linalg.norm(self.corners(HELD) - held, axis=1).max())
        self.say(f'the corners came up by {self.lifted:.3f} m and hang {self.left:.3f} m from where they hung')
        self.doing = ''

    def done(self, parts: tuple[int, ...]) -> bool:
        return self.lifted > LIFTED and self.left < DROPPED and self.moved < FIXED

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {
            'lifted [m]': f'{self.lifted:.3f}',
            'hangs off [m]': f'{self.left:.3f}',
            'held corners [m]': f'{self.moved:.4f}',
        }
