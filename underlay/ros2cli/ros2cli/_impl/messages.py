# SPDX-License-Identifier: BSD-3-Clause
"""Messages as text, and text as messages."""

import array
import sys
from collections import OrderedDict
from typing import Any, Dict, Optional

import numpy as np
import yaml


def import_interface(name: str, kind: str) -> Any:
    """Return the class of an interface such as `std_msgs/msg/String` or `std_msgs/String`."""
    import importlib
    parts = name.split('/')
    if len(parts) == 2:
        parts.insert(1, kind)
    if len(parts) != 3 or parts[1] != kind or not all(parts):
        raise RuntimeError(f"The passed {_KINDS[kind]} type is invalid: '{name}' is not of the "
                           f"form 'package/{kind}/Name'")
    try:
        return getattr(importlib.import_module(f'{parts[0]}.{kind}'), parts[2])
    except (ImportError, AttributeError):
        raise RuntimeError(f"The passed {_KINDS[kind]} type is invalid: '{name}' is not known "
                           '(ros2 interface list shows what is)') from None


_KINDS = {'msg': 'message', 'srv': 'service', 'action': 'action'}


def is_message(value: Any) -> bool:
    """Return whether it is a message."""
    return hasattr(value, 'get_fields_and_field_types')


def _is_sequence(value: Any) -> bool:
    return isinstance(value, (list, tuple, array.array, np.ndarray))


def _to_plain(value: Any, field_type: Optional[str], truncate: Optional[int], no_arr: bool,
              no_str: bool) -> Any:
    if is_message(value):
        return message_to_ordereddict(value, truncate_length=truncate, no_arr=no_arr,
                                      no_str=no_str)
    if isinstance(value, (bytes, str)):
        text = value if isinstance(value, str) else ''.join(map(chr, value))
        if isinstance(value, bytes) and field_type == 'octet':
            return value[0] if value else 0
        if no_str:
            return f'<string length: <{len(text)}>>'
        if truncate is not None and len(text) > truncate:
            return text[:truncate] + '...'
        return text
    if _is_sequence(value):
        if no_arr and field_type is not None:
            if field_type.startswith('sequence<'):
                inner = field_type[len('sequence<'):-1].split(',')[0]
                return f'<sequence type: {inner}, length: {len(value)}>'
            return f'<array type: {field_type}>'
        inner_type = None
        if field_type is not None:
            inner_type = field_type[len('sequence<'):-1].split(',')[0] \
                if field_type.startswith('sequence<') else field_type.rpartition('[')[0]
        cut = truncate is not None and len(value) > truncate
        items = [_to_plain(item, inner_type, truncate, no_arr, no_str)
                 for item in (value[:truncate] if cut else value)]
        return items + ['...'] if cut else items
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.floating):
        return float(value)
    return value


def message_to_ordereddict(msg: Any, *, truncate_length: Optional[int] = None,
                           no_arr: bool = False, no_str: bool = False) -> 'OrderedDict':
    """Return a message's fields in their order."""
    return OrderedDict(
        (name, _to_plain(getattr(msg, name), field_type, truncate_length, no_arr, no_str))
        for name, field_type in msg.get_fields_and_field_types().items())


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


_Dumper.add_representer(
    OrderedDict, lambda dumper, data: dumper.represent_mapping(
        'tag:yaml.org,2002:map', data.items()))


def message_to_yaml(msg: Any, *, truncate_length: Optional[int] = None, no_arr: bool = False,
                    no_str: bool = False, flow_style: bool = False) -> str:
    """Return a message as YAML."""
    return yaml.dump(
        message_to_ordereddict(msg, truncate_length=truncate_length, no_arr=no_arr,
                               no_str=no_str),
        Dumper=_Dumper, allow_unicode=True, width=sys.maxsize, default_flow_style=flow_style,
        sort_keys=False)



