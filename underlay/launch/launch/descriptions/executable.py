# SPDX-License-Identifier: BSD-3-Clause
"""A program with its arguments and environment."""

import itertools
import os
import re
import shlex
from typing import Dict, Iterable, List, Optional

from ..action import Action
from ..launch_description_entity import LaunchDescriptionEntity
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..substitutions.launch_configuration import LaunchConfiguration
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions

_executable_process_counter = itertools.count(1)


def _normalize_pairs(env):
    if env is None:
        return None
    return [(normalize_to_list_of_substitutions(key), normalize_to_list_of_substitutions(value))
            for key, value in dict(env).items()]


class Executable:
    """Describes a command line; `prepare` evaluates it in a launch context."""

    def __init__(
        self, *,
        cmd: Iterable[SomeSubstitutionsType],
        prefix: Optional[SomeSubstitutionsType] = None,
        name: Optional[SomeSubstitutionsType] = None,
        cwd: Optional[SomeSubstitutionsType] = None,
        env: Optional[Dict[SomeSubstitutionsType, SomeSubstitutionsType]] = None,
        additional_env: Optional[Dict[SomeSubstitutionsType, SomeSubstitutionsType]] = None,
        arguments: Optional[Iterable[SomeSubstitutionsType]] = None,
    ) -> None:
        self.__cmd = [normalize_to_list_of_substitutions(part) for part in cmd]
        self.__cmd += [normalize_to_list_of_substitutions(part) for part in arguments or ()]
        self.__arguments = arguments
        self.__prefix = normalize_to_list_of_substitutions(
            LaunchConfiguration('launch-prefix', default='') if prefix is None else prefix)
        self.__prefix_filter = normalize_to_list_of_substitutions(
            LaunchConfiguration('launch-prefix-filter', default='')) if prefix is None else None
        self.__name = None if name is None else normalize_to_list_of_substitutions(name)
        self.__cwd = None if cwd is None else normalize_to_list_of_substitutions(cwd)
        self.__env = _normalize_pairs(env)
        self.__additional_env = _normalize_pairs(additional_env)
        self.__final_cmd: Optional[List[str]] = None
        self.__final_cwd: Optional[str] = None
        self.__final_env: Optional[Dict[str, str]] = None
        self.__final_name: Optional[str] = None

    @property
    def name(self):
        """Return the given name."""
        return self.__name

    @property
    def prefix(self) -> List[Substitution]:
        """Return what stands before the command."""
        return self.__prefix

    @property
    def cmd(self) -> List[List[Substitution]]:
        """Return the command and its arguments."""
        return self.__cmd

    @property
    def cwd(self) -> Optional[List[Substitution]]:
        """Return the working directory."""
        return self.__cwd

    @property
    def env(self):
        """Return the environment, where it is replaced."""
        return self.__env

    @property
    def additional_env(self):
        """Return additions to the environment."""
        return self.__additional_env

    @property
    def arguments(self):
        """Return the arguments."""
        return self.__arguments

    @property
    def final_name(self) -> Optional[str]:
        """Return the unique name, after `prepare`."""
        return self.__final_name

    @property
    def final_cmd(self) -> Optional[List[str]]:
        """Return the evaluated command line, after `prepare`."""
        return self.__final_cmd

    @property
    def final_cwd(self) -> Optional[str]:
        """Return the evaluated working directory, after `prepare`."""
        return self.__final_cwd

    @property
    def final_env(self) -> Optional[Dict[str, str]]:
        """Return the evaluated environment, after `prepare`."""
        return self.__final_env

    def prepare(self, context, action: Optional[Action]) -> Optional[
            List[LaunchDescriptionEntity]]:
        """Evaluate command, name, working directory and environment."""
        cmd = [perform_substitutions(context, part) for part in self.__cmd]
        name = os.path.basename(cmd[0]) if self.__name is None else \
            perform_substitutions(context, self.__name)
        # A command given as one text for a shell is named after its first word.
        name = name if self.__name is not None else (name.split() or [name])[0]
        self.__final_name = f'{name}-{next(_executable_process_counter)}'
        prefix = shlex.split(perform_substitutions(context, self.__prefix))
        if self.__prefix_filter is not None:
            pattern = perform_substitutions(context, self.__prefix_filter)
            if pattern and not re.fullmatch(pattern, os.path.basename(cmd[0])):
                prefix = []
        self.__final_cmd = prefix + cmd
        if self.__cwd is not None:
            self.__final_cwd = perform_substitutions(context, self.__cwd)

        def evaluate(pairs) -> Dict[str, str]:
            return {perform_substitutions(context, key): perform_substitutions(context, value)
                    for key, value in pairs}
        env = dict(context.environment) if self.__env is None else evaluate(self.__env)
        if self.__additional_env is not None:
            env.update(evaluate(self.__additional_env))
        self.__final_env = env
        return None
