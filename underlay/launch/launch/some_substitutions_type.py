# SPDX-License-Identifier: BSD-3-Clause
"""Type of the arguments that take text, a substitution, or a sequence of both."""

import collections.abc
from pathlib import Path
from typing import Iterable, Text, Union

from .substitution import Substitution

SomeSubstitutionsType = Union[Text, Path, Substitution, Iterable[Union[Text, Path, Substitution]]]
SomeSubstitutionsType_types_tuple = (str, Path, Substitution, collections.abc.Iterable)
