"""DeviceSamples of a bag as a recording that the mock replays."""
import pathlib
import subprocess
import sys

import numpy
import pytest
from ament_index_python.packages import get_package_share_directory
from rosbags.rosbag2 import Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

CONVERTER = pathlib.Path(__file__).parents[1] / 'scripts/bag_to_device_csv'
SAMPLE = 'ambf_msgs/msg/DeviceSample'


def write_bag(path, topics):
    """A bag with three samples on each topic, the last one written first."""
    store = get_typestore(Stores.ROS2_JAZZY)
    definition = pathlib.Path(get_package_share_directory('ambf_msgs')) / 'msg/DeviceSample.msg'
    store.register(get_types_from_msg(definition.read_text(), SAMPLE))
    types = store.types
    time = types['builtin_interfaces/msg/Time']
    vector = types['geometry_msgs/msg/Vector3']
    with Writer(path, version=9) as writer:
        for topic in topics:
            connection = writer.add_connection(topic, SAMPLE, typestore=store)
            for i in (2, 0, 1):
                sample = types[SAMPLE](
                    header=types['std_msgs/msg/Header'](stamp=time(sec=0, nanosec=0), frame_id='mock_base'),
                    wall_time=time(sec=100, nanosec=1_000_000 * i),
                    pose=types['geometry_msgs/msg/Pose'](
                        position=types['geometry_msgs/msg/Point'](x=0.1 * i, y=1 / 3, z=0.0),
                        orientation=types['geometry_msgs/msg/Quaternion'](x=0.0, y=0.0, z=0.0, w=1.0)),
                    twist=types['geometry_msgs/msg/Twist'](
                        linear=vector(x=0.5, y=0.0, z=0.0), angular=vector(x=0.0, y=0.0, z=2.0)),
                    gripper=0.25, position_clutch=i == 1, camera_clutch=False,
                    actions=numpy.array([False, True, i == 2]), relocated=i == 0, sequence=i + 1)
                writer.write(connection, 10**9 * (i + 1), store.serialize_cdr(sample, SAMPLE))


def convert(*arguments):
    return subprocess.run([sys.executable, str(CONVERTER), *map(str, arguments)], capture_output=True, text=True)


def test_states_come_out_in_the_order_of_the_hands_clock_and_in_full(tmp_path):
    write_bag(tmp_path / 'bag', ['/ambf/env/mock/Sample'])
    done = convert(tmp_path / 'bag', tmp_path / 'hand.csv')
    assert done.returncode == 0, done.stderr
    header, *lines = (tmp_path / 'hand.csv').read_text().splitlines()
    assert header.startswith('time,px,py,pz,qx') and header.endswith('wx,wy,wz')
    rows = [list(map(float, line.split(','))) for line in lines]
    assert [row[1] for row in rows] == [0.0, 0.1, 0.2]
    assert [row[0] for row in rows] == pytest.approx([0.0, 0.001, 0.002], abs=1e-6)
    assert rows[0][2] == 1 / 3
    assert [row[9] for row in rows] == [0.0, 1.0, 0.0]
    assert [row[11] for row in rows] == [2.0, 2.0, 6.0]
    assert rows[0][12:] == [0.5, 0.0, 0.0, 0.0, 0.0, 2.0]


def test_says_what_to_do_when_it_cannot_know(tmp_path):
    write_bag(tmp_path / 'bag', ['/a/Sample', '/b/Sample'])
    done = convert(tmp_path / 'bag', tmp_path / 'hand.csv')
    assert done.returncode != 0 and '/a/Sample, /b/Sample; choose one with --topic' in done.stderr
    done = convert(tmp_path / 'bag', tmp_path / 'hand.csv', '--topic', '/c/Sample')
    assert done.returncode != 0 and 'no device samples on /c/Sample' in done.stderr
    assert convert(tmp_path / 'bag', tmp_path / 'hand.csv', '--topic', '/b/Sample').returncode == 0
    assert 'no such bag' in convert(tmp_path / 'none', tmp_path / 'hand.csv').stderr
