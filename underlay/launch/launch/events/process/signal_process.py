# SPDX-License-Identifier: BSD-3-Clause
"""The request to signal a process."""

import signal
from typing import Union

from .process_targeted_event import ProcessTargetedEvent


class SignalProcess(ProcessTargetedEvent):
    """Asks for a signal to be sent to a process."""

    name = 'launch.events.process.SignalProcess'

    def __init__(self, *, signal_number: Union[str, signal.Signals], process_matcher) -> None:
        super().__init__(process_matcher=process_matcher)
        if isinstance(signal_number, str):
            if not hasattr(signal.Signals, signal_number):
                raise ValueError(f"signal '{signal_number}' does not exist")
            signal_number = signal.Signals[signal_number]
        self.__signal = signal.Signals(signal_number)

    @property
    def signal(self) -> signal.Signals:
        """Return the signal."""
        return self.__signal

    @property
    def signal_name(self) -> str:
        """Return the signal's name, such as SIGINT."""
        return self.__signal.name
