# SPDX-License-Identifier: BSD-3-Clause
"""Expected output."""

import re
from typing import Any, Callable, List, Optional, Union

_ANSI = re.compile(r'(?:\x1B[@-_]|[\x80-\x9F])[0-?]*[ -/]*[@-~]')


def remove_ansi_escape_sequences(text: str) -> str:
    """Return the text without colours and the like."""
    return _ANSI.sub('', text)


def basic_output_filter(filtered_patterns: List[str]) -> Callable[[str], str]:
    """Return a filter that drops the lines that match one of the patterns."""
    patterns = [re.compile(pattern) for pattern in filtered_patterns]

    def keep(output: str) -> str:
        lines = (line for line in output.splitlines(True)
                 if not any(pattern.search(line) for pattern in patterns))
        return ''.join(lines)
    return keep


def _matches_list(expected: List[Any], lines: List[str], strict: bool) -> bool:
    if strict and len(expected) != len(lines):
        return False
    position = 0
    for item in expected:
        while position < len(lines) and not (
                item.search(lines[position]) if hasattr(item, 'search')
                else item in lines[position]):
            position += 1
            if strict:
                return False
        if position == len(lines):
            return False
        position += 1
    return True


def expect_output(
    *, expected_text: Optional[Union[str, 're.Pattern']] = None,
    expected_lines: Optional[List[Union[str, 're.Pattern']]] = None,
    text: Optional[str] = None, lines: Optional[List[str]] = None, strict: bool = False,
) -> bool:
    """Return whether text or lines are as expected; strict leaves no room for more."""
    if (text is None) == (lines is None):
        raise ValueError("give either 'text' or 'lines'")
    if (expected_text is None) == (expected_lines is None):
        raise ValueError("give either 'expected_text' or 'expected_lines'")
    if text is None:
        text = '\n'.join(lines)
    if lines is None:
        lines = text.splitlines()
    if expected_lines is not None:
        return _matches_list(expected_lines, lines, strict)
    if hasattr(expected_text, 'search'):
        return bool(expected_text.fullmatch(text) if strict else expected_text.search(text))
    return expected_text == text if strict else expected_text in text


def matches_output(expected: Any, text: str) -> bool:
    """Return whether text holds the expected text, pattern or list of these."""
    if callable(expected):
        return bool(expected(text))
    if isinstance(expected, (list, tuple)):
        return _matches_list(list(expected), text.splitlines(), False)
    return bool(expected.search(text)) if hasattr(expected, 'search') else expected in text
