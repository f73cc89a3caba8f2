# SPDX-License-Identifier: BSD-3-Clause
"""Values that event handlers find in their context."""

from typing import Optional

from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure


class LocalSubstitution(Substitution):
    """Evaluates an attribute path, such as `event.reason`, on the context's locals."""

    def __init__(self, expression: str, description: Optional[str] = None) -> None:
        super().__init__()
        if not isinstance(expression, str):
            raise TypeError(f"expected 'expression' to be text, got '{type(expression)}'")
        self.__expression = expression
        self.__description = description

    @property
    def expression(self) -> str:
        """Return the expression."""
        return self.__expression

    def describe(self) -> str:
        """Return a description of this substitution."""
        return self.__description or f"LocalVar('{self.__expression}')"

    def perform(self, context) -> str:
        """Return the value as text."""
        value = context.locals
        try:
            for name in self.__expression.split('.'):
                value = getattr(value, name)
        except AttributeError as exc:
            raise SubstitutionFailure(
                f"there is no '{self.__expression}' in this context: {exc}") from exc
        return str(value)
