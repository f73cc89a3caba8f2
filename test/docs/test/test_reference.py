# SPDX-License-Identifier: BSD-3-Clause
"""The reference of ADF keys in docs/ is the one that the reader itself tells."""

import subprocess

from blocks import ROOT


def test_reference_is_up_to_date():
    told = subprocess.run(['adf', 'keys', '--markdown'], capture_output=True, text=True, check=True).stdout
    page = (ROOT / 'docs' / 'adf_reference.md').read_text(encoding='utf-8')
    assert page == told, 'run: ./ambf exec adf keys --markdown > docs/adf_reference.md'


def test_reference_has_every_sort_of_block():
    page = (ROOT / 'docs' / 'adf_reference.md').read_text(encoding='utf-8')
    for title in ('Launch file', 'World file', 'Model file', 'Rigid body', 'Joint', 'Sensor', 'Camera', 'Input device'):
        assert f'\n## {title}\n' in page
