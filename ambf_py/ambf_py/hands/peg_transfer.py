# SPDX-License-Identifier: BSD-3-Clause
"""Peg transfer by two hands: each ring from its peg to the opposite one, handed over in the air, held by friction alone."""

import numpy as np

from ..rotations import quaternion_from_rpy, transform
from ..tasks.peg_transfer import LEFT, PEG_TOP, REST, RIGHT, RINGS
from .hand import SQUEEZE, Hand, Work, tip_pose, together
from .performance import Performance
from .rings import DEPTH, OPEN, TOP, Grip, grip_towards, upright
from .sight import Sight

ABOVE = 0.030  # of the tip above a ring before it goes down [m]
ABOVE_HELD = 0.016  # where it hangs in the other jaw: higher, and the shaft would have to lie down
CARRY = PEG_TOP + 0.026  # height of the tip when it carries: the ring's lower edge is 8 mm below the tip
MEET = np.array([0.0, 0.0, PEG_TOP + 0.018])  # middle of the ring when it is handed over
PARK = (0.045, 0.765)  # distance from the middle and height of the tip of a hand that has nothing to do
NEAR_PEG = 0.0065  # of a ring's middle from the axis of a peg that it lies around: the hole is a triangle [m]
SLACK = 0.004  # that a held ring may shift in the jaw [m]
REACH = 0.014  # from the tip to the middle of a ring that is held, at most [m]
TRIES = 4  # for one ring, before the hands go on with the others
SLOW = 0.025  # near pegs and rings [m/s]
DOWN = np.array([0.0, 0.0, -1.0])


class Held:
    """A ring in a jaw: where it was in the tip's frame when it was taken."""

    def __init__(self, hand: Hand, ring: int, pose: np.ndarray, grip: Grip):
        self.hand, self.ring, self.grip = hand, ring, grip
        self.look_again(pose)

    def look_again(self, pose: np.ndarray):
        self.t_tip_ring = np.linalg.inv(self.hand.tip()) @ pose


