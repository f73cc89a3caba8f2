# SPDX-License-Identifier: BSD-3-Clause
"""The end of a scope of launch configurations."""

from ..action import Action


class PopLaunchConfigurations(Action):
    """Restores the launch configurations that were pushed last."""

    def execute(self, context) -> None:
        """Execute the action."""
        context._pop_launch_configurations()
