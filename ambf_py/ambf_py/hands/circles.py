# SPDX-License-Identifier: BSD-3-Clause
"""PSMs whose tips go round circles while their shafts stay in the remote centre: the patient cart, and the first demo."""

import functools
import math

import numpy as np

from .. import psm
from .hand import Hand, Work, together
from .machines import MachinePerformance, smooth
from .mechanisms import FourBarWatch
from .onlooker import Onlooker

DEPTH, RADIUS = 0.10, 0.015  # of the circle below the remote centre [m]
ROUNDS, ROUND = 2, 4.0  # [s]
ROUND_ENOUGH, CENTRED = 1e-3, 1e-4  # of the circle, of the remote centre [m]
LIFT = 0.05  # of the set-up joints [m]
AIMED = 0.05  # of the endoscope at the middle between the tips [rad]


@functools.cache
def circle_path(samples: int = 180) -> np.ndarray:
    """Joint values on the way round, ends included; the tool points the same way all the time."""
    joints = np.array([0.0, 0.0, DEPTH, 0.0, 0.0, 0.0])
    centre, axes = psm.tip(joints), psm.forward(joints)[:3, :3]
    out, across = axes[:, 1], axes[:, 2]
    aside = np.cross(out, across)
    rows = []
    for angle in np.linspace(0.0, 2.0 * math.pi, samples + 1):
        point = centre + RADIUS * (math.cos(angle) * across + math.sin(angle) * aside)
        joints, _ = psm.inverse(point, out, across, start=joints)
        rows.append(joints)
    return np.array(rows)


def joints_at(angle: float) -> np.ndarray:
    path = circle_path()
    at = (angle / (2.0 * math.pi)) % 1.0 * (len(path) - 1)
    row = min(int(at), len(path) - 2)
    return path[row] + (at - row) * (path[row + 1] - path[row])


def off_circle(t_base_tip: np.ndarray) -> float:
    """Distance of a tip from the circle [m]."""
    joints = np.array([0.0, 0.0, DEPTH, 0.0, 0.0, 0.0])
    out, way = psm.forward(joints)[:3, 1], t_base_tip[:3, 3] - psm.tip(joints)
    above = float(np.dot(way, out))
    return math.hypot(float(np.linalg.norm(way - above * out)) - RADIUS, above)


class Tracer:
    """One PSM: its way round, and how far it was from it at worst."""

    def __init__(self, performance: MachinePerformance, arm: str, place: str):
        self._performance, self.arm = performance, arm
        self.hand = Hand(performance.arms.sight, arm, place)
        self.tracing = False
        self.rounds = 0
        self.off = self.centre = 0.0

    def look(self):
        self.centre = max(self.centre, self.hand.remote_centre_error())
        if self.tracing:
            self.off = max(self.off, off_circle(np.linalg.inv(self.hand.base()) @ self.hand.tip()))

    def trace(self) -> Work:
        """In from where the arm is, round, and back."""
        home = self._performance.arms.joints[self.arm]
        yield from self._performance.lead(self.arm, joints_at(0.0), 2.0)
        yield from self._performance.wait(0.3)
        self.tracing = True
        for share in self._performance.during(ROUNDS * ROUND):
            self._performance.arms.joints[self.arm] = joints_at(2.0 * math.pi * ROUNDS * smooth(share))
            yield
        yield from self._performance.wait(0.3)
        self.tracing = False
        self.rounds += ROUNDS
        yield from self._performance.lead(self.arm, home, 2.0)

    def good(self) -> bool:
        return self.rounds >= ROUNDS and self.off < ROUND_ENOUGH and self.centre < CENTRED


class Circles(MachinePerformance):
    """Tracers and what they came to."""

    tracers: tuple[Tracer, ...] = ()

    def look(self):
        for tracer in self.tracers:
            tracer.look()

    def round_enough(self) -> bool:
        return all(tracer.good() for tracer in self.tracers)

    def circle_figures(self) -> dict[str, str]:
        return {
            'off the circle [mm]': f'{1e3 * max(tracer.off for tracer in self.tracers):.3f}',
            'remote centre [mm]': f'{1e3 * max(tracer.centre for tracer in self.tracers):.4f}',
        }


