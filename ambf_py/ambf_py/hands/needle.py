# SPDX-License-Identifier: BSD-3-Clause
"""Two hands make one stitch: one takes the needle, the other drives it through the lips of a wound, the first draws it out."""

import math

import numpy as np

from .hand import SQUEEZE, Hand, Work, tip_pose, together
from .performance import Performance
from .sight import Sight
from .stitch import CENTRE, RADIUS, Passage, drawn_through, grip_pose, lying, yaw_of

NEEDLE = 'suture/needle'
THREAD = tuple(f'suture/thread{number}' for number in range(1, 7))  # the links that are looked at
# Where jaws take it, as angles from the eye: in the middle of one of its straight pieces.
FROM_TABLE, BY_TAIL, BY_TIP = (math.radians(angle) for angle in (81.0, 27.0, 135.0))
ON_TABLE, DEPTH = 0.0007, 0.0025  # of the ends of the jaw below the middle of the steel [m]
OPEN = 0.46
ABOVE = 0.025  # of the tip above what it takes, before it goes down [m]
MEET = np.array([0.0, -0.015, 0.752])  # centre of the needle when it is handed over
VIA = np.array([-0.075, -0.015, 0.752])  # on the way there: the thread stays in front of the blocks
IN_FRONT = CENTRE - [0.0, 0.045, 0.0]  # from there it comes to the lips: the thread follows in front of them
# Angles of the eye while the needle goes round its centre: before the lips, as far as the one hand comes, and out.
BEFORE, HALFWAY, OUT = (math.radians(angle) for angle in (-125.0, 15.0, 128.0))
TURNING = 0.7  # [rad/s]
SLOW = 0.02  # [m/s]
PARK = (0.055, 0.755)  # distance from the middle and height of the tip of a hand that has nothing to do
SLACK = 0.004  # that the needle may shift in the jaw [m]
TRIES = 3
DOWN = np.array([0.0, 0.0, -1.0])


class Held:
    """The needle in a jaw: where it was in the tip's frame when somebody looked."""

    def __init__(self, hand: Hand, needle: np.ndarray):
        self.hand = hand
        self.look_again(needle)

    def look_again(self, needle: np.ndarray):
        self.t_tip_needle = np.linalg.inv(self.hand.tip()) @ needle

    def goal(self, needle: np.ndarray) -> np.ndarray:
        """Of the tip, for the needle to be there."""
        return needle @ np.linalg.inv(self.t_tip_needle)


