# SPDX-License-Identifier: BSD-3-Clause
"""The render node before a stand-in for the simulator: stereo pairs, hands, overlays, bad input."""

import os
import pathlib
import signal
import subprocess
import time

import numpy as np
import pytest
import rclpy
from ament_index_python.packages import get_package_prefix
from geometry_msgs.msg import Point, Pose, Quaternion
from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import GetParameters, SetParameters
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import CameraInfo, Image

from ambf_msgs.msg import DeviceSample, ModelInfo, ObjectInfo, ProxyState, WorldManifest, WorldSnapshot, WorldState
from ambf_msgs.srv import SavePicture, SetOverlays

NODE = str(pathlib.Path(get_package_prefix('ambf_render_node')) / 'lib/ambf_render_node/render_node')
WIDTH, HEIGHT, ANGLE, BASELINE, DISTANCE = 320, 240, 0.8, 0.1, 2.0
FOCAL = 0.5 * HEIGHT / np.tan(0.5 * ANGLE)

# A red ball at the origin, bodies without a mesh file aside, cameras 2 m before the ball.
WORLD = """
bodies: [BODY ball, BODY lost, BODY lost too]
joints: []
cameras: [eyes, broken, flat]
namespace: /w/
high resolution path: ./
low resolution path: ./
BODY ball:
  {name: ball, shape: SPHERE, geometry: {radius: 0.1}, mass: 1.0, color rgba: {r: 0.9, g: 0.05, b: 0.05, a: 1.0}}
BODY lost: {name: lost, mesh: nowhere.obj, mass: 1.0}
BODY lost too: {name: lost too, mesh: nowhere.obj, mass: 1.0}
eyes:
  name: eyes
  namespace: /w/cameras/
  location: {x: 2.0, y: 0.0, z: 0.0}
  look at: {x: 0.0, y: 0.0, z: 0.0}
  up: {x: 0.0, y: 0.0, z: 1.0}
  clipping plane: {near: 0.05, far: 10.0}
  field view angle: 0.8
  publish image resolution: {width: 320, height: 240}
  stereo: {mode: passive, eye separation: 0.1, focal length: 2.0}
broken:
  name: broken
  namespace: /w/cameras/
  location: {x: 2.0, y: 0.0, z: 0.0}
  look at: {x: 0.0, y: 0.0, z: 0.0}
  up: {x: 0.0, y: 0.0, z: 1.0}
  clipping plane: {near: 5.0, far: 1.0}
  field view angle: 9.0
  stereo: {mode: passive, eye separation: -0.1, focal length: 2.0}
flat:
  name: flat
  namespace: /w/cameras/
  location: {x: 2.0, y: -0.3, z: 0.0}
  look at: {x: 0.0, y: -0.3, z: 0.0}
  up: {x: 0.0, y: 0.0, z: 1.0}
  clipping plane: {near: 0.05, far: 10.0}
  orthographic view width: 1.6
  publish image resolution: {width: 320, height: 240}
"""


def manifest(revision: int = 1) -> WorldManifest:
    """What the world above holds."""
    world = WorldManifest(revision=revision, root_frame='world', step_size=0.001)
    world.models = [ModelInfo(name='m', ns='/w/', adf=WORLD, resource_base='file:///nonexistent/')]
    world.bodies = [
        ObjectInfo(identifier=f'/w/BODY {name}', name=name.split()[0], kind='RIGID_BODY')
        for name in ('ball', 'lost', 'lost too')
    ]
    world.cameras = [
        ObjectInfo(identifier=f'/w/cameras/{name}', name=name, topic=f'/w/cameras/{name}', kind='CAMERA')
        for name in ('eyes', 'broken', 'flat')
    ]
    world.devices = [ObjectInfo(name='left_hand', topic='/w/devices/left_hand', kind='INPUT_DEVICE', parent='ball')]
    return world


def place(x: float, y: float, z: float) -> Pose:
    return Pose(position=Point(x=x, y=y, z=z), orientation=Quaternion(w=1.0))


