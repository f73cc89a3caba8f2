# SPDX-License-Identifier: BSD-3-Clause
"""The request to end a process."""

from .process_targeted_event import ProcessTargetedEvent


class ShutdownProcess(ProcessTargetedEvent):
    """Asks for a process to be ended, gently first."""

    name = 'launch.events.process.ShutdownProcess'
