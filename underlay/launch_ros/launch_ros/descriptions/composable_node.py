# SPDX-License-Identifier: BSD-3-Clause
"""Nodes that live in a container's process."""

from typing import Any, List, Optional

from launch.condition import Condition
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution
from launch.utilities import normalize_to_list_of_substitutions

from ..remap_rule_type import SomeRemapRules
from ..utilities import normalize_parameters, normalize_remap_rules


class ComposableNode:
    """Describes a component to load."""

    def __init__(
        self, *,
        package: SomeSubstitutionsType,
        plugin: SomeSubstitutionsType,
        name: Optional[SomeSubstitutionsType] = None,
        namespace: Optional[SomeSubstitutionsType] = None,
        parameters: Optional[Any] = None,
        remappings: Optional[SomeRemapRules] = None,
        extra_arguments: Optional[Any] = None,
        condition: Optional[Condition] = None,
    ) -> None:
        self.__package = normalize_to_list_of_substitutions(package)
        self.__node_plugin = normalize_to_list_of_substitutions(plugin)
        self.__node_name = None if name is None else normalize_to_list_of_substitutions(name)
        self.__node_namespace = (
            None if namespace is None else normalize_to_list_of_substitutions(namespace))
        self.__parameters = normalize_parameters(parameters) if parameters else None
        self.__remappings = normalize_remap_rules(remappings) if remappings else None
        self.__extra_arguments = normalize_parameters(extra_arguments) if extra_arguments else None
        self.__condition = condition

    @property
    def package(self) -> List[Substitution]:
        """Return the package of the component."""
        return self.__package

    @property
    def node_plugin(self) -> List[Substitution]:
        """Return the component's class."""
        return self.__node_plugin

    @property
    def node_name(self) -> Optional[List[Substitution]]:
        """Return the node's name."""
        return self.__node_name

    @property
    def node_namespace(self) -> Optional[List[Substitution]]:
        """Return the node's namespace."""
        return self.__node_namespace

    @property
    def parameters(self) -> Optional[List[Any]]:
        """Return the node's parameters."""
        return self.__parameters

    @property
    def remappings(self) -> Optional[List[Any]]:
        """Return the node's remappings."""
        return self.__remappings

    @property
    def extra_arguments(self) -> Optional[List[Any]]:
        """Return the arguments for the container, such as `use_intra_process_comms`."""
        return self.__extra_arguments

    def condition(self) -> Optional[Condition]:
        """Return the condition under which the node is loaded."""
        return self.__condition
