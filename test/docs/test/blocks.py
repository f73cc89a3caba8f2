# SPDX-License-Identifier: BSD-3-Clause
"""The code blocks of a Markdown page, with the comments that tell a test what to do with them.

A comment stands before its block; readers of the page do not see it:

    <!-- not run: needs a dVRK -->       the block is listed, not run
    <!-- slow -->                        only with AMBF_TEST_LONG=1; at the top of a page: all of the page
    <!-- fails -->                       its commands must end with an error
    <!-- file: my/robot.yaml -->         written into the page's folder under this name, not run
    <!-- output -->                      what the block before prints: these lines, in this order; ... is anything
    <!-- inline -->                      the commands in the table or paragraph that follows are run
    <!-- world: NAME ARG:=VALUE -->      a world of ambf_description that is started before the block
    <!-- start: COMMAND -->              a program that is started before the block, and ended with the page
    <!-- end -->                         what runs is ended before the block, as the reader would by Ctrl-C

In a shell block `# prints TEXT` at the end of a command says that TEXT is in what it prints.
"""

import dataclasses
import os
import pathlib
import re
import textwrap

ROOT = pathlib.Path(os.environ.get('AMBF_DOCS_ROOT', pathlib.Path(__file__).resolve().parents[3]))
SHELL = ('sh', 'bash', 'console')
RUN = (*SHELL, 'python')
SKIPPED = {'.ambf', '.git', 'build', 'install', 'log', '__pycache__', 'underlay', 'conformance'}

COMMENT = re.compile(r'^\s*<!--\s*(.*?)\s*-->\s*$')
FENCE = re.compile(r'^(\s*)```(\w*)\s*$')
INLINE = re.compile(r'`((?:ros2|adf|\./ambf|ambf-\w+) [^`]+)`')


@dataclasses.dataclass
class Block:
    language: str
    text: str
    line: int
    marks: list[str]

    def mark(self, name: str) -> str | None:
        """What a mark says behind its name, '' for a mark alone, None where it is absent."""
        for mark in self.marks:
            if mark == name or mark.startswith(name + ':'):
                return mark[len(name) + 1 :].strip()
        return None


def pages() -> list[pathlib.Path]:
    """README and docs of the project and of its packages, relative to the root."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if f not in SKIPPED)
        found += [pathlib.Path(folder, f).relative_to(ROOT) for f in sorted(files) if f.endswith('.md')]
    return found


def read_blocks(text: str) -> list[Block]:
    """Fenced blocks, and for the mark `inline` the commands between backquotes, in the order of the page."""
    result, marks = [], []
    lines = text.splitlines()
    i = 0
    while i < len(lines):
        line = lines[i]
        comment, fence = COMMENT.match(line), FENCE.match(line)
        if comment:
            marks.append(comment.group(1))
        elif fence:
            start, end = i + 1, i + 1
            while end < len(lines) and lines[end].strip() != '```':
                end += 1
            body = textwrap.dedent('\n'.join(lines[start:end]))
            result.append(Block(fence.group(2), body, start, marks))
            marks, i = [], end
        elif 'inline' in marks and line.strip():
            commands = INLINE.findall(line)
            if commands:
                result.append(Block('sh', '\n'.join(c.replace('\\|', '|') for c in commands), i + 1, marks))
                marks = ['inline']  # a world is started once
        elif line.strip():
            marks = []
        elif marks == ['inline']:
            marks = []
        i += 1
    return result


def is_slow_page(text: str) -> bool:
    """A page whose first lines have the mark `slow`, before its first block."""
    for line in text.splitlines()[:3]:
        comment = COMMENT.match(line)
        if comment and comment.group(1) == 'slow':
            return True
    return False


def commands(text: str) -> list[str]:
    """Commands of a shell block: lines that go on behind a backslash are one; a here-document makes all of it one."""
    if '<<' in text or re.search(r'^\s*(for|while|if) ', text, re.MULTILINE):
        return [text]
    joined = re.sub(r'\s*\\\n\s*', ' ', text)
    lines = (line.strip().removeprefix('$ ') for line in joined.splitlines())
    return [line for line in lines if line and not line.startswith('#')]


def promised(command: str) -> str | None:
    """The text behind `# prints`, if there is one."""
    found = re.search(r'#\s*prints:?\s+(.*)$', command)
    return found.group(1).strip() if found else None


def missing_line(expected: str, output: str) -> str | None:
    """The first line of an `output` block that is not in the output, in order; None: all are."""
    lines = iter(output.splitlines())
    for line in filter(str.strip, expected.splitlines()):
        if line.strip() == '...':
            continue
        pattern = re.compile(r'.*?'.join(re.escape(part.strip()) for part in line.split('...')))
        if not any(pattern.search(candidate) for candidate in lines):
            return line
    return None
