# SPDX-License-Identifier: BSD-3-Clause
"""Functions that the actions of this package share."""

from .evaluate_parameters import evaluate_parameters
from .namespace_utils import is_namespace_absolute, is_root_namespace
from .namespace_utils import make_namespace_absolute, prefix_namespace
from .normalize_parameters import normalize_parameters
from .normalize_remap_rule import normalize_remap_rule, normalize_remap_rules
from .to_parameters_list import to_parameters_list

__all__ = [
    'evaluate_parameters', 'is_namespace_absolute', 'is_root_namespace',
    'make_namespace_absolute', 'normalize_parameters', 'normalize_remap_rule',
    'normalize_remap_rules', 'prefix_namespace', 'to_parameters_list',
]
