# SPDX-License-Identifier: BSD-3-Clause
"""The program that makes the gallery."""

import pathlib
import subprocess

from ament_index_python.packages import get_package_prefix

PROGRAM = pathlib.Path(get_package_prefix('ambf_render_node')) / 'lib/ambf_render_node/make_gallery.py'


def test_the_gallery_shows_the_start(tmp_path):
    done = subprocess.run(
        [
            str(PROGRAM),
            '--worlds',
            'mechanisms',
            '--stills',
            '--size',
            '96x72',
            '--output',
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'mechanisms.png: step 1\n' in done.stdout
    assert [file.name for file in (tmp_path / 'figures/gallery').iterdir()] == ['mechanisms.png'], 'one still, no film'
