# SPDX-License-Identifier: BSD-3-Clause
"""Parameters as given to an action, in uniform shape."""

import os
from collections.abc import Mapping
from typing import Any, List

from launch.substitution import Substitution

from ..parameter_descriptions import Parameter, ParameterFile


def normalize_parameters(parameters: Any) -> List[Any]:
    """Return a list of dictionaries, Parameter and ParameterFile objects."""
    if isinstance(parameters, (str, os.PathLike, Mapping)) or \
            not hasattr(parameters, '__iter__'):
        raise TypeError(f"expected 'parameters' to be a list, got '{type(parameters)}'")
    normalized: List[Any] = []
    for item in parameters:
        if isinstance(item, (Mapping, Parameter, ParameterFile)):
            normalized.append(item)
        elif isinstance(item, (str, os.PathLike, Substitution, list, tuple)):
            normalized.append(ParameterFile(item))
        else:
            raise TypeError(
                'expected a parameter to be a dictionary, the path of a file, or a Parameter, '
                f'got {item!r} of type {type(item)}')
    return normalized
