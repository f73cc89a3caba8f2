"""A condition that is an expression."""

from ..condition import Condition
from ..some_substitutions_type import SomeSubstitutionsType
from .evaluate_condition_expression_impl import evaluate_condition_expression
from ..utilities import normalize_to_list_of_substitutions


class IfCondition(Condition):
    """Holds when the expression is true (`true` in any case, or 1)."""

    def __init__(self, predicate_expression: SomeSubstitutionsType) -> None:
        self.__predicate_expression = normalize_to_list_of_substitutions(predicate_expression)
        super().__init__(predicate=lambda context: evaluate_condition_expression(
            context, self.__predicate_expression))

    def describe(self) -> str:
        """Return a description of the condition."""
        return f'IfCondition({[sub.describe() for sub in self.__predicate_expression]})'
