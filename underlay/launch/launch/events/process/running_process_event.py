# SPDX-License-Identifier: BSD-3-Clause
"""What all events of a running process carry."""

from typing import Dict, List, Optional

from ...event import Event


class RunningProcessEvent(Event):
    """An event of one process."""

    name = 'launch.events.process.RunningProcessEvent'

    def __init__(
        self, *, action, name: str, cmd: List[str], cwd: Optional[str],
        env: Optional[Dict[str, str]], pid: int, **kwargs,
    ) -> None:
        super().__init__(**kwargs)
        self.__action = action
        self.__name = name
        self.__cmd = cmd
        self.__cwd = cwd
        self.__env = env
        self.__pid = pid

    @property
    def action(self):
        """Return the action that runs the process."""
        return self.__action

    @property
    def execute_process_action(self):
        """Return the action that runs the process."""
        return self.__action

    @property
    def process_name(self) -> str:
        """Return the process's unique name."""
        return self.__name

    @property
    def cmd(self) -> List[str]:
        """Return the command line."""
        return self.__cmd

    @property
    def cwd(self) -> Optional[str]:
        """Return the working directory."""
        return self.__cwd

    @property
    def env(self) -> Optional[Dict[str, str]]:
        """Return the environment."""
        return self.__env

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self.__pid
