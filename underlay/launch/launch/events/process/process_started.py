# SPDX-License-Identifier: BSD-3-Clause
"""The start of a process."""

from .running_process_event import RunningProcessEvent


class ProcessStarted(RunningProcessEvent):
    """Emitted when a process has started."""

    name = 'launch.events.process.ProcessStarted'
