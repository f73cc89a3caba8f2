# SPDX-License-Identifier: BSD-3-Clause
"""The environment as it was."""

from ..action import Action


class ResetEnvironment(Action):
    """Restores the environment that the launch service was started with."""

    def execute(self, context) -> None:
        """Execute the action."""
        context._reset_environment()
