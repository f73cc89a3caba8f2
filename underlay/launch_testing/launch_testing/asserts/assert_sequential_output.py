# SPDX-License-Identifier: BSD-3-Clause
"""Asserts about the order of what a process wrote."""

from contextlib import contextmanager
from typing import Any, Iterator, Optional

from ..util import resolveProcesses


class SequentialTextChecker:
    """Finds texts one after the other."""

    def __init__(self, text_input: Any) -> None:
        self._text = text_input if isinstance(text_input, str) else ''.join(text_input)
        self._position = 0

    def assertInStdout(self, msg: str) -> None:
        """Fail unless the text stands behind the last one that was found."""
        found = self._text.find(msg, self._position)
        assert found >= 0, (f"'{msg}' not found in sequence after previous match. The output near "
                            f'the last matched line:\n{self.get_nearby_lines()}')
        self._position = found + len(msg)

    assertInText = assertInStdout

    def get_nearby_lines(self) -> str:
        """Return the line of the last match with two before and two after it."""
        line = self._text.count('\n', 0, self._position + 1)
        return '\n'.join(self._text.rstrip('\n').split('\n')[max(line - 2, 0):line + 3])


@contextmanager
def assertSequentialStdout(proc_output: Any, process: Any,
                           cmd_args: Optional[str] = None) -> Iterator[SequentialTextChecker]:
    """Give a checker of the order of a process's stdout."""
    (action,) = resolveProcesses(proc_output, process=process, cmd_args=cmd_args)
    yield SequentialTextChecker(
        event.text.decode(errors='replace') for event in proc_output[action]
        if event.from_stdout)
