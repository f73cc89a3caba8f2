# SPDX-License-Identifier: BSD-3-Clause
"""The output of a command."""

import shlex
import subprocess
from typing import List

from .. import logging
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from .substitution_failure import SubstitutionFailure
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class Command(Substitution):
    """Evaluates to what a command prints; a code other than 0 is a failure."""

    def __init__(self, command: SomeSubstitutionsType, *,
                 on_stderr: SomeSubstitutionsType = 'fail') -> None:
        super().__init__()
        self.__command = normalize_to_list_of_substitutions(command)
        self.__on_stderr = normalize_to_list_of_substitutions(on_stderr)

    @property
    def command(self) -> List[Substitution]:
        """Return the command."""
        return self.__command

    @property
    def on_stderr(self) -> List[Substitution]:
        """Return what happens when the command writes to stderr: fail, warn, ignore, capture."""
        return self.__on_stderr

    def describe(self) -> str:
        """Return a description of this substitution."""
        return f"Command({' + '.join(s.describe() for s in self.__command)})"

    def perform(self, context) -> str:
        """Run the command and return its standard output."""
        text = perform_substitutions(context, self.__command)
        on_stderr = perform_substitutions(context, self.__on_stderr)
        if on_stderr not in ('fail', 'ignore', 'warn', 'capture'):
            raise SubstitutionFailure(
                "expected 'on_stderr' to be one of: 'fail', 'ignore', 'warn' or 'capture', "
                f"got '{on_stderr}'")
        stderr = subprocess.STDOUT if on_stderr == 'capture' else subprocess.PIPE
        try:
            result = subprocess.run(
                shlex.split(text), stdout=subprocess.PIPE, stderr=stderr, text=True,
                env=dict(context.environment))
        except (OSError, ValueError) as exc:
            raise SubstitutionFailure(f'command could not be run: {text}\n{exc}') from exc
        if result.returncode != 0:
            raise SubstitutionFailure(
                f'executed command failed. Command: {text}\n'
                f'Captured stderr output: {result.stderr}')
        if result.stderr and on_stderr == 'fail':
            raise SubstitutionFailure(
                'executed command showed stderr output. '
                f'Command: {text}\nCaptured stderr output:\n{result.stderr}')
        if result.stderr and on_stderr == 'warn':
            logging.get_logger(__name__).warning(
                f'executed command showed stderr output. Command: {text}\n'
                f'Captured stderr output:\n{result.stderr}')
        return result.stdout
