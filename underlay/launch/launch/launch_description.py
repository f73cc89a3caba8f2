# SPDX-License-Identifier: BSD-3-Clause
"""A list of entities that belong together."""

from typing import Iterable, List, Optional, Tuple

from .launch_description_entity import LaunchDescriptionEntity


class LaunchDescription(LaunchDescriptionEntity):
    """What should be launched, in the order in which it is visited."""

    def __init__(
        self,
        initial_entities: Optional[Iterable[LaunchDescriptionEntity]] = None,
        *,
        deprecated_reason: Optional[str] = None,
    ) -> None:
        self.__entities = list(initial_entities) if initial_entities is not None else []
        self.__deprecated_reason = deprecated_reason

    @property
    def entities(self) -> List[LaunchDescriptionEntity]:
        """Return the entities."""
        return self.__entities

    @property
    def deprecated(self) -> bool:
        """Return whether this description should no longer be used."""
        return self.__deprecated_reason is not None

    @property
    def deprecated_reason(self) -> Optional[str]:
        """Return why it should no longer be used."""
        return self.__deprecated_reason

    def visit(self, context) -> Optional[List[LaunchDescriptionEntity]]:
        """Return the entities."""
        return self.__entities

    def describe_sub_entities(self) -> List[LaunchDescriptionEntity]:
        """Return the entities."""
        return self.__entities

    def add_entity(self, entity: LaunchDescriptionEntity) -> None:
        """Add an entity at the end."""
        self.__entities.append(entity)

    def add_action(self, action: LaunchDescriptionEntity) -> None:
        """Add an action at the end."""
        self.add_entity(action)

    def get_launch_arguments(self, conditional_inclusion: bool = False) -> List:
        """Return the declared launch arguments, those of included files too, each name once."""
        return [argument for argument, _ in
                self.get_launch_arguments_with_include_launch_description_actions(
                    conditional_inclusion)]

    def get_launch_arguments_with_include_launch_description_actions(
        self, conditional_inclusion: bool = False,
    ) -> List[Tuple]:
        """Return the declared launch arguments, each with the includes that lead to it."""
        found: List[Tuple] = []
        _collect_arguments(self.__entities, conditional_inclusion, [], found, [self])
        return found


def _collect_arguments(entities, conditional: bool, includes: List, found: List,
                       descriptions: List) -> None:
    from .action import Action
    from .actions.declare_launch_argument import DeclareLaunchArgument
    from .actions.include_launch_description import IncludeLaunchDescription
    from .actions.reset_launch_configurations import ResetLaunchConfigurations
    for entity in entities:
        maybe = conditional or (isinstance(entity, Action) and entity.condition is not None)
        if isinstance(entity, DeclareLaunchArgument):
            if all(entity.name != known.name for known, _ in found):
                entity._conditionally_included = maybe
                found.append((entity, list(includes)))
            continue
        if isinstance(entity, ResetLaunchConfigurations):
            continue
        deeper, sub_entities = includes, entity.describe_sub_entities()
        if isinstance(entity, IncludeLaunchDescription):
            deeper = includes + [entity]
            included = entity._try_get_launch_description_without_context()
            # A file may include itself under a condition.
            if included is None or any(included is known for known in descriptions) or \
                    len(deeper) > 32:
                continue
            sub_entities = included.entities
            descriptions = descriptions + [included]
        _collect_arguments(sub_entities, maybe, deeper, found, descriptions)
        for _, conditional_entities in entity.describe_conditional_sub_entities():
            _collect_arguments(conditional_entities, True, deeper, found, descriptions)
