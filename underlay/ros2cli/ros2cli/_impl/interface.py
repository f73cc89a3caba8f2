# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 interface`."""

import os
import sys
from typing import Dict, List

from ament_index_python.packages import get_package_share_directory, PackageNotFoundError
from ament_index_python.resources import get_resource, get_resources

_TITLES = {'msg': 'Messages', 'srv': 'Services', 'action': 'Actions'}


def interfaces_of_package(package: str) -> List[str]:
    """Return names such as `msg/String`."""
    content, _ = get_resource('rosidl_interfaces', package)
    names = []
    for line in content.splitlines():
        folder, _, file_name = line.partition('/')
        stem, extension = os.path.splitext(file_name)
        # An action's own messages and services are made from it, not written by anybody.
        if extension == '.idl' and folder in _TITLES and not stem.startswith('_'):
            names.append(f'{folder}/{stem}')
    return sorted(names)


def all_interfaces(kind: str) -> Dict[str, List[str]]:
    """Return the names of one kind of interface by package."""
    found = {}
    for package in sorted(get_resources('rosidl_interfaces')):
        names = [name for name in interfaces_of_package(package) if name.startswith(kind + '/')]
        if names:
            found[package] = names
    return found


def complete_messages(prefix, parsed_args, **kwargs) -> List[str]:
    """Complete message types."""
    return [f'{package}/{name}' for package, names in all_interfaces('msg').items()
            for name in names]


def complete_interfaces(prefix, parsed_args, **kwargs) -> List[str]:
    """Complete all types."""
    return [f'{package}/{name}' for kind in _TITLES
            for package, names in all_interfaces(kind).items() for name in names]


def _add_kind_arguments(parser) -> None:
    parser.add_argument('-m', '--only-msgs', action='store_true',
                        help='Print out only the message types')
    parser.add_argument('-s', '--only-srvs', action='store_true',
                        help='Print out only the service types')
    parser.add_argument('-a', '--only-actions', action='store_true',
                        help='Print out only the action types')


def _kinds(args) -> List[str]:
    chosen = [kind for kind, wanted in (('msg', args.only_msgs), ('srv', args.only_srvs),
                                        ('action', args.only_actions)) if wanted]
    return chosen or list(_TITLES)


def add_list_arguments(parser) -> None:
    _add_kind_arguments(parser)


def run_list(args):
    for kind in _kinds(args):
        print(f'{_TITLES[kind]}:')
        for package, names in all_interfaces(kind).items():
            for name in names:
                print(f'    {package}/{name}')
    return 0


def add_package_arguments(parser) -> None:
    parser.add_argument('package_name', help="Name of the ROS package (e.g. 'example_interfaces')"
                        ).completer = lambda **_: sorted(get_resources('rosidl_interfaces'))
    _add_kind_arguments(parser)


def run_package(args):
    try:
        names = interfaces_of_package(args.package_name)
    except LookupError:
        return f"Unknown package '{args.package_name}'"
    for name in names:
        if name.split('/')[0] in _kinds(args):
            print(f'{args.package_name}/{name}')
    return 0


def add_packages_arguments(parser) -> None:
    _add_kind_arguments(parser)


def run_packages(args):
    packages = {package for kind in _kinds(args) for package in all_interfaces(kind)}
    for package in sorted(packages):
        print(package)
    return 0


def add_proto_arguments(parser) -> None:
    parser.add_argument('type', help="Show an interface definition (e.g. "
                        "'example_interfaces/msg/String')").completer = complete_interfaces
    parser.add_argument('--no-quotes', action='store_true',
                        help='if true output has no outer quotes.')


def run_proto(args):
    from .messages import import_interface, message_to_yaml
    parts = args.type.split('/')
    kind = parts[1] if len(parts) == 3 else 'msg'
    if kind not in _TITLES:
        return f"'{args.type}' is not an interface type"
    cls = import_interface(args.type, kind)
    message = {'msg': cls, 'srv': getattr(cls, 'Request', None),
               'action': getattr(cls, 'Goal', None)}[kind]()
    quote = '' if args.no_quotes else '"'
    print(f'{quote}{message_to_yaml(message)}{quote}')
    return 0


def add_show_arguments(parser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument('--all-comments', action='store_true',
                       help='Show all comments, including for the nested interface definitions')
    group.add_argument('--no-comments', action='store_true',
                       help='Show no comments or whitespace')
    parser.add_argument('type', help="Show an interface definition (e.g. "
                        "'example_interfaces/msg/String'). Passing '-' reads the argument from "
                        "stdin (e.g. 'ros2 topic type /chatter | ros2 interface show -')."
                        ).completer = complete_interfaces


def _definition_file(package: str, kind: str, name: str) -> str:
    try:
        share = get_package_share_directory(package)
    except (PackageNotFoundError, ValueError):
        raise LookupError(f"Unknown package '{package}'") from None
    for extension in (kind, 'idl'):
        path = os.path.join(share, kind, f'{name}.{extension}')
        if os.path.isfile(path):
            return path
    raise LookupError(f"Could not find the interface '{package}/{kind}/{name}'")


def _nested_type(line: str, package: str):
    """Return package and name of the message that a field line has as its type, or None."""
    words = line.split('#')[0].split()
    if len(words) < 2 or '=' in words[1]:
        return None
    base = words[0].split('[')[0].split('<')[0]
    if '/' in base:
        parts = base.split('/')
        return parts[0], parts[-1]
    if base == 'Header':
        return 'std_msgs', 'Header'
    return (package, base) if base[:1].isupper() else None


def _show(package: str, kind: str, name: str, args, indent: int = 0) -> None:
    path = _definition_file(package, kind, name)
    with open(path) as file:
        lines = file.read().splitlines()
    comments = args.all_comments or (indent == 0 and not args.no_comments)
    for line in lines:
        if not comments:
            line = line.split('#')[0].rstrip() if "'" not in line and '"' not in line else line
            if not line.strip():
                continue
        print('\t' * indent + line if line else line)
        nested = _nested_type(line, package) if not path.endswith('.idl') else None
        if nested is not None:
            _show(nested[0], 'msg', nested[1], args, indent + 1)


def run_show(args):
    name = sys.stdin.readline().strip() if args.type == '-' else args.type
    parts = name.split('/')
    if len(parts) == 2:
        kinds = [(parts[0], kind, parts[1]) for kind in _TITLES]
    elif len(parts) == 3 and parts[1] in _TITLES:
        kinds = [tuple(parts)]
    else:
        return f"The passed interface type is invalid: '{name}'"
    for number, (package, kind, short) in enumerate(kinds):
        try:
            _definition_file(package, kind, short)
        except LookupError as exc:
            if number == len(kinds) - 1:
                return str(exc)
            continue
        _show(package, kind, short, args)
        return 0
    return 1
