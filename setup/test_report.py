#!/usr/bin/env python3
"""Sum up the JUnit files of a test run: time of each part, slowest tests, failures, one closing line."""
import argparse
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
            name = f"{case.get('classname', path.stem)}.{case.get('name', '?')}"
            state, message = 'passed', ''
            for tag, result in (('failure', 'failed'), ('error', 'failed'), ('skipped', 'skipped')):
                found = case.find(tag)
                if found is not None:
                    state = result
                    message = (found.get('message') or found.text or '').strip()
            if case.get('status') == 'notrun':
                state = 'skipped'
            yield package, name, float(case.get('time') or 0.0), state, message


def failed_tries(logs: pathlib.Path) -> list[str]:
    """Names of the test programs that failed in some try, one entry per failed try."""
    listed = re.compile(r'^\s*\d+ - (\S+) \((?:Failed|Timeout|[^)]*xception[^)]*)\)', re.M)
    return [name for file in sorted(logs.glob('latest_test/*/stdout.log'))
            for name in listed.findall(file.read_text(errors='replace'))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('builds', nargs='+', type=pathlib.Path)
    parser.add_argument('--build-seconds', type=float, default=0.0)
    parser.add_argument('--logs', nargs='*', type=pathlib.Path, default=[], help='folders of colcon\'s logs: name failed tries')
    args = parser.parse_args()
    cases = [case for build in args.builds for case in read_cases(build)]

    parts: dict[str, list] = {}
    for package, _, seconds, state, _ in cases:
        row = parts.setdefault(package, [0, 0, 0.0])
        row[0] += 1
        row[1] += state == 'failed'
        row[2] += seconds
    print(f"{'part':<28}{'tests':>7}{'failed':>8}{'seconds':>9}")
    print(f"{'set-up and build':<28}{'':>7}{'':>8}{args.build_seconds:>9.1f}")
    for package, (count, failed, seconds) in parts.items():
        print(f'{package:<28}{count:>7}{failed:>8}{seconds:>9.1f}')

    print('\nten slowest tests:')
    for package, name, seconds, _, _ in sorted(cases, key=lambda case: -case[2])[:10]:
        print(f'{seconds:>9.2f} s  {package}: {name}')

    again = [name for log in args.logs for name in failed_tries(log)]
    if again:
        print('\ntries that failed (each program is tried twice at most): ' + ', '.join(again))

    counts = {state: sum(case[3] == state for case in cases) for state in ('passed', 'failed', 'skipped')}
    for state in ('skipped', 'failed'):
        for package, name, _, found, message in cases:
            if found == state:
                print(f"\n{state.upper()} {package}: {name}\n    {message[:1500]}".rstrip())
    print(f"\n{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts['failed'] or not counts['passed'] else 0


if __name__ == '__main__':
    sys.exit(main())
