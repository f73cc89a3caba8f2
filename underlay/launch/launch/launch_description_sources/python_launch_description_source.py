# SPDX-License-Identifier: BSD-3-Clause
"""A launch file in Python as a source."""

from ..launch_description import LaunchDescription
from ..launch_description_source import LaunchDescriptionSource
from .python_launch_file_utilities import get_launch_description_from_python_launch_file
from ..some_substitutions_type import SomeSubstitutionsType


class PythonLaunchDescriptionSource(LaunchDescriptionSource):
    """Gives what a Python file's `generate_launch_description` returns."""

    def __init__(self, launch_file_path: SomeSubstitutionsType) -> None:
        super().__init__(None, launch_file_path, 'interpreted python launch file')

    def _get_launch_description(self, location: str) -> LaunchDescription:
        return get_launch_description_from_python_launch_file(location)
