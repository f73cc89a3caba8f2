# SPDX-License-Identifier: BSD-3-Clause
"""Parameters, their values and files of them."""

import os
from pathlib import Path
from typing import Any, List, Optional, Tuple

from ._parameter_values import check_value, evaluate_value, value_from_text
from ._parameter_values import write_temporary_file
from ._text_substitutions import perform_in_text
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions
from launch.utilities.type_utils import is_substitution


class ParameterValue:
    """A value with a type that what a substitution gives must have."""

    def __init__(self, value: Any, *, value_type: Optional[type] = None) -> None:
        self.__value = value
        self.__value_type = value_type
        self.__evaluated: Any = None
        self.__is_evaluated = False

    @property
    def value(self) -> Any:
        """Return the value, evaluated once that has happened."""
        return self.__evaluated if self.__is_evaluated else self.__value

    @property
    def value_type(self) -> Optional[type]:
        """Return the type."""
        return self.__value_type

    def __str__(self) -> str:
        return f'ParameterValue(value={self.value!r}, value_type={self.value_type})'

    def evaluate(self, context) -> Any:
        """Evaluate and check the value."""
        value = self.__value
        if is_substitution(value):
            if isinstance(value, (list, tuple)) and \
                    any(isinstance(item, (list, tuple)) for item in value):
                value = [perform_substitutions(context, normalize_to_list_of_substitutions(item))
                         for item in value]
                value = check_value(value, self.__value_type)
            else:
                text = perform_substitutions(context, normalize_to_list_of_substitutions(value))
                value = value_from_text(text, self.__value_type)
        elif isinstance(value, str) and self.__value_type not in (None, str):
            value = value_from_text(value, self.__value_type)
        else:
            value = check_value(evaluate_value(context, value), self.__value_type)
        self.__evaluated, self.__is_evaluated = value, True
        return value


class Parameter:
    """A parameter: name and value."""

    def __init__(self, name: SomeSubstitutionsType, value: Any, *,
                 value_type: Optional[type] = None) -> None:
        self.__name = normalize_to_list_of_substitutions(name)
        self.__value = ParameterValue(value, value_type=value_type)
        self.__evaluated_name: Optional[str] = None

    @property
    def name(self) -> Any:
        """Return the name, evaluated once that has happened."""
        return self.__evaluated_name if self.__evaluated_name is not None else self.__name

    @property
    def value(self) -> Any:
        """Return the value, evaluated once that has happened."""
        return self.__value.value

    @property
    def value_type(self) -> Optional[type]:
        """Return the type."""
        return self.__value.value_type

    def __str__(self) -> str:
        return f'Parameter(name={self.name}, value={self.value!r}, value_type={self.value_type})'

    def evaluate(self, context) -> Tuple[str, Any]:
        """Evaluate name and value."""
        self.__evaluated_name = perform_substitutions(context, self.__name)
        return self.__evaluated_name, self.__value.evaluate(context)


class ParameterFile:
    """A file of parameters, in which substitutions such as `$(var name)` may be allowed."""

    def __init__(self, param_file: SomeSubstitutionsType, *, allow_substs: Any = False) -> None:
        if isinstance(param_file, os.PathLike):
            param_file = os.fspath(param_file)
        self.__param_file: List[Substitution] = normalize_to_list_of_substitutions(param_file)
        self.__allow_substs = allow_substs
        self.__evaluated: Optional[Path] = None

    @property
    def param_file(self) -> Any:
        """Return the path, evaluated once that has happened."""
        return self.__evaluated if self.__evaluated is not None else self.__param_file

    @property
    def allow_substs(self) -> Any:
        """Return whether the file may hold substitutions."""
        return self.__allow_substs

    def __str__(self) -> str:
        return f'ParameterFile(param_file={self.param_file}, allow_substs={self.allow_substs})'

    def evaluate(self, context) -> Path:
        """Return the file to give to a node; a temporary one where there are substitutions."""
        path = perform_substitutions(context, self.__param_file)
        allowed = self.__allow_substs
        if is_substitution(allowed):
            text = perform_substitutions(context, normalize_to_list_of_substitutions(allowed))
            allowed = value_from_text(text, bool)
        if allowed:
            with open(path) as file:
                path = write_temporary_file(perform_in_text(context, file.read()))
        self.__evaluated = Path(path)
        return self.__evaluated

    def cleanup(self) -> None:
        """Forget the evaluated path."""
        self.__evaluated = None
