# SPDX-License-Identifier: BSD-3-Clause
"""Which arms are put on CRTK topics: those that the world declares, or those of a file."""

import dataclasses
import pathlib
from typing import Any

import yaml
from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch import LaunchContext
from launch.logging import get_logger
from launch.substitutions import LaunchConfiguration
from launch_ros.parameter_descriptions import ParameterValue

from ambf_bringup.addresses import path_of

PACKAGE = 'ambf_arm_nodes'
PROGRAM = 'arm_server'
PLUGIN = 'ambf_arm_nodes::ArmServer'


@dataclasses.dataclass
class ArmNode:
    """An arm to serve: the node's name is the arm's."""

    name: str
    parameters: dict[str, Any]


def names_in(file: pathlib.Path) -> list[str]:
    """Names of the arms that a file describes; RuntimeError, which ends the launch, where there is none."""
    if not file.is_file():
        raise RuntimeError(f"arms: found '{file}', which is no file; expected auto, none, or a file with an arm")
    try:
        content = yaml.safe_load(file.read_text())
    except yaml.YAMLError as error:
        raise RuntimeError(f"arms: '{file}' is no YAML: {error}") from None
    content = content if isinstance(content, dict) else {}
    blocks = content.get('arms') or [content.get('arm')]
    names = [str(block['name']) for block in blocks if isinstance(block, dict) and 'name' in block]
    if not names:
        raise RuntimeError(f"arms: '{file}' describes no arm; expected a block 'arm' or a list 'arms', with names")
    return names


def declared(world: str) -> list[ArmNode]:
    """The arms of a world's launch file, key `arm configs`; what is wrong with the file the world says."""
    file = path_of(world.split('?')[0], 'world')
    if not file.is_file():
        return []
    try:
        launch = yaml.safe_load(file.read_text())
    except yaml.YAMLError:
        return []
    nodes = []
    for entry in (launch.get('arm configs') or []) if isinstance(launch, dict) else []:
        entry = entry if isinstance(entry, dict) else {'config': str(entry)}
        path = path_of(str(entry.get('config', '')), 'arms', file.parent)
        if not path.is_file():
            continue  # the world warns of it
        for arm in [str(entry['arm'])] if 'arm' in entry else names_in(path):
            name = str(entry.get('name', arm))
            nodes.append(
                ArmNode(
                    name,
                    {'arms_file': str(path.resolve()), 'arm': arm, 'name': name, 'model': str(entry.get('model', ''))},
                )
            )
    return nodes


def as_texts(parameters: dict[str, Any]) -> dict[str, ParameterValue]:
    """Text also where it reads as a number or a truth value."""
    return {name: ParameterValue(value, value_type=str) for name, value in parameters.items()}


def built() -> bool:
    """Is there an arm server? The package is empty where it was built without crtk_msgs."""
    try:
        return (pathlib.Path(get_package_prefix(PACKAGE)) / 'lib' / PACKAGE / PROGRAM).is_file()
    except PackageNotFoundError:
        return False


def arm_nodes(context: LaunchContext) -> list[ArmNode]:
    """The arms that the argument `arms` asks for."""
    chosen = LaunchConfiguration('arms').perform(context).strip()
    if chosen == 'none':
        return []
    if chosen in ('auto', ''):
        nodes = declared(LaunchConfiguration('world').perform(context))
    else:
        file = path_of(chosen, 'arms').resolve()
        nodes = [ArmNode(name, {'arms_file': str(file), 'arm': name}) for name in names_in(file)]
    if nodes and not built():
        names = ', '.join(node.name for node in nodes)
        get_logger('arms').warning(
            f'{names}: not served, because {PACKAGE} is not built or was built without crtk_msgs; '
            'see docs/tasks/stock_ros.md'
        )
        return []
    style = LaunchConfiguration('arm_names').perform(context)
    for node in nodes:
        node.parameters['name_style'] = style
    return nodes
