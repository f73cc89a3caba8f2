# SPDX-License-Identifier: BSD-3-Clause
"""Programs on the PATH."""

import shutil

from ._operands import _OneName
from .substitution_failure import SubstitutionFailure


class FindExecutable(_OneName):
    """Evaluates to the path of a program that is found on the PATH."""

    _LABEL = 'FindExec'

    def perform(self, context) -> str:
        """Return the path."""
        name = self._perform_name(context)
        path = shutil.which(name, path=context.environment.get('PATH'))
        if path is None:
            raise SubstitutionFailure(f"executable '{name}' not found on the PATH")
        return path
