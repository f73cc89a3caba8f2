# SPDX-License-Identifier: BSD-3-Clause
"""What actions on named values have in common."""

from typing import List

from ..action import Action
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class _Named(Action):

    def __init__(self, name: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__name = normalize_to_list_of_substitutions(name)

    @property
    def name(self) -> List[Substitution]:
        """Return the name."""
        return self.__name

    def _perform_name(self, context) -> str:
        return perform_substitutions(context, self.__name)


class _NamedValue(_Named):

    def __init__(self, name: SomeSubstitutionsType, value: SomeSubstitutionsType,
                 **kwargs) -> None:
        super().__init__(name, **kwargs)
        self.__value = normalize_to_list_of_substitutions(value)

    @property
    def value(self) -> List[Substitution]:
        """Return the value."""
        return self.__value

    def _perform_value(self, context) -> str:
        return perform_substitutions(context, self.__value)
