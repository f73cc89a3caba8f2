# SPDX-License-Identifier: BSD-3-Clause
"""Types of remappings."""

from typing import Iterable, Sequence, Tuple

from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution

SomeRemapRule = Tuple[SomeSubstitutionsType, SomeSubstitutionsType]
SomeRemapRules = Iterable[SomeRemapRule]
RemapRule = Tuple[Sequence[Substitution], Sequence[Substitution]]
RemapRules = Sequence[RemapRule]
