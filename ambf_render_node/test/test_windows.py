# SPDX-License-Identifier: BSD-3-Clause
"""Three cameras in windows of an X server of their own, with mouse and keys sent to them."""

import os
import pathlib
import signal
import subprocess
import time

import numpy as np
import pytest
import rclpy
from ament_index_python.packages import get_package_prefix
from composition_interfaces.srv import LoadNode, UnloadNode
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter

from ambf_msgs.msg import WorldState
from ambf_msgs.srv import SavePicture

WIDTH, HEIGHT = 320, 240
MODEL = pathlib.Path(__file__).resolve().parent / 'three_cameras.yaml'
TITLES = r'^(front|side \[MTML, MTMR\]|eyes)$'  # with the devices that the description says control the camera


def program(package: str, name: str) -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


class Screen:
    """An X server."""

    def __init__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ['Xvfb', '-displayfd', str(write), '-screen', '0', '1280x480x24', '-noreset'],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as number:
            self.display = ':' + number.readline().strip()
        self.environment = dict(os.environ, DISPLAY=self.display)

    def xdotool(self, *words) -> str:
        return subprocess.run(
            ['xdotool', *map(str, words)], env=self.environment, capture_output=True, text=True, timeout=90
        ).stdout

    def end(self):
        self.server.terminate()
        self.server.wait(timeout=90)