class PegTransfer:
    """Two hands, PSM1 on the side of +x and PSM2 on that of -x; `done` counts rings that were brought over."""

    def __init__(self, sight: Sight, right: Hand, left: Hand):
        self.sight, self.right, self.left = sight, right, left
        self.hands = (right, left)
        self.said: list[tuple[float, str]] = []
        self.handed_over = self.retries = 0

    def say(self, text: str):
        self.said.append((self.sight.time, text))

    # What is seen

    def ring(self, ring: int) -> np.ndarray:
        return upright(self.sight.pose(RINGS[ring]))

    def pegs(self, to_right: bool) -> np.ndarray:
        return RIGHT if to_right else LEFT

    def placed(self, ring: int, to_right: bool) -> bool:
        """It lies on the board around its peg, and lies still."""
        position = self.ring(ring)[:3, 3]
        off = np.linalg.norm(position[:2] - self.pegs(to_right)[ring])
        return bool(off < NEAR_PEG and position[2] < REST + 0.003 and self.sight.speed(RINGS[ring]) < 0.02)

    def placed_count(self, to_right: bool) -> int:
        return sum(self.placed(ring, to_right) for ring in range(len(RINGS)))

    def holds(self, held: Held) -> bool:
        """The ring is still where the jaw took it."""
        now = np.linalg.inv(held.hand.tip()) @ self.ring(held.ring)
        return bool(np.linalg.norm(now[:3, 3] - held.t_tip_ring[:3, 3]) < SLACK)

    # What hands do

    def side(self, hand: Hand) -> np.ndarray:
        """Towards the hand's own side of the board."""
        return np.array([1.0, 0.0, 0.0]) if hand is self.right else np.array([-1.0, 0.0, 0.0])

    def park(self, hand: Hand) -> Work:
        hand.doing = ''
        x, z = PARK
        opens = hand.goal[:3, 1]
        position = np.array([0.0, 0.0, z]) + x * self.side(hand)
        yield from hand.go(hand.nearest(tip_pose(position, DOWN, opens)))

    def take(self, hand: Hand, ring: int, grip: Grip, above_it: float = ABOVE) -> Work:
        """From above the grip: down, close, wait; the result is Held, whether the ring came along is seen later."""
        above = grip.pose(self.ring(ring))
        above = hand.nearest(above)
        out = above[:3, 2]
        high = above.copy()
        high[:3, 3] -= above_it * out
        yield from together(hand.go(high), hand.set_jaw(OPEN))
        # The ring may have moved meanwhile.
        at = hand.nearest(grip.pose(self.ring(ring)))
        yield from hand.go(at, SLOW)
        yield from hand.set_jaw(SQUEEZE, 0.4)
        yield from hand.wait(0.15)
        return Held(hand, ring, self.ring(ring), grip)

    def pick(self, hand: Hand, ring: int) -> Work:
        """Held, lifted above the pegs; None where it slipped."""
        hand.doing = f'takes ring {ring + 1}'
        grip = grip_towards(self.ring(ring), self.side(hand))
        held = yield from self.take(hand, ring, grip)
        lifted = hand.goal.copy()
        lifted[2, 3] = CARRY
        yield from hand.go(lifted, SLOW)
        if self.holds(held):
            held.look_again(self.ring(ring))
            return held
        yield from self.slipped(hand, ring)
        return None

    def slipped(self, hand: Hand, ring: int, how: str = 'lost') -> Work:
        self.say(f'{hand.arm} {how} ring {ring + 1}')
        self.retries += 1
        yield from hand.set_jaw(OPEN)
        up = hand.goal.copy()
        up[2, 3] = max(up[2, 3], CARRY)
        yield from hand.go(up)

    def bring(self, held: Held, position: np.ndarray, speed: float = 0.06) -> Work:
        """The held ring level to a place, turned so that its grip points to the hand's own side."""
        grip = held.grip.side
        yaw = np.arctan2(0.0, self.side(held.hand)[0]) - np.arctan2(grip[1], grip[0])
        level = transform(np.concatenate([position, quaternion_from_rpy(0.0, 0.0, yaw)]))
        yield from held.hand.go(level @ np.linalg.inv(held.t_tip_ring), speed)

    def hand_over(self, held: Held, receiver: Hand) -> Work:
        """Held by the receiver; None where the ring was lost on the way."""
        giver = held.hand
        giver.doing = f'gives ring {held.ring + 1}'
        receiver.doing = f'gets ready for ring {held.ring + 1}'
        yield from together(self.bring(held, MEET), self.make_ready(receiver))
        if not self.holds(held):
            yield from self.slipped(giver, held.ring)
            return None
        receiver.doing = f'receives ring {held.ring + 1}'
        taken = yield from self.take(receiver, held.ring, held.grip.other(), ABOVE_HELD)
        yield from giver.set_jaw(OPEN, 0.3)
        yield from giver.wait(0.1)
        away = giver.goal.copy()
        away[:3, 3] -= 0.02 * away[:3, 2]
        yield from giver.go(away, 0.04)
        taken.look_again(self.ring(held.ring))
        if np.linalg.norm(taken.t_tip_ring[:3, 3]) > REACH:
            yield from self.slipped(receiver, held.ring, 'did not get')
            return None
        self.handed_over += 1
        return taken

    def make_ready(self, hand: Hand) -> Work:
        yield from self.park(hand)
        yield from hand.set_jaw(OPEN)

    def place(self, held: Held, peg: np.ndarray) -> Work:
        """Over the peg, down, let go, up."""
        hand = held.hand
        hand.doing = f'puts ring {held.ring + 1} on its peg'
        over = np.append(peg, CARRY - TOP + DEPTH)
        yield from self.bring(held, over)
        if not self.holds(held):
            yield from self.slipped(hand, held.ring)
            return
        held.look_again(self.ring(held.ring))
        yield from self.bring(held, over)
        yield from self.bring(held, np.append(peg, REST + 0.0008), SLOW)
        yield from hand.set_jaw(OPEN, 0.3)
        yield from hand.wait(0.15)
        up = hand.goal.copy()
        up[:3, 3] -= ABOVE * up[:3, 2]
        yield from hand.go(up, 0.05)

    # The whole task

    def transfer(self, to_right: bool, rings: tuple = tuple(range(len(RINGS)))) -> Work:
        """Every ring to its peg of one side; what slipped or fell is tried again. Ends when nothing is left to try."""
        giver, receiver = (self.left, self.right) if to_right else (self.right, self.left)
        tries = dict.fromkeys(rings, 0)
        while True:
            todo = [r for r in rings if not self.placed(r, to_right) and tries[r] < TRIES]
            if not todo:
                return
            ring = min(todo, key=lambda r: (tries[r], rings.index(r)))
            tries[ring] += 1
            x = self.ring(ring)[0, 3] * self.side(receiver)[0]
            if x > 0.005:  # on the receiver's side already: no need of the other hand
                yield from self.park(giver)
                held = yield from self.pick(receiver, ring)
            else:
                held = None
                taken = yield from self.pick(giver, ring)
                if taken is not None:
                    held = yield from self.hand_over(taken, receiver)
            if held is not None:
                yield from together(self.place(held, self.pegs(to_right)[ring]), self.park(giver))
                if not self.placed(ring, to_right):
                    yield from self.settle(ring)
            if self.placed(ring, to_right):
                self.say(f'ring {ring + 1} is on its peg')
            else:
                self.say(f'ring {ring + 1} is not on its peg: once more')

    def settle(self, ring: int) -> Work:
        """Until a ring that was let go lies still, or rolls for longer than anybody looks on."""
        end = self.sight.clock + 1.0
        while self.sight.speed(RINGS[ring]) > 0.005 and self.sight.clock < end:
            yield

    def run(self, loops: int = 1) -> Work:
        """To the right and back, `loops` times; 0: for ever."""
        count = 0
        while loops == 0 or count < loops:
            count += 1
            yield from self.transfer(True)
            yield from self.transfer(False)


