# SPDX-License-Identifier: BSD-3-Clause
"""Reactions to the completion of an action."""

from typing import Any, Callable, Optional, Union

from ..action import Action
from ..events.execution_complete import ExecutionComplete
from .on_action_event_base import OnActionEventBase
from ..some_entities_type import SomeEntitiesType


class OnExecutionComplete(OnActionEventBase):
    """Runs entities, or a callable (event, context), on the completion of an action."""

    def __init__(
        self, *,
        target_action: Optional[Union[Callable[[Action], bool], Action]] = None,
        on_completion: Union[SomeEntitiesType, Callable[[ExecutionComplete, Any], Any]],
        **kwargs,
    ) -> None:
        super().__init__(
            action_matcher=target_action, on_event=on_completion,
            target_event_cls=ExecutionComplete, target_action_cls=Action, **kwargs)
