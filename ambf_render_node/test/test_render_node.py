# SPDX-License-Identifier: BSD-3-Clause
"""The render node beside a simulator in lockstep: images, pictures, the barrier, models that come and go."""

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
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import CameraInfo, Image, PointCloud2
from tf2_msgs.msg import TFMessage

from ambf_msgs.msg import Caption, WorldManifest
from ambf_msgs.srv import LoadModel, RemoveObject, SavePicture, StepWorld

LONG = os.environ.get('AMBF_TEST_LONG') == '1'
CAMERA = '/ambf/env/cameras/default_camera'


def program(package: str, name: str) -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


def description(name: str) -> str:
    return str(pathlib.Path(get_package_share_directory('ambf_description')) / name)


def rotation(q) -> np.ndarray:
    """Matrix of a quaternion x y z w."""
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


class Stand:
    """A pendulum in lockstep, a renderer on a private display, and a node that listens."""

    def __init__(self, folder: pathlib.Path):
        self.log_file = folder / 'nodes.log'
        self.log = open(self.log_file, 'w')
        self.physics = self.run(
            'ambf_physics_node', 'physics_node', mode='lockstep', models=f"['{description('adf/pendulum.yaml')}']"
        )
        self.render = self.run(
            'ambf_render_node',
            'render_node',
            barrier='true',
            display='private',
            image_width=320,
            image_height=240,
            samples=0,
        )
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('viewer', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.got = {}
        self.clients = {}
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.listen(WorldManifest, '/ambf/env/World/Manifest', 'manifest', latched)
        self.listen(TFMessage, '/tf', 'tf', 100, lambda m: m.transforms[0].child_frame_id.endswith('_optical'))
        self.listen(Image, f'{CAMERA}/ImageData', 'image')
        self.listen(Image, f'{CAMERA}/DepthImage', 'depth')
        self.listen(PointCloud2, f'{CAMERA}/DepthData', 'cloud')
        self.listen(Image, f'{CAMERA}/SegmentationData', 'segmentation')
        self.listen(CameraInfo, f'{CAMERA}/camera_info', 'info')

    def open(self):
        self.wait_for(lambda: 'manifest' in self.got, 'the manifest')
        self.wait_for(lambda: self.step(1, barrier=['render', 'default_camera']).ok, 'a first barrier', 60.0)
        self.wait_for(
            lambda: (
                self.step(1, barrier=['render']).ok
                and {'image', 'depth', 'cloud', 'segmentation', 'info', 'tf'} <= set(self.got)
            ),
            'all images',
            60.0,
        )

    def run(self, package, name, **parameters):
        arguments = [program(package, name), '--ros-args']
        for key, value in parameters.items():
            arguments += ['-p', f'{key}:={value}']
        return subprocess.Popen(arguments, stdout=self.log, stderr=subprocess.STDOUT)

    def listen(self, kind, topic, key, qos=1, wanted=lambda message: True):
        def take(message):
            if wanted(message):
                self.got[key] = message

        self.node.create_subscription(kind, topic, take, qos)

    def output(self) -> str:
        return self.log_file.read_text()

    def wait_for(self, condition, what, timeout=90.0):
        end = time.monotonic() + timeout
        while not condition():
            for process in (self.physics, self.render):
                assert process.poll() is None, f'a node died:\n{self.output()}'
            assert time.monotonic() < end, f'no {what} within {timeout} s\n{self.output()}'
            self.executor.spin_once(timeout_sec=0.05)

    def call(self, kind, service, timeout=90.0, **fields):
        if service not in self.clients:
            self.clients[service] = self.node.create_client(kind, service)
        self.wait_for(self.clients[service].service_is_ready, service)
        future = self.clients[service].call_async(kind.Request(**fields))
        self.wait_for(future.done, f'reply of {service}', timeout)
        return future.result()

    def step(self, steps=1, **fields):
        return self.call(StepWorld, '/ambf/env/World/step', steps=steps, agent='viewer', barrier_timeout=60.0, **fields)

    def save(self, **fields):
        return self.call(SavePicture, '/render/save_picture', **fields)

    def stamped(self, reply):
        """Wait until the images that are here are those of the reply's step."""

        def same(key):
            stamp = self.got[key].header.stamp
            return (stamp.sec, stamp.nanosec) == (reply.sim_time.sec, reply.sim_time.nanosec)

        self.wait_for(lambda: all(same(k) for k in ('image', 'segmentation', 'depth', 'info')), 'images of that step')

    def pixels(self, key):
        image = self.got[key]
        kinds = {'rgb8': (np.uint8, 3), '32FC1': (np.float32, 1), '32SC1': (np.int32, 1)}
        kind, channels = kinds[image.encoding]
        return np.frombuffer(bytes(image.data), kind).reshape(image.height, image.width, channels).squeeze()

    def project(self, point):
        """Pixels and depths of points in the world, by camera_info and tf alone."""
        t = self.got['tf'].transforms[0].transform
        turn = rotation([t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w])
        p = (np.asarray(point) - [t.translation.x, t.translation.y, t.translation.z]) @ turn
        p = p.T
        k = self.got['info'].k
        return k[0] * p[0] / p[2] + k[2], k[4] * p[1] / p[2] + k[5], p[2]

    def close(self):
        for process in (self.render, self.physics):
            process.send_signal(signal.SIGINT)
        codes = [process.wait(timeout=90) for process in (self.render, self.physics)]
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)
        self.log.close()
        return codes


