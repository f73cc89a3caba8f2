"""The value of an environment variable."""

from typing import List, Optional

from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class EnvironmentVariable(Substitution):
    """Evaluates to the value of an environment variable."""

    def __init__(self, name: SomeSubstitutionsType, *,
                 default_value: Optional[SomeSubstitutionsType] = None) -> None:
        super().__init__()
        self.__name = normalize_to_list_of_substitutions(name)
        self.__default_value = (
            None if default_value is None else normalize_to_list_of_substitutions(default_value))

    @property
    def name(self) -> List[Substitution]:
        """Return the variable's name."""
        return self.__name

    @property
    def default_value(self) -> Optional[List[Substitution]]:
        """Return the value that is used where the variable is not set."""
        return self.__default_value

    def describe(self) -> str:
        """Return a description of this substitution."""
        return f"EnvVar({' + '.join(s.describe() for s in self.__name)})"

    def perform(self, context) -> str:
        """Return the variable's value, or the default where it is not set."""
        name = perform_substitutions(context, self.__name)
        if name in context.environment:
            return context.environment[name]
        if self.__default_value is None:
            raise SubstitutionFailure(f"environment variable '{name}' does not exist")
        return perform_substitutions(context, self.__default_value)
