# SPDX-License-Identifier: BSD-3-Clause
"""The packages depend on each other as docs/architecture.md says, and in no other way."""

import pathlib
import re
import xml.etree.ElementTree as ElementTree

import pytest
from blocks import ROOT

PAGE = ROOT / 'docs/architecture.md'
ROW = re.compile(r'^\| `(?P<name>ambf_\w+)` \| (?P<build>[^|]*) \| (?P<run>[^|]*) \|$', re.M)
BUILDS_ON = ('depend', 'build_depend', 'build_export_depend', 'buildtool_depend', 'buildtool_export_depend')
FOUND = re.compile(r'find_package\((\w+)')
INCLUDED = re.compile(r'^\s*#\s*include\s*[<"](\w+)/', re.M)
# What only a test or a benchmark needs is no edge.
NOT_SHIPPED = {'test', 'bench', 'fuzz'}
# The libraries of src/ hold the thinking: no header of ROS, no message.
OF_ROS = re.compile(r'^(?:rcl|rclcpp\w*|rmw|ament_index_cpp|\w+_msgs|\w+_interfaces)$')


def manifests() -> dict[str, pathlib.Path]:
    """The packages that are shipped: those of test/ may depend on anything."""
    files = [file for pattern in ('*', 'src/*') for file in sorted(ROOT.glob(f'{pattern}/package.xml'))]
    return {ElementTree.parse(file).findtext('name'): file for file in files}


PACKAGES = manifests()


def listed() -> dict[str, tuple[set[str], set[str]]]:
    """(builds on, uses at run time) of each package, as the page has it."""
    return {
        match['name']: tuple(set(re.findall(r'`(ambf_\w+)`', match[part])) for part in ('build', 'run'))
        for match in ROW.finditer(PAGE.read_text())
    }


def in_manifest(name: str) -> tuple[set[str], set[str]]:
    root = ElementTree.parse(PACKAGES[name]).getroot()
    build = {item.text for kind in BUILDS_ON for item in root.findall(kind)} & set(PACKAGES)
    run = {item.text for item in root.findall('exec_depend')} & set(PACKAGES)
    return build, run - build


def without_tests(cmake: str) -> str:
    """The lines of a CMake file outside of if(BUILD_TESTING) ... endif()."""
    kept, depth = [], 0
    for line in cmake.splitlines():
        if re.match(r'\s*if\s*\(', line) and (depth or 'BUILD_TESTING' in line):
            depth += 1
        if not depth:
            kept.append(line)
        if re.match(r'\s*endif\s*\(', line) and depth:
            depth -= 1
    return '\n'.join(kept)


def in_cmake(name: str) -> set[str]:
    file = PACKAGES[name].parent / 'CMakeLists.txt'
    return set(FOUND.findall(without_tests(file.read_text()))) & set(PACKAGES)


def included(name: str) -> dict[str, str]:
    """The first parts of the headers that a package includes, each with one of the files."""
    folder = PACKAGES[name].parent
    headers = {}
    for file in sorted(folder.rglob('*.?pp')):
        if not NOT_SHIPPED & set(file.relative_to(folder).parts):
            headers.update({part: str(file.relative_to(ROOT)) for part in INCLUDED.findall(file.read_text())})
    return headers


def test_the_page_lists_every_package():
    assert set(listed()) == set(PACKAGES)


@pytest.mark.parametrize('name', PACKAGES)
def test_the_edges_of_the_package_are_those_on_the_page(name):
    assert in_manifest(name) == listed()[name], f'{PACKAGES[name]} (first) and {PAGE} (second) differ'


@pytest.mark.parametrize('name', PACKAGES)
def test_cmake_finds_what_the_page_lists_and_no_more(name):
    assert in_cmake(name) == listed()[name][0]


@pytest.mark.parametrize('name', PACKAGES)
def test_headers_are_taken_along_the_edges_only(name):
    foreign = {part: file for part, file in included(name).items() if part in PACKAGES and part != name}
    assert not {part: file for part, file in foreign.items() if part not in listed()[name][0]}


@pytest.mark.parametrize('name', [name for name, file in PACKAGES.items() if file.parent.parent.name == 'src'])
def test_the_libraries_know_nothing_of_ros(name):
    assert not {part: file for part, file in included(name).items() if OF_ROS.match(part)}


def test_there_is_no_way_back():
    """No package builds on itself, by whatever way."""
    edges = {name: build for name, (build, _) in listed().items()}
    done: set[str] = set()
    while len(done) < len(edges):
        ready = {name for name in set(edges) - done if edges[name] <= done}
        assert ready, f'these build on each other in a circle: {sorted(set(edges) - done)}'
        done |= ready


def test_what_tests_need_is_no_edge():
    text = 'find_package(a)\nif(BUILD_TESTING)\n  if(x)\n    find_package(b)\n  endif()\n  find_package(c)\nendif()\nfind_package(d)\n'
    assert FOUND.findall(without_tests(text)) == ['a', 'd']
