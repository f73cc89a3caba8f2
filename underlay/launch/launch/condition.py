# SPDX-License-Identifier: BSD-3-Clause
"""The condition of an action."""

from typing import Callable, Optional


class Condition:
    """Wraps a predicate over the launch context."""

    def __init__(self, *, predicate: Optional[Callable] = None) -> None:
        self._predicate = predicate
        self._last_evaluation: Optional[bool] = None

    def evaluate(self, context) -> bool:
        """Evaluate the predicate; without one, the result is True."""
        result = True if self._predicate is None else self._predicate(context)
        self._last_evaluation = result
        return result

    def describe(self):
        """Return a description of the condition."""
        return repr(self)
