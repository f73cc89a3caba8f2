# SPDX-License-Identifier: BSD-3-Clause
"""API.md lists what the headers give."""
from pathlib import Path
import subprocess
import sys

import pytest

CHECK = Path(__file__).resolve().parents[2] / 'api_check.py'


@pytest.mark.skipif(not CHECK.is_file(), reason='not within the source tree of the underlay')
def test_api_page_is_true_to_the_headers():
    done = subprocess.run([sys.executable, str(CHECK)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
