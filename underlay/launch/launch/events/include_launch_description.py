# SPDX-License-Identifier: BSD-3-Clause
"""The wish to run a launch description."""

from ..event import Event


class IncludeLaunchDescription(Event):
    """Emitted when a launch description should be included."""

    name = 'launch.events.IncludeLaunchDescription'

    def __init__(self, launch_description) -> None:
        super().__init__()
        self.__launch_description = launch_description

    @property
    def launch_description(self):
        """Return the launch description."""
        return self.__launch_description
