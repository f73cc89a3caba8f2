# SPDX-License-Identifier: BSD-3-Clause
"""A fresh set of launch configurations."""

from typing import Dict, Optional

from ..action import Action
from ..some_substitutions_type import SomeSubstitutionsType
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class ResetLaunchConfigurations(Action):
    """Forgets all launch configurations except the ones given."""

    def __init__(
        self,
        launch_configurations: Optional[Dict[SomeSubstitutionsType, SomeSubstitutionsType]] = None,
        **kwargs,
    ) -> None:
        super().__init__(**kwargs)
        self.__launch_configurations = dict(launch_configurations or {})

    def execute(self, context) -> None:
        """Execute the action."""
        kept = {
            perform_substitutions(context, normalize_to_list_of_substitutions(name)):
            perform_substitutions(context, normalize_to_list_of_substitutions(value))
            for name, value in self.__launch_configurations.items()}
        context.launch_configurations.clear()
        context.launch_configurations.update(kept)
