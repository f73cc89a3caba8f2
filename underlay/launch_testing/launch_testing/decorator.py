# SPDX-License-Identifier: BSD-3-Clause
"""Decorators of test classes."""


def post_shutdown_test():
    """Mark a test class that runs after the processes have ended."""
    def mark(test_class):
        test_class.__post_shutdown_test__ = True
        return test_class
    return mark
