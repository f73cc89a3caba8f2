# SPDX-License-Identifier: BSD-3-Clause
"""Questions about types that never raise."""

import inspect


def isclassinstance(obj: object) -> bool:
    """Return whether the object is an instance of a class and not itself a class or function."""
    return (hasattr(obj, '__class__') and not inspect.isclass(obj) and
            not inspect.isfunction(obj) and not inspect.ismodule(obj))


def is_a(obj: object, entity_type: type) -> bool:
    """Return whether the object is an instance of the type."""
    return isinstance(obj, entity_type)


def is_a_subclass(obj: object, entity_type: type) -> bool:
    """Return whether the object, a class or an instance, derives from the type."""
    return issubclass(obj if inspect.isclass(obj) else type(obj), entity_type)
