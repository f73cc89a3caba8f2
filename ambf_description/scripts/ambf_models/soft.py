"""Cloth: a square grid of triangles as a soft body."""

from . import solids
from .adf import Model, location
from . import spatial as sp

NODES, SIDE = 21, 0.40


def cloth_mesh() -> str:
    """OBJ of the sheet in z = 0; vertex i * NODES + j is at column j of row i.

    Diagonals alternate, so that the sheet bends alike both ways.
    """
    lines = ["# cloth: an open sheet"]
    step = SIDE / (NODES - 1)
    for i in range(NODES):
        for j in range(NODES):
            x, y = j * step - SIDE / 2.0, i * step - SIDE / 2.0
            lines.append(f"v {solids.format_length(x)} {solids.format_length(y)} 0")
    for i in range(NODES - 1):
        for j in range(NODES - 1):
            a = i * NODES + j + 1
            b, c, d = a + 1, a + NODES, a + NODES + 1
            if (i + j) % 2 == 0:
                lines += [f"f {a} {b} {d}", f"f {a} {d} {c}"]
            else:
                lines += [f"f {a} {b} {c}", f"f {b} {d} {c}"]
    return "\n".join(lines) + "\n"


def cloth() -> Model:
    """Build the cloth, held at the two corners of its rear edge."""
    block = {
        "name": "cloth",
        "mesh": "cloth.obj",
        "mass": 0.08,
        "collision margin": 0.004,
        "scale": 1.0,
        "location": location(sp.transform(None, (0.0, 0.0, 0.0))),
        "inertial offset": location(sp.transform()),
        "color rgba": {"r": 0.75, "g": 0.20, "b": 0.25, "a": 1.0},
        "config": {
            "kLST": 0.3, "kAST": 0.1, "kDP": 0.01, "kDF": 0.5, "kCHR": 1.0, "kAHR": 0.7,
            "piterations": 4, "bending constraint": 2,
            # Signed-distance contact between nodes and rigid bodies.
            "flags": 1,
            "fixed nodes": [(NODES - 1) * NODES, NODES * NODES - 1],
        },
    }
    return Model("cloth", "Cloth of 21 x 21 nodes, held at two corners.", [],
                 namespace="/ambf/env/cloth/", blocks={"soft bodies": {"BODY cloth": block}},
                 extra_meshes={"cloth.obj": cloth_mesh()})
