# SPDX-License-Identifier: BSD-3-Clause
"""Parameter files for all nodes that follow."""

from launch.action import Action
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


class SetParametersFromFile(Action):
    """Gives a parameter file to all nodes that follow in this scope."""

    def __init__(self, filename: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self._input_file = normalize_to_list_of_substitutions(filename)

    def execute(self, context) -> None:
        """Execute the action."""
        path = perform_substitutions(context, self._input_file)
        known = context.launch_configurations.get('global_params', [])
        context.launch_configurations['global_params'] = [*known, path]
