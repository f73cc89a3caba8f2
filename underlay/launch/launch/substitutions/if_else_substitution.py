# SPDX-License-Identifier: BSD-3-Clause
"""A choice between two values."""

from typing import List

from .boolean_substitution import _to_bool
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class IfElseSubstitution(Substitution):
    """Evaluates to one of two values; only the chosen one is performed."""

    def __init__(self, condition: SomeSubstitutionsType, if_value: SomeSubstitutionsType = '',
                 else_value: SomeSubstitutionsType = '') -> None:
        super().__init__()
        if if_value == else_value == '':
            raise RuntimeError('One of if_value and else_value must be specified')
        self._condition = normalize_to_list_of_substitutions(condition)
        self._if_value = normalize_to_list_of_substitutions(if_value)
        self._else_value = normalize_to_list_of_substitutions(else_value)

    @property
    def condition(self) -> List[Substitution]:
        """Return the condition."""
        return self._condition

    @property
    def if_value(self) -> List[Substitution]:
        """Return the value where the condition is true."""
        return self._if_value

    @property
    def else_value(self) -> List[Substitution]:
        """Return the value where the condition is false."""
        return self._else_value

    def describe(self) -> str:
        """Return a description of this substitution."""
        parts = (' '.join(s.describe() for s in part)
                 for part in (self.condition, self.if_value, self.else_value))
        return f"IfElseSubstitution({', '.join(parts)})"

    def perform(self, context) -> str:
        """Return the chosen value."""
        chosen = self.if_value if _to_bool(context, self.condition) else self.else_value
        return perform_substitutions(context, chosen)
