# SPDX-License-Identifier: BSD-3-Clause
"""Matching of events by their name."""

from typing import Callable

from ..event import Event


def event_named(name: str) -> Callable[[Event], bool]:
    """Return a matcher for events of this name."""
    return lambda event: event.name == name
