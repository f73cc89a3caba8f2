# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 launch`."""

import os
import sys
from collections import OrderedDict
from typing import List, Optional

from ament_index_python.packages import get_package_prefix, PackageNotFoundError

from .pkg import complete_packages

def add_launch_arguments(parser) -> None:
    parser.add_argument('-n', '--noninteractive', action='store_true',
                        help='Run the launch system non-interactively, with no terminal '
                             'associated')
    parser.add_argument('-d', '--debug', action='store_true',
                        help='Put the launch system in debug mode, provides more verbose output.')
    group = parser.add_mutually_exclusive_group()
    group.add_argument('-p', '--print', '--print-description', action='store_true',
                       dest='print_description',
                       help='Print the launch description to the console without launching it.')
    group.add_argument('-s', '--show-args', '--show-arguments', action='store_true',
                       dest='show_args', help='Show arguments that may be given to the launch '
                                              'file.')
    parser.add_argument('-a', '--show-all-subprocesses-output', action='store_true',
                        help='Show all launched subprocesses\' output by overriding their output '
                             'configuration using the OVERRIDE_LAUNCH_PROCESS_OUTPUT envvar.')
    parser.add_argument('--launch-prefix', help='Prefix command, which should go before all '
                                                'executables. Command must be wrapped in quotes '
                                                'if it contains spaces.')
    parser.add_argument('--launch-prefix-filter',
                        help='Regex pattern for filtering which executables the --launch-prefix '
                             'is applied to by matching the executable name.')
    parser.add_argument('package_name', help='Name of the ROS package which contains the launch '
                                             'file').completer = _complete_first
    parser.add_argument('launch_file_name', nargs='?', help='Name of the launch file'
                        ).completer = _complete_launch_file
    parser.add_argument('launch_arguments', nargs='*',
                        help="Arguments to the launch file; '<name>:=<value>' (for duplicates, "
                             'last one wins)').completer = _complete_argument


def _complete_first(prefix='', parsed_args=None, **kwargs) -> List[str]:
    folder = os.path.dirname(prefix) or '.'
    files = os.listdir(folder) if os.path.isdir(folder) else []
    return complete_packages() + [
        os.path.join(os.path.dirname(prefix), name) for name in files
        if 'launch' in name and name.endswith('.py')]


def _complete_launch_file(prefix='', parsed_args=None, **kwargs) -> List[str]:
    try:
        return [os.path.basename(p) for p in _launch_files(parsed_args.package_name)]
    except (PackageNotFoundError, ValueError):
        return []


def _complete_argument(prefix='', parsed_args=None, **kwargs) -> List[str]:
    from launch import LaunchContext
    from launch.launch_description_sources import AnyLaunchDescriptionSource
    path, _ = _resolve(parsed_args)
    description = AnyLaunchDescriptionSource(path).get_launch_description(LaunchContext())
    return [f'{argument.name}:=' for argument in description.get_launch_arguments()]


def _launch_files(package: str) -> List[str]:
    share = os.path.join(get_package_prefix(package), 'share', package)
    found = []
    for root, _, files in os.walk(share):
        found += [os.path.join(root, name) for name in sorted(files)
                  if name.endswith(('launch.py', 'launch.xml', 'launch.yaml', 'launch.yml'))]
    return found


def _find_in_package(package: str, file_name: str) -> str:
    try:
        share = os.path.join(get_package_prefix(package), 'share', package)
    except (PackageNotFoundError, ValueError) as exc:
        raise RuntimeError(f"Package '{package}' not found: {str(exc).strip(chr(34))}") from None
    matching = []
    for root, _, files in os.walk(share):
        matching += [os.path.join(root, name) for name in files if name == file_name]
    if not matching:
        raise RuntimeError(f"file '{file_name}' was not found in the share directory of package "
                           f"'{package}' which is at '{share}'")
    if len(matching) > 1:
        raise RuntimeError(f"file '{file_name}' was found more than once in the share directory "
                           f"of package '{package}': {matching}")
    return matching[0]


