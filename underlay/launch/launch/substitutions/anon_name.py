"""Unique names."""

import os
import random
import socket
import sys
from typing import List

from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class AnonName(Substitution):
    """Evaluates to a name that no other launch has; the same argument gives the same name."""

    def __init__(self, name: SomeSubstitutionsType) -> None:
        super().__init__()
        self.__name = normalize_to_list_of_substitutions(name)

    @property
    def name(self) -> List[Substitution]:
        """Return the name's beginning."""
        return self.__name

    def describe(self) -> str:
        """Return a description of this substitution."""
        return f"AnonName({' + '.join(s.describe() for s in self.__name)})"

    def perform(self, context) -> str:
        """Return the name."""
        name = perform_substitutions(context, self.__name)
        key = 'anon' + name
        if key not in context.launch_configurations:
            context.launch_configurations[key] = self.compute_name(name)
        return context.launch_configurations[key]

    def compute_name(self, id_value: str) -> str:
        """Make a new unique name."""
        host = ''.join(c if c.isalnum() else '_' for c in socket.gethostname())
        return f'{id_value}_{host}_{os.getpid()}_{random.randint(0, sys.maxsize)}'
