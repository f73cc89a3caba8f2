# SPDX-License-Identifier: BSD-3-Clause
"""A condition on a launch configuration's value."""

from ..condition import Condition
from ..some_substitutions_type import SomeSubstitutionsType
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class LaunchConfigurationEquals(Condition):
    """Holds when the launch configuration exists and has the expected value."""

    def __init__(self, launch_configuration_name: str, expected_value) -> None:
        self.__name = launch_configuration_name
        self.__expected_value: SomeSubstitutionsType = None
        if expected_value is not None:
            self.__expected_value = normalize_to_list_of_substitutions(expected_value)
        super().__init__(predicate=self._predicate_func)

    def _predicate_func(self, context) -> bool:
        value = context.launch_configurations.get(self.__name)
        if self.__expected_value is None or value is None:
            return self.__expected_value is None and value is None
        return value == perform_substitutions(context, self.__expected_value)