class Stage:
    """A renderer, and topics as a simulator would publish them, said again and again."""

    def __init__(self, folder: pathlib.Path):
        self.log_file = folder / 'log'
        with open(self.log_file, 'w') as out:
            self.process = subprocess.Popen(
                [
                    NODE,
                    '--ros-args',
                    '-p',
                    'display:=private',
                    '-p',
                    'samples:=0',
                    '-p',
                    'rate:=20.0',
                    '-p',
                    'grid:=false',
                ],
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('stage', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.manifests = self.node.create_publisher(WorldManifest, '/ambf/env/World/Manifest', latched)
        self.snapshots = self.node.create_publisher(WorldSnapshot, '/ambf/env/World/Snapshot', 1)
        self.states = self.node.create_publisher(WorldState, '/ambf/env/World/State', 1)
        self.proxies = self.node.create_publisher(ProxyState, '/w/devices/left_hand/Proxy', 1)
        self.samples = self.node.create_publisher(DeviceSample, '/w/devices/left_hand/Sample', 1)
        self.snapshot = WorldSnapshot(manifest_revision=1, bodies=self.poses((0, 0, 0), (0, 9, 0), (0, -9, 0)))
        self.manifests.publish(manifest())
        self.hand = None
        self.got = {}
        self.step = 0
        self.clients = {}
        self.node.create_timer(0.05, self.tell)

    @staticmethod
    def poses(*places) -> list:
        return [float(v) for p in places for v in (*p, 0, 0, 0, 1, *([0] * 6))]

    def tell(self):
        self.step += 1
        self.snapshot.step = self.step
        self.snapshots.publish(self.snapshot)
        self.states.publish(WorldState(sim_step=self.step, real_time_factor=0.87, mode=WorldState.MODE_REALTIME))
        if self.hand:
            self.proxies.publish(self.hand)
            self.samples.publish(DeviceSample(gripper=0.4, position_clutch=True))

    def listen(self, kind, topic):
        self.node.create_subscription(kind, topic, lambda message: self.got.__setitem__(topic, message), 1)

    def output(self) -> str:
        return self.log_file.read_text()

    def wait_for(self, condition, what, timeout=90.0):
        end = time.monotonic() + timeout
        while not condition():
            assert self.process.poll() is None, f'the node died:\n{self.output()}'
            assert time.monotonic() < end, f'no {what} within {timeout} s\n{self.output()}'
            self.executor.spin_once(timeout_sec=0.05)

    def call(self, kind, service, **fields):
        if service not in self.clients:
            self.clients[service] = self.node.create_client(kind, service)
        self.wait_for(self.clients[service].service_is_ready, service)
        future = self.clients[service].call_async(kind.Request(**fields))
        self.wait_for(future.done, f'reply of {service}')
        return future.result()

    def picture(self, folder, **fields) -> np.ndarray:
        """A saved picture as rows of pixels."""
        file = folder / 'picture.png'
        reply = self.call(SavePicture, '/render/save_picture', file=str(file), width=WIDTH, height=HEIGHT, **fields)
        assert reply.ok, reply.message
        data = subprocess.run(
            ['ffmpeg', '-v', 'error', '-i', str(file), '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        return np.frombuffer(data, np.uint8).reshape(HEIGHT, WIDTH, 3).astype(int)

    def close(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=90)
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)
        return code


@pytest.fixture(scope='module')
def stage(tmp_path_factory):
    made = Stage(tmp_path_factory.mktemp('stage'))
    try:
        made.wait_for(lambda: 'revision 1: 1 models, 3 bodies' in made.output(), 'a scene')
        yield made
    finally:
        code = made.close()
    assert code == 0


def pixels(image: Image) -> np.ndarray:
    return np.frombuffer(bytes(image.data), np.uint8).reshape(image.height, image.width, 3).astype(int)


def red_column(rgb: np.ndarray) -> float:
    """Middle of what is red, in pixels from the left."""
    columns = np.nonzero((rgb[..., 0] > 90) & (rgb[..., 1] < 60))[1]
    assert columns.size > 50
    return columns.mean()


def orange(rgb: np.ndarray) -> np.ndarray:
    return (rgb[..., 0] > 200) & (rgb[..., 1] > 90) & (rgb[..., 1] < 190) & (rgb[..., 2] < 90)


def test_a_stereo_camera_publishes_a_rectified_pair(stage):
    topics = [f'/w/cameras/eyes/{eye}/{what}' for eye in ('left', 'right') for what in ('ImageData', 'camera_info')]
    for topic in topics:
        stage.listen(CameraInfo if topic.endswith('info') else Image, topic)
    stage.wait_for(lambda: all(t in stage.got for t in topics), 'both eyes')
    left, left_info, right, right_info = (stage.got[t] for t in topics)
    assert left_info.p[3] == 0.0
    assert right_info.p[3] == pytest.approx(-FOCAL * BASELINE)
    assert right_info.p[0] == pytest.approx(FOCAL)
    assert {m.header.frame_id for m in (left, left_info, right, right_info)} == {'w/cameras/eyes_left_optical'}
    disparity = red_column(pixels(left)) - red_column(pixels(right))
    assert disparity == pytest.approx(FOCAL * BASELINE / DISTANCE, abs=0.6)
    # The same by the pair's own P: the ball in the left eye's frame, half a baseline to the right.
    u = [(p[0] * 0.5 * BASELINE + p[2] * DISTANCE + p[3]) / DISTANCE for p in (left_info.p, right_info.p)]
    assert red_column(pixels(left)) == pytest.approx(u[0], abs=0.8)
    assert red_column(pixels(right)) == pytest.approx(u[1], abs=0.8)


def test_an_impossible_camera_is_said_and_drawn_with_another_lens(stage):
    stage.listen(Image, '/w/cameras/broken/ImageData')
    stage.wait_for(lambda: '/w/cameras/broken/ImageData' in stage.got, 'an image of the broken camera')
    assert red_column(pixels(stage.got['/w/cameras/broken/ImageData'])) == pytest.approx(319.5, abs=2)
    said = stage.output()
    assert "camera 'broken': field view angle: found 9.0" in said and 'is used instead' in said
    assert "camera 'broken': stereo/eye separation: found -0.1" in said
    assert '/w/cameras/broken/left/ImageData' not in dict(stage.node.get_topic_names_and_types())


def test_a_missing_mesh_is_one_warning(stage):
    assert stage.output().count('nowhere.obj') == 1
    assert 'magenta cross' in stage.output()


def test_overlays_are_switched_by_service_and_parameter_and_leave_camera_images_alone(stage, tmp_path):
    stage.listen(Image, '/w/cameras/eyes/ImageData')
    stage.wait_for(lambda: '/w/cameras/eyes/ImageData' in stage.got, 'an image')
    plain = stage.picture(tmp_path)
    reply = stage.call(SetOverlays, '/render/set_overlays', show=['names', 'rates', 'frames'])
    assert reply.ok and set(reply.shown) == {'hands', 'names', 'rates', 'frames'}
    drawn = stage.picture(tmp_path)
    differs = np.abs(drawn - plain).max(axis=2) > 30
    assert differs[6:40, 6:120].mean() > 0.2  # the rates in the corner
    assert differs[HEIGHT // 2 - 10 : HEIGHT // 2 + 10, WIDTH // 2 : WIDTH // 2 + 40].any()  # the ball's name and axes
    values = stage.call(GetParameters, '/render/get_parameters', names=['overlays']).values[0].string_array_value
    assert set(values) == set(reply.shown)
    stage.got.pop('/w/cameras/eyes/ImageData')
    stage.wait_for(lambda: '/w/cameras/eyes/ImageData' in stage.got, 'an image')
    assert np.abs(pixels(stage.got['/w/cameras/eyes/ImageData']) - plain)[6:40, 6:120].max() < 3
    reply = stage.call(SetOverlays, '/render/set_overlays', show=['wings'])
    assert not reply.ok and "found 'wings', expected some of frames, joints" in reply.message
    assert stage.call(SetOverlays, '/render/set_overlays', hide=['names', 'rates', 'frames']).shown == ['hands']
    assert np.abs(stage.picture(tmp_path) - plain).max() < 3


def test_hands_are_drawn_where_their_proxies_are(stage, tmp_path):
    assert not orange(stage.picture(tmp_path)).any()
    stage.hand = ProxyState(pose=place(0.0, -0.4, 0.4), reference_pose=place(0.0, 0.4, 0.4))
    stage.hand.contact_wrench.force.z = 5.0
    stage.wait_for(lambda: orange(stage.picture(tmp_path)).any(), 'a hand')
    seen = orange(stage.picture(tmp_path))
    row = round(HEIGHT / 2 - FOCAL * 0.4 / DISTANCE)
    for y in (0.1, 0.2, 0.3):  # the string from the proxy to where the device is
        column = round(WIDTH / 2 + FOCAL * y / DISTANCE)
        assert seen[row - 2 : row + 3, column - 2 : column + 3].any(), y
    stage.call(SetOverlays, '/render/set_overlays', hide=['hands'])
    assert not orange(stage.picture(tmp_path)).any()
    stage.call(SetOverlays, '/render/set_overlays', show=['hands'])


def test_a_snapshot_of_another_revision_waits_for_its_manifest(stage, tmp_path):
    before = red_column(stage.picture(tmp_path))
    stage.snapshot = WorldSnapshot(manifest_revision=2, bodies=stage.poses((0, 0.3, 0), (0, 9, 0), (0, -9, 0)))
    stage.wait_for(
        lambda: 'a snapshot of revision 2 waits for its manifest (there is 1)' in stage.output(), 'a word about it'
    )
    assert red_column(stage.picture(tmp_path)) == pytest.approx(before, abs=0.1)
    stage.manifests.publish(manifest(2))
    stage.wait_for(lambda: red_column(stage.picture(tmp_path)) > before + 20, 'the ball elsewhere')
    assert stage.output().count('waits for its manifest') == 1


def test_a_selected_body_has_a_box(stage, tmp_path):
    stage.hand = None
    stage.call(SetOverlays, '/render/set_overlays', hide=['hands'])

    def select(text):
        chosen = Parameter(name='selection', value=ParameterValue(type=4, string_value=text))
        return stage.call(SetParameters, '/render/set_parameters', parameters=[chosen]).results[0]

    for text in ('ball', '/w/BODY ball'):
        assert select(text).successful, text
        stage.wait_for(lambda: orange(stage.picture(tmp_path)).sum() > 50, f'a box around {text}')
        assert select('').successful
        stage.wait_for(lambda: not orange(stage.picture(tmp_path)).any(), 'no box')
    assert select('/w/BODY lost too').successful
    several = select('lost')  # two bodies are called so
    assert not several.successful and "'/w/BODY lost', '/w/BODY lost too'" in several.reason
    unknown = select('nobody')
    assert not unknown.successful and "found 'nobody'" in unknown.reason
    values = stage.call(GetParameters, '/render/get_parameters', names=['selection']).values
    assert values[0].string_value == '/w/BODY lost too'
    assert select('').successful


def test_an_orthographic_camera_claims_no_pin_hole_and_its_projection_holds(stage):
    topics = '/w/cameras/flat/SegmentationData', '/w/cameras/flat/camera_info'
    for topic, kind in zip(topics, (Image, CameraInfo)):
        stage.listen(kind, topic)
    stage.wait_for(lambda: all(t in stage.got for t in topics), 'image and lens')
    image, info = (stage.got[t] for t in topics)
    assert not np.any(info.k) and not info.distortion_model
    ball = stage.snapshot.bodies[:3]
    # The optical frame: x to the right (+y of the world), y down, z ahead.
    place_in_camera = [ball[1] + 0.3, -ball[2], 2.0 - ball[0], 1.0]
    u, v, w = np.reshape(info.p, (3, 4)) @ place_in_camera
    assert w == 1.0
    rows, columns = np.nonzero(np.frombuffer(bytes(image.data), np.int32).reshape(image.height, image.width) == 1)
    assert columns.size > 500
    assert columns.mean() == pytest.approx(u, abs=0.3) and rows.mean() == pytest.approx(v, abs=0.3)
    assert u == pytest.approx(159.5 + 200.0 * place_in_camera[0]) and v == pytest.approx(119.5)


def test_without_a_gl_driver_the_node_says_so_and_goes_on(stage, tmp_path):
    log = tmp_path / 'log'
    environment = dict(os.environ, LIBGL_DRIVERS_PATH='/nonexistent', GALLIUM_DRIVER='none')
    with open(log, 'w') as out:
        process = subprocess.Popen(
            [NODE, '--ros-args', '-r', '__node:=dull', '-p', 'display:=private'],
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        reply = stage.call(SavePicture, '/dull/save_picture', file=str(tmp_path / 'x.png'))
        assert not reply.ok and 'OpenGL cannot be used' in reply.message and 'libgl1-mesa-dri' in reply.message
        assert 'nothing is drawn' in log.read_text()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=90) == 0, log.read_text()


def test_an_interrupt_while_the_world_changes_ends_the_node_cleanly(stage, tmp_path):
    """Each manifest brings new hands to listen to; Ctrl-C comes between a message and its new subscriptions."""
    log = tmp_path / 'log'
    environment = dict(os.environ, LIBGL_DRIVERS_PATH='/nonexistent', GALLIUM_DRIVER='none')
    with open(log, 'w') as out:
        process = subprocess.Popen(
            [
                NODE,
                '--ros-args',
                '-r',
                '__node:=changing',
                '-p',
                'display:=private',
                '-p',
                'world_namespace:=/changing',
            ],
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        manifests = stage.node.create_publisher(WorldManifest, '/changing/World/Manifest', latched)
        stage.wait_for(lambda: manifests.get_subscription_count() == 1, 'a reader of manifests')
        heard = '/changing/hands/hand_1_0/Sample'

        def tell(revision: int):
            topics = [f'/changing/hands/hand_{revision}_{i}' for i in range(20)]
            manifests.publish(WorldManifest(revision=revision, devices=[ObjectInfo(name='h', topic=t) for t in topics]))

        tell(1)
        stage.wait_for(lambda: stage.node.count_subscribers(heard) == 1, 'hands that are followed')
        process.send_signal(signal.SIGINT)
        revision = 1
        while process.poll() is None:
            revision += 1
            tell(revision)
    finally:
        if process.poll() is None:
            process.kill()
        code = process.wait(timeout=90)
    assert code == 0, log.read_text()
