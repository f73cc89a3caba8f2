# SPDX-License-Identifier: BSD-3-Clause
"""Several runs of one test file."""

import functools
from typing import Iterable, Sequence, Union


def _names(argnames: Union[str, Sequence[str]]):
    return [name.strip() for name in argnames.split(',')] if isinstance(argnames, str) \
        else list(argnames)


def runs_of(function):
    """Return a pair of function and values for each run of a test description."""
    return function() if hasattr(function, '__parametrized__') else [(function, {})]


def parametrize(argnames: Union[str, Sequence[str]], argvalues: Iterable):
    """Run the tests once for each value, or tuple of values, on `generate_test_description`.

    The decorated function yields a pair for each run: the function to call and its values by name.
    """
    names = _names(argnames)
    rows = [tuple(value) if len(names) > 1 or isinstance(value, tuple) else (value,)
            for value in argvalues]
    for row in rows:
        if len(row) != len(names):
            raise ValueError(f'{len(names)} names ({names}) but {len(row)} values: {row}')

    def decorate(function):
        @functools.wraps(function)
        def wrapper():
            for row in rows:
                arguments = dict(zip(names, row))
                # A function that is itself parametrised is run for each combination.
                for inner, values in runs_of(function):
                    bound = functools.partial(inner, **arguments)
                    yield functools.update_wrapper(bound, function), {**arguments, **values}
        wrapper.__parametrized__ = True
        return wrapper
    return decorate
