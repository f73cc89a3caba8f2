# SPDX-License-Identifier: BSD-3-Clause
"""Removal of environment variables."""

from ._named import _Named


class UnsetEnvironmentVariable(_Named):
    """Removes an environment variable, if it is there."""

    def execute(self, context) -> None:
        """Execute the action."""
        context.environment.pop(self._perform_name(context), None)
