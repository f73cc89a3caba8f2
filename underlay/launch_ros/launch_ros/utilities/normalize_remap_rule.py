# SPDX-License-Identifier: BSD-3-Clause
"""Remappings as lists of substitutions."""

from typing import List

from launch.utilities import normalize_to_list_of_substitutions

from ..remap_rule_type import RemapRule, SomeRemapRule, SomeRemapRules


def normalize_remap_rule(remap_rule: SomeRemapRule) -> RemapRule:
    """Return the rule as a pair of lists of substitutions."""
    if isinstance(remap_rule, str) or len(tuple(remap_rule)) != 2:
        raise TypeError(f"remap rules must be pairs such as ('from', 'to'), got {remap_rule!r}")
    source, target = remap_rule
    return (tuple(normalize_to_list_of_substitutions(source)),
            tuple(normalize_to_list_of_substitutions(target)))


def normalize_remap_rules(remap_rules: SomeRemapRules) -> List[RemapRule]:
    """Return the rules as pairs of lists of substitutions."""
    return [normalize_remap_rule(rule) for rule in remap_rules]
