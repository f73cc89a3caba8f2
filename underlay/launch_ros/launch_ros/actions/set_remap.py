# SPDX-License-Identifier: BSD-3-Clause
"""Remappings for all nodes that follow."""

from launch.action import Action
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


class SetRemap(Action):
    """Remaps a name in all nodes that follow in this scope, before their own remappings."""

    def __init__(self, src: SomeSubstitutionsType, dst: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__src = normalize_to_list_of_substitutions(src)
        self.__dst = normalize_to_list_of_substitutions(dst)

    @property
    def src(self):
        """Return the name to remap."""
        return self.__src

    @property
    def dst(self):
        """Return the name it becomes."""
        return self.__dst

    def execute(self, context) -> None:
        """Execute the action."""
        rule = (perform_substitutions(context, self.src), perform_substitutions(context, self.dst))
        known = context.launch_configurations.get('ros_remaps', [])
        context.launch_configurations['ros_remaps'] = [*known, rule]
