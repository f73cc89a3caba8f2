# SPDX-License-Identifier: BSD-3-Clause
"""Launch files in Python."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import ModuleType

from ..launch_description import LaunchDescription


class InvalidPythonLaunchFileError(Exception):
    """Raised when a Python file does not give a launch description."""


def load_python_launch_file_as_module(python_launch_file_path: str) -> ModuleType:
    """Load the file as a module."""
    loader = SourceFileLoader('python_launch_file', python_launch_file_path)
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def get_launch_description_from_python_launch_file(
    python_launch_file_path: str,
) -> LaunchDescription:
    """Load the file and call its `generate_launch_description` function."""
    module = load_python_launch_file_as_module(python_launch_file_path)
    if not hasattr(module, 'generate_launch_description'):
        raise InvalidPythonLaunchFileError(
            f"launch file at '{python_launch_file_path}' does not contain the required function "
            "'generate_launch_description()'")
    description = module.generate_launch_description()
    if not isinstance(description, LaunchDescription):
        raise InvalidPythonLaunchFileError(
            f"'generate_launch_description()' of '{python_launch_file_path}' returned "
            f"'{type(description).__name__}', not a LaunchDescription")
    return description
