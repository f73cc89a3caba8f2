# SPDX-License-Identifier: BSD-3-Clause
"""Predicates over actions."""

from typing import Callable

from ..action import Action


def matches_action(target_action: Action) -> Callable[[Action], bool]:
    """Return a matcher that accepts exactly the given action."""
    return lambda action: action is target_action
