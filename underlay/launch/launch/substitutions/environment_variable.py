# SPDX-License-Identifier: BSD-3-Clause
"""The value of an environment variable."""

from typing import List, Optional

from ._operands import _OneName
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class EnvironmentVariable(_OneName):
    """Evaluates to the value of an environment variable."""

    _LABEL = 'EnvVar'

    def __init__(self, name: SomeSubstitutionsType, *,
                 default_value: Optional[SomeSubstitutionsType] = None) -> None:
        super().__init__(name)
        self.__default_value = (
            None if default_value is None else normalize_to_list_of_substitutions(default_value))

    @property
    def default_value(self) -> Optional[List[Substitution]]:
        """Return the value that is used where the variable is not set."""
        return self.__default_value

    def perform(self, context) -> str:
        """Return the variable's value, or the default where it is not set."""
        name = self._perform_name(context)
        if name in context.environment:
            return context.environment[name]
        if self.__default_value is None:
            raise SubstitutionFailure(f"environment variable '{name}' does not exist")
        return perform_substitutions(context, self.__default_value)
