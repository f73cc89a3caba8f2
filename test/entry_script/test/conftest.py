# SPDX-License-Identifier: BSD-3-Clause
"""A machine made of fakes: what `./ambf` calls is on a PATH of our own, and says what a test wants."""

import os
import pathlib
import subprocess
import sys

import pytest

CHECKOUT = pathlib.Path(os.environ.get('AMBF_CHECKOUT', pathlib.Path(__file__).resolve().parents[3]))

# An interpreter that makes a fake environment, and whose pip does as the file FAKES/pip says.
PYTHON = """#!/bin/bash
case "$*" in
  *"-m venv"*) echo "venv $*" >>"$FAKES/calls"; mkdir -p "${!#}/bin" && cp "$0" "${!#}/bin/python" && cp "$FAKES/colcon" "${!#}/bin/colcon" &&
    ln -sf "$REAL_PYTHON" "${!#}/bin/python3" ;;
  *"-m pip --version"*) [ ! -e "$FAKES/no_pip" ] ;;
  *"-m pip install"*) echo "pip $*" >>"$FAKES/calls"; . "$FAKES/pip" ;;
  *repair_wheels*) ;;
  *lint/lint.py*|*docs/build.py*) echo "tool $*" >>"$FAKES/calls" ;;
  *) exec "$REAL_PYTHON" "$@" ;;
esac
"""
COLCON = '#!/bin/bash\necho "colcon $*" >>"$FAKES/calls"\n. "$FAKES/build"\n'


class Machine:
    """Runs `./ambf` of the checkout with an output folder and fakes of its own."""

    def __init__(self, folder: pathlib.Path):
        self.fakes, self.out = folder / 'fakes', folder / 'out'
        self.fakes.mkdir()
        self.fake('python3', PYTHON)
        self.fake('colcon', COLCON)
        self.fake('dpkg-query', '#!/bin/sh\necho "install ok installed"\n')
        self.fake('apt-cache', '#!/bin/sh\nexit 0\n')
        self.fake('c++', '#!/bin/sh\ncase $1 in --version) echo "c++ 13.2.0";; *) echo 13.2.0;; esac\n')
        (self.fakes / 'pip').write_text('true\n')
        (self.fakes / 'build').write_text('true\n')
        self.environment = {
            'PATH': f'{self.fakes}:/usr/local/bin:/usr/bin:/bin',
            'HOME': str(folder),
            'AMBF_OUT': str(self.out),
            'FAKES': str(self.fakes),
            'REAL_PYTHON': sys.executable,
            'AMBF_PYTHON': 'python3',
            'LC_ALL': 'C',
        }

    def fake(self, name: str, text: str):
        file = self.fakes / name
        file.write_text(text)
        file.chmod(0o755)

    def start(self, *arguments, **variables) -> subprocess.Popen:
        return subprocess.Popen(
            [str(CHECKOUT / 'ambf'), *arguments],
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *arguments, **variables) -> tuple:
        """(exit code, everything it printed)."""
        process = self.start(*arguments, **variables)
        text, _ = process.communicate()
        return process.returncode, text

    def calls(self, program: str) -> list:
        file = self.fakes / 'calls'
        return [line for line in (file.read_text() if file.exists() else '').splitlines() if line.startswith(program)]

    def prefix(self, name: str, version: str) -> pathlib.Path:
        """A folder with an rclcpp of this version."""
        folder = self.fakes.parent / name
        (folder / 'share' / 'rclcpp').mkdir(parents=True)
        (folder / 'share' / 'rclcpp' / 'package.xml').write_text(
            f'<package><name>rclcpp</name>\n<version>{version}</version></package>\n'
        )
        return folder


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)
