# SPDX-License-Identifier: BSD-3-Clause
"""Values of parameters: which there are, and how text becomes one."""

import atexit
import os
import tempfile
from collections.abc import Mapping
from typing import Any, Dict, Optional

import yaml

from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions
from launch.utilities.type_utils import is_substitution

_HINT = ('If the parameter is meant to be a string, try wrapping it in '
         'launch_ros.parameter_descriptions.ParameterValue(value, value_type=str)')
_SCALARS = (bool, int, float, str, bytes)


def _list_type(value_type: Any) -> Any:
    arguments = getattr(value_type, '__args__', None)
    return arguments[0] if arguments else None


def value_from_text(text: str, value_type: Any = None) -> Any:
    """Read a value as YAML does; with a type, insist on it."""
    if value_type is str:
        return text
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        if value_type is None:
            raise TypeError(f'Unable to parse the value of a parameter as yaml. {_HINT}. '
                            f'The value starts with: {text[:60]!r}') from None
        value = text
    return check_value('' if text == '' else value, value_type)


def check_value(value: Any, value_type: Any = None) -> Any:
    """Return the value as a parameter can hold it, or raise TypeError."""
    if isinstance(value, (list, tuple)):
        item_type = _list_type(value_type)
        items = [check_value(item, item_type) for item in value]
        if value_type is not None and item_type is None and value_type is not list:
            raise TypeError(f'expected a value of type {value_type}, got {value!r}')
        types = {type(item) for item in items}
        if types == {int, float}:
            return [float(item) for item in items]
        if len(types) > 1:
            raise TypeError(f'Expected a sequence with items of uniform type, got {value!r}')
        return items
    if value_type is float and type(value) is int:
        return float(value)
    if value_type is not None and type(value) is not value_type:
        raise TypeError(f'expected a value of type {value_type}, got {value!r}')
    if not isinstance(value, _SCALARS):
        raise TypeError(
            'Allowed value types are bytes, bool, int, float, str, Sequence[bool], '
            f'Sequence[int], Sequence[float], Sequence[str]. Got {type(value)}. {_HINT}')
    return value


def evaluate_value(context, value: Any) -> Any:
    """Evaluate one value of a parameter dictionary."""
    if hasattr(value, 'evaluate'):
        return value.evaluate(context)
    if isinstance(value, (list, tuple)) and not isinstance(value, str) and is_substitution(value):
        if any(isinstance(item, (list, tuple)) for item in value):
            return check_value([evaluate_value(context, item) for item in value])
        # A flat list with a substitution in it is one text in pieces.
        text = perform_substitutions(context, normalize_to_list_of_substitutions(value))
        return value_from_text(text)
    if isinstance(value, (list, tuple)):
        return check_value([evaluate_value(context, item) for item in value])
    if is_substitution(value):
        return value_from_text(
            perform_substitutions(context, normalize_to_list_of_substitutions(value)))
    return check_value(value)


def evaluate_dict(context, parameters: Mapping, prefix: str = '') -> Dict[str, Any]:
    """Evaluate a dictionary of parameters; names of nested ones are joined with dots."""
    evaluated: Dict[str, Any] = {}
    for key, value in parameters.items():
        name = prefix + perform_substitutions(context, normalize_to_list_of_substitutions(key))
        if isinstance(value, Mapping):
            evaluated.update(evaluate_dict(context, value, name + '.'))
            continue
        try:
            evaluated[name] = evaluate_value(context, value)
        except TypeError as exc:
            raise TypeError(f"parameter '{name}': {exc}") from None
    return evaluated


class _TextDumper(yaml.SafeDumper):
    """Writes no aliases: readers of parameter files do not know them."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def write_parameters_file(parameters: Dict[str, Any], node_name: Optional[str]) -> str:
    """Write parameters to a temporary file, for one node or for all."""
    content = {node_name or '/**': {'ros__parameters': parameters}}
    return write_temporary_file(yaml.dump(
        content, Dumper=_TextDumper, default_flow_style=False, allow_unicode=True))


def write_temporary_file(text: str) -> str:
    """Write a parameter file that lives as long as the launch does."""
    with tempfile.NamedTemporaryFile(
            mode='w', prefix='launch_params_', delete=False) as file:
        file.write(text)
    atexit.register(_remove, file.name, os.getpid())
    return file.name


def _remove(path: str, pid: int) -> None:
    if os.getpid() == pid:
        try:
            os.remove(path)
        except OSError:
            pass
