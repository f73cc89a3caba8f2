# SPDX-License-Identifier: BSD-3-Clause
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import api_page  # noqa: E402


def test_page_lists_every_public_name():
    assert api_page.PAGE.read_text() == api_page.make_page(), \
        'run ros2cli/test/api_page.py --write'
