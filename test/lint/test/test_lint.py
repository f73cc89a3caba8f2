# SPDX-License-Identifier: BSD-3-Clause
"""The checkout is as `./ambf lint` wants it, and `./ambf lint` finds and mends what it should."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(os.environ.get('AMBF_LINT_ROOT', pathlib.Path(__file__).resolve().parents[3]))

PACKAGE = """<?xml version="1.0"?>
<package format="3">
  <name>some</name>
  <version>{version}</version>
  <description>A package.</description>
  <maintainer email="a@example.org">A</maintainer>
  <license>{licence}</license>
</package>
"""
SPDX = 'SPDX-License-' + 'Identifier: BSD-3-Clause'

# A file, what is in it, and the finding that it makes: line, rule, words.
BAD = [
    ('a.cpp', f'// {SPDX}\nint  f( ) {{return 1;}}\n', 2, 'clang-format', 'format'),
    ('b.hpp', 'int f();\n', 1, 'spdx', 'is missing'),
    ('c.py', f'# {SPDX}\nx = "double"\n', 1, 'ruff format', 'format'),
    ('d.py', f'# {SPDX}\nimport os\n', 2, 'ruff', 'F401'),
    ('e.py', f'# {SPDX}\nprint(undefined)\n', 2, 'ruff', 'F821'),
    ('f.md', 'This is t' + 'eh page.\n', 1, 'codespell', '==> the'),
    ('g.sh', f'#!/usr/bin/env bash\n# {SPDX}\ncd $1\n', 3, 'shellcheck', 'SC2164'),
    ('h.yaml', 'a: 1\na: 2\n', 2, 'yamllint', 'duplication'),
    ('i.md', 'See /' + 'home/somebody/notes.\n', 1, 'machine', 'path of one machine'),
    ('j.txt', 'https://py' + 'pi.org/simple\n', 1, 'machine', 'do not name hosts'),
    ('k.txt', 'blank \n', 1, 'text', 'blanks'),
    ('l/package.xml', PACKAGE.format(version='0.2.0', licence='BSD-3-Clause'), 4, 'version', 'newest release is 0.3.0'),
    ('m/package.xml', PACKAGE.format(version='0.3.0', licence='MIT'), 7, 'licence', 'licence MIT'),
    ('n/package.xml', '<package format="2"/>\n', 1, 'package.xml', 'format="3"'),
    ('.github/workflows/o.yml', 'jobs: {}\n', 1, 'schema', "'on' is a required property"),
    (
        'ambf_some/src/p.cpp',
        f'// {SPDX}\nvoid Node::wire()\n{{\n  latched_ = create_publisher<String>("/p", rclcpp::QoS(1).transient_local());\n}}\n',
        4,
        'latched',
        'use_intra_process_comm',
    ),
]
FIXED = {'a.cpp', 'b.hpp', 'c.py', 'd.py', 'k.txt'}


def lint(*arguments: str) -> subprocess.CompletedProcess:
    # The tests' own environment is not the tools'.
    environment = {k: v for k, v in os.environ.items() if k not in ('PYTHONPATH', 'VIRTUAL_ENV')}
    command = ['bash', str(ROOT / 'ambf'), 'lint', *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


@pytest.fixture
def tree(tmp_path: pathlib.Path) -> pathlib.Path:
    """A small checkout with a fault of each kind."""
    for name in ('.clang-format', 'ruff.toml', 'LICENSE'):
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / 'CHANGELOG.md').write_text('# Changelog\n\n## Unreleased\n\n## 0.3.0 - 2026-01-31\n')
    for name, text, *_ in BAD:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(['git', 'init', '--quiet', str(tmp_path)], check=True)
    return tmp_path


# Ways to make a latched publisher in a component, and whether it reaches who joins late.
LATCHING = {
    'helper of the package': ('make("/p", kept())', False),
    'helper and options': ('make("/p", kept(), everywhere())', True),
    'variable': ('const auto how = kept();\n  make("/p", how)', False),
    'variable and options': ('auto how = kept();\n  auto to = everywhere();\n  make("/p", how, to)', True),
    'member': (
        'Options to;\n  to.use_intra_process_comm = IntraProcessSetting::Disable;\n  make("/p", kept(), to)',
        True,
    ),
    'options of another sort': ('Options to;\n  make("/p", kept(), to)', False),
    'not latched': ('make("/p", rclcpp::QoS(1))', True),
    'told why': ('// lint: latched in the process, read without a copy.\n  make("/p", kept())', True),
    'comment alone': ('make("/p", kept() /* everywhere() */)', False),
}


@pytest.mark.parametrize('way', LATCHING)
def test_latched_publishers_reach_who_joins_late(tmp_path: pathlib.Path, monkeypatch, way: str):
    monkeypatch.syspath_prepend(str(ROOT / 'setup' / 'lint'))
    import findings
    import latched

    body, good = LATCHING[way]
    package = tmp_path / 'ambf_some'
    (package / 'src').mkdir(parents=True)
    (package / 'src' / 'qos.hpp').write_text(
        'inline rclcpp::QoS kept() { return rclcpp::QoS(1).transient_local(); }\n'
        'inline Options everywhere()\n{\n  Options o;\n'
        '  o.use_intra_process_comm = IntraProcessSetting::Disable;\n  return o;\n}\n'
    )
    body = body.replace('make(', 'create_publisher<std::vector<int>>(')
    (package / 'src' / 'node.cpp').write_text(f'void Node::wire()\n{{\n  {body};\n}}\n')
    found = latched.check_latched(findings.Tree(tmp_path, []))
    assert [finding.file for finding in found] == ([] if good else ['ambf_some/src/node.cpp'])


def test_the_checkout_is_clean():
    done = lint()
    assert done.returncode == 0, '\n' + done.stderr + done.stdout


def test_faults_are_found(tree: pathlib.Path):
    done = lint('--root', str(tree))
    assert done.returncode == 1, done.stderr + done.stdout
    for name, _, line, rule, words in BAD:
        found = [text for text in done.stdout.splitlines() if text.startswith(f'{name}:{line}: [{rule}] ')]
        assert any(words in text for text in found), f'{name}: {rule} {words}\n{done.stderr}{done.stdout}'


def test_fix_mends_what_it_says_and_does_so_once(tree: pathlib.Path):
    done = lint('--root', str(tree), '--fix')
    left = {text.split(':')[0] for text in done.stdout.splitlines() if ': [' in text}
    assert left == {name for name, *_ in BAD} - FIXED, done.stderr + done.stdout
    assert 'lint --fix mends' not in done.stdout
    first = {name: (tree / name).read_text() for name, *_ in BAD}
    lint('--root', str(tree), '--fix')
    assert {name: (tree / name).read_text() for name, *_ in BAD} == first


def test_paths_choose_files(tree: pathlib.Path):
    done = lint('--root', str(tree), 'b.hpp', 'm')
    assert {text.split(':')[0] for text in done.stdout.splitlines() if ': [' in text} == {'b.hpp', 'm/package.xml'}
    done = lint('--root', str(tree), 'absent.cpp')
    assert done.returncode != 0
    assert 'absent.cpp is not there' in done.stderr
