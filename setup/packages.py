#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Name the packages of a build, as folders: those of the underlay or the workspace, all or what a demo runs.

Usage: packages.py underlay|ws all
       packages.py underlay|ws demo [NAME] [ARG:=VALUE...]
       packages.py optional [FOLDER...]     which optional packages there are, in these folders or on the ament path

A demo needs the nodes that its launch file starts, what they depend on, and the commands that it prints; not their tests.
In: AMBF_STOCK (1: the workspace stands on a stock ROS 2), AMENT_PREFIX_PATH, AMBF_OUT.
"""

import os
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Its launch files name more nodes than a demo starts: what it depends on is chosen by the arguments.
LAUNCHER = 'ambf_bringup'
# The Python client is what a newcomer takes next, and costs little on top.
ALWAYS = [
    'ambf_physics_node',
    'ambf_render_node',
    'ambf_description',
    'ambf_py',
    'rclcpp_components',
    'launch_ros',
    'ros2cli',
]
# Demos with hands, most of which work on the topics of arms; the first is the one without a name.
WITH_HANDS = [
    'peg_transfer',
    'two_psms_ecm',
    'patient_cart',
    'surgeon_console',
    'mechanisms',
    'boxes',
    'cloth',
    'demo',
    'needle',
    'puzzle',
    'peg_in_hole',
    'training_cast',
    'grippers',
    'shared_proxy',
]
# Options of a demo whose value is a word of its own.
WITH_VALUE = ['--video', '--seconds']
# What a launch argument adds: (name, values that add nothing, packages).
BY_ARGUMENT = [
    ('record', ('',), ['rosbag2_transport', 'ros2bag']),
    ('simulation_interfaces', ('', 'false'), ['ambf_simulation_interfaces']),
    # The demo's own arm is left out where its server is not built.
    ('arms', ('', 'auto', 'none'), ['ambf_arm_nodes', 'crtk_msgs']),
]
# Bags are recorded and played by arguments and commands of their own.
NOT_BY_OTHERS = {'ros2bag', 'rosbag2_transport'}
# Messages of the underlay that no distribution of ROS 2 has: on a stock one the workspace builds them.
LENT = ['crtk_msgs']
# Those that packages of the workspace take where they are there.
OPTIONAL = ['control_msgs', 'crtk_msgs', 'simulation_interfaces']
KINDS = ['buildtool_depend', 'buildtool_export_depend', 'build_depend', 'build_export_depend', 'depend', 'exec_depend']


def folders_below(part: str):
    """The folders with a package.xml; not below one, and not where COLCON_IGNORE stands."""
    top = ROOT / 'underlay' if part == 'underlay' else ROOT
    for folder, names, files in os.walk(top):
        here = pathlib.Path(folder)
        if here != top and 'COLCON_IGNORE' in files:
            names.clear()
        elif 'package.xml' in files:
            names.clear()
            yield here
        else:
            names[:] = sorted(name for name in names if not name.startswith('.'))


def is_sourced(name: str) -> bool:
    """Is the package on the ament path? What an earlier build of the workspace left there does not count."""
    own = os.environ.get('AMBF_OUT', str(ROOT / '.ambf')) + '/ws'
    prefixes = [prefix for prefix in os.environ.get('AMENT_PREFIX_PATH', '').split(':') if prefix]
    return any(pathlib.Path(p, 'share', name, 'package.xml').is_file() for p in prefixes if not p.startswith(own))


def folders_of(part: str) -> list:
    """The folders of a part, with what the underlay lends to the workspace."""
    folders = list(folders_below(part))
    if part == 'ws' and os.environ.get('AMBF_STOCK') == '1':
        there = {read_package(folder)[0] for folder in folders}
        folders += [ROOT / 'underlay' / name for name in LENT if name not in there and not is_sourced(name)]
    return folders


def read_package(folder: pathlib.Path) -> tuple:
    root = ElementTree.parse(folder / 'package.xml').getroot()
    needs = {item.text.strip() for kind in KINDS for item in root.findall(kind) if item.text}
    return root.findtext('name').strip(), needs


def demo_roots(arguments: list) -> list:
    given = dict(item.split(':=', 1) for item in arguments if ':=' in item)
    previous = ['', *arguments]
    names = [
        item
        for item, option in zip(arguments, previous)
        if ':=' not in item and not item.startswith('-') and option not in WITH_VALUE
    ] or WITH_HANDS
    roots = list(ALWAYS)
    hands = given.get('hands', 'scripted')
    if names[0] in WITH_HANDS and hands != 'none':
        roots += ['ambf_arm_nodes', 'crtk_msgs']
        # People lead the arms by devices.
        roots += [] if hands == 'scripted' else ['ambf_device_nodes']
    for name, nothing, packages in BY_ARGUMENT:
        if given.get(name, '') not in nothing:
            roots += packages
    return roots


def demo_packages(known: dict, arguments: list) -> set:
    """The names of all packages that the demo needs, out of {name: needs}."""
    found, open_ones = {LAUNCHER}, demo_roots(arguments)
    while open_ones:
        name = open_ones.pop()
        if name in known and name not in found:
            found.add(name)
            open_ones += set(known[name]) - NOT_BY_OTHERS
    return found


def main(arguments: list) -> int:
    if arguments[:1] == ['optional']:
        there = {pathlib.Path(folder).name for folder in arguments[1:]}
        print(*(name for name in OPTIONAL if name in there or is_sourced(name)))
        return 0
    if len(arguments) < 2 or arguments[0] not in ('underlay', 'ws') or arguments[1] not in ('all', 'demo'):
        print(__doc__, file=sys.stderr)
        return 2
    part, scope, *rest = arguments
    here = {folder: read_package(folder) for folder in folders_of(part)}
    if scope == 'demo':
        known = {name: needs for other in ('underlay', 'ws') for name, needs in map(read_package, folders_below(other))}
        wanted = demo_packages(known, rest)
        here = {folder: package for folder, package in here.items() if package[0] in wanted}
    for folder in sorted(here):
        print(folder.relative_to(ROOT))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
