# Copyright 2026 AMBF for ROS 2 developers
# SPDX-License-Identifier: BSD-3-Clause
"""Every conformance program prints what it printed on stock Jazzy."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'ambf_conformance'))
import run

BUILD_FOLDER = Path(os.environ['CONFORMANCE_PROGRAMS'])


@pytest.mark.parametrize('program', run.PROGRAMS)
def test_prints_what_stock_printed(program: str) -> None:
    """Compare one program's output with the recorded one."""
    lines = run.differences(program, BUILD_FOLDER)
    assert not lines, '\n' + '\n'.join(lines)


def test_every_recorded_output_has_a_program() -> None:
    """A recording without a program would never be compared."""
    recorded = {path.stem for path in run.EXPECTED.glob('*.txt')}
    assert recorded == set(run.PROGRAMS)
