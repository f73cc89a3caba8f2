# SPDX-License-Identifier: BSD-3-Clause
"""Comparison of texts, numbers and booleans."""

import collections.abc
import math
from typing import Any, List, Optional

from ._operands import _TwoOperands
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


def _normalize(value: Any) -> List[Substitution]:
    if value is None:
        value = ''
    if isinstance(value, (str, Substitution)):
        return normalize_to_list_of_substitutions(value)
    if isinstance(value, collections.abc.Iterable):
        return normalize_to_list_of_substitutions(
            [v if isinstance(v, Substitution) else str(v) for v in value])
    return normalize_to_list_of_substitutions(str(value))


def _to_number(text: str) -> Optional[float]:
    if text.strip().lower() in ('true', 'false'):
        return float(text.strip().lower() == 'true')
    try:
        return float(text)
    except ValueError:
        return None


class EqualsSubstitution(_TwoOperands):
    """Evaluates to 'true' if both sides are equal as numbers, booleans or texts."""

    @staticmethod
    def _normalize(value: Any) -> List[Substitution]:
        return _normalize(value)

    def _equal(self, context) -> bool:
        left = perform_substitutions(context, self.left)
        right = perform_substitutions(context, self.right)
        numbers = _to_number(left), _to_number(right)
        if None not in numbers:
            return math.isclose(*numbers)
        return left == right

    def perform(self, context) -> str:
        """Return 'true' or 'false'."""
        return 'true' if self._equal(context) else 'false'
