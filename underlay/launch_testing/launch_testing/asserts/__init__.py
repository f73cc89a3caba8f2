# SPDX-License-Identifier: BSD-3-Clause
"""Asserts for launch tests."""

from .assert_exit_codes import assertExitCodes
from .assert_exit_codes import EXIT_OK, EXIT_SEGFAULT, EXIT_SIGINT, EXIT_SIGKILL, EXIT_SIGQUIT
from .assert_output import assertInStderr, assertInStdout
from .assert_sequential_output import assertSequentialStdout, SequentialTextChecker
from ..util import NO_CMD_ARGS, NoMatchingProcessException

__all__ = [
    'EXIT_OK', 'EXIT_SEGFAULT', 'EXIT_SIGINT', 'EXIT_SIGKILL', 'EXIT_SIGQUIT',
    'NO_CMD_ARGS', 'NoMatchingProcessException', 'SequentialTextChecker', 'assertExitCodes',
    'assertInStderr', 'assertInStdout', 'assertSequentialStdout',
]
