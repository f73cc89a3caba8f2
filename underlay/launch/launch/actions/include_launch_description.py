# SPDX-License-Identifier: BSD-3-Clause
"""Launch descriptions within launch descriptions."""

import os
from typing import Iterable, List, Optional, Tuple, Union

from ..action import Action
from .. import logging
from ..launch_description import LaunchDescription
from ..launch_description_entity import LaunchDescriptionEntity
from ..launch_description_source import LaunchDescriptionSource
from ..launch_description_sources import AnyLaunchDescriptionSource
from .opaque_function import OpaqueFunction
from .set_launch_configuration import SetLaunchConfiguration
from ..some_substitutions_type import SomeSubstitutionsType
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions

_FILE_LOCALS = ('current_launch_file_path', 'current_launch_file_directory')


class IncludeLaunchDescription(Action):
    """Visits another launch description with the given arguments.

    This is no scope: arguments and configurations set inside remain for what follows.
    """

    def __init__(
        self,
        launch_description_source: Union[
            LaunchDescriptionSource, LaunchDescription, SomeSubstitutionsType],
        *,
        launch_arguments: Optional[
            Iterable[Tuple[SomeSubstitutionsType, SomeSubstitutionsType]]] = None,
        **kwargs,
    ) -> None:
        super().__init__(**kwargs)
        if isinstance(launch_description_source, LaunchDescription):
            launch_description_source = LaunchDescriptionSource(launch_description_source)
        elif not isinstance(launch_description_source, LaunchDescriptionSource):
            launch_description_source = AnyLaunchDescriptionSource(launch_description_source)
        self.__source = launch_description_source
        self.__launch_arguments = () if launch_arguments is None else tuple(launch_arguments)

    @property
    def launch_description_source(self) -> LaunchDescriptionSource:
        """Return the source."""
        return self.__source

    @property
    def launch_arguments(self) -> Tuple:
        """Return the arguments as pairs."""
        return self.__launch_arguments

    def describe(self) -> str:
        """Return a description of the action."""
        return f'IncludeLaunchDescription({self.__source.location})'

    def describe_sub_entities(self) -> List[LaunchDescriptionEntity]:
        """Return the included description if it can be had now."""
        description = self._try_get_launch_description_without_context()
        return [description] if description is not None else []

    def _try_get_launch_description_without_context(self) -> Optional[LaunchDescription]:
        return self.__source.try_get_launch_description_without_context()

    def _try_get_argument_names(self, context=None) -> List[str]:
        from ..launch_context import LaunchContext
        context = context if context is not None else LaunchContext()
        names = []
        for name, _ in self.__launch_arguments:
            try:
                names.append(perform_substitutions(
                    context, normalize_to_list_of_substitutions(name)))
            except Exception:
                continue  # it depends on arguments that are not known yet
        return names

    def execute(self, context) -> List[LaunchDescriptionEntity]:
        """Execute the action."""
        description = self.__source.get_launch_description(context)
        if description.deprecated:
            logging.get_logger('launch').warning(
                f"The launch description '{self.__source.location}' is deprecated: "
                f'{description.deprecated_reason}')
        self._check_required_arguments(context, description)
        before = {name: context.get_locals_as_dict().get(name) for name in _FILE_LOCALS}
        path = self.__source.location
        if path and os.path.isfile(path):
            path = os.path.abspath(path)
            context.extend_locals(dict(zip(_FILE_LOCALS, (path, os.path.dirname(path)))))
        return [
            *(SetLaunchConfiguration(name, value) for name, value in self.__launch_arguments),
            description,
            OpaqueFunction(function=lambda context: context.extend_locals(before)),
        ]

    def _check_required_arguments(self, context, description: LaunchDescription) -> None:
        given = self._try_get_argument_names(context)
        arguments = description.get_launch_arguments_with_include_launch_description_actions()
        for argument, includes in arguments:
            if argument._conditionally_included or argument.default_value is not None:
                continue
            names = list(given)
            for include in includes:
                names += include._try_get_argument_names()
            if argument.name not in names and argument.name not in context.launch_configurations:
                raise RuntimeError(
                    'Included launch description missing required argument '
                    f"'{argument.name}' (description: '{argument.description}'), "
                    f"given: [{', '.join(given)}]")
