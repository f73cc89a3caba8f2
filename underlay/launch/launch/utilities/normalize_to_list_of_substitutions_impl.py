# SPDX-License-Identifier: BSD-3-Clause
"""Text, a substitution or a sequence of both, as a list of substitutions."""

import collections.abc
from pathlib import Path
from typing import List

from ..substitution import Substitution


def _normalize_one(item) -> Substitution:
    from ..substitutions.text_substitution import TextSubstitution
    if isinstance(item, (str, Path)):
        return TextSubstitution(text=str(item))
    if isinstance(item, Substitution):
        return item
    raise TypeError(f"Failed to normalize given item of type '{type(item)}' ({item!r}), when "
                    "only 'str', 'pathlib.Path' or 'launch.Substitution' were expected.")


def normalize_to_list_of_substitutions(subs) -> List[Substitution]:
    """Return a list of substitutions."""
    if isinstance(subs, (str, Path, Substitution)):
        return [_normalize_one(subs)]
    if isinstance(subs, collections.abc.Iterable):
        return [_normalize_one(item) for item in subs]
    return [_normalize_one(subs)]
