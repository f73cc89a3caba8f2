# SPDX-License-Identifier: BSD-3-Clause
"""The worlds that are measured."""

import pathlib

from ament_index_python.packages import get_package_share_directory


def model(name: str) -> str:
    return str(pathlib.Path(get_package_share_directory('ambf_description')) / 'adf' / name)


def boxes_file(folder: str, count: int, spread: bool = False) -> str:
    """Boxes of 0.2 m and 1 kg as AMBF was measured with: 5 x 5 in layers on a floor, 5 mm of air between them.

    `spread`: floating far apart, which costs little to step.
    """
    lines = [
        'bodies: [BODY floor%s]' % ''.join(f', BODY box {i:04d}' for i in range(count)),
        'joints: []',
        '',
        'BODY floor:',
        '  name: floor',
        '  mass: 0.0',
        '  shape: BOX',
        '  geometry: {x: 100.0, y: 100.0, z: 0.2}',
        '  collision shape: BOX',
        '  collision geometry: {x: 100.0, y: 100.0, z: 0.2}',
        '  location:',
        '    position: {x: 0.0, y: 0.0, z: -0.1}',
        '    orientation: {r: 0.0, p: 0.0, y: 0.0}',
    ]
    if spread:
        lines[1:1] = ['gravity: {x: 0.0, y: 0.0, z: 0.0}']
    for i in range(count):
        if spread:
            x, y, z = 0.9 * (i % 40) - 18, 0.9 * (i // 40) - 18, 5.0
        else:
            x, y, z = 0.25 * (i % 5), 0.25 * (i // 5 % 5), 0.105 + 0.205 * (i // 25)
        lines += [
            f'BODY box {i:04d}:',
            f'  name: box {i:04d}',
            '  mass: 1.0',
            '  shape: BOX',
            '  geometry: {x: 0.2, y: 0.2, z: 0.2}',
            '  collision shape: BOX',
            '  collision geometry: {x: 0.2, y: 0.2, z: 0.2}',
            '  collision margin: 0.001',
            '  friction: {rolling: 0.01, static: 0.5}',
            '  restitution: 0.1',
            '  damping: {linear: 0.04, angular: 0.1}',
            '  location:',
            f'    position: {{x: {x:.3f}, y: {y:.3f}, z: {z:.3f}}}',
            '    orientation: {r: 0.0, p: 0.0, y: 0.0}',
        ]
    path = pathlib.Path(folder) / f'boxes{count}{"_spread" if spread else ""}.yaml'
    path.write_text('\n'.join(lines) + '\n')
    return str(path)
