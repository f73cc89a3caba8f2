# SPDX-License-Identifier: BSD-3-Clause
"""Python functions as actions."""

from typing import Any, Callable, Dict, Iterable, List, Optional

from ..action import Action
from ..launch_description_entity import LaunchDescriptionEntity


class OpaqueFunction(Action):
    """Calls a function with the launch context; what it returns is visited next."""

    def __init__(
        self, *,
        function: Callable[..., Optional[List[LaunchDescriptionEntity]]],
        args: Optional[Iterable[Any]] = None,
        kwargs: Optional[Dict[str, Any]] = None,
        **left_over_kwargs,
    ) -> None:
        super().__init__(**left_over_kwargs)
        if not callable(function):
            raise TypeError(
                f"OpaqueFunction expected a callable for 'function', got '{type(function)}'")
        self.__function = function
        self.__args = list(args) if args is not None else []
        self.__kwargs = dict(kwargs) if kwargs is not None else {}

    def execute(self, context) -> Optional[List[LaunchDescriptionEntity]]:
        """Execute the action."""
        return self.__function(context, *self.__args, **self.__kwargs)
