# SPDX-License-Identifier: BSD-3-Clause
"""The tools of others: each is asked about the files of its kind, and its words become findings."""

import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable

from findings import Clean, Finding, Tree

BIN = pathlib.Path(sys.executable).parent
HERE = pathlib.Path(__file__).resolve().parent
SETTINGS = ('.clang-format', 'underlay/.clang-format', 'ruff.toml')
JOBS = max(os.cpu_count() or 1, 1)
PLACE = re.compile(r'^(.+?):(\d+):(?:\d+:)? ?(.*)$')


def run(tree: Tree, tool: str, *arguments: str) -> str:
    """What a tool prints; it may end with an error code because it found something, but not without a word."""
    done = subprocess.run([BIN / tool, *arguments], cwd=tree.root, capture_output=True, text=True)
    if done.returncode and not done.stdout and not PLACE.search(done.stderr):
        raise RuntimeError(f'{tool} ended with code {done.returncode}: {done.stderr.strip()[:2000]}')
    return done.stdout + (done.stderr if tool == 'clang-format' else '')


def clang_format(tree: Tree, names: list[str]) -> list[Finding]:
    places = collections.defaultdict(list)
    for line in run(tree, 'clang-format', '--dry-run', '--style=file', *names).splitlines():
        found = PLACE.match(line)
        if found and 'clang-format' in found[3]:
            places[found[1]].append(int(found[2]))
    return [
        Finding(name, lines[0], 'clang-format', f'not in the format of the project ({len(lines)} places)', True)
        for name, lines in places.items()
    ]


def ruff_format(tree: Tree, names: list[str]) -> list[Finding]:
    findings, name = [], ''
    for line in run(tree, 'ruff', 'format', '--diff', '--quiet', '--force-exclude', *names).splitlines():
        if line.startswith('--- '):
            name = line[4:].split('\t')[0]
        elif name and (hunk := re.match(r'@@ -(\d+)', line)):
            findings.append(Finding(name, int(hunk[1]), 'ruff format', 'not in the format of the project', True))
            name = ''
    return findings


def ruff_check(tree: Tree, names: list[str]) -> list[Finding]:
    findings = []
    for item in json.loads(run(tree, 'ruff', 'check', '--output-format=json', '--force-exclude', *names) or '[]'):
        name = os.path.relpath(item['filename'], tree.root)
        mended = (item.get('fix') or {}).get('applicability') == 'safe'
        what = f'{item["message"]} ({item["code"]})'
        findings.append(Finding(name, item['location']['row'], 'ruff', what, mended))
    return findings


def codespell(tree: Tree, names: list[str]) -> list[Finding]:
    out = run(tree, 'codespell', '--ignore-words', str(HERE / 'words.txt'), *names)
    hint = 'misspelt? {}; a word that is meant goes into setup/lint/words.txt'
    return [
        Finding(m[1].removeprefix('./'), int(m[2]), 'codespell', hint.format(m[3].strip()))
        for m in map(PLACE.match, out.splitlines())
        if m
    ]


def shellcheck(tree: Tree, names: list[str]) -> list[Finding]:
    # Sourced files set variables for each other (SC1090, SC1091, SC2034), and lists of words are split (SC2046).
    excluded = '--exclude=SC1090,SC1091,SC2034,SC2046'
    out = run(tree, 'shellcheck', '--format=gcc', '--severity=warning', '--shell=bash', excluded, *names)
    return [Finding(m[1], int(m[2]), 'shellcheck', m[3]) for m in map(PLACE.match, out.splitlines()) if m]


def yamllint(tree: Tree, names: list[str]) -> list[Finding]:
    out = run(tree, 'yamllint', '--format=parsable', '--config-file', str(HERE / 'yamllint.yaml'), *names)
    return [Finding(m[1], int(m[2]), 'yamllint', m[3]) for m in map(PLACE.match, out.splitlines()) if m]


def schema(name_of_schema: str) -> Callable[[Tree, list[str]], list[Finding]]:
    def check(tree: Tree, names: list[str]) -> list[Finding]:
        out = run(tree, 'check-jsonschema', '--builtin-schema', name_of_schema, '--output-format=json', *names)
        report = json.loads(out)
        findings = [
            Finding(e['filename'], 1, 'schema', f'{e["path"]}: {e["message"]}') for e in report.get('errors', [])
        ]
        for error in report.get('parse_errors', []):
            findings.append(Finding(error['filename'], 1, 'schema', error['message']))
        return findings

    return check


def in_workflows(name: str) -> bool:
    return name.startswith('.github/workflows/')


def selection(tree: Tree) -> list[tuple[str, Callable[[Tree, list[str]], list[Finding]], list[str]]]:
    """Name, function and files of each tool."""
    words = tree.of_kind('c++', 'python', 'cmake', 'shell', 'interface', 'text', 'xml')
    # Descriptions are data: adf checks them.
    words += [name for name in tree.of_kind('yaml') if not name.startswith('ambf_description/')]
    templates = ('.in', '.em')
    return [
        ('clang-format', clang_format, [n for n in tree.of_kind('c++') if not n.endswith(templates)]),
        ('ruff format', ruff_format, tree.of_kind('python')),
        ('ruff', ruff_check, tree.of_kind('python')),
        ('codespell', codespell, [n for n in words if n != 'setup/lint/words.txt']),
        ('shellcheck', shellcheck, tree.of_kind('shell')),
        ('yamllint', yamllint, tree.of_kind('yaml')),
        ('workflows', schema('vendor.github-workflows'), [n for n in tree.of_kind('yaml') if in_workflows(n)]),
        ('citation', schema('vendor.citation-file-format'), [n for n in tree.files if n == 'CITATION.cff']),
    ]


def check(tree: Tree, clean: Clean) -> list[Finding]:
    """Ask every tool about the files that it has not found clean before, side by side."""
    versions = hashlib.sha256((HERE / 'requirements.txt').read_bytes())
    for path in sorted(HERE.iterdir()):
        if path.is_file():
            versions.update(path.read_bytes())
    for name in SETTINGS:
        path = tree.root / name
        versions.update(path.read_bytes() if path.is_file() else b'')
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for name, function, files in selection(tree):
            keys = {file: clean.key(f'{name} {versions.hexdigest()}', tree.root / file, file) for file in files}
            clean.used.update(key for key in keys.values() if key in clean.known)
            asked = [file for file in files if keys[file] not in clean.known]
            size = min(max(len(asked) // JOBS + 1, 1), 100)
            for start in range(0, len(asked), size):
                part = asked[start : start + size]
                jobs.append((part, keys, pool.submit(function, tree, part)))
        findings = []
        for part, keys, job in jobs:
            found = job.result()
            findings += found
            dirty = {finding.file for finding in found}
            clean.used.update(keys[file] for file in part if file not in dirty)
    return findings


def fix(tree: Tree) -> None:
    python = tree.of_kind('python')
    if python:
        run(tree, 'ruff', 'check', '--fix', '--exit-zero', '--quiet', '--force-exclude', *python)
        run(tree, 'ruff', 'format', '--quiet', '--force-exclude', *python)
    cpp = [name for name in tree.of_kind('c++') if not name.endswith(('.in', '.em'))]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        parts = [cpp[start : start + 50] for start in range(0, len(cpp), 50)]
        list(pool.map(lambda part: run(tree, 'clang-format', '-i', '--style=file', *part), parts))
