# SPDX-License-Identifier: BSD-3-Clause
"""Values of launch configurations."""

from ._named import _NamedValue


class SetLaunchConfiguration(_NamedValue):
    """Sets a launch configuration."""

    def execute(self, context) -> None:
        """Execute the action."""
        context.launch_configurations[self._perform_name(context)] = self._perform_value(context)
