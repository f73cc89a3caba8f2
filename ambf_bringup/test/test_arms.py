# SPDX-License-Identifier: BSD-3-Clause
"""Which arms the launch files serve."""

import pathlib

import pytest
import yaml
from ament_index_python.packages import get_package_share_directory
from launch import LaunchContext

from ambf_bringup import arms
from ambf_bringup.arguments import common_arguments

WORLDS = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds'


def given(**arguments) -> LaunchContext:
    context = LaunchContext()
    for argument in common_arguments():
        argument.visit(context)
    context.launch_configurations.update(arguments)
    return context


@pytest.fixture(autouse=True)
def server_there(monkeypatch):
    monkeypatch.setattr(arms, 'built', lambda: True)


def model_of(file: pathlib.Path, arm: str) -> pathlib.Path:
    """What the description of an arm says."""
    (block,) = [block for block in yaml.safe_load(file.read_text())['arms'] if block['name'] == arm]
    return file.parent / block['model']


@pytest.mark.parametrize(
    'world, names',
    [
        ('demo', ['PSM1']),
        ('peg_transfer', ['PSM1', 'PSM2']),
        ('needle', ['PSM1', 'PSM2']),
        ('two_psms_ecm', ['PSM1', 'PSM2', 'ECM']),
        ('mechanisms', ['MTMR']),
        ('patient_cart', ['PSM1', 'PSM2', 'PSM3', 'ECM', 'SUJ_PSM1', 'SUJ_PSM2', 'SUJ_PSM3', 'SUJ_ECM']),
        ('surgeon_console', ['MTML', 'MTMR']),
        ('boxes', []),
    ],
)
def test_worlds_declare_their_arms(world, names):
    nodes = arms.arm_nodes(given(world=str(WORLDS / world / 'launch.yaml')))
    assert [node.name for node in nodes] == names
    for node in nodes:
        file = pathlib.Path(node.parameters['arms_file'])
        assert file.is_file()
        # Where the launch file names no model, the description does, and both stand in the world's folder.
        model = node.parameters['model'] or model_of(file, node.parameters['arm']).stem
        assert (WORLDS / world / f'{model}.yaml').is_file(), 'a model of the world'
        assert node.parameters['name_style'] == 'dvrk'


def test_none_and_a_file_stand_over_the_world(tmp_path):
    assert arms.arm_nodes(given(arms='none')) == []
    file = tmp_path / 'mine.yaml'
    file.write_text('arms:\n- {name: LEFT, base: a, tip: b}\n- {name: RIGHT, base: a, tip: b}\n')
    nodes = arms.arm_nodes(given(arms=str(file), arm_names='crtk'))
    assert [(node.name, node.parameters['arm']) for node in nodes] == [('LEFT', 'LEFT'), ('RIGHT', 'RIGHT')]
    assert nodes[0].parameters['name_style'] == 'crtk'


def test_a_plain_path_takes_every_arm_of_the_file(tmp_path):
    (tmp_path / 'two.yaml').write_text('arms: [{name: A}, {name: B}]\n')
    world = tmp_path / 'launch.yaml'
    world.write_text('arm configs: [two.yaml, {config: two.yaml, arm: B, name: C}, absent.yaml]\n')
    nodes = arms.declared(str(world))
    assert [(node.name, node.parameters['arm']) for node in nodes] == [('A', 'A'), ('B', 'B'), ('C', 'B')]


@pytest.mark.parametrize('text', [None, '[', 'arm: {}', 'bodies: []'])
def test_a_file_without_an_arm_ends_the_launch_in_words(tmp_path, text):
    file = tmp_path / 'wrong.yaml'
    if text is not None:
        file.write_text(text)
    with pytest.raises(RuntimeError, match='arms: .*wrong.yaml'):
        arms.arm_nodes(given(arms=str(file)))


def test_without_a_server_the_launch_goes_on_without_arms(monkeypatch):
    monkeypatch.setattr(arms, 'built', lambda: False)
    told = []
    monkeypatch.setattr(arms, 'get_logger', lambda name: type('Log', (), {'warning': staticmethod(told.append)}))
    assert arms.arm_nodes(given()) == []
    assert len(told) == 1 and told[0].startswith('PSM1: not served')
