# SPDX-License-Identifier: BSD-3-Clause
"""Namespaces for all nodes that follow."""

from typing import List

from launch.action import Action
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution
from launch.substitutions.substitution_failure import SubstitutionFailure
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from ..utilities import make_namespace_absolute, prefix_namespace


class PushROSNamespace(Action):
    """Puts all nodes that follow in this scope into a namespace."""

    def __init__(self, namespace: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__namespace = normalize_to_list_of_substitutions(namespace)

    @property
    def namespace(self) -> List[Substitution]:
        """Return the namespace."""
        return self.__namespace

    def execute(self, context) -> None:
        """Execute the action."""
        pushed = perform_substitutions(context, self.namespace)
        if '//' in pushed:
            raise SubstitutionFailure(f"the namespace '{pushed}' is not valid: it holds '//'")
        previous = context.launch_configurations.get('ros_namespace')
        namespace = prefix_namespace(previous, pushed)
        if namespace is not None and namespace != '':
            context.launch_configurations['ros_namespace'] = make_namespace_absolute(namespace)


PushRosNamespace = PushROSNamespace
