# SPDX-License-Identifier: BSD-3-Clause
"""Values of environment variables."""

from ._named import _NamedValue


class SetEnvironmentVariable(_NamedValue):
    """Sets an environment variable for the processes that follow."""

    def execute(self, context) -> None:
        """Execute the action."""
        context.environment[self._perform_name(context)] = self._perform_value(context)
