# SPDX-License-Identifier: BSD-3-Clause
"""Actions that share a condition and a scope."""

from typing import Dict, Iterable, List, Optional

from ..action import Action
from ..launch_description_entity import LaunchDescriptionEntity
from .pop_environment import PopEnvironment
from .pop_launch_configurations import PopLaunchConfigurations
from .push_environment import PushEnvironment
from .push_launch_configurations import PushLaunchConfigurations
from .reset_environment import ResetEnvironment
from .reset_launch_configurations import ResetLaunchConfigurations
from .set_launch_configuration import SetLaunchConfiguration
from ..some_substitutions_type import SomeSubstitutionsType


class GroupAction(Action):
    """Runs actions, by default in a scope of their own.

    A scope restores launch configurations and environment at its end. Without forwarding it
    starts with no launch configurations but those given here.
    """

    def __init__(
        self,
        actions: Iterable[LaunchDescriptionEntity],
        *,
        scoped: bool = True,
        forwarding: bool = True,
        launch_configurations: Optional[
            Dict[SomeSubstitutionsType, SomeSubstitutionsType]] = None,
        **left_over_kwargs,
    ) -> None:
        super().__init__(**left_over_kwargs)
        self.__actions = list(actions)
        self.__scoped = scoped
        self.__forwarding = forwarding
        self.__launch_configurations = dict(launch_configurations or {})
        self.__all: Optional[List[LaunchDescriptionEntity]] = None

    def get_sub_entities(self) -> List[LaunchDescriptionEntity]:
        """Return the actions with those that make the scope."""
        if self.__all is not None:
            return self.__all
        settings = [SetLaunchConfiguration(name, value)
                    for name, value in self.__launch_configurations.items()]
        if not self.__scoped:
            self.__all = [*settings, *self.__actions]
            return self.__all
        begin: List[LaunchDescriptionEntity] = [PushLaunchConfigurations(), PushEnvironment()]
        if not self.__forwarding:
            begin += [ResetEnvironment(), ResetLaunchConfigurations(self.__launch_configurations)]
            settings = []
        end = [PopEnvironment(), PopLaunchConfigurations()]
        self.__all = [*begin, *settings, *self.__actions, *end]
        return self.__all

    def describe_sub_entities(self) -> List[LaunchDescriptionEntity]:
        """Return the actions where they are certain to run."""
        return self.get_sub_entities() if self.condition is None else []

    def describe_conditional_sub_entities(self):
        """Return the actions where there is a condition on them."""
        if self.condition is None:
            return []
        return [('Conditionally included by GroupAction', self.get_sub_entities())]

    def execute(self, context) -> List[LaunchDescriptionEntity]:
        """Execute the action."""
        return self.get_sub_entities()
