# SPDX-License-Identifier: BSD-3-Clause
"""Parameters for all nodes that follow."""

from typing import Any

from launch.action import Action
from launch.some_substitutions_type import SomeSubstitutionsType

from ..parameter_descriptions import Parameter


class SetParameter(Action):
    """Sets a parameter of all nodes that follow in this scope; a node's own value wins."""

    def __init__(self, name: SomeSubstitutionsType, value: Any, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__param = Parameter(name, value)

    @property
    def name(self) -> Any:
        """Return the parameter's name."""
        return self.__param.name

    @property
    def value(self) -> Any:
        """Return the parameter's value."""
        return self.__param.value

    def execute(self, context) -> None:
        """Execute the action."""
        name, value = self.__param.evaluate(context)
        # A new list each time: a scope restores the one that was there before.
        known = context.launch_configurations.get('global_params', [])
        context.launch_configurations['global_params'] = [*known, (name, value)]
