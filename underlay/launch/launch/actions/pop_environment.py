# SPDX-License-Identifier: BSD-3-Clause
"""The end of a scope of the environment."""

from ..action import Action


class PopEnvironment(Action):
    """Restores the environment that was pushed last."""

    def execute(self, context) -> None:
        """Execute the action."""
        context._pop_environment()
