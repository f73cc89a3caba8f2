# SPDX-License-Identifier: BSD-3-Clause
"""The beginning of a scope of the environment."""

from ..action import Action


class PushEnvironment(Action):
    """Saves the environment for a later PopEnvironment."""

    def execute(self, context) -> None:
        """Execute the action."""
        context._push_environment()
