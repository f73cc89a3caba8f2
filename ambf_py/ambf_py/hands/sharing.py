# SPDX-License-Identifier: BSD-3-Clause
"""Two, then three people lead one gripper together, from SISO to AINO, and what each of them feels against the law of sharing."""

import dataclasses

import numpy as np

from .hand import Work, together, turn_between, turned
from .performance import Performance
from .pieces import SLOW, Pieces
from .puzzle import BASE, CLEAR, DISC
from .shared import Person, SharedHands

GRAVITY = 9.81
DISC_MASS = 0.09  # of what they carry [kg]
LINEAR, ANGULAR = 100.0, 1.0  # gains of each hold, as the world's input-device file has them [N/m, N m/rad]
FELT = 200.0  # haptic gain of each device, by the same file [N/m]
FELT_TURN = 0.5  # [N m/rad]
HIGH = 0.090  # of the disc above the base while they pull at each other [m]
# How far each wants the gripper from where it is, and turned: they pull and turn against each other.
PULLS = {'teacher': (0.012, 0.0, 0.004), 'pupil': (-0.012, 0.006, 0.0), 'helper': (0.0, -0.008, 0.008)}
TURNS = {'teacher': -0.10, 'pupil': 0.25, 'helper': 0.05}
SETTLED = 1.5  # [s]
FORCE_OFF, TORQUE_OFF = 0.02, 0.002  # of what is felt from what the law says [N, N m]
# Buttons, and how often the action button of a mode is pressed until its gain is gone (docs/devices.md).
LESS, NEXT = 0, 2


@dataclasses.dataclass
class Share:
    """What one person's device adds to the hold on the gripper, and which axes its hand feels."""

    linear: float = LINEAR
    angular: float = ANGULAR
    feels: tuple[bool, bool] = (True, True)  # forces, torques


@dataclasses.dataclass(frozen=True)
class Mode:
    """Who feels what; who commands what is said by the shares."""

    name: str
    what: str
    feels: dict[str, tuple[bool, bool]]


FORCES, TORQUES, ALL, NOTHING = (True, False), (False, True), (True, True), (False, False)
EVERYBODY = dict.fromkeys(PULLS, ALL)
NOBODY = dict.fromkeys(PULLS, NOTHING)
SISO = Mode('SISO', 'all lead, all feel everything', EVERYBODY)
SYMMETRIC = (
    SISO,
    Mode(
        'SIAO',
        'all lead, the pupil feels turns, the others forces',
        {'teacher': FORCES, 'pupil': TORQUES, 'helper': FORCES},
    ),
    Mode('SINO', 'all lead, nobody feels anything', NOBODY),
)
ASYMMETRIC = (
    Mode('AISO', 'the pupil turns, the others place; all feel everything', EVERYBODY),
    Mode(
        'AIAO',
        'the pupil turns and feels forces, the others place and feel turns',
        {'teacher': TORQUES, 'pupil': FORCES, 'helper': TORQUES},
    ),
    Mode('AINO', 'the pupil turns, the others place; nobody feels anything', NOBODY),
)


MODES = (*SYMMETRIC, *ASYMMETRIC)


def balance(gains: list[float], wanted: np.ndarray, load) -> np.ndarray:
    """Where springs of these gains, each to its own place, hold what bears a load: sum k (r - p) + load = 0."""
    k = np.array(gains)
    return (k @ np.asarray(wanted) + load) / k.sum()


def angle_about_z(r: np.ndarray) -> float:
    axis, angle = turn_between(np.eye(3), r)
    return float(axis[2] * angle)


