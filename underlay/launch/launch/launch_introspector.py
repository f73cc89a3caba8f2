# SPDX-License-Identifier: BSD-3-Clause
"""Launch descriptions as text."""

from typing import List

from .launch_description import LaunchDescription
from .launch_description_entity import LaunchDescriptionEntity
from .utilities import normalize_to_list_of_entities


def _indent(lines: List[str], first: str, rest: str) -> List[str]:
    return [(rest if number else first) + line for number, line in enumerate(lines)]


def format_entities(entities: List[LaunchDescriptionEntity]) -> List[str]:
    """Return the lines of a tree of entities."""
    lines: List[str] = []
    for number, entity in enumerate(entities):
        last = number == len(entities) - 1
        lines += _indent(_format_entity(entity), '└── ' if last else '├── ',
                         '    ' if last else '│   ')
    return lines


def _format_entity(entity: LaunchDescriptionEntity) -> List[str]:
    condition = getattr(entity, 'condition', None)
    under = f' if {condition.describe()}' if condition is not None else ''
    lines = [entity.describe() + under]
    lines += format_entities(normalize_to_list_of_entities(entity.describe_sub_entities()))
    for words, entities in entity.describe_conditional_sub_entities():
        lines += _indent([words, *format_entities(normalize_to_list_of_entities(entities))],
                         '└── ', '    ')
    return lines


class LaunchIntrospector:
    """Formats launch descriptions."""

    def format_launch_description(self, launch_description: LaunchDescription) -> str:
        """Return the description as a tree."""
        return '\n'.join(_format_entity(launch_description))
