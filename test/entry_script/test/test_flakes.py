# SPDX-License-Identifier: BSD-3-Clause
"""What `./ambf test --repeat` prints at its end: which tests failed in which runs."""

import pathlib
import subprocess
import sys

from conftest import CHECKOUT


def report(*arguments) -> tuple:
    """(exit code, what it printed)."""
    command = [sys.executable, '-B', CHECKOUT / 'setup' / 'test_report.py', *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def run_of(folder: pathlib.Path, number: int, **cases: bool) -> tuple:
    """The record of a run of tests, each of which passed or failed; and the exit code of its report."""
    results = folder / str(number) / 'ambf_some' / 'test_results'
    results.mkdir(parents=True)
    failure = '<failure message="odd"/>'
    text = ''.join(
        f'<testcase classname="t" name="{name}" time="1.5">{"" if passed else failure}</testcase>'
        for name, passed in cases.items()
    )
    (results / 'some.xml').write_text(f'<testsuite>{text}<testcase name="left"><skipped/></testcase></testsuite>')
    record = folder / f'{number}.json'
    code, said = report('--record', record, '--seconds', '12', '--', folder / str(number))
    assert 'FAILED ambf_some: t.' in said or all(cases.values())
    return record, code


def test_the_table_names_the_tests_that_failed_in_some_runs(tmp_path):
    runs = [
        run_of(tmp_path, 1, often=False, once=True, never=True),
        run_of(tmp_path, 2, often=True, once=True, never=True),
        run_of(tmp_path, 3, often=False, once=False, never=True),
    ]
    assert [code for _, code in runs] == [1, 0, 1]
    code, said = report('--flakes', *(record for record, _ in runs))
    assert code == 1
    lines = [line.split() for line in said.splitlines() if line]
    assert lines[0] == ['failed', 'test,', 'in', '3', 'runs']
    assert lines[1:3] == [
        ['2', 'ambf_some:', 't.often', '(runs', '1,', '3)'],
        ['1', 'ambf_some:', 't.once', '(runs', '3)'],
    ]
    # The run, what passed, failed and was skipped, seconds.
    assert [line[:5] for line in lines[4:7]] == [
        ['1', '2', '1', '1', '12'],
        ['2', '3', '0', '1', '12'],
        ['3', '1', '2', '1', '12'],
    ]
    assert '1 of 3 runs green, with 1 to 3 tests passed' in said and 'never' not in said


def test_runs_without_a_failure_are_green(tmp_path):
    records = [run_of(tmp_path, number, always=True)[0] for number in (1, 2)]
    code, said = report('--flakes', *records)
    assert code == 0
    assert 'no test failed in any run' in said and '2 of 2 runs green' in said
