# SPDX-License-Identifier: BSD-3-Clause
"""Type of the arguments that take one or several actions."""

import collections.abc
from typing import Iterable, Union

from .action import Action

SomeActionsType = Union[Action, Iterable[Action]]
SomeActionsType_types_tuple = (Action, collections.abc.Iterable)
