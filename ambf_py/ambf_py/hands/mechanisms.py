# SPDX-License-Identifier: BSD-3-Clause
"""Master arm, four-bar and pendulum, driven one after the other, and what becomes of their loops, angles and periods."""

import math

import numpy as np

from .hand import Work
from .linkages import COUPLER_END, FOUR_BAR, PENDULUM, ROCKER_END, difference, gap, turn_about_y
from .machines import MachinePerformance

CLOSED = 1e-4  # a loop whose pivot is not farther apart is closed [m]
EXACT = 2e-3  # of the rocker's angle [rad]
PUNCTUAL = 0.005  # of the pendulum's period
# The parallelogram of the master: where its rod meets the forearm.
ROD_END, FOREARM_END = (0.2794, 0.0, 0.0), (-0.2635, 0.0, 0.0)
# From home: yaw, shoulder, elbow, and the four joints of the wrist [rad].
WAYS = (
    (-0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (-0.2, 0.6, -0.4, 0.3, 0.0, 0.0, 0.0),
    (0.4, 0.5, 0.3, 0.8, 0.4, -0.4, 1.5),
)
CRANK_SPEED = 3.0  # [rad/s]
PUSH, BRAKE = 0.8, 1.0  # on the pendulum [N m], [N m s]
HEIGHT = 1.2  # to which it is pushed [rad]
SWINGS = 3


def four_bar_errors(sight, model: str = 'four_bar') -> tuple[float, float]:
    """How far the loop is open [m], and how far the rocker is from its closed form [rad]."""
    frame, crank, coupler, rocker = (sight.pose(f'{model}/{body}') for body in ('frame', 'crank', 'coupler', 'rocker'))
    closed = FOUR_BAR.rocker_angle(turn_about_y(frame, crank))
    return gap(coupler, COUPLER_END, rocker, ROCKER_END), abs(difference(turn_about_y(frame, rocker), closed))


class FourBarWatch:
    """The greatest errors of a four-bar so far, and how far its crank has turned."""

    def __init__(self, sight):
        self._sight, self._angle = sight, None
        self.loop = self.rocker = self.turned = 0.0

    def look(self):
        loop, rocker = four_bar_errors(self._sight)
        self.loop, self.rocker = max(self.loop, loop), max(self.rocker, rocker)
        angle = turn_about_y(self._sight.pose('four_bar/frame'), self._sight.pose('four_bar/crank'))
        if self._angle is not None:
            self.turned += abs(difference(angle, self._angle))
        self._angle = angle

    def good(self) -> bool:
        """The crank went round, and everything else with it."""
        return self.turned > 2.0 * math.pi and self.loop < CLOSED and self.rocker < EXACT

    def figures(self) -> dict[str, str]:
        return {'four-bar loop [mm]': f'{1e3 * self.loop:.4f}', 'rocker off [mrad]': f'{1e3 * self.rocker:.3f}'}


class Mechanisms(MachinePerformance):
    title = 'a master arm, a four-bar and a pendulum, one after the other: loops stay closed, the period is that of the books'
    parts = ('master arm', 'four-bar', 'pendulum')
    arms_needed = ('MTMR',)

    def __init__(self, arms):
        super().__init__(arms)
        self.bar = FourBarWatch(arms.sight)
        self.master_loop, self.master_moved = 0.0, False
        self.period_off = math.inf

    def look(self):
        rod, forearm = self.arms.sight.pose('mtm/rodlink'), self.arms.sight.pose('mtm/forearmlink')
        self.master_loop = max(self.master_loop, gap(rod, ROD_END, forearm, FOREARM_END))
        self.bar.look()

    def forth(self, parts: tuple[int, ...]) -> Work:
        works = (self.master, self.four_bar, self.pendulum)
        for part in parts:
            yield from works[part]()
        self.doing = ''

    def master(self) -> Work:
        self.doing = 'The master arm moves; its parallelogram stays closed'
        home = self.arms.joints['MTMR']
        before = self.arms.sight.pose('mtm/wristrolllink')[:3, 3]
        for way in WAYS:
            yield from self.lead('MTMR', home + np.array(way), 1.5)
        moved = np.linalg.norm(self.arms.sight.pose('mtm/wristrolllink')[:3, 3] - before)
        yield from self.lead('MTMR', home, 1.5)
        self.master_moved = bool(moved > 0.1)
        self.say(f'the master arm moved by {moved:.2f} m and back, its loop within {1e3 * self.master_loop:.4f} mm')

    def four_bar(self) -> Work:
        self.doing = 'The crank of the four-bar goes round; its rocker is where the closed form says'
        frame = self.arms.object('four_bar/frame')
        frame.set_joint_vel('frame-crank', CRANK_SPEED)
        yield from self.wait(2.2 * 2.0 * math.pi / CRANK_SPEED)
        frame.set_joint_vel('frame-crank', 0.0)
        yield from self.wait(0.3)
        self.say(
            f'the crank turned by {self.bar.turned / (2.0 * math.pi):.1f} turns, rocker within {self.bar.rocker:.6f} rad'
        )

    def pendulum(self) -> Work:
        support = self.arms.object('pendulum/support')
        index = int(support.joint_indices[0])
        self.doing = 'A push in time brings the pendulum up'
        while True:
            angle, speed, _ = self.arms.state.joints[index]
            if PENDULUM.energy(angle, speed) > PENDULUM.weight * (1.0 - math.cos(HEIGHT)):
                break
            support.set_joint_effort(0, PUSH if speed >= 0.0 else -PUSH)
            yield
        support.set_joint_effort(0, 0.0)
        self.doing = 'It swings freely: its period is that of the elliptic integral'
        yield from self.measure(index)
        self.doing = 'It is brought to rest'
        while True:
            angle, speed, _ = self.arms.state.joints[index]
            if abs(angle) < 0.02 and abs(speed) < 0.05:
                break
            support.set_joint_effort(0, -BRAKE * speed)
            yield
        support.set_joint_effort(0, 0.0)

    def measure(self, index: int) -> Work:
        """The time between passes through the middle in the same direction, against that of the closed form."""
        yield from self.wait(0.1)
        passes, greatest, before = [], 0.0, None
        while len(passes) <= SWINGS:
            now, angle = self.arms.sight.time, self.arms.state.joints[index][0]
            greatest = max(greatest, abs(angle))
            if before is not None and before[1] < 0.0 <= angle:
                passes.append(before[0] + (now - before[0]) * before[1] / (before[1] - angle))
            before = now, angle
            yield
        period, expected = (passes[-1] - passes[0]) / SWINGS, PENDULUM.period(greatest)
        self.period_off = abs(period / expected - 1.0)
        self.say(f'the pendulum swings by {greatest:.3f} rad in {period:.4f} s; the closed form says {expected:.4f} s')

    def done(self, parts: tuple[int, ...]) -> bool:
        master = self.master_moved and self.master_loop < CLOSED
        good = (master, self.bar.good(), self.period_off < PUNCTUAL)
        return all(good[part] for part in parts)

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {
            'master loop [mm]': f'{1e3 * self.master_loop:.4f}',
            **self.bar.figures(),
            'period off [%]': f'{100.0 * self.period_off:.3f}',
        }
