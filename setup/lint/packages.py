# SPDX-License-Identifier: BSD-3-Clause
"""package.xml, the one version and the change log."""

import re
import xml.etree.ElementTree as ElementTree

from catkin_pkg.package import InvalidPackage, parse_package_string
from findings import Finding, Tree
from rules import LICENCE, licence_of

# The order that the schema of format 3 (REP 149) asks for; what is in one tuple may be mixed.
ORDER = (
    ('name',), ('version',), ('description',), ('maintainer',), ('license',), ('url',), ('author',),
    ('build_depend', 'build_export_depend', 'buildtool_depend', 'buildtool_export_depend', 'exec_depend', 'depend',
     'doc_depend', 'test_depend', 'conflict', 'replace'),
    ('group_depend',), ('member_of_group',), ('export',),
)  # fmt: skip
RANK = {tag: rank for rank, tags in enumerate(ORDER) for tag in tags}
DEPENDENCY = {'version_lt', 'version_lte', 'version_eq', 'version_gte', 'version_gt', 'condition'}
ATTRIBUTES = {
    'name': set(), 'version': {'compatibility'}, 'description': None, 'maintainer': {'email'}, 'license': {'file'},
    'url': {'type'}, 'author': {'email'}, 'group_depend': {'condition'}, 'member_of_group': {'condition'}, 'export': set(),
}  # fmt: skip
NAME = re.compile(r'[a-z](_?[a-z0-9]+)*')
RELEASE = re.compile(r'^## \[?(\d+\.\d+\.\d+)\]? - (\d{4}-\d\d-\d\d)$', re.MULTILINE)


def place(text: str, tag: str) -> int:
    at = text.find(f'<{tag}')
    return text[: max(at, 0)].count('\n') + 1


def check_schema(name: str, text: str) -> list[Finding]:
    """The schema of package format 3: which elements, in which order, with which attributes."""

    def finding(tag: str, what: str) -> Finding:
        return Finding(name, place(text, tag), 'package.xml', what)

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        return [Finding(name, error.position[0], 'package.xml', f'not well-formed: {error}')]
    if root.tag != 'package' or root.get('format') != '3':
        return [finding('package', 'the root must be <package format="3">')]
    findings, rank, seen = [], 0, set()
    for child in root:
        if child.tag not in RANK:
            findings.append(finding(child.tag, f'<{child.tag}> is not of package format 3'))
            continue
        if RANK[child.tag] < rank:
            findings.append(
                finding(child.tag, f'<{child.tag}> comes too late: the order is {", ".join(t[0] for t in ORDER)}')
            )
        rank = max(rank, RANK[child.tag])
        allowed = ATTRIBUTES.get(child.tag, DEPENDENCY)
        unknown = set(child.attrib) - allowed if allowed is not None else set()
        if unknown:
            findings.append(finding(child.tag, f'<{child.tag}> has no attribute {", ".join(sorted(unknown))}'))
        key = (child.tag, (child.text or '').strip(), child.get('condition'))
        if key in seen:
            findings.append(finding(f'{child.tag}>{key[1]}', f'<{child.tag}>{key[1]} is there twice'))
        seen.add(key)
    if not NAME.fullmatch(root.findtext('name', '')):
        findings.append(finding('name', 'a name has lower-case letters, digits and single underscores'))
    try:
        notes: list[str] = []
        parse_package_string(text, name, warnings=notes)
        findings += [finding('package', note.split('\n')[0]) for note in notes]
    except InvalidPackage as error:
        findings.append(finding('package', ' '.join(str(error).split())))
    return findings


def check_packages(tree: Tree) -> list[Finding]:
    changes = tree.root / 'CHANGELOG.md'
    release = RELEASE.search(changes.read_text()) if changes.is_file() else None
    findings = []
    for name in [n for n in tree.files if n.rpartition('/')[2] == 'package.xml']:
        text = tree.text(name)
        findings += check_schema(name, text)
        for licence in re.findall(r'<license[^>]*>([^<]*)<', text):
            if licence != LICENCE:
                what = f'licence {licence}, but the one licence is that of LICENSE: {LICENCE}'
                findings.append(Finding(name, place(text, 'license'), 'licence', what))
        # A stand-in has the version of what it stands in for.
        version = re.search(r'<version>([^<]*)<', text)
        if release and version and not name.startswith('underlay/') and version[1] != release[1]:
            what = f"version {version[1]}, but CHANGELOG.md's newest release is {release[1]}"
            findings.append(Finding(name, place(text, 'version'), 'version', what))
    return findings + check_release(tree, release)


def check_release(tree: Tree, release: re.Match | None) -> list[Finding]:
    """The change log has Unreleased on top and a dated release; CITATION.cff cites that release."""
    findings = []
    if 'CHANGELOG.md' in tree.files:
        heads = re.findall(r'^## .*$', tree.text('CHANGELOG.md'), re.MULTILINE)
        if not heads or heads[0] not in ('## Unreleased', '## [Unreleased]'):
            findings.append(Finding('CHANGELOG.md', 1, 'version', "the first section must be '## Unreleased'"))
        if not release:
            what = "no release: a section '## 0.1.0 - 2026-01-31' is missing"
            findings.append(Finding('CHANGELOG.md', 1, 'version', what))
        for head in heads[1:]:
            if not RELEASE.match(head):
                what = f"'{head}': a section is '## VERSION - YEAR-MONTH-DAY'"
                findings.append(Finding('CHANGELOG.md', 1, 'version', what))
    if 'CITATION.cff' in tree.files and release:
        text = tree.text('CITATION.cff')
        for key, value in (('version', release[1]), ('date-released', release[2])):
            found = re.search(rf'^{key}: ["\']?([^"\'\s]+)', text, re.MULTILINE)
            if not found or found[1] != value:
                line = text[: found.start()].count('\n') + 1 if found else 1
                findings.append(Finding('CITATION.cff', line, 'version', f'{key} must be {value}, as in CHANGELOG.md'))
    if 'LICENSE' in tree.files and not licence_of(tree.root):
        findings.append(Finding('LICENSE', 1, 'licence', f'this is not {LICENCE}, which every file and package names'))
    return findings
