"""Programs on the PATH."""

import shutil
from typing import List

from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class FindExecutable(Substitution):
    """Evaluates to the path of a program that is found on the PATH."""

    def __init__(self, name: SomeSubstitutionsType) -> None:
        super().__init__()
        self.__name = normalize_to_list_of_substitutions(name)

    @property
    def name(self) -> List[Substitution]:
        """Return the program's name."""
        return self.__name

    def describe(self) -> str:
        """Return a description of this substitution."""
        return f"FindExec({' + '.join(s.describe() for s in self.__name)})"

    def perform(self, context) -> str:
        """Return the path."""
        name = perform_substitutions(context, self.__name)
        path = shutil.which(name, path=context.environment.get('PATH'))
        if path is None:
            raise SubstitutionFailure(f"executable '{name}' not found on the PATH")
        return path
