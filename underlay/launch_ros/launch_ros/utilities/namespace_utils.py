# SPDX-License-Identifier: BSD-3-Clause
"""Namespaces of nodes."""

from typing import Optional


def is_root_namespace(ns: str) -> bool:
    """Return whether it is the root."""
    return ns == '/'


def is_namespace_absolute(ns: str) -> bool:
    """Return whether it starts at the root."""
    return ns.startswith('/')


def make_namespace_absolute(ns: str) -> str:
    """Return the namespace starting at the root."""
    return ns if is_namespace_absolute(ns) else '/' + ns


def prefix_namespace(base_ns: Optional[str], ns: Optional[str]) -> Optional[str]:
    """Return `ns` below `base_ns`; an absolute `ns` stays as it is."""
    if ns is None or ns == '':
        return base_ns
    if is_namespace_absolute(ns) or not base_ns:
        return ns if is_root_namespace(ns) else ns.rstrip('/')
    return (base_ns.rstrip('/') + '/' + ns).rstrip('/')
