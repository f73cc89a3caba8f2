# SPDX-License-Identifier: BSD-3-Clause
"""The launch system: describe processes and what follows from their events, then run them."""

from . import actions
from . import conditions
from . import descriptions
from . import event_handlers
from . import events
from . import launch_description_sources
from . import logging
from . import substitutions
from . import utilities
from .action import Action
from .condition import Condition
from .event import Event
from .event_handler import BaseEventHandler, EventHandler
from .launch_context import LaunchContext
from .launch_description import LaunchDescription
from .launch_description_entity import LaunchDescriptionEntity
from .launch_description_source import LaunchDescriptionSource
from .launch_introspector import LaunchIntrospector
from .launch_service import LaunchService
from .some_actions_type import SomeActionsType
from .some_entities_type import SomeEntitiesType
from .some_substitutions_type import SomeSubstitutionsType, SomeSubstitutionsType_types_tuple
from .substitution import Substitution

__all__ = [
    'Action', 'BaseEventHandler', 'Condition', 'Event', 'EventHandler', 'LaunchContext',
    'LaunchDescription', 'LaunchDescriptionEntity', 'LaunchDescriptionSource',
    'LaunchIntrospector', 'LaunchService', 'SomeActionsType', 'SomeEntitiesType',
    'SomeSubstitutionsType', 'SomeSubstitutionsType_types_tuple', 'Substitution',
    'actions', 'conditions', 'descriptions', 'event_handlers', 'events',
    'launch_description_sources', 'logging', 'substitutions', 'utilities',
]
