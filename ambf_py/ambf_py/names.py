# SPDX-License-Identifier: BSD-3-Clause
"""Finds an object by its name, its identifier, its topic, or a part of them that only it has."""

import difflib
from collections.abc import Iterable, Sequence

from .errors import AmbiguousName, UnknownObject


def bare(name: str) -> str:
    """AMBF publishes names without spaces: 'base link' and 'baselink' are one name."""
    return ''.join(str(name).split())


def nearest(name: str, candidates: Iterable[str], count: int = 5) -> list[str]:
    """The names that a user may have meant, best first."""
    wanted = bare(name).lower()
    by_key: dict[str, str] = {}
    for candidate in candidates:
        for key in (bare(candidate).lower(), bare(candidate).lower().rsplit('/', 1)[-1]):
            by_key.setdefault(key, candidate)
    hits = difflib.get_close_matches(wanted, by_key, n=3 * count, cutoff=0.3)
    return list(dict.fromkeys(by_key[hit] for hit in hits))[:count]


def aliases(full: str, name: str, identifier: str, model: str = '') -> list[str]:
    """What an object is called: its full name, its own, that of the description, and its model's with its own.

    The whole name below the world's is one of them, so that it goes before the end of a longer name.
    """
    below = full.partition('/ambf/env/')[2]
    return [full, name, identifier] + [f'{model}/{name}'] * bool(model) + [below] * bool(below)


def joint_place(identifier: str) -> str:
    """The namespace of a joint, which has no topic: that of its identifier."""
    return identifier.rpartition('/')[0]


def find(name: str, aliases: Sequence[Sequence[str]], what: str = 'object') -> int:
    """Index of the one entry that `name` means; each entry is a list of its names, the full one first.

    >>> find('baselink', [['/ambf/env/psm/baselink', 'base link'], ['/ambf/env/psm/yawlink', 'yaw link']])
    0
    """
    wanted = bare(name).rstrip('/')
    if not wanted:
        raise UnknownObject(f'{what}: found an empty name, expected one of {listed(aliases)}')
    exact = [i for i, names in enumerate(aliases) if any(bare(n) == wanted for n in names)]
    partial = exact or [i for i, names in enumerate(aliases) if any(bare(n).endswith('/' + wanted) for n in names)]
    hits = partial or [i for i, names in enumerate(aliases) if any(wanted in bare(n) for n in names)]
    if len(hits) == 1:
        return hits[0]
    if hits:
        raise AmbiguousName(
            f"{what} '{name}' may mean any of {listed([aliases[i] for i in hits])}; give more of the name"
        )
    offers = nearest(name, [n for names in aliases for n in names[:2]])
    hint = f'did you mean {", ".join(repr(o) for o in offers)}?' if offers else f'there are {listed(aliases)}'
    raise UnknownObject(f"no {what} is called '{name}'; {hint}")


def listed(aliases: Sequence[Sequence[str]], most: int = 12) -> str:
    """The full names, shortened where there are many."""
    names = [repr(entry[0]) for entry in aliases[:most]]
    more = f' and {len(aliases) - most} more' if len(aliases) > most else ''
    return (', '.join(names) or 'none') + more
