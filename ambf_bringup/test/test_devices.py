# SPDX-License-Identifier: BSD-3-Clause
"""Which device nodes teleop.launch.py starts for a world."""

import os
import pathlib

import pytest
from ament_index_python.packages import get_package_share_directory
from rclpy.validate_node_name import validate_node_name
from rclpy.validate_topic_name import validate_topic_name

from ambf_bringup.devices import device_nodes, read_drivers, topic_token
from ambf_bringup.programs import check_program

WORLDS = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds'
DRIVERS = pathlib.Path(get_package_share_directory('ambf_bringup')) / 'config/drivers'
CORPUS = pathlib.Path(os.environ.get('AMBF_ADF_CORPUS', '')) / 'descriptions/launch.yaml'


def test_the_puzzle_has_two_masters_and_two_trackers_of_their_own_rates():
    nodes = {node.name: node for node in device_nodes(WORLDS / 'two_user_puzzle/launch.yaml', {})}
    assert {name: node.parameters['rate'] for name, node in nodes.items()} == {
        'mtm_right': 1000.0,
        'mtm_left': 1000.0,
        'tracker_right': 300.0,
        'tracker_left': 300.0,
    }
    assert nodes['mtm_left'].parameters['gives_force'] and not nodes['tracker_left'].parameters['gives_force']
    assert pathlib.Path(nodes['mtm_left'].parameters['recording']).is_file()


def test_drivers_replace_the_mock_and_their_parameters_the_files():
    drivers = {'teacher': {'executable': 'crtk_device', 'parameters': {'max_force': 2.0}}}
    teacher, pupil, _ = device_nodes(WORLDS / 'shared_proxy/launch.yaml', drivers)
    assert (teacher.executable, pupil.executable) == ('crtk_device', 'mock_device')
    assert teacher.parameters['max_force'] == 2.0 and pupil.parameters['max_force'] == 5.0
    assert 'trajectory_scale' not in teacher.parameters


def test_a_driver_for_a_device_that_is_not_there_is_told():
    with pytest.raises(ValueError, match='found techer, expected devices of .*teacher, pupil'):
        device_nodes(WORLDS / 'shared_proxy/launch.yaml', {'techer': {}})


def test_a_world_without_devices_starts_none():
    assert device_nodes(WORLDS / 'mechanisms/launch.yaml', {}) == []


@pytest.mark.parametrize(
    'name, token',
    [
        ('base link-yaw link', 'baselink_yawlink'),
        ('0_link', '_0_link'),
        ('a--b..c', 'a_b_c'),
        ('a__b', 'a_b'),
        ('', '_'),
        ('World', 'World_'),
        ('Wor ld', 'World_'),
        ('a_-b', 'a_b'),
        ('Geomagic\tTouch\n', 'GeomagicTouch'),
        ('Gerät', 'Ger_t'),
        ('-', '_'),
        ('-7', '_7'),
    ],
)
def test_names_are_those_that_the_world_gives_its_topics(name, token):
    """The same table as in ambf_adf's names_test, and more."""
    assert topic_token(name) == token


def test_devices_may_have_any_name(tmp_path):
    (tmp_path / 'launch.yaml').write_text('input devices config: ./devices.yaml\n')
    (tmp_path / 'devices.yaml').write_text(
        'input devices: [Geomagic Touch, dev-9, 1st, 7]\nGeomagic Touch: {max force: 2}\n7: {max force: 3}\n'
    )
    nodes = device_nodes(tmp_path / 'launch.yaml', {'Geomagic Touch': {'executable': 'crtk_device'}})
    assert [node.name for node in nodes] == ['GeomagicTouch', 'dev_9', '_1st', '_7']
    assert [node.parameters['device'] for node in nodes] == ['GeomagicTouch', 'dev_9', '_1st', '_7']
    assert [node.parameters['max_force'] for node in nodes] == [2.0, 10.0, 10.0, 3.0]
    assert nodes[0].executable == 'crtk_device'


def test_a_value_that_is_none_is_left_to_its_device_and_the_others_are_started(tmp_path):
    (tmp_path / 'launch.yaml').write_text('input devices config: ./devices.yaml\n')
    (tmp_path / 'devices.yaml').write_text(
        'input devices: [a, b, c]\na: {max force: strong, haptic gain: 5}\nb: [1]\nc: {workspace scaling: 2}\n'
    )
    a, b, c = device_nodes(tmp_path / 'launch.yaml', {})
    assert a.parameters['max_force'] == 'strong' and a.parameters['linear_stiffness'] == [0.0] * 3
    assert b.parameters['max_force'] == 10.0 and c.parameters['workspace_scale'] == 2.0


@pytest.mark.skipif(
    not CORPUS.is_file(),
    reason='AMBF_ADF_CORPUS names no folder that holds descriptions/launch.yaml: set it to run this',
)
def test_the_input_devices_of_the_corpus_can_be_started():
    nodes = device_nodes(CORPUS, {})
    assert len(nodes) == 7 and len({node.name for node in nodes}) == 7
    for node in nodes:
        assert validate_node_name(node.name)
        assert validate_topic_name(f'/ambf/env/{node.parameters["device"]}/Sample')
    assert {node.name for node in nodes} >= {'MTMR', 'MTML', 'GeomagicTouch', 'RazerHydra0', 'NovintFalcon1'}


