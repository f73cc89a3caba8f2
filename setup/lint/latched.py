# SPDX-License-Identifier: BSD-3-Clause
"""Latched publishers of components go through the middleware.

rclcpp up to 28.1.6 (ros2/rclcpp#2704) keeps what a component with intra-process communication publishes within its
process until it knows a reader elsewhere. Who joins later from another process never gets what was latched.
"""

import collections
import re

from findings import Finding, Tree

LATCHED = re.compile(r'\b(?:transient_local|TransientLocal|TRANSIENT_LOCAL)\b')
DISABLED = re.compile(r'\bIntraProcessSetting::Disable\b')
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.DOTALL)
FUNCTION = re.compile(r'\b(\w+)\s*\([^(){};]*\)\s*(?:const\s*)?(?:noexcept\s*)?\{')
VARIABLE = re.compile(r'\b(\w+)\s*=\s*([^;=][^;]*);')
MEMBER = re.compile(r'\b(\w+)\.use_intra_process_comm\s*=\s*([^;]*);')
PUBLISHER = re.compile(r'\bcreate_publisher\s*<')
ALLOWED = 'lint: latched in the process'


def closing(text: str, opened: int) -> int:
    """Where the bracket that opens there is closed."""
    pairs = {'(': ')', '{': '}', '<': '>'}
    opens, closes = text[opened], pairs[text[opened]]
    depth = 0
    for at in range(opened, len(text)):
        depth += (text[at] == opens) - (text[at] == closes)
        if depth == 0:
            return at
    return len(text)


def blanked(text: str) -> str:
    """Without comments, every character that is left in its place."""
    return COMMENT.sub(lambda found: re.sub(r'[^\n]', ' ', found[0]), text)


def functions_with(texts: list[str], what: re.Pattern) -> set[str]:
    """Small functions that return it: the helpers of a package."""
    names = set()
    for text in texts:
        for found in FUNCTION.finditer(text):
            body = text[found.end() - 1 : closing(text, found.end() - 1)]
            if 'return' in body and 'create_' not in body and what.search(body):
                names.add(found[1])
    return names


def means(expression: str, what: re.Pattern, functions: set[str], variables: set[str]) -> bool:
    if what.search(expression):
        return True
    called = set(re.findall(r'\b(\w+)\s*\(', expression))
    return bool(called & functions) or bool(set(re.findall(r'\b\w+\b', expression)) & variables)


def variables_with(text: str, what: re.Pattern, functions: set[str]) -> set[str]:
    """Variables of a file that are made of it, also by way of another one."""
    names: set[str] = set()
    for _ in range(3):
        for pattern in (VARIABLE, MEMBER):
            names |= {
                f[1] for f in pattern.finditer(text) if 'create_' not in f[2] and means(f[2], what, functions, names)
            }
    return names


def check_file(name: str, text: str, latching: set[str], disabling: set[str]) -> list[Finding]:
    plain = blanked(text)
    latched, disabled = variables_with(plain, LATCHED, latching), variables_with(plain, DISABLED, disabling)
    # A helper that makes publishers is given its QoS: in a file that latches anything it may be a latched one.
    given = set(re.findall(r'\bQoS\s*&?\s*(\w+)\s*[,)]', plain)) if means(plain, LATCHED, latching, latched) else set()
    findings = []
    for found in PUBLISHER.finditer(plain):
        opened = plain.find('(', closing(plain, found.end() - 1))
        arguments = plain[opened : closing(plain, opened)]
        line = plain.count('\n', 0, found.start()) + 1
        if not means(arguments, LATCHED, latching, latched | given) or means(arguments, DISABLED, disabling, disabled):
            continue
        if any(ALLOWED in near for near in text.splitlines()[max(0, line - 3) : line]):
            continue
        what = (
            'a latched publisher with intra-process communication: readers that join late from another process miss it '
            'on rclcpp up to 28.1.6; set use_intra_process_comm to Disable in its options'
        )
        findings.append(Finding(name, line, 'latched', what))
    return findings


def check_latched(tree: Tree) -> list[Finding]:
    """In C++ of the packages ambf_*, without tests and benches; helpers may be in other files of a package."""
    packages = collections.defaultdict(dict)
    for name in tree.of_kind('c++'):
        package, _, rest = name.partition('/')
        if package.startswith('ambf_') and rest.split('/')[0] not in ('test', 'bench'):
            packages[package][name] = tree.text(name)
    findings = []
    for files in packages.values():
        plain = [blanked(text) for text in files.values()]
        latching, disabling = functions_with(plain, LATCHED), functions_with(plain, DISABLED)
        for name, text in files.items():
            findings += check_file(name, text, latching, disabling)
    return findings
