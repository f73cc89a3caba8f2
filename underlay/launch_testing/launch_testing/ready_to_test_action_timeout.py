# SPDX-License-Identifier: BSD-3-Clause
"""How long the processes may take to get ready."""


def ready_to_test_action_timeout(timeout: float):
    """Set the seconds that ReadyToTest may take, on `generate_test_description`."""
    def mark(function):
        function.__ready_to_test_action_timeout__ = timeout
        return function
    return mark
