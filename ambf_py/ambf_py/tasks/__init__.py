# SPDX-License-Identifier: BSD-3-Clause
"""Three tasks of surgical training, each with a scripted policy that solves it."""

from .needle_pick import NeedlePickPolicy, NeedlePickTask
from .peg_transfer import PegTransferPolicy, PegTransferTask
from .reach import ReachPolicy, ReachTask

TASKS = {
    'reach': (ReachTask, ReachPolicy),
    'peg_transfer': (PegTransferTask, PegTransferPolicy),
    'needle_pick': (NeedlePickTask, NeedlePickPolicy),
}

__all__ = [
    'NeedlePickPolicy',
    'NeedlePickTask',
    'PegTransferPolicy',
    'PegTransferTask',
    'ReachPolicy',
    'ReachTask',
    'TASKS',
]
