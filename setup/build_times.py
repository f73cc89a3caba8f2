#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print what each package cost to build: `./ambf build --times`.

Usage: build_times.py OUTPUT_FOLDER

Seconds are those of the compilers, linkers and generators as ninja's logs have them, each file as it was last built; jobs
run side by side, so that the wall clock saw less. The table is kept, and the next one is compared with it.
"""

import json
import pathlib
import sys

KINDS = ('code', 'generated', 'tests', 'benches')


def kind_of(output: str) -> str:
    """What a file belongs to, by its path in the build folder."""
    if 'rosidl' in output:
        return 'generated'
    if 'CMakeFiles/test_' in output or output.startswith(('test', 'gtest/', 'gmock/')):
        return 'tests'
    if 'bench' in output or 'probe' in output:
        return 'benches'
    return 'code'


def read_log(path: pathlib.Path) -> dict:
    """Seconds of each kind. A command with many outputs has a line for each of them, all with its hash."""
    jobs = {}
    for line in path.read_text(errors='replace').splitlines():
        parts = line.split('\t')
        if len(parts) == 5 and parts[0].isdigit():
            jobs[parts[4]] = (parts[3], (int(parts[1]) - int(parts[0])) / 1000.0)
    seconds = dict.fromkeys(KINDS, 0.0)
    for output, duration in jobs.values():
        seconds[kind_of(output)] += duration
    return seconds


def measure(folder: pathlib.Path) -> dict:
    return {
        log.parent.name: read_log(log)
        for part in ('underlay', 'ws')
        for log in sorted(folder.glob(f'{part}/build/*/.ninja_log'))
    }


def table(now: dict, before: dict) -> str:
    """One line per package, the dearest first."""
    lines = [f'{"package":<30}{"seconds":>9}{"generated":>11}{"tests":>8}{"benches":>9}{"before":>9}']

    def line(name: str, seconds: dict, old) -> str:
        total = sum(seconds.values())
        share = f'{100 * seconds["generated"] / total:.0f} %' if total else '-'
        earlier = '-' if old is None else f'{sum(old.values()):.1f}'
        return f'{name:<30}{total:>9.1f}{share:>11}{seconds["tests"]:>8.1f}{seconds["benches"]:>9.1f}{earlier:>9}'

    for name, seconds in sorted(now.items(), key=lambda item: -sum(item[1].values())):
        lines.append(line(name, seconds, before.get(name)))

    def whole(packages: dict) -> dict:
        return {kind: sum(seconds[kind] for seconds in packages.values()) for kind in KINDS}

    lines.append(line('all', whole(now), whole(before) if before else None))
    return '\n'.join(lines)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1])
    kept = folder / 'log' / 'build_times.json'
    now = measure(folder)
    try:
        before = json.loads(kept.read_text())
    except (OSError, ValueError):
        before = {}
    print(table(now, before), flush=True)
    # A table that says the same leaves the last different one to compare with.
    if now != before:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(now))
    return 0


if __name__ == '__main__':
    sys.exit(main())
