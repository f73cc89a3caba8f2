# SPDX-License-Identifier: BSD-3-Clause
"""The path of the current launch file."""

from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure


class ThisLaunchFile(Substitution):
    """Evaluates to the path of the current launch file."""

    def describe(self) -> str:
        """Return a description of this substitution."""
        return 'ThisLaunchFile()'

    def perform(self, context) -> str:
        """Return the path."""
        path = context.get_locals_as_dict().get('current_launch_file_path')
        if path is None:
            raise SubstitutionFailure(
                'ThisLaunchFile used outside of a launch file (in a script)')
        return path
