# SPDX-License-Identifier: BSD-3-Clause
"""The moment a timer fires."""

from ..event import Event


class TimerEvent(Event):
    """Emitted when a TimerAction's period has passed."""

    name = 'launch.events.TimerEvent'

    def __init__(self, *, timer_action) -> None:
        super().__init__()
        self.__timer_action = timer_action

    @property
    def timer_action(self):
        """Return the timer."""
        return self.__timer_action
