# SPDX-License-Identifier: BSD-3-Clause
"""Makes the page of the underlay's public Python names: `python3 api_page.py --write`."""

import argparse
import importlib
import inspect
from pathlib import Path
import sys
import textwrap

from ros2cli._impl import COMMANDS

PAGE = Path(__file__).resolve().parents[2] / 'API_python.md'

_HEAD = '''# Public names of the underlay: Python

Every public name that `launch`, `launch_ros`, `launch_testing` and `launch_testing_ros` give, with
stock Jazzy's module paths, and every command, verb and option of `ros2`. A class is also found in
the module that stock keeps it in (`launch.actions.execute_process.ExecuteProcess`). What starts
with an underscore is internal. The page is made by `ros2cli/test/api_page.py --write`; a test
compares it with the code.

Absent: launch files in XML and YAML (`launch.frontend`), `launch_pytest` and the pytest plug-in of
`launch_testing`, lifecycle nodes (`LifecycleNode`, `launch_ros.events.lifecycle`), `ForLoop` and
the other actions that are newer than Jazzy, `ros2 daemon, doctor, lifecycle, multicast, security,
wtf, extension_points`, `ros2 pkg create`, `ros2 service echo`. There is no daemon: `--no-daemon`
is accepted, and a verb waits until the graph is known.
'''
_TOOLS = '''
The program `launch_test FILE [name:=value ...] [-v] [-s] [--package-name NAME] [--junit-xml FILE]`.
The CMake function `add_launch_test(FILE [TARGET] [TIMEOUT] [PYTHON_EXECUTABLE] [RUNNER] [ARGS]
[ENV] [APPEND_ENV] [APPEND_LIBRARY_DIRS] [WORKING_DIRECTORY] [LABELS] [SKIP_TEST])` of
`launch_testing_ament_cmake`.
'''
_MODULES = {
    'launch': [
        '', 'actions', 'conditions', 'descriptions', 'event_handlers', 'events',
        'events.matchers', 'events.process', 'launch_description_sources', 'logging',
        'substitutions', 'utilities', 'utilities.type_utils'],
    'launch_ros': [
        'actions', 'descriptions', 'parameter_descriptions', 'ros_adapters', 'substitutions',
        'utilities'],
    'launch_testing': [
        '', 'actions', 'asserts', 'event_handlers', 'junitxml', 'loader', 'markers',
        'test_result', 'test_runner', 'tools', 'util'],
    'launch_testing_ros': ['', 'tools'],
}


def _module_names(name):
    module = importlib.import_module(name)
    if hasattr(module, '__all__'):
        names = module.__all__
    else:
        names = [key for key, value in vars(module).items() if not key.startswith('_') and
                 getattr(value, '__module__', None) == name]
    return sorted((key for key in names if not inspect.ismodule(getattr(module, key))),
                  key=str.lower)


def _bullet(text):
    return '\n'.join(textwrap.wrap(text, 100, initial_indent='- ', subsequent_indent='  ',
                                   break_long_words=False, break_on_hyphens=False)) + '\n'


def _verb(command, verb, module_name):
    module = importlib.import_module(module_name)
    parser = argparse.ArgumentParser(add_help=False)
    getattr(module, f'add_{verb or command}_arguments')(parser)
    actions = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    words = [f'[{action.dest}]' if action.nargs in ('?', '*') else action.dest
             for action in actions if not action.option_strings]
    options = ['`' + '`/`'.join(action.option_strings) + '`'
               for action in actions if action.option_strings]
    line = f"`{' '.join(filter(None, ['ros2', command, verb, *words]))}`"
    return _bullet(line + (': ' + ', '.join(options) if options else ''))


def make_page():
    """Return the page."""
    text = _HEAD
    for package, modules in _MODULES.items():
        text += f'\n# {package}\n\n'
        for module in modules:
            name = f'{package}.{module}'.rstrip('.')
            text += _bullet(f'`{name}`: ' + ', '.join(f'`{key}`' for key in _module_names(name)))
        text += _TOOLS if package == 'launch_testing' else ''
    text += '\n# ros2\n\n'
    for command, (_, verbs) in COMMANDS.items():
        if verbs is None:
            text += _bullet(f'`ros2 {command}`: as the package `ros2bag` gives it '
                            '(`ros2bag.command.bag.BagCommand`)')
            continue
        for verb, (module_name, _) in verbs.items():
            text += _verb(command, verb, module_name)
    return text


if __name__ == '__main__':
    if '--write' in sys.argv:
        PAGE.write_text(make_page())
    sys.exit(PAGE.read_text() != make_page())
