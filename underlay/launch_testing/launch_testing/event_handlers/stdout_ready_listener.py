# SPDX-License-Identifier: BSD-3-Clause
"""Actions once a process has said that it is ready."""

from typing import Any, List, Optional

from launch.actions import ExecuteProcess
from launch.event_handlers import OnProcessIO


class StdoutReadyListener(OnProcessIO):
    """Runs actions when a process has written a text to stdout."""

    def __init__(self, *, target_action: Optional[ExecuteProcess] = None, ready_txt: str,
                 actions: List[Any]) -> None:
        self.__ready_txt = ready_txt
        self.__actions = actions
        self.__seen = ''
        super().__init__(target_action=target_action, on_stdout=self.__on_stdout)

    def __on_stdout(self, event) -> Optional[List[Any]]:
        before = self.__ready_txt in self.__seen
        self.__seen += event.text.decode(errors='replace')
        return self.__actions if not before and self.__ready_txt in self.__seen else None
