# SPDX-License-Identifier: BSD-3-Clause
"""Containers: processes that nodes are loaded into."""

from typing import Any, List, Optional

from launch.some_substitutions_type import SomeSubstitutionsType

from .load_composable_nodes import LoadComposableNodes
from .node import Node
from ..descriptions import ComposableNode


class ComposableNodeContainer(Node):
    """Runs a container and loads nodes into it."""

    def __init__(
        self, *,
        name: SomeSubstitutionsType,
        namespace: SomeSubstitutionsType,
        composable_node_descriptions: Optional[List[ComposableNode]] = None,
        **kwargs,
    ) -> None:
        super().__init__(name=name, namespace=namespace, **kwargs)
        self.__descriptions = composable_node_descriptions

    def execute(self, context) -> Optional[List[Any]]:
        """Execute the action."""
        actions = super().execute(context) or []
        valid = [description for description in self.__descriptions or ()
                 if description.condition() is None or
                 description.condition().evaluate(context)]
        if valid:
            actions = [*actions, LoadComposableNodes(
                composable_node_descriptions=valid, target_container=self)]
        return actions
