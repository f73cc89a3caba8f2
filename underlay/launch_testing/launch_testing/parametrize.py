"""Several runs of one test file."""

import functools
from typing import Iterable, Sequence, Union


def _names(argnames: Union[str, Sequence[str]]):
    return [name.strip() for name in argnames.split(',')] if isinstance(argnames, str) \
        else list(argnames)


def parametrize(argnames: Union[str, Sequence[str]], argvalues: Iterable):
    """Run the tests once for each value, or tuple of values, on `generate_test_description`."""
    names = _names(argnames)

    def decorate(function):
        runs = []
        for value in argvalues:
            values = (value,) if len(names) == 1 else tuple(value)
            if len(values) != len(names):
                raise ValueError(f'{len(names)} names ({names}) but {len(values)} values: '
                                 f'{values}')
            arguments = dict(zip(names, values))
            # A function that is itself parametrised is run for each combination.
            for partial, inner in getattr(function, '__parametrized__', [(function, {})]):
                runs.append((functools.partial(partial, **arguments), {**arguments, **inner}))

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)
        wrapper.__parametrized__ = runs
        return wrapper
    return decorate
