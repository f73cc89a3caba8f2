# SPDX-License-Identifier: BSD-3-Clause
"""Types of parameters."""

import pathlib
from typing import Any, Dict, Mapping, Sequence, Union

from .parameter_descriptions import Parameter, ParameterFile
from launch.some_substitutions_type import SomeSubstitutionsType

SomeParametersDict = Mapping[SomeSubstitutionsType, Any]
SomeParameters = Sequence[Union[
    SomeSubstitutionsType, pathlib.Path, Parameter, ParameterFile, SomeParametersDict]]
EvaluatedParameters = Sequence[Union[pathlib.Path, Parameter, Dict[str, Any]]]
