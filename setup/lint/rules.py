# SPDX-License-Identifier: BSD-3-Clause
"""The project's own rules: licence lines, line ends, paths of one machine."""

import pathlib
import re

from findings import Finding, Tree

LICENCE = 'BSD-3-Clause'
LICENCE_TITLE = 'BSD 3-Clause License'
COMMENT = {'c++': '//', 'python': '#', 'cmake': '#', 'shell': '#'}
SPDX = re.compile(r'^(?://|#) SPDX-License-Identifier: (.+?)\s*$', re.MULTILINE)
FIRST_LINES = 10
TEXT = ('c++', 'python', 'cmake', 'shell', 'yaml', 'xml', 'text', 'interface')

# Folders that belong to one machine or one person; an example writes ~/ or /path/to.
FOLDERS = 'home|Users|root|mnt|media|work|workspace'
MACHINE_PATH = re.compile(rf'(?<![\w/.~$}}\)\]>-])/(?:{FOLDERS})/[A-Za-z0-9_.-]+')
# Package registries: set-up takes what the machine is configured for.
REGISTRY = re.compile(
    r'\b(?:[\w-]+\.)*(?:(?:pypi|pythonhosted)\.org|(?:deb|security)\.debian\.org|archive\.ubuntu\.com)\b'
)


def spdx_place(lines: list[str]) -> int:
    """The line before which a licence line goes: behind #! and a declaration of the encoding."""
    at = 1 if lines and lines[0].startswith('#!') else 0
    return at + 1 if len(lines) > at and re.match(r'#.*coding[:=]', lines[at]) else at


def check_spdx(tree: Tree) -> list[Finding]:
    findings = []
    for name in tree.of_kind(*COMMENT):
        lines = tree.text(name).splitlines()
        if not lines:
            continue
        found = SPDX.search('\n'.join(lines[:FIRST_LINES]))
        line = f'{COMMENT[tree.kinds[name]]} SPDX-License-Identifier: {LICENCE}'
        if not found:
            findings.append(Finding(name, spdx_place(lines) + 1, 'spdx', f"the line '{line}' is missing", True))
        elif found[1] != LICENCE:
            findings.append(Finding(name, 1, 'spdx', f'licence {found[1]}, but LICENSE is {LICENCE}', True))
    return findings


def fix_spdx(tree: Tree) -> None:
    for finding in check_spdx(tree):
        path = tree.root / finding.file
        text = path.read_bytes().decode('utf-8', errors='surrogateescape')
        line = f'{COMMENT[tree.kinds[finding.file]]} SPDX-License-Identifier: {LICENCE}'
        if SPDX.search('\n'.join(text.splitlines()[:FIRST_LINES])):
            text = SPDX.sub(line, text, count=1)
        else:
            lines = text.splitlines(keepends=True)
            lines.insert(spdx_place(lines), line + '\n')
            text = ''.join(lines)
        path.write_bytes(text.encode('utf-8', errors='surrogateescape'))


def tidy(text: str) -> str:
    """One newline at the end, none of DOS, no blanks at the ends of lines."""
    lines = [line.rstrip() for line in text.replace('\r\n', '\n').split('\n')]
    return '\n'.join(lines).rstrip('\n') + '\n' if text.strip() else ''


def tidied_files(tree: Tree) -> list[str]:
    # C++ and Python have formatters, which leave strings alone. Expected output is compared as it is; a line of
    # Markdown may end with two blanks.
    files = tree.of_kind('cmake', 'shell', 'yaml', 'xml', 'text', 'interface')
    return [n for n in files if '/expected/' not in n and not n.endswith('.md')]


def check_tidy(tree: Tree) -> list[Finding]:
    findings = []
    for name in tidied_files(tree):
        data = (tree.root / name).read_bytes()
        try:
            text = data.decode('utf-8')
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b'\n') + 1
            findings.append(Finding(name, line, 'text', 'not UTF-8'))
            continue
        if text == tidy(text):
            continue
        old, new = text.split('\n'), tidy(text).split('\n')
        line = next((i for i, (a, b) in enumerate(zip(old, new), 1) if a != b), min(len(old), len(new)))
        what = 'blanks at the end of a line, line ends of DOS or not one newline at the end of the file'
        findings.append(Finding(name, line, 'text', what, True))
    return findings


def fix_tidy(tree: Tree) -> None:
    for finding in check_tidy(tree):
        if finding.mended_by_fix:
            path = tree.root / finding.file
            path.write_bytes(tidy(path.read_bytes().decode('utf-8')).encode())


def check_machine(tree: Tree) -> list[Finding]:
    own = str(tree.root) if len(tree.root.parts) > 2 else '\0'
    findings = []
    for name in tree.of_kind(*TEXT):
        text = tree.text(name)
        for number, line in enumerate(text.splitlines(), 1):
            if 'lint: machine' in line:
                continue
            if (found := MACHINE_PATH.search(line)) or own in line:
                what = f"'{found[0] if found else own}' is a path of one machine; write ~/, /path/to or a variable"
                findings.append(Finding(name, number, 'machine', what))
            if found := REGISTRY.search(line):
                what = f"'{found[0]}': registries are what pip and apt are configured for; do not name hosts"
                findings.append(Finding(name, number, 'machine', what))
    return findings


def licence_of(root: pathlib.Path) -> str:
    """The identifier of LICENSE, '' where it is another one."""
    path = root / 'LICENSE'
    return LICENCE if path.is_file() and path.read_text().startswith(LICENCE_TITLE) else ''
