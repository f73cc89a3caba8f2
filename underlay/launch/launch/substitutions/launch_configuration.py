# SPDX-License-Identifier: BSD-3-Clause
"""The value of a launch configuration, which launch arguments set."""

import collections.abc
from typing import Any, List, Optional

from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class LaunchConfiguration(Substitution):
    """Evaluates to the value of a launch configuration."""

    def __init__(self, variable_name: SomeSubstitutionsType, *, default: Any = None) -> None:
        super().__init__()
        self.__variable_name = normalize_to_list_of_substitutions(variable_name)
        self.__default: Optional[List[Substitution]] = None
        if default is not None:
            if not isinstance(default, (str, Substitution)):
                if isinstance(default, collections.abc.Iterable):
                    default = [item if isinstance(item, Substitution) else str(item)
                               for item in default]
                else:
                    default = str(default)
            self.__default = normalize_to_list_of_substitutions(default)

    @property
    def variable_name(self) -> List[Substitution]:
        """Return the configuration's name."""
        return self.__variable_name

    def describe(self) -> str:
        """Return a description of this substitution."""
        return f"LaunchConfiguration({' + '.join(s.describe() for s in self.__variable_name)})"

    def perform(self, context) -> str:
        """Return the configuration's value, or the default where it is not set."""
        name = perform_substitutions(context, self.__variable_name)
        context._known_configurations.add(name)
        if name in context.launch_configurations:
            return context.launch_configurations[name]
        if self.__default is None:
            raise SubstitutionFailure(f"launch configuration '{name}' does not exist")
        return perform_substitutions(context, self.__default)
