# SPDX-License-Identifier: BSD-3-Clause
"""The display configuration for rviz2 against the running graph, and the URDFs with urdfdom.

rviz2 itself does not run here: this checks what it would subscribe to.
"""

import copy
import os
import pathlib
import signal
import subprocess
import time

import pytest
import rclpy
import yaml
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

# What the displays subscribe to, by their class.
TYPES = {
    'RobotModel': 'std_msgs/msg/String',
    'MarkerArray': 'visualization_msgs/msg/MarkerArray',
    'Image': 'sensor_msgs/msg/Image',
    'PointCloud2': 'sensor_msgs/msg/PointCloud2',
}
FIXED = {'Grid', 'TF'}  # these name no topic
PROGRAMS = [
    ('ambf_physics_node', 'physics_node', {'report_contacts': 'true', 'report_rays': 'true'}),
    ('ambf_render_node', 'render_node', {'headless': 'true', 'display': 'private', 'samples': '0', 'rate': '5.0'}),
    ('ambf_sensor_nodes', 'marker_node', {}),
    ('ambf_sensor_nodes', 'depth_cloud_node', {}),
]


def displays() -> list:
    file = pathlib.Path(get_package_share_directory('ambf_sensor_nodes')) / 'rviz/demo.rviz'
    return yaml.safe_load(file.read_text())['Visualization Manager']['Displays']


def wanted_topic(display: dict):
    """Topic, type and QoS that a display asks for; None if it asks for none."""
    kind = display['Class'].split('/')[-1]
    if kind in FIXED:
        return None
    topic = display.get('Topic') or display['Description Topic']
    qos = QoSProfile(
        depth=topic['Depth'],
        history=HistoryPolicy.KEEP_LAST,
        reliability=ReliabilityPolicy[topic['Reliability Policy'].upper().replace(' ', '_')],
        durability=DurabilityPolicy[topic['Durability Policy'].upper().replace(' ', '_')],
    )
    return topic['Value'], TYPES[kind], qos


class Graph:
    """The demo world with all that publishes for rviz2."""

    def __init__(self, folder: pathlib.Path):
        world = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds/demo/launch.yaml'
        self.log_file = folder / 'log'
        self.processes = []
        with open(self.log_file, 'w') as out:
            for package, name, parameters in PROGRAMS:
                words = [str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name), '--ros-args']
                if name == 'physics_node':
                    parameters = dict(parameters, world=str(world))
                for key, value in parameters.items():
                    words += ['-p', f'{key}:={value}']
                self.processes.append(subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT))
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('rviz_stand_in', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)

    def problem(self, display: dict) -> str:
        """What is wrong about a display, or nothing."""
        wanted = wanted_topic(display)
        if wanted is None:
            return ''
        topic, kind, qos = wanted
        publishers = self.node.get_publishers_info_by_topic(topic)
        if not publishers:
            return f'nobody publishes {topic}'
        for publisher in publishers:
            if publisher.topic_type != kind:
                return f'{topic} has type {publisher.topic_type}, not {kind}'
            result, reason = qos_check_compatible(publisher.qos_profile, qos)
            if result == QoSCompatibility.ERROR:
                return f'{topic}: {reason}'
        return ''

    def wait_for(self, condition, what, timeout=90.0):
        end = time.monotonic() + timeout
        while not condition():
            assert all(process.poll() is None for process in self.processes), self.log_file.read_text()
            assert time.monotonic() < end, f'{what() if callable(what) else what}\n{self.log_file.read_text()}'
            self.executor.spin_once(timeout_sec=0.1)

    def close(self):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGINT)
        for process in self.processes:
            process.wait(timeout=90)
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


@pytest.fixture(scope='module')
def graph(tmp_path_factory):
    made = Graph(tmp_path_factory.mktemp('rviz'))
    yield made
    made.close()


def test_every_display_has_its_topic_with_its_type_and_qos(graph):
    def problems():
        return [text for text in map(graph.problem, displays()) if text]

    graph.wait_for(lambda: not problems(), problems)


def test_the_check_notices_wrong_topics_types_and_qos(graph):
    robot = next(d for d in displays() if d['Class'].endswith('RobotModel'))
    graph.wait_for(lambda: not graph.problem(robot), 'the topic of a robot')
    renamed = copy.deepcopy(robot)
    renamed['Description Topic']['Value'] += '_not'
    assert 'nobody publishes' in graph.problem(renamed)
    assert 'has type' in graph.problem(dict(robot, Class='rviz_default_plugins/MarkerArray'))
    markers = copy.deepcopy(next(d for d in displays() if d['Class'].endswith('MarkerArray')))
    graph.wait_for(lambda: not graph.problem(markers), 'the markers')
    markers['Topic']['Durability Policy'] = 'Transient Local'  # they are volatile
    assert graph.problem(markers)


def test_every_urdf_is_one_for_urdfdom_and_its_links_have_frames(graph):
    frames, texts = set(), {}
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

    def take(message):
        frames.update(t.child_frame_id for t in message.transforms)

    graph.node.create_subscription(TFMessage, '/tf', take, 100)
    graph.node.create_subscription(TFMessage, '/tf_static', take, latched)
    robots = [wanted_topic(d)[0] for d in displays() if d['Class'].endswith('RobotModel')]
    for topic in robots:
        graph.node.create_subscription(String, topic, lambda m, t=topic: texts.__setitem__(t, m.data), latched)
    graph.wait_for(lambda: len(texts) == len(robots), lambda: f'only {sorted(texts)}')
    for topic, text in texts.items():
        done = subprocess.run([os.environ['CHECK_URDF']], input=text, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and 'Error' not in done.stderr, (topic, done.stderr)
        links = set(done.stdout.split('\n')) - {''}
        assert links, topic
        graph.wait_for(lambda: links <= frames, lambda: f'{topic}: no frames for {sorted(links - frames)}')
    two_roots = '<robot name="x"><link name="a"/><link name="b"/></robot>'
    assert subprocess.run([os.environ['CHECK_URDF']], input=two_roots, capture_output=True, text=True).returncode != 0


def test_markers_come(graph):
    got = []
    graph.node.create_subscription(MarkerArray, '/ambf/env/World/Markers', got.append, 10)
    # The bodies of the demo fall to the floor and touch it.
    graph.wait_for(lambda: got and any(m.ns == 'contact_points' and m.points for m in got[-1].markers), 'contacts')
    assert all(m.header.frame_id == 'world' for m in got[-1].markers)
