# SPDX-License-Identifier: BSD-3-Clause
"""Text to boolean, as strict as conditions want it."""

from typing import List

from .invalid_condition_expression_error import InvalidConditionExpressionError
from ..substitution import Substitution
from ..utilities import perform_substitutions

_VALID_TRUE_EXPRESSIONS = ['true', '1']
_VALID_FALSE_EXPRESSIONS = ['false', '0']


def evaluate_condition_expression(context, expression: List[Substitution]) -> bool:
    """Expand the expression and read it as a boolean."""
    expanded = perform_substitutions(context, expression)
    text = expanded.strip().lower()
    if text in _VALID_TRUE_EXPRESSIONS:
        return True
    if text in _VALID_FALSE_EXPRESSIONS:
        return False
    valid = _VALID_TRUE_EXPRESSIONS + _VALID_FALSE_EXPRESSIONS
    raise InvalidConditionExpressionError(
        f"Invalid condition expression, expected one of {valid} but got '{expanded}'")
