# SPDX-License-Identifier: BSD-3-Clause
"""The program `launch_test`."""

import argparse
import os
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from typing import List, Optional

from .junitxml import unittestResultsToXml
from .loader import LoadTestsFromPythonModule
from .test_runner import LaunchTestRunner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the program's arguments."""
    parser.add_argument('launch_test_file', help='The file to test')
    parser.add_argument('launch_arguments', nargs='*', default=[],
                        help="Arguments in '<name>:=<value>' format (for duplicates, last one "
                             'wins)')
    parser.add_argument('-v', '--verbose', action='store_true', help='Run with verbose output')
    parser.add_argument('-s', '--show-args', '--show-arguments', action='store_true',
                        help='Show arguments that may be given to the launch test')
    parser.add_argument('--package-name', default=None,
                        help='a name for the test run in the results')
    parser.add_argument('--junit-xml', action='store', default=None, dest='xmlpath',
                        help='write junit xml style report to specified path')


def _load_module(path: str):
    loader = SourceFileLoader('launch_testing_test_module', path)
    module = module_from_spec(spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


def _print_arguments(runs) -> None:
    print("Arguments (pass arguments as '<name>:=<value>'):")
    for argument in runs[0].normalized_test_description(lambda: None)[0].get_launch_arguments():
        print(f"\n    '{argument.name}':\n        {argument.description}")
        if argument.default_value is not None:
            default = ' + '.join(token.describe() for token in argument.default_value)
            print(f'        (default: {default})')


def main(argv: Optional[List[str]] = None) -> int:
    """Run a test file; return 0 if all tests passed."""
    parser = argparse.ArgumentParser(
        prog='launch_test', description='Launch integration testing tool.')
    add_arguments(parser)
    args = parser.parse_args(argv)
    path = os.path.abspath(args.launch_test_file)
    if not os.path.isfile(path):
        parser.error(f"Test file '{path}' does not exist")
    module = _load_module(path)
    try:
        runs = LoadTestsFromPythonModule(module, name=f'{args.package_name}.launch_tests'
                                         if args.package_name else 'launch_tests')
    except RuntimeError as exc:
        parser.error(str(exc))
    if args.show_args:
        _print_arguments(runs)
        return 0
    results = LaunchTestRunner(runs, args.launch_arguments, args.verbose).run()
    if args.xmlpath:
        folder = os.path.dirname(os.path.abspath(args.xmlpath))
        os.makedirs(folder, exist_ok=True)
        name = os.path.splitext(os.path.basename(path))[0]
        if args.package_name:
            name = f'{args.package_name}.{name}'
        unittestResultsToXml(name=name, test_results=results).write(
            args.xmlpath, encoding='utf-8', xml_declaration=True)
    succeeded = all(result.wasSuccessful() for group in results.values() for result in group)
    for group in results.values():
        for result in group:
            if hasattr(result, 'message'):
                print(f'FAILED: {result.message}')
    return 0 if succeeded else 1


if __name__ == '__main__':
    sys.exit(main())
