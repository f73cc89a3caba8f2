# SPDX-License-Identifier: BSD-3-Clause
"""Evaluation of normalized parameters."""

from collections.abc import Mapping
from typing import Any, Tuple

from .._parameter_values import evaluate_dict
from ..parameter_descriptions import Parameter, ParameterFile


def evaluate_parameters(context, parameters: Any) -> Tuple[Any, ...]:
    """Return a tuple of dictionaries, Parameter objects and paths."""
    evaluated = []
    for item in parameters:
        if isinstance(item, ParameterFile):
            evaluated.append(item.evaluate(context))
        elif isinstance(item, Parameter):
            item.evaluate(context)
            evaluated.append(item)
        elif isinstance(item, Mapping):
            evaluated.append(evaluate_dict(context, item))
        else:
            raise TypeError(f'unexpected parameter {item!r}')
    return tuple(evaluated)
