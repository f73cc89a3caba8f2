# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of launch files."""

from typing import Iterable, List, Optional

from ..action import Action
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class DeclareLaunchArgument(Action):
    """Declares an argument that can be given on the command line or by an including file."""

    def __init__(
        self,
        name: str,
        *,
        default_value: Optional[SomeSubstitutionsType] = None,
        description: Optional[str] = None,
        choices: Optional[Iterable[str]] = None,
        **kwargs,
    ) -> None:
        super().__init__(**kwargs)
        self.__name = name
        self.__default_value = (
            None if default_value is None else normalize_to_list_of_substitutions(default_value))
        self.__choices = None if choices is None else list(choices)
        if self.__choices is not None and not self.__choices:
            raise ValueError('Choices are empty')
        self.__description = description or 'no description given'
        if self.__choices is not None:
            self.__description = self.__description.rstrip('. ') + \
                f'. Valid choices are: {self.__choices}'
        # Whether the argument is declared only under some condition; set when a description
        # is searched for its arguments.
        self._conditionally_included = False
        from ..substitutions.text_substitution import TextSubstitution
        if self.__choices is not None and self.__default_value is not None and \
                all(isinstance(sub, TextSubstitution) for sub in self.__default_value):
            default = ''.join(sub.text for sub in self.__default_value)
            if default not in self.__choices:
                raise RuntimeError(
                    f'Provided default_value "{default}" is not in provided choices '
                    f'"{self.__choices}"')

    @property
    def name(self) -> str:
        """Return the argument's name."""
        return self.__name

    @property
    def default_value(self) -> Optional[List[Substitution]]:
        """Return the default value."""
        return self.__default_value

    @property
    def description(self) -> str:
        """Return the description."""
        return self.__description

    @property
    def choices(self) -> Optional[List[str]]:
        """Return the valid values."""
        return self.__choices

    def describe(self) -> str:
        """Return a description of the action."""
        return f"DeclareLaunchArgument(name='{self.__name}')"

    def execute(self, context) -> None:
        """Set the default where no value was given, and check the value."""
        context._known_configurations.add(self.name)
        if self.name not in context.launch_configurations:
            if self.default_value is None:
                raise RuntimeError(
                    f"Required launch argument '{self.name}' (description: "
                    f"'{self.description}') was not provided")
            context.launch_configurations[self.name] = \
                perform_substitutions(context, self.default_value)
        value = context.launch_configurations[self.name]
        if self.choices is not None and value not in self.choices:
            raise RuntimeError(
                f'Argument "{self.name}" provided value "{value}" is not valid. Valid options '
                f'are: {self.choices}')
