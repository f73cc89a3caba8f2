# SPDX-License-Identifier: BSD-3-Clause
"""The text of a file."""

from typing import List

from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class FileContent(Substitution):
    """Evaluates to the content of a file."""

    def __init__(self, path: SomeSubstitutionsType) -> None:
        super().__init__()
        self.__path = normalize_to_list_of_substitutions(path)

    @property
    def path(self) -> List[Substitution]:
        """Return the path."""
        return self.__path

    def describe(self) -> str:
        """Return a description of this substitution."""
        return f"FileContent({' + '.join(s.describe() for s in self.__path)})"

    def perform(self, context) -> str:
        """Return the content."""
        path = perform_substitutions(context, self.__path)
        try:
            with open(path) as file:
                return file.read()
        except OSError as exc:
            raise SubstitutionFailure(f'File not found: {path} ({exc.strerror})') from exc
