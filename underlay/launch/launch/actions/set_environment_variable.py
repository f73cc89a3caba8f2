"""Values of environment variables."""

from typing import List

from ..action import Action
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class SetEnvironmentVariable(Action):
    """Sets an environment variable for the processes that follow."""

    def __init__(self, name: SomeSubstitutionsType, value: SomeSubstitutionsType,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        self.__name = normalize_to_list_of_substitutions(name)
        self.__value = normalize_to_list_of_substitutions(value)

    @property
    def name(self) -> List[Substitution]:
        """Return the name."""
        return self.__name

    @property
    def value(self) -> List[Substitution]:
        """Return the value."""
        return self.__value

    def execute(self, context) -> None:
        """Execute the action."""
        name = perform_substitutions(context, self.name)
        context.environment[name] = perform_substitutions(context, self.value)
