# SPDX-License-Identifier: BSD-3-Clause
"""Cloth: a square grid of triangles as a soft body."""

from . import finishes, solids
from . import spatial as sp
from .adf import Model, location

NODES, SIDE = 21, 0.40


def cloth_mesh(library: str) -> str:
    """OBJ of the sheet in z = 0; vertex i * NODES + j is at column j of row i.

    Diagonals alternate, so that the sheet bends alike both ways.
    """
    lines = ['# cloth: an open sheet', f'mtllib {library}', 'usemtl weave']
    step = SIDE / (NODES - 1)
    for i in range(NODES):
        for j in range(NODES):
            x, y = j * step - SIDE / 2.0, i * step - SIDE / 2.0
            lines.append(f'v {solids.format_length(x)} {solids.format_length(y)} 0')
            lines.append(f'vt {solids.format_length(2 * x / SIDE)} {solids.format_length(2 * y / SIDE)}')
    for i in range(NODES - 1):
        for j in range(NODES - 1):
            a = i * NODES + j + 1
            b, c, d = a + 1, a + NODES, a + NODES + 1
            halves = ((a, b, d), (a, d, c)) if (i + j) % 2 == 0 else ((a, b, c), (b, d, c))
            lines += ['f ' + ' '.join(f'{v}/{v}' for v in half) for half in halves]
    return '\n'.join(lines) + '\n'


def cloth() -> Model:
    """Build the cloth, held at the two corners of its rear edge."""
    block = {
        'name': 'cloth',
        'mesh': 'cloth.obj',
        'mass': 0.08,
        'collision margin': 0.004,
        'scale': 1.0,
        'location': location(sp.transform(None, (0.0, 0.0, 0.0))),
        'inertial offset': location(sp.transform()),
        # Tints the woven texture.
        'color rgba': {'r': 1.0, 'g': 0.98, 'b': 0.96, 'a': 1.0},
        # With topics: hands pull at its nodes.
        'passive': False,
        'config': {
            'kLST': 0.3,
            'kAST': 0.1,
            'kDP': 0.01,
            'kDF': 0.5,
            'kCHR': 1.0,
            'kAHR': 0.7,
            'piterations': 4,
            'bending constraint': 2,
            # Signed-distance contact between nodes and rigid bodies.
            'flags': 1,
            'fixed nodes': [(NODES - 1) * NODES, NODES * NODES - 1],
        },
    }
    return Model(
        'cloth',
        'Cloth of 21 x 21 nodes, held at two corners.',
        [],
        namespace='/ambf/env/cloth/',
        blocks={'soft bodies': {'BODY cloth': block}},
        extra_meshes={
            'cloth.obj': cloth_mesh('finish.mtl'),
            'solid/cloth.obj': cloth_mesh('finish.mtl'),
            'finish.mtl': finishes.mtl_text(),
            'solid/finish.mtl': finishes.mtl_text('../../'),
        },
    )
