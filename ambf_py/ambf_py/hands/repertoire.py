# SPDX-License-Identifier: BSD-3-Clause
"""Which tasks hands know, by the name of the world that they do them in. A task is imported when it is asked for."""

import importlib

from .performance import Performance

# World: module below ambf_py.hands, class.
REPERTOIRE = {
    'peg_transfer': ('peg_transfer', 'PegTransferPerformance'),
    'two_psms_ecm': ('peg_transfer', 'WatchedPegTransfer'),
    'patient_cart': ('circles', 'PatientCart'),
    'surgeon_console': ('masters', 'Masters'),
    'mechanisms': ('mechanisms', 'Mechanisms'),
    'boxes': ('boxes', 'Boxes'),
    'cloth': ('cloth', 'Cloth'),
    'demo': ('circles', 'Showcase'),
    'needle': ('needle', 'NeedlePerformance'),
    'puzzle': ('puzzle', 'PuzzlePerformance'),
    'peg_in_hole': ('peg_in_hole', 'PegInHole'),
    'training_cast': ('training_cast', 'TrainingCast'),
    'grippers': ('grasping', 'GripperClass'),
    'shared_proxy': ('sharing', 'SharedProxy'),
}


def performance(world: str) -> type[Performance]:
    """The task of a world; KeyError where hands know none."""
    module, name = REPERTOIRE[world]
    return getattr(importlib.import_module(f'..{module}', __name__), name)
