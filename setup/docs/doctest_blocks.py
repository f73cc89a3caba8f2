# SPDX-License-Identifier: BSD-3-Clause
"""For the API pages: examples of docstrings (`>>> ...`) become code blocks."""

import re

import griffe

EXAMPLE = re.compile(r'(?:^>>> .*\n?(?:^(?!>>> |\s*$).*\n?)*)+', re.MULTILINE)


def as_block(match: re.Match) -> str:
    lines = [re.sub(r'\s+# doctest:.*$', '', line) for line in match.group(0).splitlines()]
    return '```python\n' + '\n'.join(lines) + '\n```\n'


class DoctestBlocks(griffe.Extension):
    def on_object(self, *, obj, **_):
        if obj.docstring and '>>> ' in obj.docstring.value:
            obj.docstring.value = EXAMPLE.sub(as_block, obj.docstring.value)
