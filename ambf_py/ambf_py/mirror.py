# SPDX-License-Identifier: BSD-3-Clause
"""One arm follows another: the law, and the loop between two arms on CRTK topics."""

import enum
import logging
import threading
import time
from collections.abc import Sequence

import numpy as np

from .arm import Arm
from .errors import BadValue, NotHomed
from .rotations import number, vector

log = logging.getLogger('ambf_py')
# What joints may do where nothing is said: slides [m/s], turns [rad/s].
SLIDE_SPEED, TURN_SPEED = 0.2, 3.0


class Follow(enum.Enum):
    """What the follower does."""

    WAITING = 'waits for the source'
    FOLLOWING = 'follows'
    HOLDING = 'holds: the source is silent'


class MirrorLaw:
    """Where the follower goes next: towards the source, each joint at most at its speed; nowhere while it is silent."""

    def __init__(self, start: Sequence[float], speed: Sequence[float], patience: float = 0.1):
        self.goal = np.array(start, dtype=float)
        self.speed = vector(speed, len(self.goal), 'speed')
        if (self.speed <= 0.0).any():
            raise BadValue(f'speed: found {self.speed.tolist()}, expected numbers above 0')
        self.patience = number(patience, 'patience')
        self.state = Follow.WAITING
        self._time: float | None = None

    def update(self, now: float, source: np.ndarray | None, heard: float) -> np.ndarray | None:
        """The next set-point at `now`; None: stay. `heard`: when `source` arrived [s]."""
        silent = source is None or now - heard > self.patience
        if silent:
            # After a silence the follower starts from where it stands, with no time saved up.
            self._time = None
            if self.state is Follow.FOLLOWING:
                self.state = Follow.HOLDING
            return None
        last, self._time, self.state = self._time, now, Follow.FOLLOWING
        if last is None:
            return None
        step = self.speed * (now - last)
        self.goal = self.goal + np.clip(source - self.goal, -step, step)
        return self.goal


def default_speed(names: Sequence[str]) -> list[float]:
    """By the names of the dVRK: an insertion slides."""
    return [SLIDE_SPEED if 'insertion' in name else TURN_SPEED for name in names]


class Mirror:
    """Reads `measured_js` of the source (and of its jaw) and sends `servo_jp` to the follower; by order, not by name."""

    def __init__(
        self,
        source: Arm,
        follower: Arm,
        *,
        speed: float | Sequence[float] | None = None,
        jaw_speed: float = TURN_SPEED,
        patience: float = 0.1,
        rate: float = 200.0,
        jaw: bool = True,
    ):
        self.source, self.follower = source, follower
        self.rate = number(rate, 'rate')
        if not 1.0 <= self.rate <= 4000.0:
            raise BadValue(f'rate: found {rate!r}, expected 1 to 4000 Hz')
        self._speed, self._jaw_speed, self._patience, self._jaw = speed, jaw_speed, patience, jaw
        self._laws: list[tuple[MirrorLaw, object, object]] = []
        self.state = Follow.WAITING
        self.sent = 0

    def prepare(self, stop: threading.Event):
        """Wait for both arms; BadValue where they do not have as many joints."""
        start = self.follower.setpoint_js(fresh=True).position
        source = self._first_of_source(stop)
        if source is None:
            return
        if len(source) != len(start):
            raise BadValue(
                f'{self.source.name} has {len(source)} joints and {self.follower.name} has {len(start)}: '
                'an arm can only follow one with as many'
            )
        speed = self._speed
        if speed is None:
            speed = default_speed(self.follower.joint_names() or [''] * len(start))
        elif np.ndim(speed) == 0:
            speed = [speed] * len(start)
        self._laws = [(MirrorLaw(start, speed, self._patience), self.source, self.follower)]
        if self._jaw and self.source.has('jaw/measured_js') and self.follower.has('jaw/setpoint_js'):
            self.source.jaw.newest_js()
            begin = self.follower.jaw.setpoint_js(fresh=True).position
            self._laws.append((MirrorLaw(begin, [self._jaw_speed], self._patience), self.source.jaw, self.follower.jaw))

    def _first_of_source(self, stop: threading.Event) -> np.ndarray | None:
        """The first joint values that mean something."""
        while not stop.is_set():
            try:
                return self.source.measured_js(fresh=True).position
            except NotHomed:
                continue  # it speaks, but its encoders mean nothing yet
        return None

    def tick(self, now: float):
        """One round: tell what changed, send what is next."""
        for law, source, follower in self._laws:
            joints, arrived = source.newest_js()
            goal = law.update(now, joints and joints.position, arrived)
            if goal is not None:
                follower.servo_jp(goal)
                self.sent += 1
        state = self._laws[0][0].state
        if state is not self.state:
            self.state = state
            if state is Follow.HOLDING:
                log.warning(
                    '%s said nothing for %g ms: %s holds', self.source.name, 1e3 * self._patience, self.follower.name
                )
                self.follower.hold()
            else:
                log.info('%s follows %s', self.follower.name, self.source.name)

    def run(self, stop: threading.Event):
        """Until `stop` is set."""
        self.prepare(stop)
        period, due = 1.0 / self.rate, time.monotonic()
        while not stop.is_set():
            self.tick(time.monotonic())
            due = max(due + period, time.monotonic())
            stop.wait(due - time.monotonic())
