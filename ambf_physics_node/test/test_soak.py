# SPDX-License-Identifier: BSD-3-Clause
"""The soak, short: soak.py --minutes 30 is the long one."""

import os

from soak import soak

LONG = os.environ.get('AMBF_TEST_LONG') == '1'


def test_clients_come_and_go_without_a_leak_or_a_missed_step():
    figures = soak(300.0 if LONG else 12.0)
    print(figures)
    assert figures['missed'] == 0 and figures['exit_code'] == 0
    assert figures['visits'] > 3 and figures['loads'] >= 1
    assert figures['steps_in_last_second'] > 0
    # Endpoints that came for the first time still cost memory in so short a run; a leak per message would
    # be hundreds of megabytes.
    if 'ASAN_OPTIONS' not in os.environ:  # sanitizers keep what was freed, and look for leaks themselves
        assert figures['rss_growth_mb'] < 25.0
    counters = figures['diagnostics']
    assert int(counters['commands applied']) > 0 and int(counters['commands rejected']) >= 0
    for key in ('overruns', 'slip [s]', 'watchdog trips', 'late messages', 'command conflicts'):
        assert key in counters
