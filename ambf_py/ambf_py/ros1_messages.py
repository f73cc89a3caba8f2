# SPDX-License-Identifier: BSD-3-Clause
"""Messages the way ROS 1 lets scripts fill them: by position, and with whole numbers where fractions are expected."""

from collections.abc import Mapping, Sequence
from typing import Any

FRACTIONS = ('float', 'double')
WHOLE = ('int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'byte', 'char', 'octet')


def topic_name(name: str) -> str:
    """ROS 1 takes a slash at the end of a name, ROS 2 does not."""
    return str(name).rstrip('/') or '/'


def make(kind, values: Sequence[Any], fields: Mapping[str, Any]):
    """A message from one of its kind, or from the values of its fields, in order or by name."""
    if len(values) == 1 and isinstance(values[0], kind) and not fields:
        return values[0]
    names = list(kind.get_fields_and_field_types())
    if len(values) > len(names):
        raise TypeError(
            f'{kind.__name__}: found {len(values)} values, expected at most {len(names)}: {", ".join(names)}'
        )
    given = dict(zip(names, values)) | dict(fields)
    unknown = [name for name in given if name not in names]
    if unknown:
        raise TypeError(f'{kind.__name__}: has no field {", ".join(unknown)}; it has {", ".join(names)}')
    message = kind()
    for name, value in given.items():
        setattr(message, name, value)
    return message


def fit(message):
    """The same message with every number of the type that its field has.

    ROS 1 converts numbers; ROS 2 does not look, and would send a whole number in a field for fractions as nonsense.
    """
    for name, kind in message.get_fields_and_field_types().items():
        value = getattr(message, name)
        if kind in FRACTIONS:
            setattr(message, name, float(value))
        elif kind in WHOLE and not isinstance(value, (bytes, str)):
            setattr(message, name, int(value))
        elif kind == 'boolean':
            setattr(message, name, bool(value))
        elif hasattr(value, 'get_fields_and_field_types'):
            fit(value)
        elif isinstance(value, (list, tuple)):
            for item in value:
                if not hasattr(item, 'get_fields_and_field_types'):
                    break
                fit(item)
    return message
