# SPDX-License-Identifier: BSD-3-Clause
"""MuJoCo reads what adf-convert writes: a closed loop stays closed, and moves as the closed form says.

Where the Python package mujoco is not installed the tests are skipped.
"""

import math
import os
import pathlib
import subprocess

import pytest

mujoco = pytest.importorskip('mujoco', reason='the Python package mujoco is not installed')

CONVERT = os.environ['ADF_CONVERT']
MODELS = pathlib.Path(os.environ['AMBF_DESCRIPTION'])


def converted(source: pathlib.Path, folder: pathlib.Path):
    out = folder / 'model.xml'
    subprocess.run([CONVERT, '--quiet', source, out], check=True)
    model = mujoco.MjModel.from_xml_path(str(out))
    return model, mujoco.MjData(model)


def gap(model, data) -> float:
    """The largest distance between the two places of a <connect> [m]."""
    return max((abs(p) for p in data.efc_pos[: data.ne]), default=0.0)


PENDULUM = """
bodies: [A, B]
joints: [J]
A: {name: a, mass: 0}
B: {name: b, mass: 2, inertia: {ix: 0.1, iy: 0.2, iz: 0.15}, damping: {linear: 0, angular: 0},
    inertial offset: {position: {x: 0, y: 0, z: -0.5}, orientation: {r: 0.3, p: 0, y: 0}},
    location: {position: {x: 0, y: 0, z: 1}}}
J: {name: j, type: revolute, parent: A, child: B, parent pivot: {x: 0, y: 0, z: 1}, child pivot: {x: 0, y: 0, z: 0},
    parent axis: {x: 0, y: 1, z: 0}, child axis: {x: 0, y: 1, z: 0}}
"""


def test_mass_and_inertia_are_those_of_the_file(tmp_path):
    source = tmp_path / 'pendulum.yaml'
    source.write_text(PENDULUM)
    model, data = converted(source, tmp_path)
    mujoco.mj_forward(model, data)
    matrix = data.qM if data.qM.size == 1 else None
    assert model.nq == 1 and model.body_mass.sum() == pytest.approx(2.0, abs=1e-12)
    # About the hinge: the moment about y (the tensor is turned about x) and the mass at 0.5 m.
    about_y = 0.2 * math.cos(0.3) ** 2 + 0.15 * math.sin(0.3) ** 2 + 2.0 * 0.25
    assert matrix is None or float(matrix[0]) == pytest.approx(about_y, rel=1e-9)


@pytest.mark.parametrize('name', ['four_bar.yaml', 'psm.yaml'])
def test_loops_stay_closed_while_the_mechanism_moves(tmp_path, name):
    model, data = converted(MODELS / name, tmp_path)
    assert model.neq > 0
    worst = 0.0
    start = data.qpos.copy()
    for step in range(2000):
        if model.nu:
            # The first drive pushes to and fro, a little.
            data.ctrl[0] = 0.5 if step < 1000 else -0.5
        mujoco.mj_step(model, data)
        worst = max(worst, gap(model, data))
    assert abs(data.qpos - start).max() > 1e-3, 'it does not move'
    assert worst < 1e-3
