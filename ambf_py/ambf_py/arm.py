# SPDX-License-Identifier: BSD-3-Clause
"""An arm on CRTK topics: simulated, recorded or real, by CRTK's method names and in numpy.

Nothing here knows of a simulator: an arm is what publishes `<name>/measured_js` and its sisters.
"""

from __future__ import annotations

import atexit
import difflib
import threading
import time
import weakref
from collections.abc import Callable, Sequence

import numpy as np
from geometry_msgs.msg import PoseStamped, Quaternion, TwistStamped, WrenchStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Empty, Float64, Float64MultiArray, String

try:
    from crtk_msgs.msg import OperatingState, StringStamped
    from crtk_msgs.srv import QueryForwardKinematics, QueryInverseKinematics, TriggerOperatingState
except ImportError as error:
    raise ImportError('ambf_py.Arm needs the package crtk_msgs, see docs/tasks/stock_ros.md') from error

from .arm_link import LOOK, ArmCalls, Link, Reader, StateReader
from .arm_values import (
    Joints,
    matrix_of,
    pose,
    pose_message,
    quaternion_message,
    read_jacobian,
    read_joints,
    read_pose,
    read_twist,
    read_wrench,
    rotation,
    seconds,
    wrench_message,
)
from .errors import (
    ArmRefused,
    ArmSilent,
    ArmTimeout,
    BadValue,
    NobodyListens,
    NotEnabled,
    NotHomed,
    UnknownArm,
)
from .rotations import number, vector

# An arm's topics become known one after the other; those that are not there this long after the first are not [s].
TOGETHER = 1.0
# States that an arm kept come one after the other; a pause this long says that it was the last [s].
OLD_STATES = 0.1
# How long `goal_reached` may come after the state that is no longer busy: they are two topics [s].
AFTERWARDS = 1.0
_open: weakref.WeakSet[Arm] = weakref.WeakSet()


@atexit.register
def _close_all():
    """Threads that use ROS must not outlive the interpreter's modules."""
    for arm in list(_open):
        arm.close()


class Part:
    """Topics below a name: those of the arm itself, of its jaw, of a frame."""

    def __init__(self, arm: Arm, name: str):
        self._arm, self._name = arm, name

    def _read(self, topic: str, kind, convert: Callable, *, fresh: bool = False, stamp: bool = False, checked=True):
        return self._arm._read_topic(self._below(topic), kind, convert, fresh, stamp, checked)

    def _send(self, topic: str, message):
        self._arm._send_topic(self._below(topic), message)

    def _below(self, topic: str) -> str:
        return f'{self._name}/{topic}' if self._name else topic

    def _servo_joints(self, topic: str, field: str, values, count: int | None):
        what = f'{self._arm.name}: {self._below(topic)}'
        checked = vector(values, np.size(values) if count is None else count, what)
        message = JointState(**{field: checked.tolist()})
        message.header.stamp = self._arm._now()
        return message


class JointsPart(Part):
    """Joints that are measured and have a set-point."""

    def measured_js(self, *, fresh: bool = False) -> Joints:
        """Position, velocity, effort and the arm's time; `fresh` waits for what comes after the call."""
        return self._read('measured_js', JointState, read_joints, fresh=fresh)

    def setpoint_js(self, *, fresh: bool = False) -> Joints:
        """What the arm asks its joints for, after it has clipped it."""
        return self._read('setpoint_js', JointState, read_joints, fresh=fresh)

    def newest_js(self) -> tuple[Joints | None, float]:
        """What was measured last, without waiting, and when it arrived (time.monotonic).

        None where nothing was, or where the arm marks it as not valid. For loops that must not stop.
        """
        reader = self._arm._reader(self._below('measured_js'), JointState)
        with self._arm._changed:
            joints = read_joints(reader.message) if reader.count else None
            return (joints if joints and joints.time else None), reader.arrived

    def measured_jp(self, *, fresh: bool = False) -> np.ndarray:
        return self.measured_js(fresh=fresh).position

    def measured_jv(self, *, fresh: bool = False) -> np.ndarray:
        return self.measured_js(fresh=fresh).velocity

    def measured_jf(self, *, fresh: bool = False) -> np.ndarray:
        return self.measured_js(fresh=fresh).effort

    def setpoint_jp(self, *, fresh: bool = False) -> np.ndarray:
        return self.setpoint_js(fresh=fresh).position


