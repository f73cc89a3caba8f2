# SPDX-License-Identifier: BSD-3-Clause
"""DeviceSamples of a bag as a recording that the mock replays."""

import pathlib
import subprocess
import sys

import numpy
import pytest
from ament_index_python.packages import get_package_share_directory
from device_fixture import BEST_EFFORT, Lab
from diagnostic_msgs.msg import DiagnosticArray

from ambf_msgs.msg import DeviceSample

pytest.importorskip('rosbags', reason='rosbags is not installed: pip install rosbags')
from rosbags.rosbag2 import Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

CONVERTER = pathlib.Path(__file__).parents[1] / 'scripts/bag_to_device_csv'
SAMPLE = 'ambf_msgs/msg/DeviceSample'


def write_bag(path, topics, count=3, fields=lambda i: {}):
    """A bag with samples of 1 kHz on each topic, the last one written first; `fields` are other than the usual."""
    store = get_typestore(Stores.ROS2_JAZZY)
    definition = pathlib.Path(get_package_share_directory('ambf_msgs')) / 'msg/DeviceSample.msg'
    store.register(get_types_from_msg(definition.read_text(), SAMPLE))
    types = store.types
    time = types['builtin_interfaces/msg/Time']
    vector = types['geometry_msgs/msg/Vector3']
    with Writer(path, version=9) as writer:
        for topic in topics:
            connection = writer.add_connection(topic, SAMPLE, typestore=store)
            for i in (count - 1, *range(count - 1)):
                usual = dict(
                    header=types['std_msgs/msg/Header'](stamp=time(sec=0, nanosec=0), frame_id='mock_base'),
                    wall_time=time(sec=100, nanosec=1_000_000 * i),
                    pose=types['geometry_msgs/msg/Pose'](
                        position=types['geometry_msgs/msg/Point'](x=0.1 * i, y=1 / 3, z=0.0),
                        orientation=types['geometry_msgs/msg/Quaternion'](x=0.0, y=0.0, z=0.0, w=1.0),
                    ),
                    twist=types['geometry_msgs/msg/Twist'](
                        linear=vector(x=0.5, y=0.0, z=0.0), angular=vector(x=0.0, y=0.0, z=2.0)
                    ),
                    gripper=0.25,
                    position_clutch=i == 1,
                    camera_clutch=False,
                    actions=numpy.array([False, True, i == 2]),
                    relocated=i == 0,
                    sequence=i + 1,
                    commanded_by='',
                )
                changed = fields(i)
                if changed is None:
                    continue  # lost on its way to the recorder
                usual['pose'].position.x = changed.pop('x', usual['pose'].position.x)
                sample = types[SAMPLE](**{**usual, **changed})
                writer.write(connection, 10**9 + 10**6 * i, store.serialize_cdr(sample, SAMPLE))


def convert(*arguments):
    return subprocess.run([sys.executable, str(CONVERTER), *map(str, arguments)], capture_output=True, text=True)


def test_states_come_out_in_the_order_of_the_hands_clock_and_in_full(tmp_path):
    write_bag(tmp_path / 'bag', ['/ambf/env/mock/Sample'])
    done = convert(tmp_path / 'bag', tmp_path / 'hand.csv')
    assert done.returncode == 0, done.stderr
    header, *lines = (tmp_path / 'hand.csv').read_text().splitlines()
    assert header.startswith('time,px,py,pz,qx') and header.endswith('wx,wy,wz,relocated')
    rows = [list(map(float, line.split(','))) for line in lines]
    assert [row[1] for row in rows] == [0.0, 0.1, 0.2]
    assert [row[0] for row in rows] == pytest.approx([0.0, 0.001, 0.002], abs=1e-6)
    assert rows[0][2] == 1 / 3
    assert [row[9] for row in rows] == [0.0, 1.0, 0.0]
    assert [row[11] for row in rows] == [2.0, 2.0, 6.0]
    assert rows[0][12:18] == [0.5, 0.0, 0.0, 0.0, 0.0, 2.0]
    assert [row[18] for row in rows] == [1.0, 0.0, 0.0]


def test_says_what_to_do_when_it_cannot_know(tmp_path):
    write_bag(tmp_path / 'bag', ['/a/Sample', '/b/Sample'])
    done = convert(tmp_path / 'bag', tmp_path / 'hand.csv')
    assert done.returncode != 0 and '/a/Sample, /b/Sample; choose one with --topic' in done.stderr
    done = convert(tmp_path / 'bag', tmp_path / 'hand.csv', '--topic', '/c/Sample')
    assert done.returncode != 0 and 'no device samples on /c/Sample' in done.stderr
    assert convert(tmp_path / 'bag', tmp_path / 'hand.csv', '--topic', '/b/Sample').returncode == 0
    assert 'no such bag' in convert(tmp_path / 'none', tmp_path / 'hand.csv').stderr


def test_a_bag_with_holes_drives_a_device_that_refuses_nothing_and_ends_where_the_hand_was(tmp_path):
    """A hand at 1 m/s, of which the recorder missed up to 60 ms at a time; at 0.5 s it was taken 0.3 m aside."""

    def fields(i):
        if i % 100 > 40 and i not in (500, 999):
            return None
        return dict(x=0.001 * i + (0.3 if i >= 500 else 0.0), relocated=i in (0, 500))

    write_bag(tmp_path / 'bag', ['/ambf/env/mock/Sample'], 1000, fields)
    done = convert(tmp_path / 'bag', tmp_path / 'hand.csv')
    assert done.returncode == 0, done.stderr
    with Lab() as lab:
        samples = lab.listen(DeviceSample, '/ambf/env/mock/Sample', BEST_EFFORT)
        reports = lab.listen(DiagnosticArray, '/diagnostics')
        lab.start('mock_device', rate=500.0, recording=tmp_path / 'hand.csv', repeat='false')
        lab.wait_for(lambda: samples and samples[-1].pose.position.x == pytest.approx(1.299), 'the last state')
        after = len(reports)
        lab.wait_for(lambda: len(reports) > after + 1, 'diagnostics')
        refused = [v.value for v in reports[-1].status[0].values if v.key == 'readings refused']
        assert refused == ['0'] and 'refused' not in lab.output(), lab.output()
        assert sum(s.relocated for s in samples) <= 2, 'the first sample, and the new place'
        for before, after in zip(samples, samples[1:]):
            if after.sequence == before.sequence + 1 and after.pose.position.x - before.pose.position.x > 0.29:
                assert after.relocated
