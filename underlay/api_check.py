#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Keep API.md, the list of every public C++ name of the underlay, true to the headers.

Without arguments: exit code 1 and the differences when the page and the headers disagree.
With --write: write the page anew.
"""
from __future__ import annotations

import difflib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PAGE = ROOT / 'API.md'
PACKAGES = ['rclcpp', 'rclcpp_action', 'rclcpp_components']

PREAMBLE = """\
# Public names of the underlay

Every public C++ name that `rclcpp`, `rclcpp_action` and `rclcpp_components` give, by header, as
in stock Jazzy (28.1). Names in a namespace `detail` are internal. This page is made by
`underlay/api_check.py --write` and checked by the tests.

Absent, so that code which uses it does not compile: type adaptation, StaticSingleThreadedExecutor,
static and thread-safe wait set storage, generic clients and services, topic statistics, content
filters, lifecycle nodes. Loaned messages are there, but `can_loan_messages()` answers false and
borrowing allocates.

The CMake side: the targets `rclcpp::rclcpp`, `rclcpp_action::rclcpp_action`,
`rclcpp_components::component` and `rclcpp_components::component_manager`; the functions
`rclcpp_components_register_node` and `rclcpp_components_register_nodes`. The executables
`component_container`, `component_container_mt` and `component_container_isolated`. The package
`composition_interfaces` with the services `ListNodes`, `LoadNode` and `UnloadNode`. The package
`control_msgs` with the action `FollowJointTrajectory` and the two messages of its tolerances (5.8).
"""

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/'                                   # comments
    r'|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\''              # literals
    r'|^[ \t]*\#(?:\\\n|[^\n])*'                            # preprocessor
    r'|operator\s*(?:\(\)|\[\]|[^\s\w(]+)|[A-Za-z_]\w*|::|\d[\w.\']*|\S',
    re.DOTALL | re.MULTILINE)
MACRO_CALL = re.compile(r'^(RCLCPP|RCUTILS)_[A-Z_]+$')
CLOSING = {'(': ')', '{': '}', '[': ']', '<': '>'}


class Names:
    """The names of one header: by class, with '' for those of the namespace itself."""

    def __init__(self) -> None:
        self.members: dict[str, set[str]] = {}
        self.macros: set[str] = set()

    def add(self, scope: list[str], name: str) -> None:
        if name and not name.startswith('~') and not name.endswith('_'):
            self.members.setdefault('::'.join(scope), set()).add(name)


def tokenize(text: str, names: Names) -> list[str]:
    """Split into tokens without comments; macros that are defined go to the names."""
    tokens = []
    for match in TOKEN.finditer(text):
        token = match.group(0)
        if token.startswith(('//', '/*')):
            continue
        if token.lstrip().startswith('#'):
            define = re.match(r'\s*#\s*define\s+(\w+)', token)
            if define and 'DETAIL' not in define.group(1):
                names.macros.add(define.group(1))
            continue
        tokens.append(re.sub(r'\s+', '', token) if token.startswith('operator') else token)
    return tokens


def skip(tokens: list[str], start: int) -> int:
    """Return the index after the bracket that closes the one at start."""
    depth = 0
    opening, closing = tokens[start], CLOSING[tokens[start]]
    for i in range(start, len(tokens)):
        if tokens[i] == opening:
            depth += 1
        elif tokens[i] == closing:
            depth -= 1
            if depth == 0:
                return i + 1
    return len(tokens)


def plain(statement: list[str]) -> list[str]:
    """Drop template heads, template arguments, attributes and macro calls of a declaration."""
    result: list[str] = []
    i = 0
    while i < len(statement):
        token = statement[i]
        if token == '<' and (result and re.match(r'\w', result[-1])):
            i = skip(statement, i)
            continue
        if token == '[' and i + 1 < len(statement) and statement[i + 1] == '[':
            i = skip(statement, i)
            continue
        if token == '(':
            if result and result[-1] in ('decltype', 'noexcept', 'explicit'):
                result.pop()
            else:
                result += ['(', ')']
            i = skip(statement, i)
            continue
        if MACRO_CALL.match(token):
            i = skip(statement, i + 1) if statement[i + 1:i + 2] == ['('] else i + 1
            continue
        result.append(token)
        i += 1
    return [token for token in result if token != 'template']


def declared_name(statement: list[str]) -> str:
    """Return the name that a declaration introduces; empty if none."""
    words = plain(statement)
    if not words or words[0] in ('friend', 'static_assert', 'extern', 'return'):
        return ''
    if words[0] == 'using':
        return words[1] if len(words) > 2 and words[2] == '=' else words[-1] if '::' in words else ''
    if words[0] in ('class', 'struct', 'union') and '(' not in words and '=' not in words:
        return ''
    if '(' in words:
        i = words.index('(')
        if '=' not in words[:i]:
            # A qualified name is the definition of what another header declares.
            qualified = words[i - 2:i - 1] == ['::']
            return words[i - 1] if i and not qualified and re.match(
                r'[A-Za-z_]', words[i - 1]) else ''
    end = words.index('=') if '=' in words else len(words)
    return words[end - 1] if end and re.match(r'[A-Za-z_]', words[end - 1]) else ''


def class_name(words: list[str]) -> str:
    """Return the name of the class that a head such as `class A : public B` defines."""
    head = words[:words.index(':')] if ':' in words else words
    named = [w for w in head if re.match(r'[A-Za-z_]', w) and w not in (
        'class', 'struct', 'union', 'enum', 'final', 'typedef')]
    return named[-1] if named else ''


def parse(tokens: list[str], names: Names, scope: list[str], access: str) -> None:
    """Walk the declarations of a namespace or class."""
    statement: list[str] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token in ('public', 'protected', 'private') and tokens[i + 1:i + 2] == [':']:
            access, statement = token, []
            i += 2
        elif token == '(':
            end = skip(tokens, i)
            statement += tokens[i:end]
            i = end
        elif token == ';':
            if access == 'public':
                names.add(scope, declared_name(statement))
            statement = []
            i += 1
        elif token == '{':
            end = skip(tokens, i)
            body = tokens[i + 1:end - 1]
            words = plain(statement)
            i = end
            if 'namespace' in words:
                inner = [w for w in words if re.match(r'[A-Za-z_]', w) and w not in (
                    'namespace', 'inline')]
                if inner and 'detail' not in inner and inner[0] != 'std':
                    parse(body, names, scope + inner, 'public')
                statement = []
            elif words and words[0] == 'enum':
                if access == 'public':
                    names.add(scope, class_name(words))
                statement = []
            elif words and words[0] in ('class', 'struct', 'union') and '(' not in words:
                name = class_name(words)
                if access == 'public' and name and '<' not in name:
                    names.add(scope, name)
                    parse(body, names, scope + [name],
                          'private' if words[0] == 'class' else 'public')
                statement = []
            elif words and '(' in words and ':' in words and re.match(r'\w', words[-1]) and (
                    words[-1] not in ('const', 'override', 'noexcept', 'final')):
                continue                                   # a member initialiser in braces
            else:
                if access == 'public':
                    names.add(scope, declared_name(statement))
                if i < len(tokens) and tokens[i] not in (';', ',', ')'):
                    statement = []
        else:
            statement.append(token)
            i += 1


def page() -> str:
    """Return the page as the headers demand it."""
    parts = [PREAMBLE]
    for package in PACKAGES:
        include = ROOT / package / 'include'
        parts.append(f'\n# {package}\n')
        for header in sorted(include.rglob('*.hpp')):
            path = header.relative_to(include)
            if 'detail' in path.parts:
                continue
            names = Names()
            parse(tokenize(header.read_text(), names), names, [], 'public')
            if str(path) == 'rclcpp/logging.hpp':            # includes what is made of a template
                template = (ROOT / package / 'resource' / 'logging_severity.hpp.in').read_text()
                for severity in ('DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'):
                    tokenize(template.replace('@SEVERITY@', severity), names)
            parts.append(f'\n## {path}\n')
            if names.macros:
                parts.append('- macros: ' + ', '.join(f'`{n}`' for n in sorted(names.macros)) + '\n')
            for scope, members in sorted(names.members.items()):
                parts.append(f'- {scope}: ' + ', '.join(f'`{n}`' for n in sorted(members)) + '\n')
    return ''.join(parts)


def main() -> int:
    """Check the page, or write it."""
    wanted = page()
    if '--write' in sys.argv[1:]:
        PAGE.write_text(wanted)
        return 0
    found = PAGE.read_text() if PAGE.is_file() else ''
    if found == wanted:
        return 0
    sys.stdout.writelines(difflib.unified_diff(
        found.splitlines(keepends=True), wanted.splitlines(keepends=True),
        'API.md', 'the headers', n=1))
    print('\nAPI.md is not true to the headers: run underlay/api_check.py --write')
    return 1


if __name__ == '__main__':
    sys.exit(main())
