# SPDX-License-Identifier: BSD-3-Clause
"""The example builds outside of this repository, against what is installed, and does what it says."""

import pathlib
import shutil
import subprocess

EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / 'examples' / 'wind'


def run(*command, **options) -> str:
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_plugin_is_built_against_the_installed_package_and_acts_in_the_step(tmp_path):
    here = shutil.copytree(EXAMPLE, tmp_path / 'wind')
    run('cmake', '-S', here, '-B', tmp_path / 'build', '-DCMAKE_BUILD_TYPE=Debug')
    run('cmake', '--build', tmp_path / 'build', '--parallel', '2')
    # Without its library the ball stays where it is, and the file is told what it lacks.
    words = run(tmp_path / 'build' / 'blow', here / 'ball.yaml')
    assert 'libwind.so' in words and '0.000 m' in words
    shutil.copy(tmp_path / 'build' / 'libwind.so', here)
    # 2 m/s^2 for 0.5 s, then 0.5 s at 1 m/s.
    distance = float(run(tmp_path / 'build' / 'blow', here / 'ball.yaml').split()[0])
    assert abs(distance - 0.75) < 0.01
