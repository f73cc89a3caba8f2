# SPDX-License-Identifier: BSD-3-Clause
"""The page of the Python API: what `ambf_py` offers, read from its docstrings without importing it."""

import ast
import pathlib

START = """# Python API

Made from the docstrings of `ambf_py`. [The manual](../docs/python.md) explains how the parts work together.
"""

# What people import, by what they want to do; the order of the page.
PARTS = {
    'A running world': (
        'Client',
        'World',
        'Simulator',
        'RigidBody',
        'SoftBody',
        'Sensor',
        'Actuator',
        'Ghost',
        'Camera',
        'Light',
    ),
    'Environments': ('AmbfEnv', 'AmbfVectorEnv'),
    'Errors': (
        'AmbfError',
        'AmbiguousName',
        'BadValue',
        'NotJoined',
        'Refused',
        'SimulatorGone',
        'SpaceMismatch',
        'StepRefused',
        'UnknownObject',
    ),
}
MODULES = {'Tasks': ('ambf_py.task', 'ambf_py.tasks.reach', 'ambf_py.tasks.peg_transfer', 'ambf_py.tasks.needle_pick')}


def offered(package: pathlib.Path) -> dict[str, str]:
    """Public names of the package and the modules that define them."""
    tree = ast.parse((package / '__init__.py').read_text(encoding='utf-8'))
    places = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', '') == '_PLACES':
            places.update(ast.literal_eval(node.value))
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            places.update({alias.name: node.module for alias in node.names})
        if isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', '') == '__all__':
            names = ast.literal_eval(node.value)
    return {name: places[name] for name in names}


def write_page(package: pathlib.Path, file: pathlib.Path) -> None:
    places = offered(package)
    listed = {name for names in PARTS.values() for name in names}
    text = START
    for part, names in {**PARTS, 'More': tuple(n for n in places if n not in listed)}.items():
        there = [n for n in names if n in places]
        if there:
            text += f'\n## {part}\n'
            text += ''.join(f'\n::: {package.name}.{places[n]}.{n}\n' for n in there)
    for part, modules in MODULES.items():
        text += f'\n## {part}\n' + ''.join(f'\n::: {m}\n    options: {{show_root_full_path: true}}\n' for m in modules)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding='utf-8')