class Stitch:
    """PSM1 on the side of +x drives the needle, PSM2 on that of -x takes it from the table and draws it out."""

    def __init__(self, sight: Sight, right: Hand, left: Hand):
        self.sight, self.right, self.left = sight, right, left
        self.said: list[tuple[float, str]] = []
        self.passage = Passage()
        self.handed_over = self.retries = 0

    def say(self, text: str):
        self.said.append((self.sight.time, text))

    def look(self):
        """To be called at every look: a needle that goes through is seen on its way."""
        self.passage.look(self.needle())

    # What is seen

    def needle(self) -> np.ndarray:
        return self.sight.pose(NEEDLE)

    def thread_through(self) -> int:
        return drawn_through([self.sight.pose(link)[:3, 3] for link in THREAD])

    def in_jaw(self, hand: Hand) -> bool:
        """The steel goes between the ends of the fingers."""
        x, y, z = (np.linalg.inv(self.needle()) @ hand.tip())[:3, 3]
        return bool(abs(math.hypot(x, y) - RADIUS) < SLACK and y > -SLACK and abs(z) < SLACK)

    def can_be_taken(self) -> bool:
        """It lies with the right side up, where the left hand comes to."""
        needle = self.needle()
        return bool(needle[2, 2] > 0.9 and needle[0, 3] < -0.05)

    # What hands do

    def park(self, hand: Hand) -> Work:
        hand.doing = ''
        side = 1.0 if hand is self.right else -1.0
        position = np.array([side * PARK[0], 0.0, PARK[1]])
        yield from hand.go(hand.nearest(tip_pose(position, DOWN, hand.goal[:3, 1])))

    def back_off(self, hand: Hand) -> Work:
        """Let go, and up along the tool."""
        yield from hand.set_jaw(OPEN, 0.3)
        yield from hand.wait(0.1)
        away = hand.goal.copy()
        away[:3, 3] -= ABOVE * away[:3, 2]
        yield from hand.go(away, 0.04)

    def take(self, hand: Hand, at: float, depth: float) -> Work:
        """From above: down, close, wait; the result is Held."""
        high = hand.nearest(grip_pose(self.needle(), at, depth))
        high[:3, 3] -= ABOVE * high[:3, 2]
        yield from together(hand.go(high), hand.set_jaw(OPEN))
        # The needle may have moved meanwhile.
        yield from hand.go(hand.nearest(grip_pose(self.needle(), at, depth)), SLOW)
        yield from hand.set_jaw(SQUEEZE, 0.5)
        yield from hand.wait(0.2)
        return Held(hand, self.needle())

    def bring(self, held: Held, needle: np.ndarray, speed: float = 0.06) -> Work:
        yield from held.hand.go(held.goal(needle), speed)

    def turn(self, held: Held, start: float, end: float) -> Work:
        """The needle round its centre, along its own arc."""
        begun, takes, share = self.sight.clock, abs(end - start) / TURNING, 0.0
        while share < 1.0:
            yield
            share = min(1.0, (self.sight.clock - begun) / takes)
            smooth = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
            held.hand.goal = held.goal(lying(CENTRE, start + smooth * (end - start)))
        yield from held.hand.wait(0.2)

    def pick(self) -> Work:
        """Held by the left hand, above the table; None where it slipped."""
        hand = self.left
        hand.doing = 'takes the needle'
        held = yield from self.take(hand, FROM_TABLE, ON_TABLE)
        lifted = hand.goal.copy()
        lifted[2, 3] += 0.045
        yield from hand.go(lifted, 0.04)
        if not self.in_jaw(hand):
            self.say('PSM2 lost the needle')
            yield from self.back_off(hand)
            return None
        held.look_again(self.needle())
        return held

    def hand_over(self, held: Held) -> Work:
        """Held by the right hand; None where it was lost on the way."""
        giver, receiver = held.hand, self.right
        giver.doing, receiver.doing = 'gives the needle', 'gets ready'
        yield from self.bring(held, lying(VIA, 0.0))
        held.look_again(self.needle())
        yield from together(self.bring(held, lying(MEET, 0.0)), receiver.set_jaw(OPEN))
        if not self.in_jaw(giver):
            self.say('PSM2 lost the needle on the way')
            yield from self.back_off(giver)
            return None
        receiver.doing = 'receives the needle'
        taken = yield from self.take(receiver, BY_TAIL, DEPTH)
        yield from self.back_off(giver)
        if not self.in_jaw(receiver):
            self.say('PSM1 did not get the needle')
            yield from self.back_off(receiver)
            return None
        self.handed_over += 1
        self.say('PSM2 handed the needle over to PSM1')
        taken.look_again(self.needle())
        return taken

    def drive(self, held: Held) -> Work:
        """Beside the lips, and round until the tip is out on their other side; True where it is."""
        hand = held.hand
        hand.doing = 'brings the needle to the wound'
        yield from together(self.bring(held, lying(IN_FRONT, BEFORE)), self.park(self.left))
        held.look_again(self.needle())
        yield from self.bring(held, lying(CENTRE, BEFORE), 0.03)
        held.look_again(self.needle())
        yield from self.bring(held, lying(CENTRE, BEFORE), SLOW)
        hand.doing = 'drives the needle through both lips'
        yield from self.turn(held, BEFORE, HALFWAY)
        return self.passage.tip_is_out

    def draw_out(self) -> Work:
        """The left hand takes the needle by its tip, the right one lets go; round, and away with the thread."""
        self.left.doing, self.right.doing = 'takes the tip', 'holds the needle'
        held = yield from self.take(self.left, BY_TIP, DEPTH)
        yield from self.back_off(self.right)
        held.look_again(self.needle())
        self.left.doing = 'draws the needle out'
        yield from together(self.drawing(held), self.park(self.right))
        return self.passage.through

    def drawing(self, held: Held) -> Work:
        start = yaw_of(self.needle())
        yield from self.turn(held, start, OUT)
        held.hand.doing = 'draws the thread'
        for away in ((-0.030, -0.004, 0.0), (-0.050, -0.006, 0.008)):
            yield from self.bring(held, lying(CENTRE + away, OUT), 0.03)

    def make(self) -> Work:
        """One stitch; what is lost on the way is taken again, as long as it lies where a hand comes to."""
        for _ in range(TRIES):
            held = None
            taken = yield from self.pick()
            if taken is not None:
                held = yield from self.hand_over(taken)
            if held is not None:
                out = yield from self.drive(held)
                self.say('the tip is out on the other side' if out else 'PSM1 missed the hole')
                if out and (yield from self.draw_out()):
                    self.say('the needle is through, and its thread follows')
                return
            self.retries += 1
            yield from self.settle()
            if not self.can_be_taken():
                self.say('the needle lies where no hand can take it')
                return

    def settle(self) -> Work:
        """Until a needle that was lost lies still, or moves for longer than anybody looks on."""
        end = self.sight.clock + 1.5
        while self.sight.clock < end and self.sight.speed(NEEDLE) > 0.002:
            yield


class NeedlePerformance(Performance):
    """One stitch through both lips of a wound."""

    title = 'two hands pass a needle, drive it through both lips of a wound and draw its thread after it'
    places = {'PSM1': 'psm1', 'PSM2': 'psm2'}

    def __init__(self, arms):
        super().__init__(arms)
        self.task = Stitch(arms.sight, *arms.hands)
        self.said = self.task.said

    def look(self):
        self.task.look()

    def forth(self, parts: tuple[int, ...]) -> Work:
        return self.task.make()

    def done(self, parts: tuple[int, ...]) -> bool:
        task = self.task
        return bool(task.handed_over and task.passage.through and task.thread_through() and task.in_jaw(task.left))

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {
            'hand-overs': f'{self.task.handed_over}',
            'needle': 'through' if self.task.passage.through else 'not through',
            'thread links': f'{self.task.thread_through()}',
            'losses': f'{self.task.retries}',
        }
