# SPDX-License-Identifier: BSD-3-Clause
"""Logic on texts that are booleans."""

from typing import Iterable, List, Optional

from ._operands import _TwoOperands
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


def _to_bool(context, subs: List[Substitution]) -> bool:
    text = perform_substitutions(context, subs)
    folded = text.strip().lower()
    if folded in ('true', '1', 'on', 'yes'):
        return True
    if folded in ('false', '0', 'off', 'no'):
        return False
    raise SubstitutionFailure(f"cannot convert '{text}' to a boolean")


def _to_text(value: bool) -> str:
    return 'true' if value else 'false'


class NotSubstitution(Substitution):
    """Evaluates to the opposite of its argument."""

    def __init__(self, value: SomeSubstitutionsType) -> None:
        super().__init__()
        self.__value = normalize_to_list_of_substitutions(value)

    @property
    def value(self) -> List[Substitution]:
        """Return the argument."""
        return self.__value

    def describe(self) -> str:
        """Return a description of this substitution."""
        return f"NotSubstitution({' '.join(s.describe() for s in self.value)})"

    def perform(self, context) -> str:
        """Return 'true' or 'false'."""
        return _to_text(not _to_bool(context, self.value))


class AndSubstitution(_TwoOperands):
    """Evaluates to 'true' if both arguments are true."""

    def perform(self, context) -> str:
        """Return 'true' or 'false'."""
        values = [_to_bool(context, self.left), _to_bool(context, self.right)]
        return _to_text(all(values))


class OrSubstitution(_TwoOperands):
    """Evaluates to 'true' if at least one argument is true."""

    def perform(self, context) -> str:
        """Return 'true' or 'false'."""
        values = [_to_bool(context, self.left), _to_bool(context, self.right)]
        return _to_text(any(values))


class _ManyOperands(Substitution):

    def __init__(self, *args: SomeSubstitutionsType,
                 container: Optional[Iterable[SomeSubstitutionsType]] = None) -> None:
        super().__init__()
        if args and container is not None:
            raise RuntimeError('give the arguments one by one or as a container, not both')
        self.__args = [normalize_to_list_of_substitutions(arg) for arg in (container or args)]

    @property
    def args(self) -> List[List[Substitution]]:
        """Return the arguments."""
        return self.__args

    def describe(self) -> str:
        """Return a description of this substitution."""
        args = (' '.join(s.describe() for s in arg) for arg in self.__args)
        return f"{type(self).__name__}({' '.join(args)})"


class AnySubstitution(_ManyOperands):
    """Evaluates to 'true' if at least one argument is true."""

    def perform(self, context) -> str:
        """Return 'true' or 'false'."""
        return _to_text(any([_to_bool(context, arg) for arg in self.args]))


class AllSubstitution(_ManyOperands):
    """Evaluates to 'true' if all arguments are true."""

    def perform(self, context) -> str:
        """Return 'true' or 'false'."""
        return _to_text(all([_to_bool(context, arg) for arg in self.args]))
