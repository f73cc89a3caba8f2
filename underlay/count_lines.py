#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print the non-comment, non-blank lines of the underlay against their bounds.

Exit code 1 when a group is over its bound. Tests, build descriptions (CMakeLists.txt, package.xml,
setup.*) and interface files do not count.
"""
from __future__ import annotations

import io
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent

# Group: (bound, patterns of package folders), after the architecture page, section 7.
GROUPS: dict[str, tuple[int, list[str]]] = {
    'rclcpp + rclcpp_action': (11000, ['rclcpp', 'rclcpp_action']),
    'rclcpp_components': (700, ['rclcpp_components', 'composition_interfaces']),
    'launch': (5000, ['launch', 'launch_*']),
    'ros2 verbs': (3500, ['ros2cli']),
    'bag': (3500, ['rosbag2*', 'ros2bag']),
}
C_FAMILY = {'.hpp', '.h', '.cpp', '.c'}
CMAKE = {'.cmake'}


def c_lines(text: str) -> int:
    """Count lines of C or C++ that hold more than comments."""
    # Strings first, so that "//" within one is not taken for a comment.
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)

    def without_comment(match: re.Match[str]) -> str:
        found = match.group(0)
        if not found.startswith('/'):
            return found
        return '\n' * found.count('\n')

    return sum(1 for line in token.sub(without_comment, text).splitlines() if line.strip())


def cmake_lines(text: str) -> int:
    """Count lines of CMake that hold more than comments."""
    return sum(1 for line in text.splitlines() if line.strip() and not line.lstrip().startswith('#'))


def python_lines(text: str) -> int:
    """Count lines of Python that hold more than comments and docstrings."""
    lines: set[int] = set()
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
               tokenize.ENCODING, tokenize.ENDMARKER}
    at_statement_start = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_docstring = token.type == tokenize.STRING and at_statement_start
        if token.type not in skipped and not is_docstring:
            lines.update(range(token.start[0], token.end[0] + 1))
        if token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            at_statement_start = True
        elif token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.ENCODING):
            at_statement_start = False
    return len(lines)


def count(path: Path) -> int:
    """Count the lines of one file; zero if it is of a kind that does not count."""
    # A template counts as what it is made into: node_main.cpp.in is C++.
    suffix = Path(path.stem).suffix if path.suffix in ('.in', '.em') else path.suffix
    if suffix in C_FAMILY:
        return c_lines(path.read_text())
    if suffix in CMAKE:
        return cmake_lines(path.read_text())
    if suffix == '.py' and path.name != 'setup.py':
        return python_lines(path.read_text())
    return 0


def package_lines(package: Path) -> int:
    """Count the lines of a package without its tests."""
    return sum(
        count(path) for path in sorted(package.rglob('*'))
        if path.is_file() and not {'test', 'tests', '__pycache__'} & set(
            path.relative_to(package).parts))


def main() -> int:
    """Print the table."""
    over = False
    for name, (bound, patterns) in GROUPS.items():
        packages = sorted({
            package for pattern in patterns for package in ROOT.glob(pattern)
            if (package / 'package.xml').is_file() or (package / 'src').is_dir()})
        counts = {package.name: package_lines(package) for package in packages}
        total = sum(counts.values())
        over |= total > bound
        mark = '  OVER' if total > bound else ''
        print(f'{name:<26}{total:>7} of {bound:>6}{mark}')
        for package_name, lines in counts.items():
            print(f'  {package_name:<24}{lines:>7}')
    return 1 if over else 0


if __name__ == '__main__':
    sys.exit(main())