@pytest.fixture(scope='module')
def stand(tmp_path_factory):
    made = Stand(tmp_path_factory.mktemp('render'))
    try:
        made.open()
        yield made
    finally:
        codes = made.close()
    assert codes == [0, 0]


def test_images_have_their_sizes_encodings_and_frames(stand):
    assert (stand.got['image'].encoding, stand.got['depth'].encoding, stand.got['segmentation'].encoding) == (
        'rgb8',
        '32FC1',
        '32SC1',
    )
    for key in ('image', 'depth', 'segmentation', 'info'):
        assert (stand.got[key].width, stand.got[key].height) == (320, 240)
        assert stand.got[key].header.frame_id == 'ambf/env/cameras/default_camera_optical'
    assert stand.pixels('image').std() > 5  # something is to be seen


def test_in_lockstep_each_reply_comes_after_the_image_of_its_step(stand):
    bob, bearing = (
        next(i for i, body in enumerate(stand.got['manifest'].bodies) if body.name == name)
        for name in ('bob', 'support')
    )
    mesh = pathlib.Path(description('meshes/pendulum/bob.obj')).read_text().splitlines()
    vertices = np.array([line.split()[1:4] for line in mesh if line.startswith('v ')], float)
    outlines = []
    for _ in range(1000 if LONG else 40):
        reply = stand.step(50, barrier=['default_camera'], observe_bodies=[bob])
        assert reply.ok, reply.message
        stand.stamped(reply)
        segmentation = stand.pixels('segmentation')
        rows, columns = np.nonzero(segmentation == bob + 1)
        u, v, _ = stand.project(vertices @ rotation(reply.bodies[3:7]).T + np.array(reply.bodies[:3]))
        # The top is behind its bearing, and nothing else.
        hidden = segmentation[round(v.min()) : rows.min(), round(u[np.argmin(v)])]
        assert hidden.size < 5 and np.all(hidden == bearing + 1), (reply.step, hidden)
        seen = columns.min(), columns.max(), rows.max()
        expected = u.min(), u.max(), v.max()
        # A pixel counts when its middle is covered: the tip of a vertex may reach over one that does not.
        assert np.abs(np.subtract(seen, expected)).max() < 1.5, (reply.step, seen, expected)
        outlines.append(expected)
    moved = np.abs(np.diff(outlines, axis=0)).max(axis=1)
    assert np.mean(moved > 2.0) > 0.5, 'the image of another reply must show'


def test_depth_and_segmentation_agree_about_where_something_is(stand):
    depth, identity = stand.pixels('depth'), stand.pixels('segmentation')
    assert np.array_equal(np.isfinite(depth), identity > 0)