def _resolve(args):
    """Return the launch file's path and the arguments for it."""
    if args.launch_file_name is None or ':=' in args.launch_file_name or \
            os.path.isfile(args.package_name):
        path = args.package_name
        if not os.path.isfile(path):
            if os.path.sep in path or path.endswith('.py'):
                raise RuntimeError(f"launch file '{path}' does not exist")
            raise RuntimeError('No launch file supplied')
        given = [] if args.launch_file_name is None else [args.launch_file_name]
        return path, given + args.launch_arguments
    return _find_in_package(args.package_name, args.launch_file_name), args.launch_arguments


def _parse_launch_arguments(texts: List[str]) -> List:
    parsed: 'OrderedDict[str, str]' = OrderedDict()
    for text in texts:
        name, separator, value = text.partition(':=')
        if not separator or not name:
            raise RuntimeError(f"malformed launch argument '{text}', expected format "
                               "'<name>:=<value>'")
        parsed[name] = value
    return list(parsed.items())


def _print_arguments(description) -> None:
    print("Arguments (pass arguments as '<name>:=<value>'):")
    arguments = description.get_launch_arguments()
    conditional = False
    for argument in arguments:
        star = '*' if argument._conditionally_included else ''
        conditional = conditional or bool(star)
        text = f"\n    '{argument.name}'{star}:\n        {argument.description}"
        if argument.default_value is not None:
            default = ' + '.join(token.describe() for token in argument.default_value)
            text += f'\n        (default: {default})'
        print(text)
    if not arguments:
        print('\n  No arguments.')
    elif conditional:
        print('\n* argument(s) which are only used if specific conditions occur')


def _warn_about_unknown(context, description, given: List, path: str) -> None:
    """Name the arguments that nothing has declared or asked for."""
    import launch.logging
    known = {argument.name for argument in description.get_launch_arguments()}
    known |= context._known_configurations | {'sigterm_timeout', 'sigkill_timeout', 'emulate_tty'}
    for name, _ in given:
        if name not in known:
            launch.logging.get_logger('launch').warning(
                f"argument '{name}' is not used by {os.path.basename(path)} "
                '(--show-args lists what it takes)')


def run_launch(args):
    import launch
    from launch.actions import IncludeLaunchDescription, OpaqueFunction, SetLaunchConfiguration
    from launch.launch_description_sources import AnyLaunchDescriptionSource
    path, texts = _resolve(args)
    given = _parse_launch_arguments(texts)
    source = AnyLaunchDescriptionSource(path)
    if args.show_args or args.print_description:
        description = _load(source)
        if description is None:
            return 1
        if args.show_args:
            _print_arguments(description)
        else:
            print(launch.LaunchIntrospector().format_launch_description(description))
        return 0
    if args.show_all_subprocesses_output:
        os.environ['OVERRIDE_LAUNCH_PROCESS_OUTPUT'] = 'both'
    entities = [IncludeLaunchDescription(source, launch_arguments=given)]
    for name in ('launch_prefix', 'launch_prefix_filter'):
        value: Optional[str] = getattr(args, name)
        if value is not None:
            entities.insert(0, SetLaunchConfiguration(name.replace('_', '-'), value))
    service = launch.LaunchService(
        argv=texts, noninteractive=args.noninteractive or not sys.stdin.isatty(),
        debug=args.debug)
    entities.append(OpaqueFunction(function=lambda context: _warn_about_unknown(
        context, source.get_launch_description(context), given, path)))
    service.include_launch_description(launch.LaunchDescription(entities))
    return service.run()


def _load(source) -> Optional[object]:
    from launch import LaunchContext
    from launch.launch_service import _describe_exception
    try:
        return source.get_launch_description(LaunchContext())
    except Exception as exc:
        print(_describe_exception(exc), file=sys.stderr)
        return None


