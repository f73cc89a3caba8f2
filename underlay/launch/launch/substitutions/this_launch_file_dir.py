# SPDX-License-Identifier: BSD-3-Clause
"""The folder of the current launch file."""

from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure


class ThisLaunchFileDir(Substitution):
    """Evaluates to the folder of the current launch file."""

    def describe(self) -> str:
        """Return a description of this substitution."""
        return 'ThisLaunchFileDir()'

    def perform(self, context) -> str:
        """Return the path."""
        path = context.get_locals_as_dict().get('current_launch_file_directory')
        if path is None:
            raise SubstitutionFailure(
                'ThisLaunchFileDir used outside of a launch file (in a script)')
        return path
