"""Which device nodes teleop.launch.py starts for a world."""
import pathlib

import pytest
from ament_index_python.packages import get_package_share_directory
from ambf_bringup.devices import device_nodes, resampled

WORLDS = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds'


def test_the_puzzle_has_two_masters_and_two_trackers_of_their_own_rates(tmp_path):
    nodes = {node.name: node for node in device_nodes(WORLDS / 'two_user_puzzle/launch.yaml', {}, tmp_path)}
    assert {name: node.parameters['rate'] for name, node in nodes.items()} == {
        'mtm_right': 1000.0, 'mtm_left': 1000.0, 'tracker_right': 300.0, 'tracker_left': 300.0}
    assert nodes['mtm_left'].parameters['gives_force'] and not nodes['tracker_left'].parameters['gives_force']
    assert pathlib.Path(nodes['mtm_left'].parameters['recording']).is_file()


def test_drivers_replace_the_mock_and_their_parameters_the_files(tmp_path):
    drivers = {'teacher': {'executable': 'crtk_device', 'parameters': {'max_force': 2.0}}}
    teacher, pupil = device_nodes(WORLDS / 'shared_proxy/launch.yaml', drivers, tmp_path)
    assert (teacher.executable, pupil.executable) == ('crtk_device', 'mock_device')
    assert teacher.parameters['max_force'] == 2.0 and pupil.parameters['max_force'] == 5.0
    assert 'trajectory_scale' not in teacher.parameters


def test_a_driver_for_a_device_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ValueError, match='found techer, expected devices of .*teacher, pupil'):
        device_nodes(WORLDS / 'shared_proxy/launch.yaml', {'techer': {}}, tmp_path)


def test_a_world_without_devices_starts_none(tmp_path):
    assert device_nodes(WORLDS / 'mechanisms/launch.yaml', {}, tmp_path) == []


def test_resampling_keeps_the_states_and_fills_the_time_between(tmp_path):
    head = 'time,px,py,pz,qx,qy,qz,qw,gripper,position_clutch,camera_clutch,actions'
    source = tmp_path / 'in.csv'
    source.write_text(f'{head}\n0,0,0,0,0,0,0,1,1,0,0,0\n0.1,0.2,0,-0.1,0,0,0,1,0,1,0,3\n')
    folder = tmp_path / 'out'
    folder.mkdir()
    lines = resampled(source, 20.0, folder).read_text().splitlines()
    assert lines == [head, '0,0,0,0,0,0,0,1,1,0,0,0', '0.05,0.1,0,-0.05,0,0,0,1,0.5,0,0,0',
                     '0.1,0.2,0,-0.1,0,0,0,1,0,1,0,3']
