# SPDX-License-Identifier: BSD-3-Clause
"""Predicates over the actions that run processes."""

from typing import Callable


def _matches_detail(test: Callable[[dict], bool]) -> Callable:
    # Before the process has started there are no details, and nothing matches.
    return lambda action: action.process_details is not None and test(action.process_details)


def matches_pid(pid: int) -> Callable:
    """Return a matcher for the process with this id."""
    return _matches_detail(lambda details: details['pid'] == pid)


def matches_name(name: str) -> Callable:
    """Return a matcher for the process with this name."""
    return _matches_detail(lambda details: details['name'] == name)


def matches_executable(executable: str) -> Callable:
    """Return a matcher for processes whose command ends with this name or path."""
    return _matches_detail(lambda details: details['cmd'][0].endswith(executable))
