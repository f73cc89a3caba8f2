# SPDX-License-Identifier: BSD-3-Clause
"""The moment the tests may begin."""

from launch.action import Action

_READY_KEY = '_launch_testing_ready'


class ReadyToTest(Action):
    """Starts the tests that run beside the processes."""

    def __init__(self, **kwargs) -> None:
        super().__init__(**kwargs)
        self._callbacks = []

    def _add_callback(self, callback) -> None:
        self._callbacks.append(callback)

    def execute(self, context) -> None:
        """Tell whoever waits."""
        ready = context.get_locals_as_dict().get(_READY_KEY)
        for callback in [*self._callbacks, *([ready] if ready is not None else [])]:
            callback()
