# SPDX-License-Identifier: BSD-3-Clause
"""MuJoCo reads what adf-convert writes: a closed loop stays closed, and moves as the closed form says.

Where the Python package mujoco is not installed the tests are skipped.
"""

import math
import os
import pathlib
import subprocess
from xml.etree import ElementTree

import numpy
import pytest

try:
    import mujoco
except ImportError:
    mujoco = None

pytestmark = pytest.mark.skipif(mujoco is None, reason='the Python package mujoco is not installed')

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


ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0.1 0.2 0.3"/><mass value="2"/>
    <inertia ixx="0.3" iyy="0.25" izz="0.2" ixy="0.02" ixz="-0.03" iyz="0.01"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0 -0.2 0.1"/><mass value="0.7"/>
    <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><origin xyz="0.3 0 1" rpy="0.2 1.5707963267948966 0.1"/>
    <parent link="base"/><child link="upper"/><axis xyz="1 2 3"/></joint>
  <joint name="slide" type="prismatic"><origin xyz="0 0.5 0" rpy="3 0 0"/>
    <parent link="upper"/><child link="lower"/><axis xyz="0 -1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
</robot>
"""


def without_shapes(source: pathlib.Path, folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """A URDF file without meshes and dampers, and the same with MuJoCo's settings in it."""
    tree = ElementTree.parse(source)
    robot = tree.getroot()
    drop = {'visual', 'collision', 'gazebo', 'transmission', 'mujoco', 'mimic', 'dynamics'}
    for parent in [robot, *robot]:
        for child in [c for c in parent if c.tag in drop]:
            parent.remove(child)
    # MuJoCo's reader leaves out how the tensor of inertia is turned; another test has that in closed form.
    for origin in robot.findall('link/inertial/origin'):
        origin.attrib.pop('rpy', None)
    bare = folder / 'bare.urdf'
    tree.write(bare)
    settings = ElementTree.SubElement(ElementTree.SubElement(robot, 'mujoco'), 'compiler')
    settings.set('fusestatic', 'false')
    tree.write(folder / 'mujoco.urdf')
    return bare, folder / 'mujoco.urdf'


def expect_the_same_robot(source: pathlib.Path, folder: pathlib.Path) -> bool:
    """Places and axes of all joints and the mass matrix, as MuJoCo's own URDF reader has them; False: it refuses."""
    bare, own = without_shapes(source, folder)
    try:
        reference = mujoco.MjModel.from_xml_path(str(own))
    except ValueError:
        return False
    subprocess.run([CONVERT, '--quiet', '--fixed-base', bare, folder / 'ours.xml'], check=True)
    models = [reference, mujoco.MjModel.from_xml_path(str(folder / 'ours.xml'))]
    names = sorted(reference.joint(i).name for i in range(reference.njnt))
    assert names == sorted(models[1].joint(i).name for i in range(models[1].njnt)), source
    random = numpy.random.default_rng(1)
    for _ in range(10):
        values = random.uniform(-2.0, 2.0, len(names))
        found = []
        for model in models:
            data = mujoco.MjData(model)
            joints = [model.joint(name).id for name in names]
            data.qpos[model.jnt_qposadr[joints]] = values
            mujoco.mj_forward(model, data)
            mass = numpy.zeros((model.nv, model.nv))
            mujoco.mj_fullM(model, mass, data.qM)
            dofs = model.jnt_dofadr[joints]
            found.append((data.xanchor[joints], data.xaxis[joints], mass[numpy.ix_(dofs, dofs)]))
        for wanted, is_ in zip(*found, strict=True):
            assert numpy.allclose(wanted, is_, rtol=1e-9, atol=1e-9), source
    return True


def test_inertia_and_axes_are_those_of_mujocos_own_urdf_reader(tmp_path):
    (tmp_path / 'arm.urdf').write_text(ARM)
    assert expect_the_same_robot(tmp_path / 'arm.urdf', tmp_path)


def test_robots_of_others_are_those_of_mujocos_own_urdf_reader(tmp_path):
    folders = os.environ.get('AMBF_URDF_FOLDERS')
    if not folders:
        pytest.skip('AMBF_URDF_FOLDERS names no folders with robots')
    compared = 0
    for folder in folders.split(':'):
        for file in sorted(pathlib.Path(folder).rglob('*.urdf')):
            try:
                compared += expect_the_same_robot(file, tmp_path)
            except ElementTree.ParseError:
                continue  # broken on purpose
            except subprocess.CalledProcessError as refused:
                assert refused.returncode == 1, file
    assert compared > 0
