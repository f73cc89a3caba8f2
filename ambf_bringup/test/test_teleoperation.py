# SPDX-License-Identifier: BSD-3-Clause
"""Which hands the launch files put on which arms."""

import pathlib
import re

import pytest
from ament_index_python.packages import get_package_share_directory

from ambf_bringup.arms import declared
from ambf_bringup.teleoperation import DEVICES, read_pairs, teleoperation_nodes

WORLDS = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds'
PEGS = WORLDS / 'peg_transfer' / 'launch.yaml'


def programs(nodes):
    return {node.name: node.executable for node in nodes}


def test_every_pair_of_a_world_is_of_an_arm_that_it_serves():
    for file in WORLDS.glob('*/teleoperation.yaml'):
        world = file.parent / 'launch.yaml'
        served = {node.name for node in declared(str(world))}
        assert {pair['arm'] for pair in read_pairs(world)} <= served


@pytest.mark.parametrize('hands', DEVICES)
def test_each_pair_has_its_teleoperation_and_its_hand(hands):
    nodes = teleoperation_nodes(PEGS, hands)
    started = programs(nodes)
    names = ('MTMR_PSM1', 'MTML_PSM2') if hands == 'dvrk' else ('right_PSM1', 'left_PSM2')
    assert all(started[name] == 'teleop_psm' for name in names)
    assert ('console' in started) == (hands != 'dvrk'), 'a dVRK has a console of its own'
    device = DEVICES[hands]
    assert {'right', 'left'} & set(started) == ({'right', 'left'} if device else set())
    if device:
        # A device's force is made with the scale of the arm that it leads.
        by_name = {node.name: node.parameters for node in nodes}
        assert by_name['right']['workspace_scale'] == by_name['right_PSM1']['scale']


def test_a_world_without_the_file_has_no_hands_on_arms():
    assert teleoperation_nodes(WORLDS / 'boxes' / 'launch.yaml', 'mock') == []


@pytest.mark.parametrize(
    'text, words',
    [
        ('pairs: [{hand: a, arm: PSM1}, {hand: b, arm: PSM1}]', 'arm PSM1 is in two pairs'),
        ('pairs: [{hand: a, arm: PSM1}, {hand: a, arm: PSM2}]', 'hand a is in two pairs'),
        ('pairs: [{hand: a}]', 'expected a list of {hand: ..., arm: ...}'),
        ('pairs: [', 'is no YAML'),
        ('pair: [{hand: a, arm: PSM1}]', 'expected a list of {hand: ..., arm: ...}'),
        ('- {hand: a, arm: PSM1}', 'expected a list of {hand: ..., arm: ...}'),
        ('{pairs: [{hand: a, arm: PSM1}], parameters: [1]}', "'parameters': expected names and values"),
        ('pairs: [{hand: a, arm: PSM1, scale: big}]', "'scale': found 'big', expected a number"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, text, words):
    (tmp_path / 'teleoperation.yaml').write_text(text)
    with pytest.raises(RuntimeError, match=re.escape(words)):
        teleoperation_nodes(tmp_path / 'launch.yaml', 'mock')


@pytest.mark.parametrize(
    'text, scale',
    [
        ('{pairs: [{hand: a, arm: PSM1}, {hand: b, arm: PSM2}], parameters: {scale: 0.4}}', 0.4),
        ('pairs: [{hand: a, arm: PSM1}]', 0.2),
        ('pairs: [{hand: a, arm: PSM1, scale: 0.4}, {hand: b, arm: PSM2}]', None),
    ],
)
def test_the_console_tells_the_scale_that_its_pairs_have(tmp_path, text, scale):
    (tmp_path / 'teleoperation.yaml').write_text(text)
    assert teleoperation_nodes(tmp_path / 'launch.yaml', 'mock')[-1].parameters.get('scale') == scale


def test_a_chosen_file_stands_over_the_worlds(tmp_path):
    file = tmp_path / 'mine.yaml'
    file.write_text('{pairs: [{hand: script, arm: PSM1}], parameters: {scale: 1.0}}')
    nodes = teleoperation_nodes(PEGS, 'none', str(file))
    assert [node.name for node in nodes] == ['script_PSM1', 'console']
    assert nodes[0].parameters == {'hand': 'script', 'arm': 'PSM1', 'scale': 1.0}
    with pytest.raises(RuntimeError, match='which is no file'):
        teleoperation_nodes(PEGS, 'none', str(tmp_path / 'absent.yaml'))


def test_two_hands_on_an_endoscope_obey_the_consoles_camera_pedal(tmp_path):
    file = tmp_path / 'mine.yaml'
    file.write_text('pairs: [{hand: left, arm: PSM2}, {hand: left, second_hand: right, arm: ECM}]')
    nodes = teleoperation_nodes(PEGS, 'mock', str(file))
    assert [node.name for node in nodes] == ['left', 'left_PSM2', 'left_right_ECM', 'console']
    assert nodes[-1].parameters['pairs'] == ['left_PSM2']
    assert nodes[-1].parameters['endoscopes'] == ['left_right_ECM']


def test_hands_that_nobody_knows_are_refused():
    with pytest.raises(RuntimeError, match="found 'claws', expected one of mock"):
        teleoperation_nodes(PEGS, 'claws')