class Gripper(Part):
    """What the fingers of a master's operator do."""

    def measured_js(self, *, fresh: bool = False) -> Joints:
        """Angle between the fingers [rad]."""
        return self._read('measured_js', JointState, read_joints, fresh=fresh)

    def measured_jp(self, *, fresh: bool = False) -> float:
        return float(self.measured_js(fresh=fresh).position[0])

    def closed(self) -> bool:
        """Whether the arm says that the fingers are closed."""
        return self._read('closed', Bool, lambda message: message.data, checked=False)


class Jaw(JointsPart):
    """The jaw of a PSM: one angle between its fingers [rad], negative squeezes."""

    def servo_jp(self, angle: float):
        self._move('servo_jp', 'position', angle)

    def servo_jf(self, effort: float):
        self._move('servo_jf', 'effort', effort)

    def move_jp(self, angle: float) -> Motion:
        motion = Motion(self._arm, 'jaw/move_jp')
        self._move('move_jp', 'position', angle)
        return motion

    def open(self, angle: float = np.radians(60.0)) -> Motion:
        return self.move_jp(angle)

    def close(self, angle: float = np.radians(-20.0)) -> Motion:
        return self.move_jp(angle)

    def _move(self, topic: str, field: str, value):
        self._arm._check_ready(self._below(topic), JointState)
        self._send(topic, self._servo_joints(topic, field, [value] if np.ndim(value) == 0 else value, 1))


class WrenchPart(Part):
    """Forces and the Jacobian in one frame: `body` in the tip's axes, `spatial` in the base's about its origin."""

    def measured_cf(self, *, fresh: bool = False) -> np.ndarray:
        """Force and torque (6) at the tip."""
        return self._read('measured_cf', WrenchStamped, read_wrench, fresh=fresh)

    def servo_cf(self, wrench: Sequence[float]):
        """Force and torque (6) that the arm is to give; it holds them until the next command."""
        self._arm._check_ready(self._below('servo_cf'), WrenchStamped)
        message = wrench_message(vector(wrench, 6, f'{self._arm.name}: {self._below("servo_cf")}'))
        message.header.stamp = self._arm._now()
        self._send('servo_cf', message)

    def jacobian(self, *, fresh: bool = False) -> np.ndarray:
        """6 x n: linear rows, then angular ones."""
        return self._read('jacobian', Float64MultiArray, read_jacobian, fresh=fresh, checked=False)


class Local(Part):
    """Poses in the arm's own base, without its base frame."""

    def measured_cp(self, *, fresh: bool = False, stamp: bool = False):
        return self._read('measured_cp', PoseStamped, read_pose, fresh=fresh, stamp=stamp)

    def setpoint_cp(self, *, fresh: bool = False, stamp: bool = False):
        return self._read('setpoint_cp', PoseStamped, read_pose, fresh=fresh, stamp=stamp)

    def forward_kinematics(self, q: Sequence[float]) -> np.ndarray:
        return self._arm._forward('local/forward_kinematics', q)


class Motion:
    """A move that was asked for; `wait` returns when it has ended."""

    def __init__(self, arm: Arm, what: str):
        # Before the command goes out, so that no answer is missed.
        self._arm, self._what = arm, what
        arm._listen()
        with arm._changed:
            self._state = arm._state.count if arm._state else 0
            self._goal, self._error = arm._goal.count, arm._error.count
        self._idle_at: float | None = None

    def is_busy(self) -> bool:
        """Whether it goes on, or has not begun."""
        with self._arm._changed:
            return self._result() is None

    def wait(self, is_busy: bool = False, timeout: float = 30.0, step: Callable[[], object] | None = None) -> bool:
        """Until the move has ended: True where it reached its goal, False where another command took its place.

        ArmRefused with the arm's words where it would not, NotEnabled where the arm left ENABLED, ArmTimeout
        otherwise. `is_busy=True` waits until it has begun. Whoever steps the world gives `step`, e.g.
        `lambda: world.step(10)`, which is called until then (or sets it once for all calls: `arm.step`).
        """
        arm = self._arm
        arm._await(
            (lambda: self._begun() or self._result() is not None) if is_busy else lambda: self._result() is not None,
            timeout,
            step,
            lambda: (
                f'{arm.name}: {self._what} did not {"begin" if is_busy else "end"} within {timeout:g} s; '
                f'{arm._last_words()}'
            ),
        )
        if is_busy:
            return True
        with arm._changed:
            return bool(self._result())

    def _begun(self) -> bool:
        return self._arm._state.busy_at > self._state

    def _result(self) -> bool | None:
        """None while it goes on. The lock is held."""
        arm, state = self._arm, self._arm._state
        if state is None:
            raise ArmSilent(f"{arm.name}: nobody publishes '{arm.base}/operating_state', so that no end can be awaited")
        if state.count > self._state and state.message.state != 'ENABLED':
            raise NotEnabled(f'{arm.name}: {self._what} ended, since {arm._last_words()}')
        if state.count and state.message.is_busy:
            return None
        wrong = arm._error.count > self._error
        if not self._begun():
            if wrong:
                raise ArmRefused(f'{arm.name}: {self._what}: {arm._error.message.data}')
            return None
        if arm._goal.count > self._goal:
            if not arm._goal.message.data and wrong:
                raise ArmRefused(f'{arm.name}: {self._what}: {arm._error.message.data}')
            return arm._goal.message.data
        # Arms without that topic have reached what they went for.
        now = time.monotonic()
        self._idle_at = self._idle_at or now
        return True if arm._goal.subscription.get_publisher_count() == 0 or now > self._idle_at + AFTERWARDS else None


