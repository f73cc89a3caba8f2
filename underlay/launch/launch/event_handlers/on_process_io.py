# SPDX-License-Identifier: BSD-3-Clause
"""Reactions to the output of processes."""

from typing import Callable, Optional, Union

from ..action import Action
from ..events.process import ProcessIO
from .on_action_event_base import OnActionEventBase


class OnProcessIO(OnActionEventBase):
    """Calls a function with each piece of output of a process."""

    def __init__(
        self, *,
        target_action: Optional[Union[Callable[[Action], bool], Action]] = None,
        on_stdin: Optional[Callable] = None,
        on_stdout: Optional[Callable] = None,
        on_stderr: Optional[Callable] = None,
        **kwargs,
    ) -> None:
        from ..actions.execute_local import ExecuteLocal

        def handle(event: ProcessIO, context):
            for applies, callback in ((event.from_stdout, on_stdout),
                                      (event.from_stderr, on_stderr),
                                      (event.from_stdin, on_stdin)):
                if applies and callback is not None:
                    return callback(event)
            return None
        super().__init__(action_matcher=target_action, on_event=handle,
                         target_event_cls=ProcessIO, target_action_cls=ExecuteLocal, **kwargs)
