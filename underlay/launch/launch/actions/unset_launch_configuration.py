# SPDX-License-Identifier: BSD-3-Clause
"""Removal of launch configurations."""

from ._named import _Named


class UnsetLaunchConfiguration(_Named):
    """Removes a launch configuration, if it is there."""

    def execute(self, context) -> None:
        """Execute the action."""
        context.launch_configurations.pop(self._perform_name(context), None)
