# SPDX-License-Identifier: BSD-3-Clause
"""The processes below a process, so that none of them is left behind."""

import os
import signal
from typing import Dict, List, NamedTuple, Optional


class _Process(NamedTuple):
    pid: int
    start_time: str  # tells a process from a later one with the same id


def _read_stat(pid: int) -> Optional[List[str]]:
    try:
        with open(f'/proc/{pid}/stat') as file:
            # The second field is the name in parentheses and may hold anything.
            return file.read().rpartition(')')[2].split()
    except OSError:
        return None


def descendants(root: int) -> List[_Process]:
    """Return all processes that descend from the given one."""
    children: Dict[int, List[_Process]] = {}
    for entry in os.listdir('/proc') if os.path.isdir('/proc') else ():
        fields = _read_stat(int(entry)) if entry.isdigit() else None
        if fields:
            children.setdefault(int(fields[1]), []).append(_Process(int(entry), fields[19]))
    found: List[_Process] = []
    level = [root]
    while level:
        below = [child for pid in level for child in children.get(pid, ())]
        found += below
        level = [child.pid for child in below]
    return found


def is_alive(process: _Process) -> bool:
    """Return whether this very process still runs."""
    fields = _read_stat(process.pid)
    return fields is not None and fields[19] == process.start_time and fields[0] != 'Z'


def send_signal(processes: List[_Process], number: signal.Signals) -> None:
    """Signal those that still run."""
    for process in processes:
        if is_alive(process):
            try:
                os.kill(process.pid, number)
            except (ProcessLookupError, PermissionError):
                pass
