# SPDX-License-Identifier: BSD-3-Clause
"""The program `ros2`."""

import argparse
import importlib
import os
import signal
import sys
from typing import List, Optional

from ._impl import COMMANDS
from ._impl.interrupts import let_interrupts_end_the_program

_METAVAR = 'Call `{} <command> -h` for more detailed usage.'


def _add_group(parser: argparse.ArgumentParser, name: str, helps: dict, dest: str):
    width = max(len(key) for key in helps)
    lines = '\n'.join(f'{key.ljust(width)}  {text}' for key, text in sorted(helps.items()))
    metavar = _METAVAR.format(name)
    # The choices are listed by the description, one in a line.
    return parser.add_subparsers(
        title='Commands', description=lines, metavar=metavar, dest=dest)


def _import_verb(module_name: str, verb: str):
    module = importlib.import_module(module_name)
    return getattr(module, f'add_{verb}_arguments'), getattr(module, f'run_{verb}')


def _build_command(parser: argparse.ArgumentParser, command: str, argv: List[str]) -> None:
    """Add the arguments of one command; of its verbs, only of the one that is used."""
    verbs = COMMANDS[command][1]
    if verbs is None:
        _build_bag(parser)
        return
    if '' in verbs:
        add_arguments, run = _import_verb(verbs[''][0], command)
        add_arguments(parser)
        parser.set_defaults(_run=run)
        return
    parser.set_defaults(_run=lambda args: _print_help(parser))
    group = _add_group(parser, f'ros2 {command}', {k: v[1] for k, v in verbs.items()}, '_verb')
    wanted = next((word for word in argv if word in verbs), None)
    for verb, (module_name, text) in verbs.items():
        verb_parser = group.add_parser(verb, description=text)
        if verb == wanted or '_ARGCOMPLETE' in os.environ:
            add_arguments, run = _import_verb(module_name, verb)
            add_arguments(verb_parser)
            verb_parser.set_defaults(_run=run)


def _build_bag(parser: argparse.ArgumentParser) -> None:
    try:
        from ros2bag.command.bag import BagCommand
    except ImportError as exc:
        message = f"'ros2 bag' is not available: {exc}"
        parser.add_argument('_rest', nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
        parser.set_defaults(_run=lambda args: message)
        return
    command = BagCommand()
    command.add_arguments(parser, 'ros2')
    parser.set_defaults(_run=lambda args: command.main(parser=parser, args=args))


def _print_help(parser: argparse.ArgumentParser) -> int:
    parser.print_help()
    return 0


def _build_parser(script_name: str, argv: List[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=script_name, description=f'{script_name} is an extensible command-line tool for '
        'ROS 2.', formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument(
        '--use-python-default-buffering', action='store_true',
        help='Do not force line buffering in stdout and instead use the python default '
             'buffering, which might be affected by PYTHONUNBUFFERED/-u and depends on whether '
             'stdout is interactive or not')
    parser.set_defaults(_run=lambda args: _print_help(parser))
    group = _add_group(parser, script_name, {k: v[0] for k, v in COMMANDS.items()}, '_command')
    wanted = next((word for word in argv if word in COMMANDS), None)
    for command, (text, _) in COMMANDS.items():
        command_parser = group.add_parser(
            command, description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
        if command == wanted:
            _build_command(command_parser, command, argv[argv.index(command) + 1:])
    return parser


def _complete(script_name: str) -> None:
    if '_ARGCOMPLETE' not in os.environ:
        return
    try:
        import argcomplete
    except ImportError:
        return
    words = os.environ.get('COMP_LINE', '').split()[1:]
    argcomplete.autocomplete(_build_parser(script_name, words), exclude=['-h', '--help'])


def main(*, script_name: str = 'ros2', argv: Optional[List[str]] = None,
         description: Optional[str] = None, extension=None):
    """Run the command line; return an exit code or a message."""
    let_interrupts_end_the_program()
    _complete(script_name)
    argv = sys.argv[1:] if argv is None else list(argv)
    parser = _build_parser(script_name, argv)
    args, rest = parser.parse_known_args(argv)
    # Launch arguments may stand before and behind options, which argparse cannot express.
    if rest and hasattr(args, 'launch_arguments') and all(':=' in word for word in rest):
        args.launch_arguments += rest
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if not args.use_python_default_buffering:
        sys.stdout.reconfigure(line_buffering=True)
    try:
        result = args._run(args)
        sys.stdout.flush()
        return result
    except KeyboardInterrupt:
        return signal.SIGINT
    except BrokenPipeError:
        # The reader of our output has gone away, as `head` does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (ValueError, RuntimeError) as exc:
        if type(exc).__name__ == 'ExternalShutdownException':
            return signal.SIGTERM
        return str(exc)
    except Exception as exc:
        if type(exc).__name__ == 'ExternalShutdownException':
            return signal.SIGTERM
        raise
