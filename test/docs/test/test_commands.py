# SPDX-License-Identifier: BSD-3-Clause
"""Every command of README and docs runs and prints what the page says.

AMBF_TEST_LONG=1 runs all of them; AMBF_DOCS_PAGE=docs/adf.md one page, also where it is slow.
"""

import importlib.util
import os

import pytest
from blocks import ROOT, RUN, Block, is_slow_page, pages, read_blocks
from page_session import Failure, PageSession

LONG = os.environ.get('AMBF_TEST_LONG') == '1'
ONLY = os.environ.get('AMBF_DOCS_PAGE')


def pages_with_commands():
    for page in pages():
        blocks = read_blocks((ROOT / page).read_text(encoding='utf-8'))
        if any(b.language in RUN for b in blocks) and (not ONLY or str(page) == ONLY):
            yield str(page)


@pytest.mark.parametrize('page', list(pages_with_commands()))
def test_page(page, tmp_path):
    text = (ROOT / page).read_text(encoding='utf-8')
    quick = not LONG and not ONLY
    if quick and is_slow_page(text):
        pytest.skip('slow: AMBF_TEST_LONG=1')
    session = PageSession(tmp_path, quick, 1800.0 if LONG else 600.0)
    failures, not_run, ran = [], [], 0
    try:
        for block in read_blocks(text):
            reason = block.mark('not run')
            if reason is None and quick and block.mark('slow') is not None:
                reason = 'slow: AMBF_TEST_LONG=1'
            if reason is not None:
                not_run.append(f'{page}:{block.line}: {reason}')
                continue
            try:
                session.run(block)
                ran += block.language in RUN
            except Failure as failure:
                failures.append(f'{page}: {failure}')
    finally:
        try:
            session.close()
        except Failure as failure:
            failures.append(f'{page}: {failure}')
    print(f'{page}: {ran} blocks run')
    for line in not_run + [f'{page}: {s}: in the long tier' for s in session.skipped]:
        print('not run:', line)
    assert not failures, '\n\n'.join(failures)


def test_hints_of_the_demo(tmp_path):
    """What `./ambf demo` prints can be copied line by line."""
    if not LONG:
        pytest.skip('slow: AMBF_TEST_LONG=1')
    spec = importlib.util.spec_from_file_location('demo', ROOT / 'setup' / 'demo.py')
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    drive = demo.DRIVE.format(topic='/ambf/env/four_bar/frame', joint='frame-crank', value=3.0, mode=demo.VELOCITY)
    text = demo.HINTS.format(state='/ambf/env/psm/baselink/State', drive=drive)
    lines = [line for line in text.splitlines() if line.startswith('  ')]
    session = PageSession(tmp_path, False, 120.0)
    try:
        session.start('simulator', 'ros2 launch ambf_bringup simulator.launch.py')
        session.run(Block('sh', '\n'.join(lines), 1, []))
    finally:
        session.close()