class PatientCart(Circles):
    title = 'the set-up joints lift three arms, whose tips go round circles at fixed remote centres; the camera arm looks on'
    psms = ('PSM1', 'PSM2', 'PSM3')
    setup = tuple(f'SUJ/{name}' for name in psms)
    arms_needed = (*psms, 'ECM', *setup)

    def __init__(self, arms):
        super().__init__(arms)
        self.tracers = tuple(Tracer(self, name, name.lower()) for name in self.psms)
        self.onlooker = Onlooker(arms.sight, 'ECM', 'ecm')
        self.lifted: list[float] = []
        self.aim = math.inf

    def forth(self, parts: tuple[int, ...]) -> Work:
        yield from self.lift(LIFT, 'The set-up joints lift the arms')
        self.onlooker.begin(self.arms.joints['ECM'])
        before = self.arms.joints['ECM'].copy()
        self.doing = 'Three tips go round; the shafts stay in their remote centres; the camera arm looks on'
        # In step, so that arms that stand close together do not touch.
        works = together(*(tracer.trace() for tracer in self.tracers))
        # The two in front of it: turned to all three it would lean over one of them.
        hands = [tracer.hand for tracer in self.tracers[:2]]
        for _ in self.onlooker.follow(hands, works):
            self.arms.joints['ECM'] = self.onlooker.joints.copy()
            if any(tracer.tracing for tracer in self.tracers):
                self.aim = self.onlooker.aim_error(np.mean([hand.tip()[:3, 3] for hand in hands], axis=0))
            yield
        self.say(f'the tips were within {1e3 * max(tracer.off for tracer in self.tracers):.3f} mm of their circles')
        yield from self.lead('ECM', before, 2.0)
        yield from self.lift(-LIFT, 'The set-up joints lower the arms')
        self.doing = ''

    def lift(self, height: float, doing: str) -> Work:
        """All PSMs at once by their columns."""
        self.doing = doing
        before = [tracer.hand.base()[2, 3] for tracer in self.tracers]
        up = height * np.eye(6)[0]
        yield from together(*(self.lead(name, self.arms.joints[name] + up, 3.0) for name in self.setup))
        yield from self.wait(0.5)
        self.lifted = [tracer.hand.base()[2, 3] - z for tracer, z in zip(self.tracers, before)]
        self.say(f'the arms moved by {", ".join(f"{1e3 * z:+.1f}" for z in self.lifted)} mm')

    def done(self, parts: tuple[int, ...]) -> bool:
        moved = len(self.lifted) == len(self.psms) and max(abs(z + LIFT) for z in self.lifted) < ROUND_ENOUGH
        return moved and self.round_enough() and self.aim < AIMED

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {**self.circle_figures(), 'endoscope off [rad]': f'{self.aim:.4f}'}


class Showcase(Circles):
    title = "an arm's tip goes round a circle at a fixed remote centre, a four-bar turns, and what falls comes to rest"
    arms_needed = ('PSM1',)
    heap = 24
    low, still = 0.3, 0.1  # of what fell: height [m], speed [m/s]

    def __init__(self, arms):
        super().__init__(arms)
        self.tracers = (Tracer(self, 'PSM1', 'psm'),)
        self.bar = FourBarWatch(arms.sight)
        bodies = arms.client.view.manifest.bodies
        self.fallen = [index for index, body in enumerate(bodies) if '/falling/' in body.topic]

    def look(self):
        super().look()
        self.bar.look()

    def forth(self, parts: tuple[int, ...]) -> Work:
        self.doing = "The arm's tip goes round at a fixed remote centre; the four-bar turns; what falls comes to rest"
        frame = self.arms.object('four_bar/frame')
        frame.set_joint_vel('frame-crank', 2.0)
        yield from self.tracers[0].trace()
        frame.set_joint_vel('frame-crank', 0.0)
        yield from self.wait(0.5)
        self.say(f'{self.at_rest()} of {len(self.fallen)} bodies came to rest')
        self.doing = ''

    def at_rest(self) -> int:
        rows = self.arms.state.bodies[self.fallen]
        return int(np.sum((rows[:, 2] < self.low) & (np.linalg.norm(rows[:, 7:10], axis=1) < self.still)))

    def back(self, parts: tuple[int, ...]) -> Work | None:
        return None  # so that the bodies fall again

    def done(self, parts: tuple[int, ...]) -> bool:
        return self.round_enough() and self.bar.good() and self.at_rest() == len(self.fallen)

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {**self.circle_figures(), **self.bar.figures(), 'at rest': f'{self.at_rest()} of {len(self.fallen)}'}
