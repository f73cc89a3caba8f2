# SPDX-License-Identifier: BSD-3-Clause
"""Depth-first visit of a launch description."""

import asyncio
from typing import List, Tuple

from ..launch_description_entity import LaunchDescriptionEntity


def visit_all_entities_and_collect_futures(
    entity: LaunchDescriptionEntity, context,
) -> List[Tuple[LaunchDescriptionEntity, asyncio.Future]]:
    """Visit the entity and all that follows from it; return those that still have work to do."""
    # Each future is handed over at once, so that nothing started is forgotten when a later
    # entity raises.
    pending = context._entity_future_pairs
    first_new = len(pending)
    _visit(entity, context, pending)
    return pending[first_new:]


def _visit(entity, context, pending) -> None:
    sub_entities = entity.visit(context)
    future = entity.get_asyncio_future()
    if future is not None:
        pending.append((entity, future))
    for sub_entity in sub_entities or ():
        _visit(sub_entity, context, pending)
