# SPDX-License-Identifier: BSD-3-Clause
"""Whatever an arm meets is killed: it goes on by itself. arm_kills.py --kills 10 is the long one."""

import os

from arm_kills import KINDS, soak

LONG = os.environ.get('AMBF_TEST_LONG') == '1'


def test_an_arm_survives_its_clients_its_process_and_its_world():
    kills = 10 if LONG else 1
    # That each comes to its end is what is shown; a time would be one of this machine.
    figures = soak(kills, say=print)
    for kind in KINDS:
        found = [values for name, values in figures.items() if name.startswith(f'{kind}: ')]
        assert found and all(len(values) == kills for values in found), (kind, figures)
