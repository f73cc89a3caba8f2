# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 pkg`."""

import os
from typing import List

from ament_index_python.packages import get_package_prefix, get_packages_with_prefixes
from ament_index_python.packages import PackageNotFoundError


def complete_packages(prefix='', parsed_args=None, **kwargs) -> List[str]:
    """Complete names of packages."""
    return sorted(get_packages_with_prefixes())


def executables_of_package(package: str) -> List[str]:
    """Return the paths of a package's programs; raise LookupError for an unknown package."""
    try:
        folder = os.path.join(get_package_prefix(package), 'lib', package)
    except (PackageNotFoundError, ValueError):
        raise LookupError(f"Package '{package}' not found") from None
    found = []
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith('.')]
        paths = (os.path.join(root, name) for name in sorted(files))
        found += [path for path in paths if os.access(path, os.X_OK)]
    return found


def complete_executables(prefix, parsed_args, **kwargs) -> List[str]:
    """Complete names of a package's programs."""
    try:
        return [os.path.basename(p) for p in executables_of_package(parsed_args.package_name)]
    except LookupError:
        return []


def add_list_arguments(parser) -> None:
    pass


def run_list(args):
    for package in complete_packages():
        print(package)
    return 0


def add_prefix_arguments(parser) -> None:
    parser.add_argument('package_name', help='The package name').completer = complete_packages
    parser.add_argument('--share', action='store_true',
                        help='Output the share directory for the package')


def run_prefix(args):
    try:
        path = get_package_prefix(args.package_name)
    except (PackageNotFoundError, ValueError):
        return 'Package not found'
    if args.share:
        path = os.path.join(path, 'share', args.package_name)
    print(path)
    return 0


def add_executables_arguments(parser) -> None:
    parser.add_argument('--full-path', action='store_true',
                        help='Show the full path of each executable')
    parser.add_argument('package_name', nargs='?', default=None,
                        help='The package name').completer = complete_packages


def run_executables(args):
    packages = complete_packages() if args.package_name is None else [args.package_name]
    for package in packages:
        try:
            paths = executables_of_package(package)
        except LookupError:
            return 'Package not found'
        for path in sorted(paths):
            print(path if args.full_path else f'{package} {os.path.basename(path)}')
    return 0


def add_xml_arguments(parser) -> None:
    parser.add_argument('package_name', help='The package name').completer = complete_packages
    parser.add_argument('-t', '--tag', help='The XML tag to output')


def run_xml(args):
    import xml.etree.ElementTree as ElementTree
    try:
        prefix = get_package_prefix(args.package_name)
    except (PackageNotFoundError, ValueError):
        return 'Package not found'
    path = os.path.join(prefix, 'share', args.package_name, 'package.xml')
    if not os.path.isfile(path):
        return f"No package.xml file found at '{path}'"
    root = ElementTree.parse(path).getroot()
    if args.tag is None:
        print(ElementTree.tostring(root, encoding='unicode'))
        return 0
    elements = root.findall(args.tag)
    if not elements:
        return f"No '{args.tag}' tag found"
    for element in elements:
        print(''.join(element.itertext()))
    return 0
