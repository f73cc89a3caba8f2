# SPDX-License-Identifier: BSD-3-Clause
"""What hands do in a world, with a verdict: the base of every task of `ambf-hands` and of the demos that stand on it."""

from .hand import Work


class Performance:
    """A task that hands do in a world from its start, once or again and again.

    A subclass says whose hands it needs (`places`, `endoscope`, or `open` of its own) and what they do (`forth`), and it judges
    what came of it (`done`). It looks at the world through `arms.sight` only, so the same hands work on topics and in one process.
    """

    title = ''  # one line for lists: what is to be seen
    parts: tuple[str, ...] = ()  # what the task consists of, for those who want some of it only; empty: it is one piece
    places: dict[str, str] = {}  # of PSMs by their names, e.g. {'PSM1': 'psm1'}
    endoscope: tuple[str, str] | None = None  # name and place of an arm that looks at what they do

    @classmethod
    def open(cls, *, lockstep: bool, namespace: str):
        """The arms, or whatever else these hands move, as a context manager with `sight`, `hands`, `state`, `client`,
        `lockstep`, `run`, `restart` and `close` as CrtkArms has them."""
        # Needs the messages of arms; not all hands do.
        from .crtk import CrtkArms

        return CrtkArms(cls.places, endoscope=cls.endoscope, lockstep=lockstep, namespace=namespace)

    def __init__(self, arms):
        self.arms = arms
        self.said: list[tuple[float, str]] = []  # time of the world, and what happened

    def say(self, text: str):
        self.said.append((self.arms.sight.time, text))

    def look(self):
        """Called after every look at the world: for what has to be watched all the time."""

    def caption(self) -> str:
        """What the hands are doing just now, for the picture."""
        return ', '.join(f'{hand.arm} {hand.doing}' for hand in self.arms.hands if hand.doing)

    def forth(self, parts: tuple[int, ...]) -> Work:
        """The task, from the world as it is; ends when it is done or when nothing is left to try."""
        raise NotImplementedError

    def back(self, parts: tuple[int, ...]) -> Work | None:
        """How the hands bring things back for the next time; None: the world begins anew instead."""
        return None

    def done(self, parts: tuple[int, ...]) -> bool:
        """Is everything where it belongs after `forth`?"""
        raise NotImplementedError

    def figures(self, parts: tuple[int, ...]) -> dict[str, str]:
        """What was measured on the way, by name: columns of the table of several runs."""
        return {}

    def summary(self, parts: tuple[int, ...]) -> str:
        """What came of it, in words."""
        figures = ', '.join(f'{name} {value}' for name, value in self.figures(parts).items())
        return f'{"done" if self.done(parts) else "not done"}{": " if figures else ""}{figures}'