def message_to_csv(msg: Any, *, truncate_length: Optional[int] = None, no_arr: bool = False,
                   no_str: bool = False) -> str:
    """Return a message's values, separated by commas."""
    def flatten(value: Any) -> str:
        if isinstance(value, dict):
            return ','.join(flatten(item) for item in value.values())
        if isinstance(value, list):
            return ','.join(flatten(item) for item in value)
        return str(value)
    if is_message(msg):
        return flatten(message_to_ordereddict(msg, truncate_length=truncate_length,
                                              no_arr=no_arr, no_str=no_str))
    return flatten(_to_plain(msg, None, truncate_length, False, no_str))


def get_field(msg: Any, path: str) -> Any:
    """Return the field at a path such as `pose.position.x` or `points[0].x`."""
    value = msg
    for part in path.split('.'):
        name, *indexes = part.replace(']', '').split('[')
        try:
            value = getattr(value, name)
            for index in indexes:
                value = value[int(index)]
        except (AttributeError, IndexError, ValueError) as exc:
            raise RuntimeError(f"Invalid field '{path}': {exc}") from None
    return value


def parse_values(text: str) -> Dict[str, Any]:
    """Read the YAML that describes a message."""
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as exc:
        raise RuntimeError(f'the passed value is no valid YAML: {exc}') from None
    if values is None or values == '':
        return {}
    if not isinstance(values, dict):
        raise RuntimeError('The passed value needs to be a dictionary in YAML format')
    return values


def set_message_fields(msg: Any, values: Dict[str, Any], now: Any = None) -> None:
    """Set fields from a dictionary; `header: auto` and `stamp: now` take the time `now`."""
    if not isinstance(values, dict):
        raise RuntimeError(f"Value '{values}' is expected to be a dictionary but is a "
                           f'{type(values).__name__}')
    if hasattr(msg, '_check_fields'):
        msg._check_fields = True  # by default a value out of range is found only when it is sent
    try:
        for name, value in values.items():
            _set_field(msg, name, value, now)
    except (AttributeError, AssertionError, TypeError, ValueError, OverflowError) as exc:
        raise RuntimeError(f'Failed to populate field: {exc}') from None


def _set_field(msg: Any, name: str, value: Any, now: Any) -> None:
    field = getattr(msg, name)
    field_type = msg.get_fields_and_field_types()[name]
    if is_message(field):
        if now is not None and value == 'auto' and field_type == 'std_msgs/Header':
            field.stamp = now
        elif now is not None and value == 'now' and field_type == 'builtin_interfaces/Time':
            setattr(msg, name, now)
        else:
            set_message_fields(field, {} if value is None else value, now)
        return
    if _is_sequence(field):
        setattr(msg, name, _make_sequence(msg, name, field, value, now))
        return
    if isinstance(field, bytes) and not isinstance(value, bytes):
        value = bytes([value]) if isinstance(value, int) else str(value).encode()
    elif not isinstance(value, type(field)):
        value = type(field)(value)
    setattr(msg, name, value)


def _make_sequence(msg: Any, name: str, field: Any, values: Any, now: Any) -> Any:
    slot = dict(zip(msg.get_fields_and_field_types(), msg.SLOT_TYPES))[name]
    inner = slot.value_type
    if hasattr(inner, 'namespaced_name'):
        package, kind, type_name = inner.namespaced_name()
        cls = import_interface(f'{package}/{kind}/{type_name}', kind)
        items = []
        for value in values:
            item = cls()
            set_message_fields(item, value, now)
            items.append(item)
        return items
    if isinstance(field, np.ndarray):
        return np.array(values, dtype=field.dtype)
    if isinstance(field, array.array):
        return array.array(field.typecode, values)
    kind = getattr(inner, 'typename', '')
    if kind == 'octet':
        return [v if isinstance(v, bytes) else bytes([v]) for v in values]
    if kind in ('float', 'double'):
        return [float(v) for v in values]
    return [str(v) for v in values] if 'String' in type(inner).__name__ else list(values)
