# SPDX-License-Identifier: BSD-3-Clause
"""Recordings of what arms were asked for: what a bag holds, and bags that cannot be replayed."""

import numpy as np
import pytest

pytest.importorskip('rosbags', reason='rosbags is not installed')

from rosbags.rosbag2 import Writer
from rosbags.typesys import Stores, get_typestore

from ambf_py.hands.recorded import BadRecording, read_recording
from ambf_py.tools import replay

STORE = get_typestore(Stores.ROS2_JAZZY)
JOINTS = 'sensor_msgs/msg/JointState'


def write_bag(folder, topics: dict[str, list]):
    """`topics`: (time of the bag [s], positions, homed) of each message."""
    types = STORE.types
    with Writer(folder, version=9) as writer:
        for topic, messages in topics.items():
            connection = writer.add_connection(topic, JOINTS, typestore=STORE)
            for time, positions, homed in messages:
                header = types['std_msgs/msg/Header'](
                    stamp=types['builtin_interfaces/msg/Time'](sec=1700 if homed else 0, nanosec=0), frame_id=''
                )
                empty = np.array([])
                message = types[JOINTS](
                    header=header, name=[], position=np.array(positions), velocity=empty, effort=empty
                )
                writer.write(connection, round(1e9 * time), STORE.serialize_cdr(message, JOINTS))
    return folder


def test_set_points_of_arms_and_jaws_are_read_with_the_times_of_the_bag(tmp_path):
    bag = write_bag(
        tmp_path / 'bag',
        {
            '/PSM1/setpoint_js': [(1.0, [9.0, 9.0], False), (2.0, [0.1, 0.2], True), (3.0, [0.1, 0.3], True)],
            '/PSM1/jaw/setpoint_js': [(2.5, [0.7], True)],
            '/PSM1/gravity_compensation/setpoint_js': [(2.5, [5.0, 5.0], True)],
            '/SUJ/PSM1/setpoint_js': [(2.0, [1.0], True)],
            '/PSM1/measured_js': [(2.0, [4.0, 4.0], True)],
        },
    )
    found = read_recording(bag)
    assert sorted(found.joints) == ['PSM1', 'SUJ/PSM1'] and sorted(found.jaws) == ['PSM1']
    track = found.joints['PSM1']
    assert track.at(1.9) is None, 'what an arm tells before it is homed is left out'
    assert track.at(2.0).tolist() == track.at(2.99).tolist() == [0.1, 0.2] and track.at(5.0).tolist() == [0.1, 0.3]
    assert found.jaws['PSM1'].at(2.6).tolist() == [0.7]
    assert sorted(read_recording(bag, ['PSM1']).joints) == ['PSM1']


@pytest.mark.parametrize(
    'topics, arms, words',
    [
        ({'/joint_states': [(1.0, [0.0], True)]}, None, 'holds no set-points of arms'),
        ({'/PSM1/setpoint_js': [(1.0, [0.0], False)]}, None, 'holds no set-points of arms that were homed'),
        ({'/PSM1/setpoint_js': [(1.0, [0.0], True)]}, ['PSM2'], "found no arm 'PSM2', expected one of: PSM1"),
    ],
)
def test_a_bag_without_what_is_asked_for_is_refused(tmp_path, topics, arms, words):
    with pytest.raises(BadRecording, match=words):
        read_recording(write_bag(tmp_path / 'bag', topics), arms)


def test_the_program_says_what_is_wrong_with_a_bag(tmp_path, capsys):
    assert replay.main([str(tmp_path / 'absent')]) == 1
    assert 'absent: no such bag' in capsys.readouterr().err
    (tmp_path / 'empty').mkdir()
    assert replay.main([str(tmp_path / 'empty')]) == 1
    assert 'cannot be read as a bag' in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        replay.main([str(tmp_path), '--steps', '0'])
    assert ended.value.code == 2
