# SPDX-License-Identifier: BSD-3-Clause
"""The end of the launch system, from a launch file."""

from .. import logging
from .emit_event import EmitEvent
from ..events import Shutdown as ShutdownEvent
from ..events.process import ProcessExited


class Shutdown(EmitEvent):
    """Stops everything that was launched."""

    def __init__(self, *, reason: str = 'reason not given', **kwargs) -> None:
        super().__init__(event=ShutdownEvent(reason=reason), **kwargs)

    def execute(self, context) -> None:
        """Execute the action, naming the process whose end is the cause."""
        event = context.get_locals_as_dict().get('event')
        if isinstance(event, ProcessExited):
            logging.get_logger(event.process_name).info(
                f'process[{event.process_name}] was required: shutting down launched system')
        super().execute(context)