class PegTransferPerformance(Performance):
    """Rings from the left pegs to the right ones with PSM2 and PSM1, and back."""

    title = 'two hands carry six rings across a peg board, hand each over in the air, and bring them back'
    parts = tuple(f'ring {number + 1}' for number in range(len(RINGS)))
    places = {'PSM1': 'psm1', 'PSM2': 'psm2'}

    def __init__(self, arms):
        super().__init__(arms)
        self.task = PegTransfer(arms.sight, *arms.hands)
        self.said = self.task.said
        self.remote_centre = 0.0  # greatest distance of a shaft's line from it [m]

    def look(self):
        self.remote_centre = max(self.remote_centre, *(hand.remote_centre_error() for hand in self.arms.hands))

    def forth(self, parts: tuple[int, ...]) -> Work:
        return self.task.transfer(True, parts)

    def back(self, parts: tuple[int, ...]) -> Work:
        return self.task.transfer(False, parts)

    def placed(self, parts: tuple[int, ...]) -> int:
        return sum(self.task.placed(ring, True) for ring in parts)

    def done(self, parts: tuple[int, ...]) -> bool:
        return self.placed(parts) == len(parts)

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        return {
            'rings': f'{self.placed(parts)} of {len(parts)}',
            'hand-overs': f'{self.task.handed_over}',
            'slips': f'{self.task.retries}',
            'remote centre [mm]': f'{1e3 * self.remote_centre:.4f}',
        }

    def summary(self, parts: tuple[int, ...]) -> str:
        return (
            f'{self.placed(parts)} of {len(parts)} rings on their pegs, {self.task.handed_over} hand-overs, '
            f'{self.task.retries} slips, remote centre within {1e3 * self.remote_centre:.4f} mm'
        )


class WatchedPegTransfer(PegTransferPerformance):
    """The same, and the endoscope follows the instruments."""

    title = 'the same, while the camera arm keeps the instruments in the middle of its picture'
    endoscope = ('ECM', 'ecm')

    def forth(self, parts: tuple[int, ...]) -> Work:
        return self.arms.onlooker.follow(self.arms.hands, super().forth(parts))

    def back(self, parts: tuple[int, ...]) -> Work:
        return self.arms.onlooker.follow(self.arms.hands, super().back(parts))
