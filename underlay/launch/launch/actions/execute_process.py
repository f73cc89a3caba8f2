# SPDX-License-Identifier: BSD-3-Clause
"""Processes from a command line."""

from typing import Dict, Iterable, List, Optional

from ..descriptions.executable import Executable
from .execute_local import ExecuteLocal
from ..some_substitutions_type import SomeSubstitutionsType


class ExecuteProcess(ExecuteLocal):
    """Runs a command; see ExecuteLocal for how it is followed and ended.

    Each item of `cmd` is text, a substitution or a list of these that are joined.
    """

    def __init__(
        self, *,
        cmd: Iterable[SomeSubstitutionsType],
        prefix: Optional[SomeSubstitutionsType] = None,
        name: Optional[SomeSubstitutionsType] = None,
        cwd: Optional[SomeSubstitutionsType] = None,
        env: Optional[Dict[SomeSubstitutionsType, SomeSubstitutionsType]] = None,
        additional_env: Optional[Dict[SomeSubstitutionsType, SomeSubstitutionsType]] = None,
        **kwargs,
    ) -> None:
        executable = Executable(cmd=cmd, prefix=prefix, name=name, cwd=cwd, env=env,
                                additional_env=additional_env)
        super().__init__(process_description=executable, **kwargs)

    @property
    def name(self) -> Optional[str]:
        """Return the process's unique name once started, before that the given one."""
        if self.process_description.final_name is not None:
            return self.process_description.final_name
        return self.process_description.name

    @property
    def cmd(self) -> List:
        """Return the command."""
        if self.process_description.final_cmd is not None:
            return self.process_description.final_cmd
        return self.process_description.cmd

    @property
    def cwd(self):
        """Return the working directory."""
        if self.process_description.final_cwd is not None:
            return self.process_description.final_cwd
        return self.process_description.cwd

    @property
    def env(self):
        """Return the environment."""
        if self.process_description.final_env is not None:
            return self.process_description.final_env
        return self.process_description.env

    @property
    def additional_env(self):
        """Return the additions to the environment."""
        return self.process_description.additional_env

    def describe(self) -> str:
        """Return a description of the action."""
        cmd = [part if isinstance(part, str) else ' + '.join(s.describe() for s in part)
               for part in self.cmd]
        return f"{type(self).__name__}(cmd=[{', '.join(cmd)}], shell={self.shell})"
