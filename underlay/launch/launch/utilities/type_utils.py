# SPDX-License-Identifier: BSD-3-Clause
"""Values of known type that may come out of substitutions."""

import collections.abc
from typing import Any, List, Optional, Tuple, Union

import yaml

from .normalize_to_list_of_substitutions_impl import normalize_to_list_of_substitutions
from .perform_substitutions_impl import perform_substitutions
from ..substitution import Substitution

_SCALARS = (bool, int, float, str)


def extract_type(data_type: Any) -> Tuple[Optional[type], bool]:
    """Return the scalar type and whether a list of it is meant."""
    if data_type is None or data_type in _SCALARS:
        return data_type, False
    if data_type is list:
        return None, True
    if getattr(data_type, '__origin__', None) in (list, List):
        (item,) = data_type.__args__
        if item in _SCALARS:
            return item, True
    raise ValueError(f"unrecognized data type '{data_type}': expected bool, int, float, str "
                     'or a list of one of these')


def is_substitution(value: Any) -> bool:
    """Return whether the value holds a substitution."""
    if isinstance(value, Substitution):
        return True
    return (isinstance(value, collections.abc.Iterable) and not isinstance(value, (str, bytes)) and
            any(is_substitution(item) for item in value))


def _fits(value: Any, data_type: Optional[type]) -> bool:
    if data_type is None:
        return isinstance(value, _SCALARS)
    if data_type is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is data_type


def coerce_to_type(value: str, data_type: Any = None, *, can_be_str: bool = True) -> Any:
    """Read the text as YAML and return a value of the asked type; raise ValueError otherwise."""
    scalar, is_list = extract_type(data_type)
    if scalar is str and not is_list:
        return value
    try:
        loaded = yaml.safe_load(value)
    except yaml.YAMLError:
        loaded = value
    if is_list:
        if not isinstance(loaded, list) or not all(_fits(item, scalar) for item in loaded):
            raise ValueError(f"Cannot convert input '{value}' of type '{type(value)}' "
                             f"to '{data_type}'")
        return [float(item) for item in loaded] if scalar is float else loaded
    if scalar is None:
        items = loaded if isinstance(loaded, list) else [loaded]
        if not all(_fits(item, None) for item in items) or \
                (not can_be_str and any(isinstance(item, str) for item in items)):
            if can_be_str:
                return value
            raise ValueError(f"Cannot convert input '{value}' to a number or a boolean")
        return loaded
    if not _fits(loaded, scalar):
        raise ValueError(f"Cannot convert input '{value}' of type '{type(value)}' "
                         f"to '{data_type}'")
    return float(loaded) if scalar is float else loaded


def normalize_typed_substitution(value: Any, data_type: Any = None) -> Any:
    """Return a list of substitutions, a list of such lists, or the checked value itself."""
    scalar, is_list = extract_type(data_type)
    if is_list and isinstance(value, (list, tuple)) and not isinstance(value, str):
        return [normalize_typed_substitution(item, scalar) for item in value]
    if is_substitution(value) or (isinstance(value, str) and scalar is not str):
        return normalize_to_list_of_substitutions(value)
    if not is_list and not _fits(value, scalar) and not isinstance(value, (list, tuple)):
        raise TypeError(f"value='{value}' is not of type '{data_type}'")
    return value


def perform_typed_substitution(
    context, value: Union[Any, List[Substitution]], data_type: Any = None,
) -> Any:
    """Evaluate what `normalize_typed_substitution` returned and give it the asked type."""
    scalar, is_list = extract_type(data_type)
    if isinstance(value, list) and value and all(isinstance(v, Substitution) for v in value):
        return coerce_to_type(perform_substitutions(context, value), data_type)
    if is_list and isinstance(value, list):
        return [perform_typed_substitution(context, item, scalar) for item in value]
    return value
