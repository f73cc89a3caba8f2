#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write adf/, meshes/, tools/ and worlds/ of ambf_description.

The committed files are exactly what this script writes; a test compares them byte for byte.
"""

import argparse
import pathlib
import sys

from ambf_models import catalogue


def main() -> int:
    """Write every generated file below the output folder, or compare with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        '--output',
        type=pathlib.Path,
        default=pathlib.Path(__file__).resolve().parent.parent,
        help='package folder to write into (default: this package)',
    )
    parser.add_argument(
        '--check', action='store_true', help='write nothing; name the files that differ and return 1 if any does'
    )
    options = parser.parse_args()
    files = {n: t if isinstance(t, bytes) else t.encode() for n, t in catalogue.all_files().items()}
    wrong = []
    for name, text in sorted(files.items()):
        path = options.output / name
        if options.check:
            if not path.is_file() or path.read_bytes() != text:
                wrong.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    for folder in ('adf', 'meshes', 'tools', 'worlds'):
        for path in sorted((options.output / folder).rglob('*')):
            name = path.relative_to(options.output).as_posix()
            if path.is_file() and name not in files:
                wrong.append(f'{name} (nothing generates it)')
    for name in wrong:
        print(f'differs: {name}' if options.check else f'left over: {name}', file=sys.stderr)
    if not options.check:
        print(f'{len(files)} files, {sum(len(t) for t in files.values()) / 1e6:.2f} MB')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
