# SPDX-License-Identifier: BSD-3-Clause
"""Simulation time against wall time, from looks at both: slope, stalls, excursions."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Sequence

# The world tells of its slip at most so long after it lost the time [s]: it counts over a second.
SLIP_LAG = 1.2
# A stall that lasts longer than this has not been made up for [s].
LONGEST_STALL = 1.0


@dataclasses.dataclass
class Look:
    """Wall time, the step at that moment, by how much the two may miss each other, and the slip told so far [s]."""

    wall: float
    step: int
    within: float
    slip: float


@dataclasses.dataclass
class Drift:
    """All times in seconds; slip counts as simulation time, because it was told."""

    looks: int  # that were used for the slope
    slope_error: float  # of a least-squares fit over them
    without_a_tenth: list[float]  # the same, with each tenth of the run left out in turn
    excursion: float  # largest distance from the wall clock that a look proves
    near: float  # share of the looks that are within two steps, as far as they can tell
    stalls: int  # times that it was further away than two steps
    longest_stall: float
    not_made_up: int  # stalls after which it did not come back


def slope_error(walls: Sequence[float], errors: Sequence[float]) -> float:
    """|slope - 1| of a fit of simulation time, which is `walls` plus `errors`."""
    middle, mean = statistics.fmean(walls), statistics.fmean(errors)
    return abs(sum((w - middle) * (e - mean) for w, e in zip(walls, errors)) / sum((w - middle) ** 2 for w in walls))


def told(looks: Sequence[Look]) -> list[Look]:
    """Without the looks between a loss of time and the word of it: how much was lost by then nobody can say."""
    grows = [b.wall for a, b in zip(looks, looks[1:]) if b.slip > a.slip]
    kept, index = [], 0
    for look in looks:
        while index < len(grows) and grows[index] <= look.wall:
            index += 1
        if index == len(grows) or look.wall <= grows[index] - SLIP_LAG:
            kept.append(look)
    return kept


def analyse(looks: Sequence[Look], step_size: float = 0.001) -> Drift:
    """Raises ValueError where too few looks are left to tell anything."""
    near = 2 * step_size
    certain = told(looks)
    usable = [look for look in certain if look.within <= near]  # others tell more of the one who looked
    if len(usable) < 50:
        raise ValueError(f'{len(usable)} of {len(looks)} looks at the clock are of use, expected at least 50')
    first = usable[0]

    def error(look: Look) -> float:
        return step_size * (look.step - first.step) + look.slip - first.slip - (look.wall - first.wall)

    walls = [look.wall - first.wall for look in usable]
    errors = [error(look) for look in usable]
    middle = statistics.median(errors)
    tenths = []
    for tenth in range(10):
        low, high = tenth * walls[-1] / 10, (tenth + 1) * walls[-1] / 10
        rest = [(w, e) for w, e in zip(walls, errors) if not low <= w < high]
        tenths.append(slope_error(*zip(*rest)))
    stalls, left = [], None
    # What a look proves: it may be wrong by its own uncertainty.
    proven = [(look.wall, max(0.0, abs(error(look) - middle) - look.within)) for look in certain]
    for wall, distance in proven:
        if distance > near and left is None:
            left = wall
        elif distance <= near and left is not None:
            stalls.append(wall - left)
            left = None
    open_end = left is not None
    return Drift(
        looks=len(usable),
        slope_error=slope_error(walls, errors),
        without_a_tenth=tenths,
        excursion=max(distance for _, distance in proven),
        near=sum(distance <= near for _, distance in proven) / len(proven),
        stalls=len(stalls) + open_end,
        longest_stall=max(stalls, default=0.0),
        not_made_up=sum(stall > LONGEST_STALL for stall in stalls) + open_end,
    )
