"""Everything the package contains, as a map from path to text."""

from . import adf
from . import ecm
from . import finishes
from . import gripper
from . import linkages
from . import mtm
from . import pegs
from . import psm
from . import puzzle
from . import soft
from . import surroundings
from . import suture
from . import worlds


def all_models() -> list:
    """Models of adf/, each standing at the world's origin."""
    return [
        psm.make(), ecm.make(), mtm.make(), gripper.make(), gripper.make(resistive=True),
        pegs.make(), puzzle.make(), suture.make(), suture.pads(), soft.cloth(),
        surroundings.box_pile(), surroundings.falling(), surroundings.floor(),
        surroundings.table(), surroundings.ball(), linkages.four_bar(), linkages.pendulum(),
    ]


def all_files() -> dict:
    """Map from path in the package to text."""
    files = worlds.world_files()
    files |= {f"meshes/{name}": data for name, data in finishes.textures().items()}
    for model in all_models():
        files[f"adf/{model.name}.yaml"] = adf.model_text(model)
        for name, text in adf.mesh_files(model).items():
            path = f"meshes/{name}"
            if files.setdefault(path, text) != text:
                raise ValueError(f"{path}: two different meshes with one name")
    return files
