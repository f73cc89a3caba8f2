# SPDX-License-Identifier: BSD-3-Clause
"""Killed clients harm nobody: a few of every kind. kills.py --kills 1000 is the long one."""

import os
import pathlib

import pytest
from kills import KINDS, Simulator, soak

from ambf_physics_node.transport import transport_environment

LONG = os.environ.get('AMBF_TEST_LONG') == '1'


def test_a_new_client_finds_the_world_after_each_kill():
    figures = soak(200 if LONG else len(KINDS), say=print)
    print(figures)
    assert figures['never'] == 0
    first, last = figures['shared_memory_mb'][1:3]
    assert last - first < 5.0


@pytest.mark.skipif('fastrtps' not in os.environ.get('RMW_IMPLEMENTATION', 'rmw_fastrtps_cpp'), reason='of Fast DDS')
def test_the_simulator_uses_no_memory_that_a_killed_client_could_leave_broken():
    with Simulator('mechanisms', as_it_was=False) as simulator:
        maps = pathlib.Path(f'/proc/{simulator.world_process()}/maps').read_text()
        assert 'libfastrtps' in maps and '/dev/shm/fastrtps' not in maps


@pytest.mark.parametrize(
    'chosen',
    [
        {'FASTRTPS_DEFAULT_PROFILES_FILE': '/my/profile.xml'},
        {'FASTDDS_BUILTIN_TRANSPORTS': 'SHM'},
        {'ROS_LOCALHOST_ONLY': '1'},
        {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'OFF'},
    ],
)
def test_who_has_chosen_a_transport_keeps_it(chosen):
    assert transport_environment(chosen) == {}


def test_the_profile_fits_the_range_of_discovery():
    local = transport_environment({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST', 'ROS_LOCALHOST_ONLY': '0'})
    assert local['ROS_AUTOMATIC_DISCOVERY_RANGE'] == 'SYSTEM_DEFAULT'
    for environment in ({}, {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET'}):
        wide = transport_environment(environment)
        assert list(wide) == ['FASTRTPS_DEFAULT_PROFILES_FILE']
        assert wide != local
        assert pathlib.Path(wide['FASTRTPS_DEFAULT_PROFILES_FILE']).is_file()
    assert pathlib.Path(local['FASTRTPS_DEFAULT_PROFILES_FILE']).is_file()
