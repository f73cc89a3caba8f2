# SPDX-License-Identifier: BSD-3-Clause
"""The arms of a dVRK's system file, brought up in simulation.

dvrk_system -j system.json                          arms of the file in a world of their own
dvrk_system -j system.json --check                  read everything and say what is there
dvrk_system -j system.json --write-from-ros out.json   the file for the real console
"""

import argparse
import os
import pathlib
import sys
import tempfile

from ambf_bringup.dvrk_arms import Reader, System
from ambf_bringup.dvrk_files import DvrkProblem


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='dvrk_system',
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog='Arguments NAME:=VALUE are handed on to simulator.launch.py. More in docs/tasks/dvrk_in_simulation.md.',
    )
    parser.add_argument('-j', '--json-config', required=True, type=pathlib.Path, metavar='FILE', help='system file')
    parser.add_argument('-p', '--ros-period', type=float, default=0.005, help="of the arms' topics [s]")
    parser.add_argument('-P', '--tf-ros-period', type=float, default=0.02, help="of the arms' frames [s]; 0: no tf")
    parser.add_argument(
        '--share', type=pathlib.Path, help="the dVRK's share folder; default: found from the system file"
    )
    parser.add_argument(
        '--world', help='a world that has the models of the arms already; default: a new one with a model for each arm'
    )
    parser.add_argument('--output', type=pathlib.Path, help='folder of what is written; default: a temporary one')
    parser.add_argument('--check', action='store_true', help='read and report, start nothing')
    parser.add_argument(
        '--write-from-ros',
        type=pathlib.Path,
        metavar='FILE',
        help='write the system file with which a console takes the arms',
    )
    parser.add_argument(
        '--arms', help='for --write-from-ros: names with commas between them; default: every PSM and ECM'
    )
    return parser


def report(system: System) -> list[str]:
    """A line for each arm."""
    lines = []
    for plan in system.arms:
        rows = 'our own numbers' if plan.table is None else f'{len(plan.table.rows)} rows, {plan.table.convention}'
        what = plan.tool or plan.endoscope
        frame = f', base in {plan.reference or "its own frame"}' if plan.base is not None else ''
        lines.append(f'{plan.name}: {plan.kind} {plan.generation}, {rows}{f", {what}" if what else ""}{frame}')
    return lines


def write_console(system: System, given: argparse.Namespace) -> int:
    from ambf_bringup.dvrk_write import as_json, from_ros

    # What is written has lost its comments, and its arms are no longer those of the machine.
    if given.write_from_ros.exists() and given.write_from_ros.samefile(given.json_config):
        raise DvrkProblem(f'--write-from-ros: found {given.write_from_ros}, the system file itself; expected another')
    names = given.arms.split(',') if given.arms else None
    known = [plan.name for plan in system.arms]
    for name in names or ():
        if name not in known:
            raise DvrkProblem(f"--arms: found '{name}', expected some of {', '.join(known)}")
    data, notes = from_ros(system, given.ros_period, names)
    for note in notes:
        print(f'dvrk_system: {note}', file=sys.stderr)
    # The console looks for files beside the one that it is given.
    folder = given.json_config.resolve().parent
    if given.write_from_ros.resolve().parent != folder:
        settings = data.setdefault('settings', {})
        settings['path'] = [str(folder), *settings.get('path', [])]
    given.write_from_ros.write_text(as_json(data))
    print(f'wrote {given.write_from_ros}')
    return 0


def start(system: System, given: argparse.Namespace, more: list[str]) -> int:
    from ament_index_python.packages import get_package_share_directory

    from ambf_bringup.dvrk_write import write_arms, write_parameters, write_world

    folder = given.output or pathlib.Path(tempfile.mkdtemp(prefix='dvrk_system_'))
    if given.world is not None:
        arms, world = write_arms(system, folder, False), given.world
    else:
        share = pathlib.Path(get_package_share_directory('ambf_description'))
        arms, world = write_world(system, folder, share / 'adf', share / 'worlds')
    print(f'wrote {folder}')
    command = ['ros2', 'launch', 'ambf_bringup', 'simulator.launch.py', f'world:={world}', f'arms:={arms}']
    if not any(word.startswith('params_file:=') for word in more):
        standard = pathlib.Path(get_package_share_directory('ambf_bringup')) / 'config/simulator.yaml'
        namespace = next((word[len('namespace:=') :] for word in more if word.startswith('namespace:=')), '')
        tf_rate = 1.0 / given.tf_ros_period if given.tf_ros_period > 0.0 else 0.0
        parameters = write_parameters(system, folder, standard, 1.0 / given.ros_period, tf_rate, namespace)
        command.append(f'params_file:={parameters}')
    command += more
    print('$', ' '.join(command), flush=True)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"dvrk_system: 'ros2' cannot be started ({error.strerror}): source the workspace", file=sys.stderr)
        return 1


def main(words: list[str] | None = None) -> int:
    given, more = make_parser().parse_known_args(words)
    wrong = [word for word in more if ':=' not in word]
    if wrong:
        print(f"dvrk_system: unknown argument '{wrong[0]}'; dvrk_system --help lists them", file=sys.stderr)
        return 2
    try:
        if not 1e-4 <= given.ros_period <= 1.0:
            raise DvrkProblem(f'-p: found {given.ros_period:g}, expected 0.0001 to 1 s')
        if given.tf_ros_period != 0.0 and not 1e-3 <= given.tf_ros_period <= 100.0:
            raise DvrkProblem(f'-P: found {given.tf_ros_period:g}, expected 0, or 0.001 to 100 s')
        if not given.json_config.is_file():
            raise DvrkProblem(f"-j: found '{given.json_config}', which is no file; expected a system file of the dVRK")
        system = Reader(given.json_config, given.share).read()
        for line in report(system):
            print(line)
        for note in system.notes:
            print(f'dvrk_system: {note}', file=sys.stderr)
        if given.write_from_ros is not None:
            return write_console(system, given)
        return 0 if given.check else start(system, given, more)
    except DvrkProblem as problem:
        print(f'dvrk_system: {problem}', file=sys.stderr)
        return 1
    except OSError as error:
        print(f'dvrk_system: {error.filename}: cannot be written: {error.strerror}', file=sys.stderr)
        return 1
