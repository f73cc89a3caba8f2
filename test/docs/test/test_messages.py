# SPDX-License-Identifier: BSD-3-Clause
"""Every number of ambf_msgs has its unit, everything with coordinates its frame; the page of the site tells all of them."""

import pathlib
import re
import sys

import pytest
from blocks import ROOT

sys.path.insert(0, str(ROOT / 'setup' / 'docs'))
import message_pages

PACKAGE = ROOT / 'ambf_msgs'
CONTRACT = (PACKAGE / 'README.md').read_text(encoding='utf-8')
NUMBER = re.compile(r'u?int(8|16|32|64)|float(32|64)|byte|char')
UNITS_OF = {'Pose': 'm, 1', 'Twist': 'm/s, rad/s', 'Wrench': 'N, Nm'}


def listed(title: str) -> set[str]:
    """Words of the first column of a table of the contract."""
    section = CONTRACT.split(f'\n## {title}\n')[1].split('\n## ')[0]
    return set(re.findall(r'^\| `([^`]+)` \|', section, re.MULTILINE))


UNITS, FRAMES = listed('Units'), listed('Frames')


def problem(field: message_pages.Field) -> str:
    """What the comment of a field lacks; empty: nothing."""
    package, _, kind = field.base.rpartition('/')
    geometry = package == 'geometry_msgs'
    if field.base == 'builtin_interfaces/Time':
        return '' if re.search('simulation time|wall time', field.comment) else 'expected simulation time or wall time'
    if not geometry and not NUMBER.fullmatch(field.base):
        return ''
    parts = field.unit.split(', ')
    words = {word for part in parts for word in re.findall(r'[A-Za-z]+|\b1\b', part)} - {'or'}
    if not field.unit or not words:
        return 'expected a unit at the begin of the comment: [m], [1]'
    if words - UNITS:
        return f'the contract has no unit {", ".join(sorted(words - UNITS))}'
    if geometry and UNITS_OF.get(kind, field.unit) != field.unit:
        return f'found [{field.unit}], expected [{UNITS_OF[kind]}]'
    coordinates = geometry or 'x y z' in field.text or (len(parts) > 1 and 'm' in parts)
    if coordinates and not field.frame:
        return 'expected a frame behind the unit: {world}'
    if field.frame and field.frame not in FRAMES:
        return f'the contract has no frame {field.frame}'
    return ''


@pytest.mark.parametrize(
    'line, words',
    [
        ('float64 mass', 'a unit'),
        ('float64 mass  # of the body [kg]', 'a unit'),
        ('uint32[] indices  # of bodies', 'a unit'),
        ('uint8 mode  # [] one of MODE_*', 'a unit'),
        ('float64 length  # [furlong] of the field', 'no unit furlong'),
        ('float64 force  # [N/furlong] of it', 'no unit furlong'),
        ('geometry_msgs/Pose pose  # {world} of the body', 'a unit'),
        ('geometry_msgs/Pose pose  # [m, 1] of the body', 'a frame'),
        ('geometry_msgs/Pose[] poses  # [m, 1] {elsewhere} of bodies', 'no frame elsewhere'),
        ('geometry_msgs/Twist twist  # [m/s] {world} of the body', 'expected [m/s, rad/s]'),
        ('geometry_msgs/Wrench wrench  # [N, Nm] on the body', 'a frame'),
        ('geometry_msgs/Vector3 normal  # [1] from b to a', 'a frame'),
        ('float32[] nodes  # [m] x y z of each', 'a frame'),
        ('float64[] bodies  # [m, 1] 7 each', 'a frame'),
        ('builtin_interfaces/Time stamp  # of the message', 'wall time'),
    ],
)
def test_a_field_that_says_too_little_is_found(line, words):
    field = message_pages.read_line(line.partition('#')[0])
    field.comment = line.partition('#')[2].strip()
    assert words in problem(field)


@pytest.mark.parametrize('interface', message_pages.read_package(PACKAGE), ids=lambda interface: interface.name)
def test_every_field_says_its_unit_and_frame(interface):
    assert interface.about, 'the file begins with what it is about'
    found = {field.name: problem(field) for field in interface.fields()}
    assert {name: words for name, words in found.items() if words} == {}


def test_all_files_are_read():
    files = {file.stem for kind in message_pages.KINDS for file in PACKAGE.glob(f'{kind}/*')}
    assert {interface.name for interface in message_pages.read_package(PACKAGE)} == files
    assert len(files) > 40


def package_with(folder: pathlib.Path, **files: str) -> pathlib.Path:
    for name, text in files.items():
        kind = 'srv' if '---' in text else 'msg'
        (folder / kind).mkdir(exist_ok=True)
        (folder / kind / f'{name}.{kind}').write_text(text)
    return folder


def test_a_page_has_fields_constants_and_links(tmp_path):
    package = package_with(
        tmp_path,
        Wheel='# It turns.\n# And rolls.\nuint8 ROUND = 0  # as it should be\n\nfloat64[] speeds  # [rad/s] of each\n'
        '                  # spoke | hub\n',
        Ask='# Asks for a Wheel.\nstring name\n---\n# The answer.\nWheel[] wheels  # see Wheel; `Wheel` is code, Wheels none\n',
    )
    message_pages.write_page(package, tmp_path / 'page.md')
    page = (tmp_path / 'page.md').read_text()
    assert '\n### Wheel\n\nIt turns. And rolls.\n' in page
    assert '\n| `speeds` | `float64[]` | `rad/s` |  | of each spoke \\| hub |\n' in page
    assert '\n| `ROUND` | 0 | as it should be |\n' in page
    assert '\nAsks for a [Wheel](#wheel).\n' in page
    assert '\nRequest:\n' in page and '\nReply:\n' in page
    row = '| `wheels` | [Wheel](#wheel)`[]` |  |  | see [Wheel](#wheel); `Wheel` is code, Wheels none |'
    assert f'\n| | | | | *The answer.* |\n{row}\n' in page


def test_a_line_that_is_none_is_told_with_its_place(tmp_path):
    package = package_with(tmp_path, Odd='# A file.\nfloat64 good\nfloat64\n')
    with pytest.raises(ValueError, match=r"Odd\.msg:3: found 'float64', expected a type and a name"):
        message_pages.read_package(package)


def test_the_page_has_every_field(tmp_path):
    message_pages.write_page(PACKAGE, tmp_path / 'page.md')
    page = (tmp_path / 'page.md').read_text()
    sections = dict(re.findall(r'^### (\w+)\n(.*?)(?=^##|\Z)', page, re.MULTILINE | re.DOTALL))
    for interface in message_pages.read_package(PACKAGE):
        for field in interface.fields():
            assert f'\n| `{field.name}` | ' in sections[interface.name]
    assert set(re.findall(r'\(#(\w+)\)', page)) <= {name.lower() for name in sections}