def test_ambfs_cloud_has_every_pixel_where_the_depth_image_has_it(stand):
    stand.stamped(stand.step(1, barrier=['default_camera']))
    stand.wait_for(lambda: stand.got['cloud'].header.stamp == stand.got['depth'].header.stamp, 'the cloud')
    cloud, depth, colours = stand.got['cloud'], stand.pixels('depth'), stand.pixels('image')
    assert [f.name for f in cloud.fields] == ['x', 'y', 'z', 'rgb'] and (cloud.width, cloud.height) == (320 * 240, 1)
    assert cloud.header.frame_id == 'ambf/env/cameras/default_camera'
    raw = bytes(cloud.data)
    # Rows from the bottom, as AMBF's scripts turn them round; x = -depth, y right, z up.
    x, y, z = np.frombuffer(raw, np.float32).reshape(240, 320, 4)[::-1, :, :3].transpose(2, 0, 1)
    seen = np.isfinite(depth)
    assert np.array_equal(np.isfinite(x), seen) and np.allclose(-x[seen], depth[seen], rtol=1e-6)
    k, (v, u) = stand.got['info'].k, np.nonzero(seen)
    assert np.allclose(y[seen], (u - k[2]) * depth[seen] / k[0], atol=1e-5)
    assert np.allclose(z[seen], (k[5] - v) * depth[seen] / k[4], atol=1e-5)
    packed = np.frombuffer(raw, np.uint32).reshape(240, 320, 4)[::-1, :, 3]
    assert np.array_equal(np.stack([packed >> 16 & 255, packed >> 8 & 255, packed & 255], -1), colours)


def test_a_picture_is_saved_and_bad_requests_say_why(stand, tmp_path):
    reply = stand.save(file=str(tmp_path / 'view.png'), width=200, height=100)
    assert reply.ok, reply.message
    content = (tmp_path / 'view.png').read_bytes()
    assert content[:8] == b'\x89PNG\r\n\x1a\n'
    assert (int.from_bytes(content[16:20], 'big'), int.from_bytes(content[20:24], 'big')) == (200, 100)
    assert stand.save(file=str(tmp_path / 'large.png')).ok  # quality auto
    content = (tmp_path / 'large.png').read_bytes()
    assert (int.from_bytes(content[16:20], 'big'), int.from_bytes(content[20:24], 'big')) == (1280, 720)
    assert 'default_camera' in stand.save(file=str(tmp_path / 'x.png'), camera='nobody').message
    assert 'cannot be written' in stand.save(file='/nonexistent/x.png').message
    assert not stand.save(file='').ok
    for name in ('view.jpg', 'view.mp4', 'view'):  # a picture is a PNG, whatever it is called
        reply = stand.save(file=str(tmp_path / name))
        assert not reply.ok and f"{name}', expected a name that ends in .png" in reply.message
        assert not (tmp_path / name).exists()


