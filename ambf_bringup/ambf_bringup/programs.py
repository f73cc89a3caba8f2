# SPDX-License-Identifier: BSD-3-Clause
"""Which programs a package has: some are left out where the package was built without what they need."""

import pathlib

from ament_index_python.packages import get_package_prefix

LEFT_OUT = {
    'crtk_device': 'it is left out where crtk_msgs is not there, see docs/tasks/stock_ros.md',
    'teleop_psm': 'it is left out where crtk_msgs is not there, see docs/tasks/stock_ros.md',
    'console': 'it is left out where crtk_msgs is not there, see docs/tasks/stock_ros.md',
    'adapter': 'it is left out where simulation_interfaces is not there, see docs/tasks/stock_ros.md',
}


def check_program(argument: str, package: str, program: str):
    """RuntimeError, which ends the launch in words, where the package has no such program."""
    folder = pathlib.Path(get_package_prefix(package)) / 'lib' / package
    there = sorted(file.name for file in folder.glob('*') if file.is_file())
    if program not in there:
        why = LEFT_OUT.get(program) or f'expected one of: {", ".join(there)}'
        raise RuntimeError(f"{argument}: found '{program}', which {package} does not have; {why}")