class Arm(JointsPart):
    """An arm by its name on the graph: `Arm('PSM1')`, `Arm('/CRTK/psm1')`; a context manager.

    The first use of a topic waits for it, for `timeout` [s] at most; data that are older than `freshness` [s] are an
    error, not a value. `step` is called while something is awaited, for those who step the world themselves.

    >>> with Arm('PSM1') as arm:                                          # doctest: +SKIP
    ...     arm.enable(); arm.home()
    ...     arm.move_jp([0.1, 0, 0.12, 0, 0, 0]).wait()
    ...     print(arm.measured_cp())
    """

    def __init__(
        self,
        name: str,
        *,
        namespace: str = '',
        timeout: float = 10.0,
        freshness: float = 1.0,
        domain_id: int | None = None,
        step: Callable[[], object] | None = None,
    ):
        super().__init__(self, '')
        if not str(name).strip('/'):
            raise BadValue(f'name: found {name!r}, expected that of an arm, e.g. PSM1')
        self.name = str(name).strip('/')
        self.base = '/' + '/'.join(part.strip('/') for part in (namespace, self.name) if part.strip('/'))
        self.timeout, self.freshness = number(timeout, 'timeout'), number(freshness, 'freshness')
        self.step = step
        self._changed = threading.Condition()
        self._readers: dict[str, Reader] = {}
        self._publishers: dict[str, object] = {}
        self._closed = False
        self._listening = False
        self._state: StateReader | None = None
        self._goal = self._error = self._warning = None
        self._link = Link.take(domain_id)
        self._calls: ArmCalls | None = None
        self.jaw, self.gripper = Jaw(self, 'jaw'), Gripper(self, 'gripper')
        self.body, self.spatial, self.local = (
            WrenchPart(self, 'body'),
            WrenchPart(self, 'spatial'),
            Local(self, 'local'),
        )
        self.gravity_compensation = JointsPart(self, 'gravity_compensation')
        _open.add(self)
        try:
            self._find()
            self._calls = ArmCalls(
                self._link.context, self.base, self.timeout, name=f'{self._link.node.get_name()}_{id(self):x}_calls'
            )
        except Exception:
            self.close()
            raise

    @staticmethod
    def list(timeout: float = 3.0, domain_id: int | None = None) -> list[str]:
        """Names of the arms on the graph; looks for `timeout` [s], shorter where some were found."""
        link, found = Link.take(domain_id), []
        try:
            end = quiet = time.monotonic() + timeout
            while time.monotonic() < min(end, quiet):
                arms = link.arms()
                if arms != found:
                    # What starts together is told about one after the other.
                    found, quiet = arms, time.monotonic() + 0.5
                time.sleep(LOOK)
            return found
        finally:
            link.give_back()

    def _find(self):
        """Until somebody publishes topics of this arm."""
        node, end = self._link.node, time.monotonic() + self.timeout
        topics = [f'{self.base}/{leaf}' for leaf in ('operating_state', 'measured_js', 'measured_cp')]
        while not any(node.count_publishers(topic) for topic in topics):
            if time.monotonic() > end:
                there = self._link.arms()
                like = difflib.get_close_matches(self.name.lower(), [arm.lower() for arm in there], 1, 0.5)
                meant = [arm for arm in there if arm.lower() in like]
                raise UnknownArm(
                    f"no arm '{self.base}' within {self.timeout:g} s in domain {self._link.domain}: nobody publishes "
                    f"'{topics[0]}' or '{topics[1]}'; "
                    + (f'arms that are there: {", ".join(there)}' if there else 'no arm is there at all')
                    + (f'; did you mean {meant[0]}?' if meant else '')
                )
            time.sleep(LOOK)
        end = time.monotonic() + TOGETHER
        while not all(node.count_publishers(topic) for topic in topics) and time.monotonic() < end:
            time.sleep(LOOK)

    def _listen(self):
        """Subscribe to what the arm says of itself, and wait until it will be heard."""
        if self._listening:
            return
        if self._closed:
            raise ArmSilent(f'{self.name}: this arm was closed')
        node = self._link.node

        def reader(kind, leaf, make=Reader, latched=False):
            return make(self._link, self._changed, kind, f'{self.base}/{leaf}', 100, latched)

        # What was said before the program came is of no use here, but for the state.
        self._goal, self._error = reader(Bool, 'goal_reached'), reader(String, 'error')
        self._warning = reader(String, 'warning')
        if node.count_publishers(f'{self.base}/operating_state'):
            # Arms keep more than their last state for those who come later: one that can be asked is asked.
            self._state = reader(OperatingState, 'operating_state', StateReader, not self._can_be_asked())
        end = time.monotonic() + self.timeout
        for part in (self._goal, self._error, self._warning, self._state):
            while part and part.subscription.get_publisher_count() < node.count_publishers(part.topic):
                if time.monotonic() > end:
                    raise ArmSilent(
                        f"{self.name}: '{part.topic}' is published, but its quality of service does not fit"
                    )
                time.sleep(LOOK)
        if self._state is not None and self._state.kept:
            self._let_old_states_pass()
        self._listening = True

    def _can_be_asked(self) -> bool:
        services = {name for name, _ in self._link.node.get_service_names_and_types()}
        return f'{self.base}/operating_state' in services

    def _let_old_states_pass(self):
        """What the arm kept comes in order: the last of it is how it is now."""
        self._await_plain(lambda: self._state.count > 0, TOGETHER, must=False)
        end, seen = time.monotonic() + TOGETHER, -1
        while seen != self._state.count and time.monotonic() < end:
            seen = self._state.count
            time.sleep(OLD_STATES)

    def close(self):
        """End subscriptions and publishers; what is awaited ends with ArmSilent."""
        _open.discard(self)
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        if self._calls is not None:
            self._calls.close()
        self._link.run(self._forget_topics)
        self._link.give_back()

    def _forget_topics(self):
        for reader in (*self._readers.values(), self._goal, self._error, self._warning, self._state):
            if reader is not None:
                reader.close()
        for publisher in self._publishers.values():
            self._link.node.destroy_publisher(publisher)
        self._readers.clear()
        self._publishers.clear()

    def __enter__(self) -> Arm:
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self) -> str:
        return f"Arm('{self.base}')"

    # Waiting

    def _await(self, done: Callable[[], object], timeout: float, step: Callable | None, sentence: Callable[[], str]):
        """Until `done`, which is asked with the lock held; steps the world meanwhile where that is this caller's."""
        step = step or self.step
        end = time.monotonic() + timeout
        while True:
            with self._changed:
                if self._closed:
                    raise ArmSilent(f'{self.name}: this arm was closed')
                if done():
                    return
                left = end - time.monotonic()
                if left <= 0.0:
                    raise ArmTimeout(sentence())
                if step is None:
                    self._changed.wait(min(left, 0.1))
                    continue
            step()

    def _last_words(self) -> str:
        """State and last complaint, for messages. The lock is held."""
        if self._state is None or not self._state.count:
            return 'the arm said nothing about its state'
        state = self._state.message
        words = f'the arm is {state.state}, {"homed" if state.is_homed else "not homed"}'
        words += ', busy' if state.is_busy else ''
        for kind, reader in (('error', self._error), ('warning', self._warning)):
            if reader.count:
                return f'{words}; its last {kind}: {reader.message.data}'
        return words

    # Reading

    def _reader(self, topic: str, kind) -> Reader:
        with self._changed:
            if self._closed:
                raise ArmSilent(f'{self.name}: this arm was closed')
            known = self._readers.get(topic)
        if known is not None:
            return known
        path, end = f'{self.base}/{topic}', time.monotonic() + self.timeout
        while not self._link.node.count_publishers(path):
            if time.monotonic() > end:
                raise ArmSilent(f"{self.name}: nobody publishes '{path}': this arm does not have it, or is gone")
            time.sleep(LOOK)
        with self._changed:
            if topic not in self._readers:
                self._readers[topic] = Reader(self._link, self._changed, kind, path, latched=True)
            return self._readers[topic]

    def _read_topic(self, topic: str, kind, convert: Callable, fresh: bool, stamp: bool, checked: bool):
        reader = self._reader(topic, kind)
        with self._changed:
            seen = reader.count if fresh else 0
        path = f"'{self.base}/{topic}'"
        try:
            # Data come whether the world is stepped or not: whoever steps it is not asked here.
            self._await_plain(lambda: reader.count > seen)
        except ArmTimeout:
            raise ArmSilent(f'{self.name}: nothing on {path} within {self.timeout:g} s') from None
        with self._changed:
            age = time.monotonic() - reader.arrived
            message = reader.message
        if checked and age > self.freshness:
            raise ArmSilent(f'{self.name}: nothing on {path} for {age:.1f} s: the arm, or the recording, has ended')
        time_of = seconds(message.header.stamp) if checked else 0.0
        if checked and time_of == 0.0:
            raise NotHomed(f'{self.name}: what {path} says is marked as not valid: enable() and home() the arm first')
        value = convert(message)
        return (value, time_of) if stamp else value

    def _await_plain(self, done: Callable[[], bool], timeout: float | None = None, must: bool = True):
        end = time.monotonic() + (self.timeout if timeout is None else timeout)
        with self._changed:
            while not done():
                if self._closed:
                    raise ArmSilent(f'{self.name}: this arm was closed')
                left = end - time.monotonic()
                if left <= 0.0:
                    if must:
                        raise ArmTimeout('')
                    return
                self._changed.wait(left)

    def measured_cp(self, *, fresh: bool = False, stamp: bool = False):
        """Pose of the tip (4 x 4) in the arm's base frame; with `stamp` a pair with the arm's time [s]."""
        return self._read('measured_cp', PoseStamped, read_pose, fresh=fresh, stamp=stamp)

    def setpoint_cp(self, *, fresh: bool = False, stamp: bool = False):
        """Pose (4 x 4) of the joints' set-point."""
        return self._read('setpoint_cp', PoseStamped, read_pose, fresh=fresh, stamp=stamp)

    def base_in_world(self, *, fresh: bool = False) -> np.ndarray:
        """Pose (4 x 4) of the arm's own base in the world; simulated arms tell it."""
        return self._read('T_b_w', PoseStamped, read_pose, fresh=fresh)

    def measured_cv(self, *, fresh: bool = False) -> np.ndarray:
        """Linear and angular velocity (6) of the tip, in the axes of the base frame."""
        return self._read('measured_cv', TwistStamped, read_twist, fresh=fresh)

    def measured_cf(self, frame: str = 'body', *, fresh: bool = False) -> np.ndarray:
        """Force and torque (6) at the tip; `frame`: body or spatial."""
        return self._frame(frame).measured_cf(fresh=fresh)

    def jacobian(self, frame: str = 'body', *, fresh: bool = False) -> np.ndarray:
        """6 x n; `frame`: body or spatial."""
        return self._frame(frame).jacobian(fresh=fresh)

    def _frame(self, frame: str) -> WrenchPart:
        if frame not in ('body', 'spatial'):
            raise BadValue(f'frame: found {frame!r}, expected body or spatial')
        return self.body if frame == 'body' else self.spatial

    def has(self, topic: str) -> bool:
        """Whether somebody publishes this topic of the arm, e.g. jaw/measured_js."""
        return self._link.node.count_publishers(f'{self.base}/{topic}') > 0

    def reference_frame(self) -> str:
        """The frame in which poses are told."""
        return self._read('measured_cp', PoseStamped, lambda message: message.header.frame_id)

    def joint_names(self) -> list[str]:
        return list(self._read('measured_js', JointState, lambda message: message.name))

    # State

    def operating_state(self) -> str:
        """DISABLED, ENABLED, PAUSED or FAULT."""
        return self._known_state('operating_state').state

    def is_enabled(self) -> bool:
        return self.operating_state() == 'ENABLED'

    def is_disabled(self) -> bool:
        return self.operating_state() == 'DISABLED'

    def is_homed(self) -> bool:
        return self._known_state('is_homed').is_homed

    def is_busy(self) -> bool:
        """Homing, or on the way to the goal of a move."""
        return self._known_state('is_busy').is_busy

    def error(self) -> str:
        """What the arm said last on `error` since this program listens; '' for nothing."""
        self._listen()
        return self._error.message.data if self._error.count else ''

    def warning(self) -> str:
        """What the arm said last on `warning` since this program listens; '' for nothing."""
        self._listen()
        return self._warning.message.data if self._warning.count else ''

    def _known_state(self, what: str) -> OperatingState:
        state = self._state_or_none()
        if state is None:
            raise ArmSilent(f"{self.name}: {what}: nobody publishes '{self.base}/operating_state'")
        return state

    def _state_or_none(self) -> OperatingState | None:
        """What the arm said last; it is asked where it keeps no state for those who come later."""
        self._listen()
        if self._state is None:
            return None
        with self._changed:
            if self._state.count:
                return self._state.message
        if not self._state.kept and self._can_be_asked():
            request = TriggerOperatingState.Request()
            return self._calls.call(TriggerOperatingState, 'operating_state', request).operating_state
        try:
            self._await_plain(lambda: self._state.count > 0)
        except ArmTimeout:
            raise ArmSilent(
                f"{self.name}: nothing on '{self.base}/operating_state' within {self.timeout:g} s"
            ) from None
        return self._state.message

    def enable(self, timeout: float = 10.0, step: Callable | None = None):
        """Power on; returns when the arm is ENABLED."""
        self._command('enable', lambda state: state.state == 'ENABLED', timeout, step)

    def disable(self, timeout: float = 10.0, step: Callable | None = None):
        self._command('disable', lambda state: state.state == 'DISABLED', timeout, step)

    def home(self, timeout: float = 60.0, step: Callable | None = None):
        """Find the zeros of the joints; returns when the arm is homed and rests. NotEnabled before `enable`."""
        state = self._state_or_none()
        if state is not None and state.state != 'ENABLED':
            raise NotEnabled(f'{self.name}: home: the arm is {state.state}: enable() it first')
        self._command('home', lambda state: state.is_homed and not state.is_busy, timeout, step)

    def unhome(self, timeout: float = 10.0, step: Callable | None = None):
        self._command('unhome', lambda state: not state.is_homed, timeout, step)

    def pause(self, timeout: float = 10.0, step: Callable | None = None):
        self._command('pause', lambda state: state.state == 'PAUSED', timeout, step)

    def resume(self, timeout: float = 10.0, step: Callable | None = None):
        self._command('resume', lambda state: state.state == 'ENABLED', timeout, step)

    def _command(self, word: str, done: Callable[[OperatingState], bool], timeout: float, step: Callable | None):
        """A state command; the arm answers each one that it accepts with its state, and others with a warning."""
        self._listen()
        with self._changed:
            since = self._state.count if self._state else 0
            warned, failed = self._warning.count, self._error.count
        message = StringStamped(string=word)
        message.header.stamp = self._now()
        self._send('state_command', message)
        if self._state is None:
            return

        def answered() -> bool:
            if self._warning.count > warned and f'"{word}"' in self._warning.message.data:
                raise ArmRefused(f'{self.name}: {word}: {self._warning.message.data}')
            if self._state.count <= since:
                return False
            state = self._state.message
            if state.state == 'FAULT' and self._error.count > failed:
                raise ArmRefused(f'{self.name}: {word}: {self._last_words()}')
            return done(state)

        self._await(
            answered, timeout, step, lambda: f'{self.name}: {word} took longer than {timeout:g} s; {self._last_words()}'
        )

    # Commands

    def _now(self):
        return self._link.node.get_clock().now().to_msg()

    def _send_topic(self, topic: str, message):
        self._publisher(topic, type(message)).publish(message)

    def _publisher(self, topic: str, kind):
        """Of a command that somebody reads; NobodyListens otherwise."""
        if self._closed:
            raise ArmSilent(f'{self.name}: this arm was closed')
        publisher = self._publishers.get(topic)
        if publisher is None:
            node, path, end = self._link.node, f'{self.base}/{topic}', time.monotonic() + self.timeout
            while node.count_subscribers(path) == 0 and time.monotonic() < end:
                time.sleep(LOOK)
            publisher = self._publishers[topic] = node.create_publisher(
                kind, path, self._link.quality_for_readers(path)
            )
            while publisher.get_subscription_count() < node.count_subscribers(path) and time.monotonic() < end:
                time.sleep(LOOK)
        if publisher.get_subscription_count() == 0:
            raise NobodyListens(
                f"{self.name}: nobody reads '{self.base}/{topic}': this is a recording, the arm does not have this "
                'command, or its program has ended'
            )
        return publisher

    def _check_ready(self, what: str, kind):
        """NobodyListens, NotEnabled, NotHomed; an arm without an operating state is taken as ready."""
        self._publisher(what, kind)
        state = self._state_or_none()
        if state is None:
            return
        if state.state != 'ENABLED':
            advice = {'PAUSED': 'resume() it', 'FAULT': 'see error(), then enable() and home() it'}
            raise NotEnabled(
                f'{self.name}: {what}: the arm is {state.state}: {advice.get(state.state, "enable() and home() it")} first'
            )
        if not state.is_homed:
            raise NotHomed(f'{self.name}: {what}: the arm is not homed: home() it first')

    def _joints(self, topic: str, field: str, values, more: dict | None = None):
        self._check_ready(topic, JointState)
        count = self._joint_count()
        message = self._servo_joints(topic, field, values, count)
        for name, given in (more or {}).items():
            if given is not None:
                setattr(message, name, vector(given, count, f'{self.name}: {name} of {topic}').tolist())
        self._send(topic, message)

    def _joint_count(self) -> int:
        """Of the newest message, however old: how many joints there are does not get stale."""
        reader = self._reader('measured_js', JointState)
        try:
            self._await_plain(lambda: reader.count > 0)
        except ArmTimeout:
            raise ArmSilent(f"{self.name}: nothing on '{reader.topic}' within {self.timeout:g} s") from None
        return len(reader.message.position)

    def _pose(self, topic: str, goal):
        self._check_ready(topic, PoseStamped)
        message = PoseStamped(pose=pose_message(pose(goal, f'{self.name}: {topic}')))
        message.header.stamp = self._now()
        self._send(topic, message)

    def servo_jp(self, position: Sequence[float], velocity: Sequence[float] | None = None):
        """Joint set-point, at once; for loops at 100 Hz and more."""
        self._joints('servo_jp', 'position', position, {'velocity': velocity})

    def servo_jr(self, change: Sequence[float]):
        """Add to the joint set-point."""
        self._joints('servo_jr', 'position', change)

    def servo_jf(self, effort: Sequence[float]):
        """Joint efforts [N m, N], held until the next command."""
        self._joints('servo_jf', 'effort', effort)

    def servo_cp(self, goal):
        """Pose of the tip, at once: 4 x 4, (position, rotation), seven numbers, or a Frame of PyKDL."""
        self._pose('servo_cp', goal)

    def servo_cf(self, wrench: Sequence[float], frame: str = 'body'):
        """Force and torque (6) that the arm is to give, held until the next command; `frame`: body or spatial."""
        self._frame(frame).servo_cf(wrench)

    def move_jp(self, goal: Sequence[float]) -> Motion:
        """Go to joint values within the arm's speed limits; `.wait()` for the end."""
        motion = Motion(self, 'move_jp')
        self._joints('move_jp', 'position', goal)
        return motion

    def move_jr(self, change: Sequence[float]) -> Motion:
        """Go by joint values from the set-point, or from the goal of a move that goes on."""
        motion = Motion(self, 'move_jr')
        self._joints('move_jr', 'position', change)
        return motion

    def move_cp(self, goal) -> Motion:
        """Go to a pose: 4 x 4, (position, rotation), seven numbers, or a Frame of PyKDL. Not on a straight line."""
        motion = Motion(self, 'move_cp')
        self._pose('move_cp', goal)
        return motion

    def insert_jp(self, depth: float) -> Motion:
        """Go to an insertion [m]: the third joint of PSM and ECM."""
        goal = self.setpoint_jp()
        goal[2] = number(depth, f'{self.name}: insert_jp')
        return self.move_jp(goal)

    def hold(self):
        """Stay at the set-point."""
        self._check_ready('hold', Empty)
        self._send('hold', Empty())

    def free(self):
        """No effort: the arm can be led by hand."""
        self._check_ready('free', Empty)
        self._send('free', Empty())

    # Kinematics

    def forward_kinematics(self, q: Sequence[float]) -> np.ndarray:
        """Pose of the tip (4 x 4) at joint values, as the arm computes it."""
        return self._forward('forward_kinematics', q)

    def _forward(self, service: str, q: Sequence[float]) -> np.ndarray:
        values = vector(q, np.size(q), f'{self.name}: {service}')
        answer = self._calls.call(QueryForwardKinematics, service, QueryForwardKinematics.Request(jp=values.tolist()))
        if not answer.result:
            raise ArmRefused(f'{self.name}: {service}: {answer.message or "no result"}')
        return matrix_of(answer.cp)

    def inverse_kinematics(self, goal, seed: Sequence[float] | None = None) -> np.ndarray:
        """Joint values that bring the tip to a pose, near `seed` (default: the set-point)."""
        start = self.setpoint_jp() if seed is None else vector(seed, np.size(seed), f'{self.name}: seed')
        request = QueryInverseKinematics.Request(
            cp=pose_message(pose(goal, f'{self.name}: inverse_kinematics')), jp=start.tolist()
        )
        answer = self._calls.call(QueryInverseKinematics, 'inverse_kinematics', request)
        if not answer.result:
            raise ArmRefused(f'{self.name}: inverse_kinematics: {answer.message or "no solution"}')
        return np.array(answer.jp)

    # Settings

    def trajectory_j_set_ratio(self, ratio: float):
        """Part of the greatest speeds and accelerations that moves use, above 0 to 1."""
        checked = number(ratio, f'{self.name}: ratio')
        if not 0.0 < checked <= 1.0:
            raise BadValue(f'{self.name}: ratio: found {ratio!r}, expected above 0, at most 1')
        self._send('trajectory_j/set_ratio', Float64(data=checked))

    def trajectory_j_ratio(self) -> float:
        return self._read('trajectory_j/ratio', Float64, lambda message: message.data, checked=False)

    def tool_type(self) -> str:
        """E.g. LARGE_NEEDLE_DRIVER:400006; '' where there is no tool."""
        return self._read('tool_type', String, lambda message: message.data, checked=False)

    def set_tool_type(self, name: str, timeout: float = 10.0, step: Callable | None = None):
        """Another instrument; returns when the arm says that it has it."""
        self._listen()
        reader, wanted = self._reader('tool_type', String), str(name).split('[')[0]
        # The tool that it has, before it gets another one: where that is kept, it comes by itself.
        self._await_plain(lambda: reader.count > 0 or not reader.kept, TOGETHER, must=False)
        with self._changed:
            since, warned, failed = reader.count, self._warning.count, self._error.count
            before = reader.message.data if since else None
        if before and wanted in before:
            return
        self._send('set_tool_type', String(data=str(name)))

        def answered() -> bool:
            for said, before in ((self._warning, warned), (self._error, failed)):
                if said.count > before:
                    raise ArmRefused(f'{self.name}: set_tool_type: {said.message.data}')
            if reader.count <= since:
                return False
            # The arm may know the tool by a second name.
            return wanted in reader.message.data or (before is not None and reader.message.data != before)

        self._await(
            answered, timeout, step, lambda: f"{self.name}: no tool '{name}' within {timeout:g} s; {self._last_words()}"
        )

    def use_gravity_compensation(self, on: bool):
        self._send('use_gravity_compensation', Bool(data=bool(on)))

    def body_set_cf_orientation_absolute(self, absolute: bool):
        """Whether wrenches of `body` have the axes of the base (True) or of the tip (False, the arm's default)."""
        self._send('body/set_cf_orientation_absolute', Bool(data=bool(absolute)))

    def lock_orientation(self, orientation=None):
        """Hold the orientation of a master's handle: this one (3 x 3 or quaternion), or as it is."""
        self._check_ready('lock_orientation', Quaternion)
        wanted = self.measured_cp()[:3, :3] if orientation is None else orientation
        message: Quaternion = quaternion_message(rotation(wanted, f'{self.name}: lock_orientation'))
        self._send('lock_orientation', message)

    def unlock_orientation(self):
        self._check_ready('unlock_orientation', Empty)
        self._send('unlock_orientation', Empty())

    def set_tool_present(self, present: bool):
        """For tools that the arm cannot detect by itself."""
        self._send('emulate_tool_present', Bool(data=bool(present)))
