# SPDX-License-Identifier: BSD-3-Clause
"""A launch file of any supported format as a source."""

from .any_launch_file_utilities import get_launch_description_from_any_launch_file
from ..launch_description import LaunchDescription
from ..launch_description_source import LaunchDescriptionSource
from ..some_substitutions_type import SomeSubstitutionsType


class AnyLaunchDescriptionSource(LaunchDescriptionSource):
    """Gives what the launch file describes."""

    def __init__(self, launch_file_path: SomeSubstitutionsType) -> None:
        super().__init__(None, launch_file_path, 'interpreted launch file')

    def _get_launch_description(self, location: str) -> LaunchDescription:
        return get_launch_description_from_any_launch_file(location)