class Desk(Screen):
    """Bodies that stand still before two cameras and a stereo pair, and a renderer with windows."""

    def __init__(self, folder: pathlib.Path):
        super().__init__()
        self.log = folder / 'log'
        out = open(self.log, 'w')
        self.physics = subprocess.Popen(
            [program('ambf_physics_node', 'physics_node'), '--ros-args', '-p', f"models:=['{MODEL}']"],
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        self.render = subprocess.Popen(
            [
                program('ambf_render_node', 'render_node'),
                '--ros-args',
                '-p',
                'display:=existing',
                '-p',
                'samples:=0',
                '-p',
                f'window_width:={WIDTH}',
                '-p',
                f'window_height:={HEIGHT}',
                '-p',
                'rate:=10.0',
            ],
            env=self.environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        self.windows = []

    def open(self):
        self.wait_for(lambda: len(self.find()) == 3, 'three windows')
        self.windows = self.find()
        self.wait_for(lambda: all(self.shot(i).std() > 5 for i in range(4)), 'pictures in the windows')

    def key(self, index: int, name: str):
        self.xdotool('windowfocus', self.windows[index], 'key', '--window', self.windows[index], name)

    def blue(self, index: int) -> np.ndarray:
        """Where the ball is on the screen."""
        rgb = self.shot(index).reshape(HEIGHT, WIDTH, 3)
        return (rgb[..., 2] > 90) & (rgb[..., 2] > 1.6 * rgb[..., 0])

    def middle_of_blue(self, index: int) -> tuple:
        rows, columns = np.nonzero(self.blue(index))
        assert rows.size > 50
        return round(columns.mean()), round(rows.mean())

    def find(self) -> list:
        """Windows by their place, the left one first."""
        found = []
        for window in self.xdotool('search', '--name', TITLES).split():
            geometry = self.xdotool('getwindowgeometry', '--shell', window)
            if 'X=' not in geometry:  # closed since it was found
                continue
            left = int(geometry.split('X=')[1].split()[0])
            found.append((left, window))
        return [window for _, window in sorted(found)]

    def shot(self, index: int) -> np.ndarray:
        """What is on the screen where the window is; the pair's window has the places 2 and 3."""
        data = subprocess.run(
            [
                'ffmpeg',
                '-v',
                'error',
                '-f',
                'x11grab',
                '-draw_mouse',
                '0',
                '-video_size',
                f'{WIDTH}x{HEIGHT}',
                '-i',
                f'{self.display}+{index * WIDTH},0',
                '-frames:v',
                '1',
                '-f',
                'rawvideo',
                '-pix_fmt',
                'rgb24',
                '-',
            ],
            capture_output=True,
            timeout=90,
        ).stdout
        return np.frombuffer(data, np.uint8).astype(int)

    def changed(self, index: int, before: np.ndarray) -> float:
        """Share of the pixels that differ."""
        return float(np.mean(np.abs(self.shot(index) - before).reshape(-1, 3).max(axis=1) > 12))

    def wait_for(self, condition, what, timeout=90.0):
        end = time.monotonic() + timeout
        while not condition():
            assert self.render.poll() is None, self.log.read_text()
            assert time.monotonic() < end, f'no {what}\n{self.log.read_text()}'
            time.sleep(0.1)

    def close(self):
        for process in (self.render, self.physics):
            process.send_signal(signal.SIGINT)
        codes = [process.wait(timeout=90) for process in (self.render, self.physics)]
        self.end()
        return codes


@pytest.fixture(scope='module')
def desk(tmp_path_factory):
    made = Desk(tmp_path_factory.mktemp('windows'))
    try:
        made.open()
        yield made
    finally:
        codes = made.close()
    assert codes == [0, 0]


@pytest.mark.parametrize('button', [1, 3])
def test_dragging_moves_the_view_of_that_window_only(desk, button):
    left, right = desk.shot(0), desk.shot(1)
    desk.xdotool(
        'mousemove', 100, 120, 'mousedown', button, 'mousemove', 130, 130, 'mousemove', 160, 150, 'mouseup', button
    )
    desk.wait_for(lambda: desk.changed(0, left) > 0.05, 'another view on the left')
    assert desk.changed(1, right) < 0.01


def test_the_wheel_zooms_and_control_v_goes_back_to_the_camera(desk):
    desk.key(1, 'ctrl+v')
    before = desk.shot(1)
    desk.xdotool('mousemove', WIDTH + 100, 120, 'click', 5, 'click', 5, 'click', 5, 'click', 5)
    desk.wait_for(lambda: desk.changed(1, before) > 0.02, 'another view on the right')
    desk.key(1, 'ctrl+v')
    desk.wait_for(lambda: desk.changed(1, before) < 0.01, 'the view of the camera')


def test_a_key_shows_the_frames_in_all_windows(desk):
    before = desk.shot(1)
    desk.key(0, 'v')
    desk.wait_for(lambda: desk.changed(1, before) > 0.001, 'frames')
    desk.key(0, 'v')
    desk.wait_for(lambda: desk.changed(1, before) < 0.0005, 'frames gone')


def test_help_is_written_on_the_picture_of_that_window(desk):
    before, other = desk.shot(0), desk.shot(1)
    desk.key(0, 'h')
    desk.wait_for(lambda: desk.changed(0, before) > 0.1, 'help')
    rows = np.nonzero(np.abs(desk.shot(0) - before).reshape(HEIGHT, WIDTH, 3).max(axis=(1, 2)) > 12)[0]
    assert rows.min() < 10 and 100 < rows.max() < 140  # seven lines from the top
    assert desk.changed(1, other) < 0.01
    desk.key(0, 'h')
    desk.wait_for(lambda: desk.changed(0, before) < 0.001, 'no help')


def test_names_and_rates_are_switched_by_keys(desk):
    before = desk.shot(1)
    desk.key(1, 'u')
    desk.wait_for(lambda: desk.changed(1, before) > 0.005, 'names')
    desk.key(1, 'u')
    desk.wait_for(lambda: desk.changed(1, before) < 0.0005, 'no names')
    desk.key(1, 'r')
    desk.wait_for(lambda: desk.changed(1, before) > 0.01, 'rates')
    desk.key(1, 'r')
    desk.wait_for(lambda: desk.changed(1, before) < 0.0005, 'no rates')


def orange(shot: np.ndarray) -> int:
    """Number of pixels in the colour of a selection's box."""
    rgb = shot.reshape(-1, 3)
    return int(np.sum((rgb[:, 0] > 220) & (np.abs(rgb[:, 1] - 140) < 30) & (rgb[:, 2] < 60)))


def test_a_click_selects_the_body_under_it_and_f_frames_it(desk):
    desk.key(1, 'ctrl+v')
    before = desk.shot(1)
    column, row = desk.middle_of_blue(1)
    desk.xdotool('mousemove', WIDTH + column, row, 'click', 1)
    desk.wait_for(lambda: 'selected: ball' in desk.log.read_text(), 'a selected ball')
    desk.wait_for(lambda: orange(desk.shot(1)) > 40, 'a box around it')
    small = np.sum(desk.blue(1))
    desk.key(1, 'f')
    desk.wait_for(lambda: np.sum(desk.blue(1)) > 3 * small, 'a view that the ball fills')
    column, row = desk.middle_of_blue(1)
    assert abs(column - WIDTH / 2) < 12 and abs(row - HEIGHT / 2) < 12
    desk.key(1, 'ctrl+v')
    desk.wait_for(lambda: np.sum(desk.blue(1)) < 2 * small, 'the view of the camera')
    desk.xdotool('mousemove', WIDTH + 150, 3, 'click', 1)  # the sky
    desk.wait_for(lambda: orange(desk.shot(1)) == 0, 'no box')
    desk.wait_for(lambda: desk.changed(1, before) < 0.0005, 'the picture from before')


def test_a_stereo_camera_shows_both_eyes_side_by_side(desk):
    left, right = (desk.middle_of_blue(place) for place in (2, 3))
    # The eyes are 0.06 m apart and meet at 4 m; the ball is 1.1 m away.
    focal = 0.5 * HEIGHT / np.tan(0.35)
    assert left[0] - right[0] == pytest.approx(focal * 0.06 * (1 / 1.1 - 1 / 4.0), abs=2.5)
    assert left[1] == pytest.approx(right[1], abs=1.0)


def test_a_closed_window_leaves_the_other_and_the_node(desk):
    desk.key(0, 'Escape')
    desk.wait_for(lambda: desk.find() == desk.windows[1:], 'one window less')
    desk.wait_for(lambda: 'was closed' in desk.log.read_text(), 'a word about it')


class House(Screen):
    """Simulator and renderer in one process, with windows that are drawn all the time."""

    def __init__(self, folder: pathlib.Path):
        super().__init__()
        self.log = folder / 'log'
        with open(self.log, 'w') as out:
            self.process = subprocess.Popen(
                [program('rclcpp_components', 'component_container_mt'), '--ros-args', '-r', '__node:=house'],
                env=self.environment,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('visitor', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.step = 0
        self.node.create_subscription(WorldState, '/house/env/World/State', self.hear, 1)

    def hear(self, state: WorldState):
        self.step = state.sim_step

    def open(self):
        self.load(
            'ambf_physics_node',
            'ambf_physics::PhysicsNode',
            'house_physics',
            models=[str(MODEL)],
            world_namespace='/house/env',
        )
        # The rates are other words in each picture.
        self.render = self.load(
            'ambf_render_node',
            'ambf_render::RenderNode',
            'house_render',
            world_namespace='/house/env',
            display='existing',
            samples=0,
            window_width=WIDTH,
            window_height=HEIGHT,
            rate=20.0,
            overlays=['rates'],
        )
        self.wait_for(lambda: len(self.windows()) == 3, 'three windows')
        self.wait_for(lambda: self.picture().ok, 'a picture')

    def load(self, package: str, plugin: str, name: str, **parameters) -> int:
        values = [Parameter(key, value=value).to_parameter_msg() for key, value in parameters.items()]
        reply = self.call(
            LoadNode,
            '/house/_container/load_node',
            package_name=package,
            plugin_name=plugin,
            node_name=name,
            parameters=values,
        )
        assert reply.success, reply.error_message
        return reply.unique_id

    def windows(self) -> list:
        return self.xdotool('search', '--name', TITLES).split()

    def wait_for(self, condition, what, timeout=90.0):
        end = time.monotonic() + timeout
        while not condition():
            assert self.process.poll() is None, f'the process ended: {self.process.poll()}\n{self.log.read_text()}'
            assert time.monotonic() < end, f'no {what}\n{self.log.read_text()}'
            self.executor.spin_once(timeout_sec=0.1)

    def call(self, kind, service, **fields):
        client = self.node.create_client(kind, service)
        self.wait_for(client.service_is_ready, service)
        future = client.call_async(kind.Request(**fields))
        self.wait_for(future.done, f'reply of {service}')
        self.node.destroy_client(client)
        return future.result()

    def picture(self) -> SavePicture.Response:
        return self.call(
            SavePicture, '/house_render/save_picture', file=str(self.log.parent / 'picture.png'), width=64, height=48
        )

    def expect_physics_goes_on(self):
        before = self.step
        self.wait_for(lambda: self.step > before + 100, 'further steps')

    def expect_no_more_drawing(self):
        self.wait_for(lambda: 'drawing stopped: the X server is gone' in self.log.read_text(), 'a word about it')
        reply = self.picture()
        assert not reply.ok and 'the X server is gone' in reply.message
        self.expect_physics_goes_on()
        assert self.call(UnloadNode, '/house/_container/unload_node', unique_id=self.render).success
        self.expect_physics_goes_on()

    def close(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=90)
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)
        self.end()
        return code


@pytest.fixture
def house(tmp_path):
    made = House(tmp_path)
    try:
        made.open()
        yield made
    finally:
        code = made.close()
    assert code == 0, made.log.read_text()


def test_a_destroyed_window_is_a_closed_one_and_a_killed_connection_leaves_physics_alone(house):
    for left in (2, 1):
        house.xdotool('windowclose', house.windows()[0])  # as a client that destroys it while it is drawn
        house.wait_for(
            lambda: house.log.read_text().count('was closed; its images go on') == 3 - left, 'a word about it'
        )
        assert len(house.windows()) == left
        assert house.picture().ok
        house.expect_physics_goes_on()
    house.xdotool('windowkill', house.windows()[0])  # as xkill does: the server ends our connection
    house.expect_no_more_drawing()


def test_the_end_of_the_x_server_leaves_physics_alone(house):
    house.end()
    house.expect_no_more_drawing()
