# SPDX-License-Identifier: BSD-3-Clause
"""A type check whose message names argument and caller."""

import collections.abc


def ensure_argument_type(argument, types, argument_name: str, caller=None) -> None:
    """Raise TypeError unless the argument has the type, or one of the types."""
    allowed = tuple(types) if isinstance(types, collections.abc.Iterable) else (types,)
    if isinstance(argument, allowed):
        return
    names = ', '.join(f"'{t.__name__}'" for t in allowed)
    of_caller = '' if caller is None else f' of {caller}'
    raise TypeError(
        f"Expected '{argument_name}'{of_caller} to be one of [{names}], but got "
        f"'{argument!r}' of type '{type(argument)}'")
