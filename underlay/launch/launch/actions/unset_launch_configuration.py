"""Removal of launch configurations."""

from typing import List

from ..action import Action
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class UnsetLaunchConfiguration(Action):
    """Removes a launch configuration, if it is there."""

    def __init__(self, name: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__name = normalize_to_list_of_substitutions(name)

    @property
    def name(self) -> List[Substitution]:
        """Return the name."""
        return self.__name

    def execute(self, context) -> None:
        """Execute the action."""
        context.launch_configurations.pop(perform_substitutions(context, self.name), None)
