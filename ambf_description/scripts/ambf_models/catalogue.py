# SPDX-License-Identifier: BSD-3-Clause
"""Everything the package contains, as a map from path to text."""

from . import (
    adf,
    ecm,
    finishes,
    gripper,
    grippers,
    kit,
    linkages,
    mtm,
    pegs,
    psm,
    puzzle,
    soft,
    suj,
    surroundings,
    suture,
    tools,
    wells,
    worlds,
)


def all_models() -> list:
    """Models of adf/, each standing at the world's origin."""
    return [
        psm.make(),
        psm.make('Si'),
        ecm.make(),
        ecm.make('Si'),
        mtm.make(),
        mtm.make('mtmr'),
        mtm.make('mtml'),
        *suj.all_models(),
        gripper.make(),
        gripper.make(resistive=True),
        grippers.forceps(),
        grippers.multi_link(),
        grippers.objects(),
        pegs.make(),
        puzzle.make(),
        wells.peg_in_hole(),
        wells.training_cast(),
        suture.make(),
        suture.pads(),
        soft.cloth(),
        surroundings.box_pile(),
        surroundings.falling(),
        surroundings.floor(),
        surroundings.table(),
        surroundings.ball(),
        linkages.four_bar(),
        linkages.pendulum(),
    ]


def all_files() -> dict:
    """Map from path in the package to text."""
    files = worlds.world_files()
    files |= {f'meshes/{name}': data for name, data in finishes.textures().items()}
    made = [('adf', m) for m in all_models()] + [('tools', m) for m in tools.all_models() + ecm.endoscopes()]
    files['arms/suj.yaml'] = kit.suj_arms()
    for folder, model in made:
        files[f'{folder}/{model.name}.yaml'] = adf.model_text(model)
        for name, text in adf.mesh_files(model).items():
            path = f'meshes/{name}'
            if files.setdefault(path, text) != text:
                raise ValueError(f'{path}: two different meshes with one name')
    return files
