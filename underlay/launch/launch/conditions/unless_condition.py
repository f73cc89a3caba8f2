"""The opposite of IfCondition."""

from ..condition import Condition
from ..some_substitutions_type import SomeSubstitutionsType
from .evaluate_condition_expression_impl import evaluate_condition_expression
from ..utilities import normalize_to_list_of_substitutions


class UnlessCondition(Condition):
    """Holds when the expression is false (`false` in any case, or 0)."""

    def __init__(self, predicate_expression: SomeSubstitutionsType) -> None:
        self.__predicate_expression = normalize_to_list_of_substitutions(predicate_expression)
        super().__init__(predicate=lambda context: not evaluate_condition_expression(
            context, self.__predicate_expression))

    def describe(self) -> str:
        """Return a description of the condition."""
        return f'UnlessCondition({[sub.describe() for sub in self.__predicate_expression]})'
