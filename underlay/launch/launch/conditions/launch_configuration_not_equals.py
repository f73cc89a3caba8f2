# SPDX-License-Identifier: BSD-3-Clause
"""The opposite of LaunchConfigurationEquals."""

from .launch_configuration_equals import LaunchConfigurationEquals


class LaunchConfigurationNotEquals(LaunchConfigurationEquals):
    """Holds when the launch configuration is absent or has another value."""

    def _predicate_func(self, context) -> bool:
        return not super()._predicate_func(context)
