# SPDX-License-Identifier: BSD-3-Clause
"""Reactions to the wish to include a launch description."""

from ..event_handler import BaseEventHandler
from ..events.include_launch_description import IncludeLaunchDescription


class OnIncludeLaunchDescription(BaseEventHandler):
    """Visits the launch description of the event."""

    def __init__(self, **kwargs) -> None:
        super().__init__(
            matcher=lambda event: isinstance(event, IncludeLaunchDescription), **kwargs)

    def handle(self, event, context):
        """Return the launch description."""
        super().handle(event, context)
        return event.launch_description
