# SPDX-License-Identifier: BSD-3-Clause
"""Links, places on pages and pictures of all pages lead somewhere; the site's own check sees the built pages, too."""

import os
import re

import pytest
from blocks import ROOT, pages

LINK = re.compile(r'!?\[[^\]]*\]\(([^)\s]+)(?:\s+"[^"]*")?\)')
FENCE = re.compile(r'^( *)(```+).*?^\1\2 *$', re.MULTILINE | re.DOTALL)
HEADING = re.compile(r'^#+ +(.*?)\s*#*$', re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Places of a page, as GitHub and the site name them."""
    result = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in HEADING.findall(FENCE.sub('', text)):
        plain = re.sub(r'[`*\[\]]|\([^)]*\)(?=$)', '', heading).lower()
        result.add(re.sub(r'\s+', '-', re.sub(r'[^\w\s-]', '', plain).strip()))
    return result


def dead_links(page) -> list[str]:
    text = re.sub(r'`[^`\n]*`', '', FENCE.sub('', (ROOT / page).read_text(encoding='utf-8')))
    dead = []
    for target in LINK.findall(text):
        if re.match(r'[a-z]+:', target):
            continue
        path, _, anchor = target.partition('#')
        file = (ROOT / page).parent / path if path else ROOT / page
        if not file.exists():
            dead.append(f'{page}: {target}: no such file')
        elif anchor and file.suffix == '.md' and anchor not in anchors(file.read_text(encoding='utf-8')):
            dead.append(f'{page}: {target}: no such place on that page')
    return dead


def test_there_are_pages():
    assert len(pages()) > 15 and any(str(p) == 'README.md' for p in pages())


@pytest.mark.parametrize('page', pages(), ids=str)
def test_links(page):
    assert dead_links(page) == []


def test_every_page_is_on_the_site():
    """A page of docs/ that the menu does not name is one that nobody finds."""
    menu = (ROOT / 'setup' / 'docs' / 'mkdocs.yml').read_text(encoding='utf-8')
    assert [p for p in pages() if p.parts[0] == 'docs' and str(p) not in menu] == []


def test_every_entry_of_the_menu_is_a_page():
    menu = (ROOT / 'setup' / 'docs' / 'mkdocs.yml').read_text(encoding='utf-8')
    named = re.findall(r': ((?:docs/)[\w/]+\.md)', menu)
    assert named and [p for p in named if not os.path.isfile(ROOT / p)] == []
