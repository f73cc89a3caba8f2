# SPDX-License-Identifier: BSD-3-Clause
"""What the Matlab class does with messages, run by GNU Octave; the class itself needs Matlab's ROS Toolbox."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

MATLAB = pathlib.Path(__file__).parents[1] / 'matlab'


def test_pure_functions_in_octave():
    octave = os.environ.get('AMBF_OCTAVE') or shutil.which('octave-cli') or shutil.which('octave')
    if octave is None:
        pytest.skip('GNU Octave is not installed: apt install octave')
    script = pathlib.Path(__file__).parent / 'octave/test_pure.m'
    done = subprocess.run(
        [octave, '--no-gui', '--norc', '--quiet', str(script), str(MATLAB)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0 and 'all assertions hold' in done.stdout, done.stdout + done.stderr


def test_the_class_uses_functions_that_are_there():
    used = set(re.findall(r'\bambf\.(\w+)\(', (MATLAB / 'ambf_arm.m').read_text()))
    for file in (MATLAB / '+ambf').glob('*.m'):
        text = file.read_text()
        assert re.match(rf'function .*\b{file.stem}\(', text), file
        used |= set(re.findall(r'\bambf\.(\w+)\(', text))
    there = {file.stem for file in (MATLAB / '+ambf').glob('*.m')}
    assert used == there
