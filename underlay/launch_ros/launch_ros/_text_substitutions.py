# SPDX-License-Identifier: BSD-3-Clause
"""Substitutions that are written in text, such as `$(var name)` in a parameter file."""

import re
from typing import List

from launch.substitutions import AnonName, Command, EnvironmentVariable, FileContent
from launch.substitutions import FindExecutable, LaunchConfiguration, PythonExpression
from launch.substitutions import SubstitutionFailure, ThisLaunchFile, ThisLaunchFileDir

from .substitutions import ExecutableInPackage, FindPackagePrefix, FindPackageShare


def _with_default(substitution, keyword):
    def make(name: str, *default: str):
        return substitution(name, **({keyword: default[0]} if default else {}))
    return make


_KINDS = {
    'var': _with_default(LaunchConfiguration, 'default'),
    'env': _with_default(EnvironmentVariable, 'default_value'),
    'optenv': lambda name, default='': EnvironmentVariable(name, default_value=default),
    'find-pkg-share': FindPackageShare,
    'find-pkg-prefix': FindPackagePrefix,
    'exec-in-pkg': ExecutableInPackage,
    'find-exec': FindExecutable,
    'command': lambda command, on_stderr='fail': Command(command, on_stderr=on_stderr),
    'eval': PythonExpression,
    'file-content': FileContent,
    'anon': AnonName,
    'dirname': ThisLaunchFileDir,
    'filename': ThisLaunchFile,
}
_INNERMOST = re.compile(r'(?<!\\)\$\(([^()$]*)\)')


def _split(text: str) -> List[str]:
    words = re.findall(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|\S+', text)
    return [word[1:-1] if word[0] in '\'"' and word[0] == word[-1] and len(word) > 1 else word
            for word in words]


def perform_in_text(context, text: str) -> str:
    """Replace all substitutions in the text, innermost first."""
    def replace(match: 're.Match') -> str:
        words = _split(match.group(1))
        if not words or words[0] not in _KINDS:
            raise SubstitutionFailure(f"unknown substitution '{match.group(0)}', expected one of "
                                      f'{sorted(_KINDS)}')
        try:
            return _KINDS[words[0]](*words[1:]).perform(context)
        except TypeError as exc:
            raise SubstitutionFailure(f"wrong arguments in '{match.group(0)}': {exc}") from exc
    while True:
        replaced = _INNERMOST.sub(replace, text)
        if replaced == text:
            return text.replace('\\$(', '$(')
        text = replaced
