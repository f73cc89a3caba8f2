# SPDX-License-Identifier: BSD-3-Clause
"""Type of the arguments that take one or several entities."""

import collections.abc
from typing import Iterable, Union

from .launch_description_entity import LaunchDescriptionEntity

SomeEntitiesType = Union[LaunchDescriptionEntity, Iterable[LaunchDescriptionEntity]]
SomeEntitiesType_types_tuple = (LaunchDescriptionEntity, collections.abc.Iterable)
