# SPDX-License-Identifier: BSD-3-Clause
"""One entity or nested sequences of them, as one flat list."""

from typing import List

from ..launch_description_entity import LaunchDescriptionEntity


def normalize_to_list_of_entities(entities) -> List[LaunchDescriptionEntity]:
    """Return a flat list of entities."""
    if isinstance(entities, LaunchDescriptionEntity):
        return [entities]
    try:
        nested = [normalize_to_list_of_entities(entity) for entity in entities]
    except (TypeError, RecursionError):
        raise TypeError(f"expected a launch entity or a list of them, got '{entities!r}' "
                        f"of type '{type(entities)}'") from None
    return [entity for group in nested for entity in group]
