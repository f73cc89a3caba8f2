# SPDX-License-Identifier: BSD-3-Clause
"""Where a launch description comes from."""

from typing import Dict, Optional

from .launch_description import LaunchDescription
from .some_substitutions_type import SomeSubstitutionsType
from .utilities import normalize_to_list_of_substitutions, perform_substitutions


class LaunchDescriptionSource:
    """A launch description, or a file that gives one."""

    def __init__(
        self,
        launch_description: Optional[LaunchDescription] = None,
        location: SomeSubstitutionsType = '',
        method: str = 'unspecified mechanism from a script',
    ) -> None:
        self.__launch_description = launch_description
        self.__location = normalize_to_list_of_substitutions(location)
        self.__expanded_location: Optional[str] = None
        self.__method = method
        self.__loaded: Dict[str, LaunchDescription] = {}

    def try_get_launch_description_without_context(self) -> Optional[LaunchDescription]:
        """Return the description if it can be had now, else None."""
        from .launch_context import LaunchContext
        if self.__launch_description is not None:
            return self.__launch_description
        try:
            # What is found here is not final: the location may depend on arguments.
            return self._load(perform_substitutions(LaunchContext(), self.__location))
        except Exception:
            # An unknown location or a broken file: found out when it is run.
            return None

    def get_launch_description(self, context) -> LaunchDescription:
        """Return the description, loading it the first time."""
        if self.__expanded_location is None and self.__location:
            self.__expanded_location = perform_substitutions(context, self.__location)
        if self.__launch_description is None:
            self.__launch_description = self._load(self.__expanded_location)
        return self.__launch_description

    def _load(self, location: Optional[str]) -> LaunchDescription:
        # A file is run once, also when its arguments were asked for before it is launched.
        if location not in self.__loaded:
            self.__loaded[location] = self._get_launch_description(location)
        return self.__loaded[location]

    def _get_launch_description(self, location: str) -> LaunchDescription:
        return LaunchDescription()

    @property
    def location(self) -> str:
        """Return the location, expanded once that has happened."""
        if self.__expanded_location is not None:
            return self.__expanded_location
        return ' + '.join(sub.describe() for sub in self.__location)

    @property
    def method(self) -> str:
        """Return in words how the description is made."""
        return self.__method
