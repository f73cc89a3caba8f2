# SPDX-License-Identifier: BSD-3-Clause
"""Reactions to the end of a process."""

from typing import Any, Callable, Optional, Union

from ..action import Action
from ..events.process import ProcessExited
from .on_action_event_base import OnActionEventBase
from ..some_entities_type import SomeEntitiesType


class OnProcessExit(OnActionEventBase):
    """Runs entities, or a callable (event, context), on the end of a process."""

    def __init__(
        self, *,
        target_action: Optional[Union[Callable[[Action], bool], Action]] = None,
        on_exit: Union[SomeEntitiesType, Callable[[ProcessExited, Any], Any]],
        **kwargs,
    ) -> None:
        from ..actions.execute_local import ExecuteLocal
        super().__init__(
            action_matcher=target_action, on_event=on_exit, target_event_cls=ProcessExited,
            target_action_cls=ExecuteLocal, **kwargs)
