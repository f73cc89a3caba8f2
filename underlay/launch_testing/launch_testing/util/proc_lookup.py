# SPDX-License-Identifier: BSD-3-Clause
"""Processes by action, by name and by arguments."""

import os
from typing import List, Optional, Union

from launch.actions import ExecuteProcess


class NoMatchingProcessException(Exception):
    """Raised when no process fits what was asked for."""


class _NoArguments:
    pass


# Asks for the process that was started without arguments.
NO_CMD_ARGS = _NoArguments()


def _matches_name(action: ExecuteProcess, name: str) -> bool:
    details = action.process_details
    return name in details['name'] or name in os.path.basename(details['cmd'][0])


def _matches_arguments(action: ExecuteProcess, cmd_args) -> bool:
    arguments = action.process_details['cmd'][1:]
    if cmd_args is NO_CMD_ARGS:
        return not arguments
    return any(cmd_args in argument for argument in arguments)


def _describe(action: ExecuteProcess) -> str:
    if action.process_details:
        return ' '.join([action.process_details['name'], *action.process_details['cmd'][1:]])
    try:
        # Plain text is known before the launch, other substitutions are not.
        return ' '.join(''.join(part.perform(None) for part in word)
                        for word in action.process_description.cmd)
    except Exception:
        return 'Unknown - Process not launched yet'


def resolveProcesses(
    info_obj, *, process: Optional[Union[str, ExecuteProcess]] = None,
    cmd_args: Optional[str] = None, strict_proc_matching: bool = True,
) -> List[ExecuteProcess]:
    """Return the processes that fit; strict matching insists on exactly one for a name."""
    known = list(info_obj.processes())
    if process is None:
        if not known:
            raise NoMatchingProcessException('No processes found')
        return known
    if not isinstance(process, str):
        if process in known:
            return [process]
        raise NoMatchingProcessException(f'No data recorded for proc {_describe(process)}')
    found = [action for action in known if _matches_name(action, process)]
    if cmd_args is not None:
        found = [action for action in found if _matches_arguments(action, cmd_args)]
    names = [action.process_details['name'] for action in known]
    if not found:
        raise NoMatchingProcessException(
            f"Did not find any process matching name '{process}' and args '{cmd_args}'. "
            f'Processes: {names}')
    if strict_proc_matching and len(found) > 1:
        raise NoMatchingProcessException(
            f"Found multiple processes matching name '{process}' and cmd_args '{cmd_args}'. "
            f"Processes: {[action.process_details['name'] for action in found]}")
    return found
