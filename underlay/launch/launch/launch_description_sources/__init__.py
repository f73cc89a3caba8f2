# SPDX-License-Identifier: BSD-3-Clause
"""Files that give launch descriptions."""

from .any_launch_description_source import AnyLaunchDescriptionSource
from .any_launch_file_utilities import get_launch_description_from_any_launch_file
from .python_launch_description_source import PythonLaunchDescriptionSource
from .python_launch_file_utilities import get_launch_description_from_python_launch_file
from .python_launch_file_utilities import InvalidPythonLaunchFileError
from .python_launch_file_utilities import load_python_launch_file_as_module

__all__ = [
    'AnyLaunchDescriptionSource', 'InvalidPythonLaunchFileError', 'PythonLaunchDescriptionSource',
    'get_launch_description_from_any_launch_file',
    'get_launch_description_from_python_launch_file', 'load_python_launch_file_as_module',
]
