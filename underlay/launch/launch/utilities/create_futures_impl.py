# SPDX-License-Identifier: BSD-3-Clause
"""Futures on the launch context's loop."""

import asyncio


def create_future(loop) -> asyncio.Future:
    """Create a future on the given loop, or on the running one."""
    return (loop if loop is not None else asyncio.get_event_loop()).create_future()
