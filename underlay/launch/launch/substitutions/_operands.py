# SPDX-License-Identifier: BSD-3-Clause
"""What substitutions with the same kind of arguments have in common."""

from typing import Any, List

from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class _OneName(Substitution):

    _LABEL = ''

    def __init__(self, name: SomeSubstitutionsType) -> None:
        super().__init__()
        self.__name = normalize_to_list_of_substitutions(name)

    @property
    def name(self) -> List[Substitution]:
        """Return the argument."""
        return self.__name

    def _perform_name(self, context) -> str:
        return perform_substitutions(context, self.__name)

    def describe(self) -> str:
        """Return a description of this substitution."""
        return f"{self._LABEL}({' + '.join(s.describe() for s in self.__name)})"


class _TwoOperands(Substitution):

    def __init__(self, left: Any, right: Any) -> None:
        super().__init__()
        self.__left = self._normalize(left)
        self.__right = self._normalize(right)

    @property
    def left(self) -> List[Substitution]:
        """Return the left argument."""
        return self.__left

    @property
    def right(self) -> List[Substitution]:
        """Return the right argument."""
        return self.__right

    def describe(self) -> str:
        """Return a description of this substitution."""
        left = ' '.join(s.describe() for s in self.left)
        right = ' '.join(s.describe() for s in self.right)
        return f'{type(self).__name__}({left} {right})'

    @staticmethod
    def _normalize(value: Any) -> List[Substitution]:
        return normalize_to_list_of_substitutions(value)
