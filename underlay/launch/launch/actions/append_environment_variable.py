# SPDX-License-Identifier: BSD-3-Clause
"""Additions to environment variables that hold lists."""

import os
from typing import Any, List

from ._named import _NamedValue
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution


class AppendEnvironmentVariable(_NamedValue):
    """Appends (or prepends) a value to an environment variable, setting it if it is not there."""

    def __init__(
        self, name: SomeSubstitutionsType, value: SomeSubstitutionsType,
        prepend: Any = False, separator: SomeSubstitutionsType = os.pathsep, **kwargs,
    ) -> None:
        super().__init__(name, value, **kwargs)
        self.__prepend = normalize_typed_substitution(prepend, bool)
        self.__separator = normalize_to_list_of_substitutions(separator)

    @property
    def prepend(self) -> Any:
        """Return whether the value goes to the front."""
        return self.__prepend

    @property
    def separator(self) -> List[Substitution]:
        """Return what stands between the values."""
        return self.__separator

    def execute(self, context) -> None:
        """Execute the action."""
        name, value = self._perform_name(context), self._perform_value(context)
        if name in context.environment:
            parts = [context.environment[name], value]
            if perform_typed_substitution(context, self.prepend, bool):
                parts.reverse()
            value = perform_substitutions(context, self.separator).join(parts)
        context.environment[name] = value
