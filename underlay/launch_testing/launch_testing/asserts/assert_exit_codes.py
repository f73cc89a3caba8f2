# SPDX-License-Identifier: BSD-3-Clause
"""Asserts about how processes ended."""

from typing import Any, List, Optional

from launch.events.process import ProcessExited

from ..util import resolveProcesses

EXIT_OK = 0
EXIT_SIGINT = 130
EXIT_SIGQUIT = 131
EXIT_SIGKILL = 137
EXIT_SEGFAULT = 139


def assertExitCodes(
    proc_info: Any, allowable_exit_codes: List[int] = [EXIT_OK], process: Any = None,
    cmd_args: Optional[str] = None, *, strict_proc_matching: bool = True,
) -> None:
    """Fail unless the processes ended with one of the codes.

    The end by a signal counts as 128 plus the signal's number, as in a shell, and as minus the
    number, as in Python.
    """
    for action in resolveProcesses(proc_info, process=process, cmd_args=cmd_args,
                                   strict_proc_matching=strict_proc_matching):
        event = proc_info[action]
        name = action.process_details['name']
        assert isinstance(event, ProcessExited), f'Proc {name} has not exited'
        code = event.returncode
        allowed = code in allowable_exit_codes or \
            (code < 0 and 128 - code in allowable_exit_codes)
        assert allowed, f'Proc {name} exited with code {code}'
