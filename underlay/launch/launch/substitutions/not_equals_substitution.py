# SPDX-License-Identifier: BSD-3-Clause
"""The opposite of EqualsSubstitution."""

from .equals_substitution import EqualsSubstitution


class NotEqualsSubstitution(EqualsSubstitution):
    """Evaluates to 'true' if the sides differ."""

    def perform(self, context) -> str:
        """Return 'true' or 'false'."""
        return 'false' if self._equal(context) else 'true'
