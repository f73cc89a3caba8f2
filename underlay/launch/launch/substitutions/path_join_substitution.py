# SPDX-License-Identifier: BSD-3-Clause
"""Paths from parts."""

import os
from typing import Iterable, List

from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class PathJoinSubstitution(Substitution):
    """Joins its parts with the path separator; a part may itself be a sequence."""

    def __init__(self, substitutions: Iterable[SomeSubstitutionsType]) -> None:
        self.__substitutions = [
            normalize_to_list_of_substitutions(part) for part in substitutions]

    @property
    def substitutions(self) -> List[List[Substitution]]:
        """Return the parts."""
        return self.__substitutions

    def describe(self) -> str:
        """Return a description of this substitution."""
        parts = (' + '.join(s.describe() for s in part) for part in self.__substitutions)
        return f"PathJoin({', '.join(parts)})"

    def perform(self, context) -> str:
        """Return the path."""
        parts = [perform_substitutions(context, part) for part in self.__substitutions]
        return os.path.join(*parts) if parts else ''
