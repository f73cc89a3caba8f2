# SPDX-License-Identifier: BSD-3-Clause
"""Marks on test descriptions and test methods."""

import functools
import time


def keep_alive(test_description):
    """Keep the launch running while tests run although all its processes have ended."""
    test_description.__markers__ = {
        **getattr(test_description, '__markers__', {}), 'keep_alive': True}
    return test_description


def retry_on_failure(*, times: int, delay: float = None):
    """Run a test method up to so many times until it passes."""
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(times):
                try:
                    return function(*args, **kwargs)
                except AssertionError:
                    if attempt == times - 1:
                        raise
                    if delay is not None:
                        time.sleep(delay)
        return wrapper
    return decorate
