# SPDX-License-Identifier: BSD-3-Clause
"""Asserts about what processes wrote."""

from typing import Any, Optional

from ..tools.output import matches_output, remove_ansi_escape_sequences
from ..util import resolveProcesses


def _assert_in_stream(stream: str, proc_output: Any, expected_output: Any, process: Any,
                      cmd_args: Optional[str], output_filter: Any, strict_proc_matching: bool,
                      strip_ansi_escape_sequences: bool) -> None:
    actions = resolveProcesses(proc_output, process=process, cmd_args=cmd_args,
                               strict_proc_matching=strict_proc_matching)
    for action in actions:
        text = ''.join(event.text.decode(errors='replace') for event in proc_output[action]
                       if getattr(event, f'from_{stream}'))
        if output_filter is not None:
            text = output_filter(text)
        if strip_ansi_escape_sequences:
            text = remove_ansi_escape_sequences(text)
        if matches_output(expected_output, text):
            return
    names = ', '.join(sorted(action.process_details['name'] for action in actions))
    raise AssertionError(f'Did not find {expected_output!r} in the {stream} of any of the '
                         f'matching process(es): [{names}]')


def assertInStdout(
    proc_output: Any, expected_output: Any, process: Any, cmd_args: Optional[str] = None, *,
    output_filter: Any = None, strict_proc_matching: bool = True,
    strip_ansi_escape_sequences: bool = True,
) -> None:
    """Fail unless a process wrote the expected output to stdout."""
    _assert_in_stream('stdout', proc_output, expected_output, process, cmd_args, output_filter,
                      strict_proc_matching, strip_ansi_escape_sequences)


def assertInStderr(
    proc_output: Any, expected_output: Any, process: Any, cmd_args: Optional[str] = None, *,
    output_filter: Any = None, strict_proc_matching: bool = True,
    strip_ansi_escape_sequences: bool = True,
) -> None:
    """Fail unless a process wrote the expected output to stderr."""
    _assert_in_stream('stderr', proc_output, expected_output, process, cmd_args, output_filter,
                      strict_proc_matching, strip_ansi_escape_sequences)
