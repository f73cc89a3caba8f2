# SPDX-License-Identifier: BSD-3-Clause
"""The point cloud of a ball, drawn by the renderer in lockstep, against the ball."""

import os
import pathlib
import signal
import subprocess
import time

import numpy as np
import pytest
import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import PointCloud2
from tf2_msgs.msg import TFMessage

from ambf_msgs.srv import StepWorld

CAMERA = '/ambf/env/cameras/default_camera'
RADIUS = 0.09


def start(log, namespace, package, name, **parameters):
    path = pathlib.Path(get_package_prefix(package)) / 'lib' / package / name
    arguments = [str(path), '--ros-args', '-r', f'__ns:={namespace}']
    for key, value in parameters.items():
        arguments += ['-p', f'{key}:={value}']
    return subprocess.Popen(arguments, stdout=log, stderr=subprocess.STDOUT)


@pytest.fixture(params=['/', '/left'])
def namespace(request):
    return request.param


@pytest.fixture
def processes(tmp_path, namespace):
    ball = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds/cloth/ball.yaml'
    model = tmp_path / 'ball.yaml'
    text = ball.read_text().replace('z: 0.25}', 'z: 0.0}', 1)
    model.write_text(text.replace('../../meshes', f'{ball.parents[2]}/meshes'))
    with open(tmp_path / 'log', 'w') as log:
        made = [
            start(log, namespace, 'ambf_physics_node', 'physics_node', mode='lockstep', models=f"['{model}']"),
            start(log, namespace, 'ambf_render_node', 'render_node', barrier='true', display='private', samples=0),
            start(log, namespace, 'ambf_sensor_nodes', 'depth_cloud_node', barrier='true', camera=CAMERA),
        ]
    yield made
    for process in made:
        process.send_signal(signal.SIGINT)
    assert [process.wait(timeout=90) for process in made] == [0, 0, 0], (tmp_path / 'log').read_text()


def test_a_camera_that_nobody_draws_is_said(tmp_path):
    with open(tmp_path / 'log', 'w') as log:
        process = start(log, '/right', 'ambf_sensor_nodes', 'depth_cloud_node', camera='/nowhere')
    try:
        end = time.monotonic() + 60.0
        while 'nobody publishes /right/nowhere/DepthImage' not in (tmp_path / 'log').read_text():
            assert process.poll() is None and time.monotonic() < end, (tmp_path / 'log').read_text()
            time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=90) == 0


def test_each_reply_comes_after_a_cloud_whose_points_lie_on_the_ball(processes, namespace, tmp_path):
    below = namespace.rstrip('/')
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('viewer', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    got = {}
    node.create_subscription(PointCloud2, f'{below}{CAMERA}/points', lambda m: got.update(cloud=m), 1)
    node.create_subscription(
        TFMessage,
        '/tf',
        lambda m: [got.update(tf=t.transform) for t in m.transforms if t.child_frame_id.endswith('_optical')],
        100,
    )
    client = node.create_client(StepWorld, f'{below}/ambf/env/World/step')
    assert client.wait_for_service(40.0)

    def step():
        future = client.call_async(
            StepWorld.Request(agent='viewer', steps=1, barrier=['depth_cloud'], barrier_timeout=2.0)
        )
        executor.spin_until_future_complete(future, 90.0)
        return future.result()

    end = time.monotonic() + 60.0
    while not (step().ok and {'cloud', 'tf'} <= set(got)):
        assert time.monotonic() < end, (tmp_path / 'log').read_text()
    for _ in range(200 if os.environ.get('AMBF_TEST_LONG') == '1' else 10):
        reply = step()
        assert reply.ok, reply.message
        end = time.monotonic() + 5.0
        while got['cloud'].header.stamp != reply.sim_time:
            assert time.monotonic() < end, 'the cloud of that step'
            executor.spin_once(timeout_sec=0.05)
    cloud = got['cloud']
    assert cloud.header.frame_id == f'{below}{CAMERA}_optical'.lstrip('/')
    points = np.frombuffer(bytes(cloud.data), np.float32).reshape(-1, 3)
    points = points[np.isfinite(points[:, 2])].astype(float)
    assert len(points) > 1000
    q = got['tf'].rotation
    x, y, z, w = q.x, q.y, q.z, q.w
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    origin = np.array([got['tf'].translation.x, got['tf'].translation.y, got['tf'].translation.z])
    away = np.linalg.norm(points @ turn.T + origin, axis=1)
    # The drawn ball has facets: up to 2 * r (1 - cos(pi / 48)) = 0.4 mm inside the round one.
    assert RADIUS - 0.0006 < away.min() and away.max() < RADIUS + 0.0002, (away.min(), away.max())
    executor.shutdown()
    node.destroy_node()
    rclpy.shutdown(context=context)
