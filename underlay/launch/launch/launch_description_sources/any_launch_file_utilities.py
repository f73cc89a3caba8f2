# SPDX-License-Identifier: BSD-3-Clause
"""Launch files of whatever format is supported: here, Python."""

import os

from ..launch_description import LaunchDescription
from .python_launch_file_utilities import get_launch_description_from_python_launch_file
from .python_launch_file_utilities import InvalidPythonLaunchFileError


def get_launch_description_from_any_launch_file(launch_file_path: str, *,
                                                parser=None) -> LaunchDescription:
    """Load a launch file."""
    extension = os.path.splitext(launch_file_path)[1]
    if extension in ('.xml', '.yaml', '.yml'):
        raise InvalidPythonLaunchFileError(
            f"'{launch_file_path}': launch files in {extension[1:].upper()} are not supported; "
            'write it in Python (*.launch.py)')
    if not os.path.exists(launch_file_path):
        raise FileNotFoundError(f"launch file '{launch_file_path}' does not exist")
    return get_launch_description_from_python_launch_file(launch_file_path)
