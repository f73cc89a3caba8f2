# SPDX-License-Identifier: BSD-3-Clause
"""The value of a Python expression."""

import importlib
from typing import List

from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class PythonExpression(Substitution):
    """Evaluates an expression; the named modules (by default math) are at hand."""

    def __init__(self, expression: SomeSubstitutionsType,
                 python_modules: SomeSubstitutionsType = ('math',)) -> None:
        super().__init__()
        self.__expression = normalize_to_list_of_substitutions(expression)
        self.__python_modules = normalize_to_list_of_substitutions(python_modules)

    @property
    def expression(self) -> List[Substitution]:
        """Return the expression."""
        return self.__expression

    @property
    def python_modules(self) -> List[Substitution]:
        """Return the names of the modules that the expression may use."""
        return self.__python_modules

    def describe(self) -> str:
        """Return a description of this substitution."""
        modules = ', '.join(s.describe() for s in self.__python_modules)
        return (f"PythonExpr({' + '.join(s.describe() for s in self.__expression)}, "
                f'[{modules}])')

    def perform(self, context) -> str:
        """Return the result as text."""
        expression = perform_substitutions(context, self.__expression)
        names = {}
        for module_sub in self.__python_modules:
            module_name = perform_substitutions(context, [module_sub])
            module = importlib.import_module(module_name)
            names[module_name] = module
            if module_name == 'math':
                names.update({k: v for k, v in vars(module).items() if not k.startswith('_')})
        try:
            return str(eval(expression, {}, names))
        except Exception as exc:
            raise SubstitutionFailure(
                f"Python expression \"{expression}\" failed: {type(exc).__name__}: {exc}") from exc
