# SPDX-License-Identifier: BSD-3-Clause
"""A benchmark that is asked for its help says how it is used, and runs nothing."""

import os
import pathlib
import subprocess


def programs() -> list[pathlib.Path]:
    """The benchmarks of all packages, as `./ambf bench` finds them."""
    prefixes = [pathlib.Path(prefix) for prefix in os.environ['AMENT_PREFIX_PATH'].split(':')]
    found = {file.name: file for prefix in reversed(prefixes) for file in prefix.glob('lib/*/bench_*')}
    return [file for file in found.values() if os.access(file, os.X_OK)]


def test_help_is_all_that_it_asks_for(tmp_path):
    files = programs()
    assert {'bench_dynamics', 'bench_physics.py', 'bench_rclcpp.py'} <= {file.name for file in files}
    running = []
    for file in files:
        folder = tmp_path / file.name
        folder.mkdir()
        command = [file, '--help']
        running.append((file, folder, subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)))
    for file, folder, process in running:
        said, _ = process.communicate(timeout=200)
        assert process.returncode == 0, file
        assert file.name in said.splitlines()[0], f'{file}: {said}'
        assert not list(folder.iterdir()), f'{file} wrote something'