def test_people_lead_what_has_no_driver_of_its_own():
    world = WORLDS / 'training_cast/launch.yaml'
    right, left = device_nodes(world, {}, hands='gamepad')
    assert [(node.name, node.executable, node.parameters['input']) for node in (right, left)] == [
        ('right', 'sdl_device', 'gamepad'),
        ('left', 'sdl_device', 'gamepad'),
    ]
    assert (right.parameters['index'], left.parameters['index']) == (0, 1), 'each has a gamepad of its own'
    right, left = device_nodes(world, {'left': {'executable': 'crtk_device'}}, hands='keyboard')
    assert (right.parameters['input'], left.executable) == ('keyboard', 'crtk_device')
    assert [node.executable for node in device_nodes(world, {})] == ['mock_device', 'mock_device']
    assert device_nodes(world, {}, hands='none') == [], 'their samples come from elsewhere'
    masters = device_nodes(world, read_drivers('hardware', '', DRIVERS), hands='dvrk')
    assert [node.parameters['arm'] for node in masters] == ['/MTMR', '/MTML']


def test_drivers_are_a_file_or_the_name_of_one_or_the_demos(tmp_path):
    mine = tmp_path / 'mine.yaml'
    mine.write_text('teacher: {executable: joy_device}\n')
    assert read_drivers(str(mine), 'gamepad', DRIVERS) == {'teacher': {'executable': 'joy_device'}}
    assert read_drivers('', 'gamepad', DRIVERS) == {'gamepad': {'executable': 'sdl_device'}}
    assert read_drivers('', 'two_user_puzzle', DRIVERS) == {}
    with pytest.raises(FileNotFoundError, match="found 'dvkr', expected .* dvrk"):
        read_drivers('dvkr', 'gamepad', DRIVERS)


def test_the_masters_of_a_dvrk_console_drive_the_puzzle():
    drivers = read_drivers('dvrk', 'two_user_puzzle', DRIVERS)
    nodes = {node.name: node for node in device_nodes(WORLDS / 'two_user_puzzle/launch.yaml', drivers)}
    assert {name: node.executable for name, node in nodes.items()} == {
        'mtm_right': 'crtk_device',
        'mtm_left': 'crtk_device',
        'tracker_right': 'mock_device',
        'tracker_left': 'mock_device',
    }
    for name, arm in (('mtm_left', '/MTML'), ('mtm_right', '/MTMR')):
        given = nodes[name].parameters
        assert (given['arm'], given['device'], given['needs_operator']) == (arm, name, True)


def test_a_driver_that_is_not_built_is_refused_with_what_there_is():
    check_program('drivers', 'ambf_device_nodes', 'mock_device')
    with pytest.raises(RuntimeError, match="drivers: found 'mouse', .*expected one of: .*mock_device"):
        check_program('drivers', 'ambf_device_nodes', 'mouse')


def test_a_program_that_was_left_out_says_where_to_read_on():
    # ambf_bringup has neither of them, as ambf_device_nodes without crtk_msgs.
    for program in ('crtk_device', 'adapter'):
        with pytest.raises(RuntimeError, match='left out where .* docs/tasks/stock_ros.md'):
            check_program('drivers', 'ambf_bringup', program)


def world_of(folder: pathlib.Path, *hardware: str) -> pathlib.Path:
    """A world with a device `d0`, `d1`, ... of each hardware name."""
    (folder / 'launch.yaml').write_text('input devices config: ./devices.yaml\n')
    names = [f'd{i}' for i in range(len(hardware))]
    blocks = ''.join(f'{name}: {{hardware name: {one}}}\n' for name, one in zip(names, hardware))
    (folder / 'devices.yaml').write_text(f'input devices: [{", ".join(names)}]\n{blocks}')
    return folder / 'launch.yaml'


def test_each_device_has_the_driver_of_its_hardware_name(tmp_path):
    world = world_of(tmp_path, 'Razer Hydra', 'razer hydra', 'PHANTOM Omni', 'MTMR', 'an unknown one', 'omega.7')
    nodes = device_nodes(world, read_drivers('hardware', '', DRIVERS))
    assert [node.executable for node in nodes] == [
        'pose_device',
        'pose_device',
        'crtk_device',
        'crtk_device',
        'mock_device',
        'crtk_device',
    ]
    assert [node.parameters.get('tf_child') for node in nodes[:2]] == ['hydra_left_grab', 'hydra_right_grab']
    assert [nodes[i].parameters['arm'] for i in (2, 3, 5)] == ['/arm', '/MTMR', '/omega']
    only = device_nodes(world, read_drivers('hydra', '', DRIVERS), indices='1')
    assert [node.parameters['tf_child'] for node in only] == ['hydra_right_grab'], 'the second stays the second'
    assert {node.executable for node in device_nodes(world, read_drivers('haply', '', DRIVERS))} == {'mock_device'}


def test_more_devices_of_a_kind_than_drivers_are_told(tmp_path):
    world = world_of(tmp_path, 'Falcon', 'Falcon', 'Falcon')
    with pytest.raises(
        ValueError, match="found 2 for the hardware name 'Falcon', expected one more for the device 'd2'"
    ):
        device_nodes(world, read_drivers('hardware', '', DRIVERS))
    mine = read_drivers('hardware', '', DRIVERS) | {'d2': {'executable': 'joy_device'}}
    assert device_nodes(world, mine)[2].executable == 'joy_device', 'its own name goes first'


@pytest.mark.skipif(
    not CORPUS.is_file(),
    reason='AMBF_ADF_CORPUS names no folder that holds descriptions/launch.yaml: set it to run this',
)
def test_every_hardware_name_of_the_corpus_has_a_driver():
    nodes = device_nodes(CORPUS, read_drivers('hardware', '', DRIVERS))
    assert {node.executable for node in nodes} == {'crtk_device', 'pose_device'}