def read_png(file: pathlib.Path, width: int, height: int) -> np.ndarray:
    raw = subprocess.run(
        ['ffmpeg', '-v', 'error', '-i', str(file), '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout
    return np.frombuffer(raw, np.uint8).reshape(height, width, 3)


def test_captions_are_on_saved_pictures_and_never_on_camera_images(stand, tmp_path):
    file = tmp_path / 'said.png'
    said = stand.node.create_publisher(Caption, '/ambf/env/World/Caption', 10)
    stand.wait_for(lambda: said.get_subscription_count() > 0, 'the renderer')

    def picture() -> np.ndarray:
        reply = stand.save(file=str(file), width=320, height=240)
        assert reply.ok, reply.message
        return read_png(file, 320, 240)

    before = picture()

    def rows() -> list[int]:
        """Of the picture, where it is not what it was."""
        return np.flatnonzero((picture() != before).any(axis=(1, 2))).tolist()

    one, two = list(range(217, 234)), list(range(200, 234))  # 17 pixels a line, 6 from the edge
    said.publish(Caption(source='hands', text='PSM1 takes ring 1'))
    stand.wait_for(lambda: rows() == one, 'a line')
    said.publish(Caption(source='/right_PSM1', text='the arm has a FAULT', level=Caption.ERROR))
    stand.wait_for(lambda: rows() == two, 'two lines')
    said.publish(Caption(source='hands', text='PSM1 gives ring 1', duration=0.2))
    stand.wait_for(lambda: rows() == one, 'the line that has its time to go')
    # The pendulum may be down there; a line of text is hundreds of pixels.
    was = stand.pixels('image')
    stand.stamped(stand.step(1, barrier=['default_camera']))
    changed = (stand.pixels('image') != was).any(axis=2)
    assert changed[200:234].sum() < 50
    before = picture()
    said.publish(Caption(source='/right_PSM1'))
    stand.wait_for(lambda: rows() == one, 'an empty text to take its line away')


def test_a_video_is_recorded(stand, tmp_path):
    reply = stand.save(file=str(tmp_path / 'view.mp4'), width=160, height=120, seconds=0.5)
    assert reply.ok, reply.message
    assert (tmp_path / 'view.mp4').stat().st_size > 500


def test_a_video_that_cannot_be_written_says_why(stand, tmp_path):
    for name in ('view.png', 'view.xyz'):
        reply = stand.save(file=str(tmp_path / name), width=160, height=120, seconds=0.2)
        assert not reply.ok and 'expected a name that ends in .mp4' in reply.message
    reply = stand.save(file='/proc/view.mp4', width=160, height=120, seconds=0.2)
    assert not reply.ok and 'No such file or directory' in reply.message  # ffmpeg's own words
    reply = stand.save(file=str(tmp_path / 'dot.mp4'), width=1, height=1, seconds=0.2)
    assert not reply.ok and '2 x 2' in reply.message
    assert not (tmp_path / 'dot.mp4').exists()


def test_a_model_that_comes_leaves_the_default_camera_and_its_video_alone(stand, tmp_path):
    def origin():
        t = stand.got['tf'].transforms[0].transform.translation
        return t.x, t.y, t.z

    before = origin()
    video = stand.clients['/render/save_picture'].call_async(
        SavePicture.Request(file=str(tmp_path / 'view.mp4'), width=64, height=48, seconds=3.0)
    )
    reply = stand.call(LoadModel, '/ambf/env/World/load_model', uri=description('adf/ball.yaml'), allow_rename=True)
    assert reply.ok, reply
    stand.wait_for(lambda: ': 2 models' in stand.output(), 'a scene with the ball')
    stand.wait_for(video.done, 'the video')
    assert video.result().ok, video.result().message
    stand.got.pop('tf')
    stand.wait_for(lambda: stand.step(1, barrier=['render']).ok and 'tf' in stand.got, 'a step with the ball')
    assert origin() == before
    assert stand.call(RemoveObject, '/ambf/env/World/remove', name='ball').ok
    stand.wait_for(lambda: not any(b.name == 'ball' for b in stand.got['manifest'].bodies), 'a manifest without it')
    stand.wait_for(lambda: stand.step(1, barrier=['render']).ok, 'a step without the ball')


def test_models_come_and_go(stand):
    before = (stand.step(1, barrier=['render']), stand.pixels('segmentation'))[1]
    reply = stand.call(LoadModel, '/ambf/env/World/load_model', uri=description('adf/ball.yaml'), allow_rename=True)
    assert reply.ok, reply
    stand.wait_for(lambda: any(b.name == 'ball' for b in stand.got['manifest'].bodies), 'the ball in the manifest')
    ball = next(i for i, b in enumerate(stand.got['manifest'].bodies) if b.name == 'ball') + 1
    stand.wait_for(lambda: stand.step(1, barrier=['render']).ok, 'a step with the ball')

    def shown():
        stand.stamped(stand.step(1, barrier=['render']))
        return (stand.pixels('segmentation') == ball).any()

    stand.wait_for(shown, 'the ball in the image')
    assert stand.call(RemoveObject, '/ambf/env/World/remove', name='ball').ok
    stand.wait_for(lambda: not any(b.name == 'ball' for b in stand.got['manifest'].bodies), 'a manifest without it')
    stand.wait_for(lambda: stand.step(1, barrier=['render']).ok and not shown(), 'an image without the ball')
    assert (before > 0).any()


def test_without_a_display_the_node_says_so_and_goes_on(stand, tmp_path):
    log = tmp_path / 'log'
    environment = {k: v for k, v in os.environ.items() if k != 'DISPLAY'}
    with open(log, 'w') as out:
        process = subprocess.Popen(
            [
                program('ambf_render_node', 'render_node'),
                '--ros-args',
                '-r',
                '__node:=blind',
                '-p',
                'display:=existing',
            ],
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        reply = stand.call(SavePicture, '/blind/save_picture', file=str(tmp_path / 'x.png'))
        assert not reply.ok and 'DISPLAY is not set' in reply.message
        assert 'nothing is drawn' in log.read_text()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=90) == 0
