# SPDX-License-Identifier: BSD-3-Clause
"""Finds a module that stands behind one of the same name on the path."""

import importlib.machinery
import importlib.util
import os
import sys


def load_other(name: str, file: str) -> bool:
    """Loads the module `name` from another place than the folder of `file` and puts it in its stead.

    For stand-ins that are in front of what they stand in for: the real one wins wherever it is installed.
    """
    here = os.path.realpath(os.path.dirname(file))
    for place in sys.path:
        if os.path.realpath(place or os.curdir) == here:
            continue
        spec = importlib.machinery.PathFinder.find_spec(name, [place])
        if spec is not None and spec.loader is not None and not _is_stand_in(spec.origin) and _load(name, spec):
            return True
    return False


def _load(name: str, spec) -> bool:
    stand_in = sys.modules[name]
    try:
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return True
    except ImportError as error:
        # Made for another Python, or a library of it is missing: the script can do without it.
        sys.modules[name] = stand_in
        print(f'{spec.origin} cannot be used: {error}. The stand-in of ambf_py is.', file=sys.stderr)
        return False


def _is_stand_in(origin) -> bool:
    """Whether this is a second copy of the stand-in, e.g. of another build."""
    try:
        with open(origin, encoding='utf-8') as source:
            return 'ambf_py.installed' in source.read(2000)
    except (OSError, UnicodeDecodeError):
        return False
