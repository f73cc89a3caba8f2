# SPDX-License-Identifier: BSD-3-Clause
"""Evaluation of a list of substitutions."""

from typing import Iterable

from ..substitution import Substitution


def perform_substitutions(context, subs: Iterable[Substitution]) -> str:
    """Perform each substitution and join the results."""
    return ''.join(context.perform_substitution(sub) for sub in subs)
