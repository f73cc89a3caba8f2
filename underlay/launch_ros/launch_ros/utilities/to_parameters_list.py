# SPDX-License-Identifier: BSD-3-Clause
"""Evaluated parameters as messages, for nodes that are loaded into a container."""

from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import yaml

from .namespace_utils import make_namespace_absolute
from ..parameter_descriptions import Parameter


def _sections(tree: Dict[str, Any], prefix: str = '') -> Iterator[Tuple[str, Dict[str, Any]]]:
    """Yield node names and their parameters from the content of a parameter file."""
    for key, value in tree.items():
        if key == 'ros__parameters':
            yield prefix or '/', value or {}
        elif isinstance(value, dict):
            yield from _sections(value, f"{prefix.rstrip('/')}/{str(key).lstrip('/')}")


def _flatten(tree: Dict[str, Any], prefix: str = '') -> Dict[str, Any]:
    flat: Dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat.update(_flatten(value, f'{prefix}{key}.'))
        else:
            flat[f'{prefix}{key}'] = value
    return flat


def _parameters_of_file(path: Path, node_name: str) -> Dict[str, Any]:
    try:
        with open(path) as file:
            content = yaml.safe_load(file)
    except yaml.YAMLError as exc:
        raise RuntimeError(f"parameter file '{path}' does not parse: {exc}") from None
    except OSError as exc:
        raise RuntimeError(f"parameter file '{path}' cannot be read: {exc.strerror}") from None
    if not isinstance(content, dict):
        raise RuntimeError(f"parameter file '{path}' holds no 'node: ros__parameters:' section")
    # No other patterns: a container does not know them, unlike a node that reads the file itself.
    sections = dict(_sections(content))
    return {**_flatten(sections.get('/**', {})), **_flatten(sections.get(node_name, {}))}


def _to_dict(item: Any, full_name: str) -> Dict[str, Any]:
    if isinstance(item, Path):
        return _parameters_of_file(item, full_name)
    if isinstance(item, Parameter):
        return {item.name: item.value}
    return item


def to_parameters_list(context, node_name: str, namespace: str,
                       parameters: Any) -> List[Any]:
    """Return the parameters of one node as messages; of equal names the last wins."""
    from rclpy.parameter import Parameter as RosParameter
    full_name = make_namespace_absolute((namespace or '').rstrip('/') + '/' + (node_name or ''))
    values: Dict[str, Any] = {}
    for item in parameters:
        values.update(_to_dict(item, full_name))
    return [RosParameter(name, value=list(value) if isinstance(value, tuple) else value)
            .to_parameter_msg() for name, value in values.items()]