class Sharing(Pieces):
    """The disc of the puzzle, carried by everybody."""

    def __init__(self, sight, teacher: Person, pupil: Person, helper: Person):
        super().__init__(sight, BASE, CLEAR, [teacher])
        self.teacher, self.pupil, self.helper = teacher, pupil, helper
        self.shares = {person.arm: Share() for person in (teacher, pupil, helper)}
        self.people: list[Person] = []  # who is there
        self.modes: set[str] = set()  # those that were shown
        self.divided = False
        self.force_off = self.torque_off = self.greatest = 0.0
        self.now = ''

    def look_at(self, mode: str, what: str):
        """What everybody feels just now, beside the law of sharing."""
        palm = self.sight.pose(f'{self.teacher.place}/palm')
        references = [person.reference() for person in self.people]
        shares = [self.shares[person.arm] for person in self.people]
        load = np.array([0.0, 0.0, -DISC_MASS * GRAVITY])
        place = balance([s.linear for s in shares], np.array([r[:3, 3] for r in references]), load)
        turns = np.array([angle_about_z(r[:3, :3]) for r in references])
        turn = balance([s.angular for s in shares], turns, 0.0)
        words = []
        for person, share, reference, yaw in zip(self.people, shares, references, turns):
            force, force_by_law = (FELT * share.feels[0] * (p - reference[:3, 3]) for p in (palm[:3, 3], place))
            torque, torque_by_law = (
                FELT_TURN * share.feels[1] * (a - yaw) for a in (angle_about_z(palm[:3, :3]), turn)
            )
            self.force_off = max(self.force_off, float(np.linalg.norm(force - force_by_law)))
            self.torque_off = max(self.torque_off, abs(torque - torque_by_law))
            felt, by_law = (float(np.linalg.norm(f)) for f in (force, force_by_law))
            self.greatest = max(self.greatest, felt)
            words.append(
                f'{person.arm} {felt:.2f} N ({by_law:.2f}) {1e3 * torque:.0f} mN m ({1e3 * torque_by_law:.0f})'
            )
        self.modes.add(mode)
        self.now = f'{mode}: {what}. Felt (law): {", ".join(words)}'
        self.say(self.now)

    def come(self, person: Person):
        person.join()
        self.people.append(person)

    def pull(self, amount: float) -> Work:
        """Everybody from the common goal to where they want it (1), or back (0)."""
        works = []
        for person in self.people:
            goal = np.eye(4)
            goal[:3, :3] = turned(np.array([0.0, 0.0, 1.0]), amount * TURNS[person.arm])
            goal[:3, 3] = self.common + amount * np.array(PULLS[person.arm])
            works.append(person.go(goal, 0.02, 0.5))
        yield from together(*works)
        yield from self.teacher.wait(SETTLED)

    def show(self, mode: Mode) -> Work:
        """They pull at each other; then they let be."""
        self.now = f'{mode.name}, {len(self.people)} hands: {mode.what}'
        for name, feels in mode.feels.items():
            self.shares[name].feels = feels
        yield from self.pull(1.0)
        self.look_at(mode.name, mode.what)
        yield from self.teacher.wait(0.5)
        yield from self.pull(0.0)

    def divide(self) -> Work:
        """By their buttons, as the world lets people: the pupil's hold on the place goes, the others' on the turn."""
        self.now = 'By their buttons they divide the axes: the pupil turns, the others place'

        def give_up(person: Person, first: int, presses: int) -> Work:
            """The stiffness of mode `first`, then the damping two modes on."""
            yield from person.press(NEXT, first)
            yield from person.press(LESS, presses)
            yield from person.press(NEXT, 2)
            yield from person.press(LESS, presses)

        yield from together(give_up(self.pupil, 2, 10), *(give_up(p, 3, 1) for p in (self.teacher, self.helper)))
        self.divided = True
        self.shares['pupil'].linear = 0.0
        self.shares['teacher'].angular = self.shares['helper'].angular = 0.0

    def by(self, goal: np.ndarray, speed: float) -> Work:
        """All of them as far as the disc is from a place of the base."""
        way = self.origin() + goal - self.sight.pose(DISC.body)[:3, 3]
        yield from together(*(self.to(person, person.goal[:3, 3] + way, speed, 0.0) for person in self.people))
        yield from self.teacher.wait(0.6)

    def lead(self, modes: list[Mode]) -> Work:
        """The disc through these modes to its post."""
        self.now = 'The teacher takes the disc'
        self.come(self.teacher)
        yield
        yield from self.grasp(self.teacher, DISC.body, DISC.handle)
        yield from self.up(self.teacher, HIGH + DISC.handle[2], SLOW)
        yield from self.teacher.wait(0.5)
        self.common = self.teacher.goal[:3, 3].copy()
        for person in (self.pupil, self.helper):
            self.now = f'The {person.arm} takes the gripper, too'
            self.come(person)
            yield
            yield from together(*(self.to(p, self.common, SLOW, 0.0) for p in self.people))
            if person is self.pupil and SISO in modes:
                yield from self.show(SISO)
        for mode in modes:
            if mode in ASYMMETRIC and not self.divided:
                yield from self.divide()
            yield from self.show(mode)
        self.now = 'Together they bring the disc to its post'
        for height in (CLEAR, CLEAR, 0.5 * (CLEAR + DISC.goal[2]), DISC.goal[2] + self.drop):
            yield from self.by(np.array([*DISC.goal[:2], height]), SLOW)
        yield from self.teacher.set_jaw(self.teacher.widest, 0.4)
        yield from self.teacher.wait(0.3)
        yield from together(*(self.to(p, p.goal[:3, 3] + [0.0, 0.0, 0.06], SLOW) for p in self.people))
        self.now = 'The disc is on its post' if self.placed(DISC) else 'The disc is not on its post'
        self.say(self.now)


class SharedProxy(Performance):
    """Six modes, and the disc on its post."""

    title = 'two, then three people lead one gripper together, from SISO to AINO; forces beside the law of sharing'
    parts = tuple(mode.name for mode in MODES)

    @classmethod
    def open(cls, *, lockstep: bool, namespace: str):
        devices = dict.fromkeys(PULLS, 'shared_gripper')
        return SharedHands(devices, lockstep=lockstep, namespace=namespace)

    def __init__(self, arms):
        super().__init__(arms)
        self.task = Sharing(arms.sight, *arms.hands)
        self.said = self.task.said

    def caption(self) -> str:
        return self.task.now

    def forth(self, parts: tuple[int, ...]) -> Work:
        return self.task.lead([MODES[part] for part in parts])

    def done(self, parts: tuple[int, ...]) -> bool:
        task = self.task
        as_the_law_says = task.force_off < FORCE_OFF and task.torque_off < TORQUE_OFF
        shown = task.modes == {MODES[part].name for part in parts}
        return shown and as_the_law_says and task.placed(DISC) and task.all_open()

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        task = self.task
        return {
            'modes': f'{len(task.modes)} of {len(parts)}',
            'greatest force [N]': f'{task.greatest:.2f}',
            'force off the law [N]': f'{task.force_off:.4f}',
            'torque off [mN m]': f'{1e3 * task.torque_off:.3f}',
            'on its post': 'yes' if task.placed(DISC) else 'no',
        }
