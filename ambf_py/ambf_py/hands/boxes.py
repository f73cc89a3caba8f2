# SPDX-License-Identifier: BSD-3-Clause
"""A heavy ball, led by a hand, knocks a pile of boxes over."""

import numpy as np

from ..rotations import pose_of
from .hand import Work
from .machines import MachinePerformance, smooth

BALL = 'wrecking_ball'
RADIUS = 0.11  # [m]
START = np.array([-0.85, 0.0, 0.45])
# Where the ball goes, and in how many seconds: through the pile, and back lower down.
WAY = (
    (np.array([0.75, 0.06, 0.30]), 2.0),
    (np.array([0.75, -0.08, 0.13]), 1.0),
    (np.array([-0.85, -0.08, 0.13]), 2.2),
    (START, 1.0),
)
# What still stands after that is hit once more, on other ways through the pile.
ASIDE = tuple(np.array([0.0, aside, 0.0]) for aside in (0.0, 0.2, -0.2, 0.1, -0.1))
STRONG = 4000.0  # the hand [N]
PATIENCE = 8.0  # for boxes that still move [s]
STILL = 0.05  # [m/s]
FALLEN = 0.6  # of the pile's height, or less, is a pile that fell

TEXT = f"""
adf version: "1.0"
bodies: [BODY {BALL}]
joints: []
namespace: /ambf/env/
gravity: {{x: 0.0, y: 0.0, z: 0.0}}
BODY {BALL}:
  name: {BALL}
  shape: SPHERE
  geometry: {{radius: {RADIUS}}}
  collision shape: SPHERE
  collision geometry: {{radius: {RADIUS}}}
  mass: 20.0
  inertia: {{ix: 0.1, iy: 0.1, iz: 0.1}}
  location:
    position: {{x: {START[0]}, y: {START[1]}, z: {START[2]}}}
    orientation: {{r: 0.0, p: 0.0, y: 0.0}}
  friction: {{static: 0.3, rolling: 0.01}}
  color rgba: {{r: 0.25, g: 0.28, b: 0.32, a: 1.0}}
"""


class Boxes(MachinePerformance):
    title = 'a heavy ball, led by a hand, knocks a pile of two hundred boxes over'
    brings = {BALL: TEXT}

    def __init__(self, arms):
        super().__init__(arms)
        bodies = arms.client.view.manifest.bodies
        self.boxes = [index for index, body in enumerate(bodies) if '/boxes/' in body.topic]
        self.before, self.after, self.at_rest = 0.0, 0.0, False
        self.place = START

    def rows(self) -> np.ndarray:
        return self.arms.state.bodies[self.boxes]

    def height(self) -> float:
        """Of the highest box's middle [m]."""
        return float(self.rows()[:, 2].max())

    def moving(self) -> int:
        return int(np.sum(np.linalg.norm(self.rows()[:, 7:10], axis=1) > STILL))

    def forth(self, parts: tuple[int, ...]) -> Work:
        self.doing = 'Two hundred boxes settle'
        self.put(START)
        yield from self.wait(0.5)
        yield from self.settle()
        self.before = self.height()
        for aside in ASIDE:
            self.doing = 'The ball goes through the pile'
            for goal, seconds in WAY:
                start = self.place
                for share in self.during(seconds):
                    self.put(start + smooth(share) * (goal + aside - start))
                    yield
            self.doing = 'What fell comes to rest'
            yield from self.settle()
            self.after, self.at_rest = self.height(), self.moving() == 0
            if self.fallen():
                break
        self.say(f'the pile was {self.before:.2f} m high, now {self.after:.2f} m; {self.moving()} boxes still move')
        self.doing = ''

    def put(self, place: np.ndarray):
        """The ball, held there with all the hand's strength."""
        self.place = place
        pose = np.eye(4)
        pose[:3, 3] = place
        self.arms.object(BALL).set_pose(pose_of(pose), stiff=True, max_force=STRONG, max_torque=STRONG)

    def settle(self) -> Work:
        end = self.arms.sight.time + PATIENCE
        while self.moving() and self.arms.sight.time < end:
            yield

    def back(self, parts: tuple[int, ...]) -> Work | None:
        return None  # nobody puts two hundred boxes back

    def done(self, parts: tuple[int, ...]) -> bool:
        return self.at_rest and self.before > 0.5 and self.fallen()

    def fallen(self) -> bool:
        return self.after < FALLEN * self.before

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {'height before [m]': f'{self.before:.3f}', 'after [m]': f'{self.after:.3f}'}
