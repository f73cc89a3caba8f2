#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sum up the JUnit files of a test run: time of each part, slowest tests, failures, one closing line."""

import argparse
import json
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


def read_cases(build: pathlib.Path):
    """Yield (package, test name, seconds, state, message) for every test case below a build folder.

    A test executable whose result file says that it did not write one (it crashed, or ran out of
    time) counts as one failed test.
    """
    for path in sorted(build.glob('*/test_results/**/*.xml')):
        package = path.relative_to(build).parts[0]
        try:
            root = ElementTree.parse(path).getroot()
        except ElementTree.ParseError as error:
            yield package, path.stem, 0.0, 'failed', f'unreadable result file: {error}'
            continue
        for case in root.iter('testcase'):
            name = f'{case.get("classname", path.stem)}.{case.get("name", "?")}'
            state, message = 'passed', ''
            for tag, result in (('failure', 'failed'), ('error', 'failed'), ('skipped', 'skipped')):
                found = case.find(tag)
                if found is not None:
                    state = result
                    message = (found.get('message') or found.text or '').strip()
            if case.get('status') == 'notrun':
                state = 'skipped'
            yield package, name, float(case.get('time') or 0.0), state, message


def failed_programs(folder: pathlib.Path) -> list[tuple[str, str, str]]:
    """(name, how it ended, its output) of the programs that failed, by the files that ctest left in a folder."""
    if not (folder / 'ctest.xml').exists():  # interrupted
        return []
    log = (folder / 'ctest.log').read_text(errors='replace')
    ends = re.findall(r'^\s*\d+ - (\S+) \(([^)]+)\)$', log, re.M)
    outputs: dict[str, list[str]] = {}
    for case in ElementTree.parse(folder / 'ctest.xml').getroot().iter('testcase'):
        if case.find('failure') is not None:
            outputs.setdefault(case.get('name', '?'), []).append(case.findtext('system-out') or '')
    return [(name, end, '\n'.join(outputs.get(name, []))) for name, end in ends]


def flakes(records: list[pathlib.Path]) -> int:
    """Print which tests failed in which of several runs; 1 if any did."""
    runs = [json.loads(record.read_text()) for record in records]
    failed = sorted({name for run in runs for name in run['failed']})
    print(f'{"failed":>8}  test, in {len(runs)} runs')
    for name in failed:
        where = [str(number) for number, run in enumerate(runs, 1) if name in run['failed']]
        print(f'{len(where):>8}  {name} (runs {", ".join(where)})')
    if not failed:
        print(f'{0:>8}  no test failed in any run')
    print(f'\n{"run":>8}{"passed":>8}{"failed":>8}{"skipped":>9}{"seconds":>9}  load of the last 5 minutes')
    for number, run in enumerate(runs, 1):
        print(
            f'{number:>8}{run["passed"]:>8}{len(run["failed"]):>8}{run["skipped"]:>9}{run["seconds"]:>9.0f}  {run["load"]:.1f}'
        )
    green = sum(not run['failed'] for run in runs)
    print(
        f'\n{green} of {len(runs)} runs green, with '
        f'{min(run["passed"] for run in runs)} to {max(run["passed"] for run in runs)} tests passed'
    )
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('builds', nargs='*', type=pathlib.Path, help='build folders with result files')
    parser.add_argument('--build-seconds', type=float, default=0.0)
    parser.add_argument('--seconds', type=float, default=0.0, help='how long the tests took, side by side')
    parser.add_argument(
        '--ctest', type=pathlib.Path, help="folder of ctest's own log: names the programs that hung or crashed"
    )
    parser.add_argument('--record', type=pathlib.Path, help='also write what passed and failed to this file')
    parser.add_argument('--flakes', nargs='+', type=pathlib.Path, help='only compare the records of several runs')
    args = parser.parse_args()
    if args.flakes:
        return flakes(args.flakes)
    cases = [case for build in args.builds for case in read_cases(build)]

    parts: dict[str, list] = {}
    for package, _, seconds, state, _ in cases:
        row = parts.setdefault(package, [0, 0, 0.0])
        row[0] += 1
        row[1] += state == 'failed'
        row[2] += seconds
    print(f'{"part":<28}{"tests":>7}{"failed":>8}{"seconds":>9}')
    print(f'{"set-up and build":<28}{"":>7}{"":>8}{args.build_seconds:>9.1f}')
    for package, (count, failed, seconds) in parts.items():
        print(f'{package:<28}{count:>7}{failed:>8}{seconds:>9.1f}')
    print(
        f'{"all tests, side by side":<28}{len(cases):>7}{sum(case[3] == "failed" for case in cases):>8}{args.seconds:>9.1f}'
    )

    print('\nten slowest tests:')
    for package, name, seconds, _, _ in sorted(cases, key=lambda case: -case[2])[:10]:
        print(f'{seconds:>9.2f} s  {package}: {name}')

    counts = {state: sum(case[3] == state for case in cases) for state in ('passed', 'failed', 'skipped')}
    for state in ('skipped', 'failed'):
        for package, name, _, found, message in cases:
            if found == state:
                print(f'\n{state.upper()} {package}: {name}\n    {message[:1500]}'.rstrip())
    programs = failed_programs(args.ctest) if args.ctest else []
    if programs:
        print('\nprograms that failed: ' + ', '.join(f'{name} ({end})' for name, end, _ in programs))
    for name, end, output in programs:
        if end != 'Failed':
            print(f'\n----- {name}: {end}; the last lines of its output:\n' + '\n'.join(output.splitlines()[-120:]))
    if args.record:
        failed = [f'{package}: {name}' for package, name, _, state, _ in cases if state == 'failed']
        args.record.write_text(
            json.dumps(
                {
                    'passed': counts['passed'],
                    'skipped': counts['skipped'],
                    'failed': failed,
                    'seconds': args.seconds,
                    'load': os.getloadavg()[1],
                }
            )
        )
    print(f'\n{counts["passed"]} passed, {counts["failed"]} failed, {counts["skipped"]} skipped')
    return 1 if counts['failed'] or not counts['passed'] else 0


if __name__ == '__main__':
    sys.exit(main())
