#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check the files of the checkout: format, likely mistakes, spelling, licence lines, packages, versions.

Each finding is a line FILE:LINE: [RULE] WHAT. The exit code is 1 if there is one, 2 for a wrong call.
"""

import argparse
import collections
import os
import pathlib
import sys


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog='./ambf lint', description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument('--fix', action='store_true', help='mend what can be mended, then print what is left')
    parser.add_argument('--root', type=pathlib.Path, default=os.environ.get('AMBF_ROOT', '.'), help=argparse.SUPPRESS)
    parser.add_argument('paths', nargs='*', metavar='PATH', help='files and folders; default: all that git knows')
    return parser.parse_args()


def relative_paths(root: pathlib.Path, paths: list[str]) -> list[str]:
    """The paths as git names them; one that is not there or not in the checkout ends the program."""
    result = []
    for path in paths:
        full = pathlib.Path(path).absolute()
        full = full if full.exists() else root / path
        if not full.exists():
            sys.exit(f'ambf lint: {path} is not there')
        try:
            result.append(os.path.normpath(full.resolve().relative_to(root)))
        except ValueError:
            sys.exit(f'ambf lint: {path} is not in the checkout {root}')
    return result


def main() -> int:
    arguments = parse_arguments()
    root = arguments.root.resolve()
    # Behind the arguments: --help needs no tools.
    import latched
    import packages
    import rules
    import tools
    from findings import Clean, Tree

    paths = relative_paths(root, arguments.paths)
    tree = Tree(root, paths)
    if arguments.fix:
        rules.fix_spdx(tree)
        rules.fix_tidy(tree)
        tools.fix(tree)
    # Beside the tools' environment: sys.prefix is OUT/lint/venv.
    clean = Clean(pathlib.Path(sys.prefix).parent / 'clean')
    try:
        findings = tools.check(tree, clean)
    except RuntimeError as error:
        sys.exit(f'ambf lint: {error}')
    clean.save(keep_all=bool(paths))
    own = (rules.check_spdx, rules.check_tidy, rules.check_machine, latched.check_latched)
    for check in (*own, packages.check_packages):
        findings += check(tree)
    for finding in sorted(set(findings)):
        print(finding)
    if not findings:
        print(f'lint: {len(tree.files)} files, nothing found')
        return 0
    counts = collections.Counter(finding.rule for finding in findings)
    mended = sum(finding.mended_by_fix for finding in findings)
    print(f'lint: {len(findings)} findings: ' + ', '.join(f'{rule} {n}' for rule, n in counts.most_common()))
    if mended:
        print(f'lint: ./ambf lint --fix mends {mended} of them')
    return 1


if __name__ == '__main__':
    sys.exit(main())
