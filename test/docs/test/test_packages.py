# SPDX-License-Identifier: BSD-3-Clause
"""The package.xml files: `rosdep install` brings everything that a package uses, on Ubuntu 24.04 and on Debian 12."""

import ast
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

import pytest
import yaml
from blocks import ROOT

KNOWN = yaml.safe_load((pathlib.Path(__file__).parent / 'rosdep_keys.yaml').read_text())
MODULES = {
    'matplotlib': 'python3-matplotlib',
    'numpy': 'python3-numpy',
    'PIL': 'python3-pil',
    'pytest': 'python3-pytest',
    'yaml': 'python3-yaml',
}
CMAKE = {
    'Eigen3': 'eigen',
    'Fontconfig': 'libfontconfig1-dev',
    'Freetype': 'libfreetype-dev',
    'PkgConfig': 'pkg-config',
    'X11': 'libx11-dev',
    'assimp': 'assimp',
    'fcl': 'libfcl-dev',
    'orocos_kdl': 'liborocos-kdl-dev',
    'pybind11': 'pybind11_vendor',
    'tl-expected': 'libexpected-dev',
}
# Used where they are there; docs/tasks/stock_ros.md says how to have them.
OPTIONAL = {
    *('ambf_bench', 'cisst', 'crtk_msgs', 'gymnasium', 'mujoco', 'pybullet', 'rosbags', 'sawIntuitiveResearchKit'),
    *('PyKDL', 'sdformat${version}', 'sdformat_vendor', 'stable_baselines3', 'torch'),
}
# They test the repository that they lie in: its pages, its examples, its format, its entry script.
OF_THE_REPOSITORY = {'ambf_docs', 'ambf_entry_script', 'ambf_examples', 'ambf_lint'}
# Come with the compiler, CMake or Python; OGRE stands in for rviz_ogre_vendor where that is not there.
THERE = {'OGRE', 'Python3', 'Threads'}


def manifests() -> dict[str, pathlib.Path]:
    """Every package of the repository, by its name; not those that stand in for ROS 2."""
    files = [file for pattern in ('*', 'src/*', 'test/*') for file in sorted(ROOT.glob(f'{pattern}/package.xml'))]
    return {ElementTree.parse(file).findtext('name'): file for file in files}


PACKAGES = manifests()


def dependencies(manifest: pathlib.Path) -> set[str]:
    return {tag.text for tag in ElementTree.parse(manifest).getroot() if tag.tag.endswith('depend')}


def python_files(folder: pathlib.Path):
    for file in sorted(folder.rglob('*')):
        if file.is_file() and (
            file.suffix == '.py' or (not file.suffix and file.read_bytes().startswith(b'#!/usr/bin/env python3'))
        ):
            yield file


def imported(folder: pathlib.Path) -> dict[str, str]:
    """Modules that the Python files of a package import from elsewhere, each with one of the files."""
    files = list(python_files(folder))
    own = {file.stem for file in files} | {file.parent.name for file in files}
    modules = {}
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module]
                if isinstance(node, ast.ImportFrom) and node.level == 0
                else []
            )
            modules.update({name.split('.')[0]: str(file.relative_to(ROOT)) for name in names})
    return {name: file for name, file in modules.items() if name not in own and name not in sys.stdlib_module_names}


def test_there_are_packages():
    assert {'ambf_adf', 'ambf_physics_node', 'ambf_py'} <= set(PACKAGES)


@pytest.mark.parametrize('name', PACKAGES)
def test_every_dependency_is_a_key_that_rosdep_knows(name):
    unknown = dependencies(PACKAGES[name]) - set(PACKAGES) - set(KNOWN['ros']) - set(KNOWN['system'])
    assert not unknown, f'{PACKAGES[name]}: look these up and add them to rosdep_keys.yaml: {sorted(unknown)}'


def test_the_list_of_keys_has_no_key_that_nobody_names():
    named = set().union(*(dependencies(file) for file in PACKAGES.values()))
    assert not (set(KNOWN['ros']) | set(KNOWN['system'])) - named


@pytest.mark.parametrize('name', PACKAGES)
def test_what_python_imports_is_declared(name):
    declared = dependencies(PACKAGES[name]) | {name} | OPTIONAL
    if name in OF_THE_REPOSITORY:
        declared |= {file.stem for file in (ROOT / 'setup').rglob('*.py')}
    missing = {
        module: file
        for module, file in imported(PACKAGES[name].parent).items()
        if MODULES.get(module, module) not in declared
    }
    assert not missing


@pytest.mark.parametrize('name', PACKAGES)
def test_what_cmake_finds_is_declared(name):
    folder = PACKAGES[name].parent
    found = {
        match
        for file in [*folder.rglob('CMakeLists.txt'), *folder.rglob('*.cmake')]
        for match in re.findall(r'find_package\((\S+?)[\s)]', file.read_text())
    }
    declared = dependencies(PACKAGES[name]) | {name} | OPTIONAL | THERE
    assert not {package for package in found if CMAKE.get(package, package) not in declared}


@pytest.mark.parametrize('name', PACKAGES)
def test_who_takes_crtk_msgs_where_it_is_there_is_built_after_it(name):
    """No distribution has it, so that package.xml cannot name it."""
    folder = PACKAGES[name].parent
    if 'find_package(crtk_msgs' in (folder / 'CMakeLists.txt').read_text():
        assert 'crtk_msgs' in yaml.safe_load((folder / 'colcon.pkg').read_text())['build-dependencies']


@pytest.mark.parametrize('name', ['ambf_arm_nodes', 'ambf_device_nodes', 'ambf_simulation_interfaces'])
def test_who_leaves_a_part_out_says_how_to_have_it_looked_for_again(name):
    text = re.sub(r'"\s+"', '', (PACKAGES[name].parent / 'CMakeLists.txt').read_text())
    assert re.search(rf'`colcon build --cmake-force-configure --packages-select [a-z_ ]*\b{name}\b`', text)


@pytest.mark.parametrize('key', KNOWN['system'])
def test_the_list_of_debian_packages_has_what_the_key_brings(key):
    """Those of Python's are wanted where ROS 2 comes from apt: with the wheels they come from PyPI."""
    lists = ['setup/debian.txt', *(['setup/debian_ros.txt'] if key.startswith('python3-') else [])]
    listed = {word for name in lists for word in re.split(r'[\s|]+', (ROOT / name).read_text())}
    assert KNOWN['system'][key]['debian'][0] in listed


@pytest.mark.parametrize('name', KNOWN['ros'])
def test_the_list_of_apts_ros_has_every_package_that_is_named(name):
    """Those of the workspace itself are no keys of rosdep."""
    assert f'ros-jazzy-{name.replace("_", "-")}' in (ROOT / 'setup/debian_ros.txt').read_text().splitlines()


@pytest.mark.parametrize('name', PACKAGES)
def test_no_package_reads_outside_itself_when_it_is_built(name):
    folder = PACKAGES[name].parent
    if name in OF_THE_REPOSITORY:
        pytest.skip('the repository is what it tests')
    outside = re.compile(r'(?:CMAKE_CURRENT_SOURCE_DIR|CMAKE_SOURCE_DIR|PROJECT_SOURCE_DIR)\}((?:/\.\.)+)')
    for file in [*folder.rglob('CMakeLists.txt'), *folder.rglob('*.cmake')]:
        depth = len(file.relative_to(folder).parts) - 1
        for line in file.read_text().splitlines():
            for ups in outside.findall(line):
                steps = ups.count('..')
                assert 'CMAKE_CURRENT_SOURCE_DIR' in line and steps <= depth, f'{file}: {line.strip()}'
