# SPDX-License-Identifier: BSD-3-Clause
"""The beginning of a scope of launch configurations."""

from ..action import Action


class PushLaunchConfigurations(Action):
    """Saves the launch configurations for a later PopLaunchConfigurations."""

    def execute(self, context) -> None:
        """Execute the action."""
        context._push_launch_configurations()
