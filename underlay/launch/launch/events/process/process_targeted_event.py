# SPDX-License-Identifier: BSD-3-Clause
"""Requests to some processes."""

from typing import Callable

from ...event import Event


class ProcessTargetedEvent(Event):
    """A request to the processes that a matcher accepts."""

    name = 'launch.events.process.ProcessTargetedEvent'

    def __init__(self, *, process_matcher: Callable) -> None:
        super().__init__()
        self.__process_matcher = process_matcher

    @property
    def process_matcher(self) -> Callable:
        """Return the matcher."""
        return self.__process_matcher
