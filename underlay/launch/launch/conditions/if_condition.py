# SPDX-License-Identifier: BSD-3-Clause
"""A condition that is an expression."""

from ..condition import Condition
from ..some_substitutions_type import SomeSubstitutionsType
from .evaluate_condition_expression_impl import evaluate_condition_expression
from ..utilities import normalize_to_list_of_substitutions


class _ExpressionCondition(Condition):

    _HOLDS_WHEN = True

    def __init__(self, predicate_expression: SomeSubstitutionsType) -> None:
        self.__expression = normalize_to_list_of_substitutions(predicate_expression)
        super().__init__(predicate=lambda context: self._HOLDS_WHEN ==
                         evaluate_condition_expression(context, self.__expression))

    def describe(self) -> str:
        """Return a description of the condition."""
        return f'{type(self).__name__}({[sub.describe() for sub in self.__expression]})'


class IfCondition(_ExpressionCondition):
    """Holds when the expression is true (`true` in any case, or 1)."""
