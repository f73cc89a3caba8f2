# SPDX-License-Identifier: BSD-3-Clause
"""render_adf: pictures of descriptions, without ROS. In: RENDER_ADF, the program."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

WIDTH, HEIGHT = 96, 72

WORLD = """
bodies: [BODY floor, BODY post]
joints: []
cameras: [first, hung, free]
{lights}
namespace: /w/
BODY floor: {{name: floor, shape: BOX, geometry: {{x: 2, y: 2, z: 0.02}}, mass: 0.0}}
BODY post:
  name: post
  shape: BOX
  geometry: {{x: 0.1, y: 0.1, z: 0.4}}
  mass: 0.0
  location: {{position: {{x: 0.3, y: 0.2, z: 0.2}}, orientation: {{r: 0, p: 0, y: 0}}}}
first: {{name: first, location: {{x: 1.5, y: 0.2, z: 1.0}}, look at: {{x: 0, y: 0, z: 0}}}}
hung: {{name: hung, parent: BODY post, location: {{x: -1.3, y: 0.3, z: 0.6}}, look at: {{x: -0.3, y: -0.2, z: -0.2}}}}
free: {{name: free, location: {{x: -1.0, y: 0.5, z: 0.8}}, look at: {{x: 0, y: 0, z: 0}}}}
lamp: {{name: lamp, location: {{x: 0, y: 0, z: 3}}, direction: {{x: 0, y: 0, z: 1}}, cutoff angle: 0.3}}
"""


def draw(file: pathlib.Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [os.environ['RENDER_ADF'], str(file), '--size', f'{WIDTH}x{HEIGHT}', '--samples', '0', *words],
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture
def drawn(tmp_path):
    def draw_and_read(text: str, *words: str) -> np.ndarray:
        (tmp_path / 'world.yaml').write_text(text)
        done = draw(tmp_path / 'world.yaml', '-o', str(tmp_path / 'x.png'), *words)
        assert done.returncode == 0, done.stderr
        data = subprocess.run(
            ['ffmpeg', '-v', 'error', '-i', str(tmp_path / 'x.png'), '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        return np.frombuffer(data, np.uint8).astype(int)

    return draw_and_read


def test_render_adf_takes_the_cameras_of_a_model_and_what_they_hang_on(drawn):
    dark = WORLD.format(lights='')
    first = drawn(dark)
    assert np.array_equal(first, drawn(dark, '--camera', 'first'))
    hung = drawn(dark, '--camera', 'hung')
    assert np.mean(np.abs(hung - first) > 20) > 0.1
    assert np.mean(np.abs(hung - drawn(dark, '--camera', 'free')) > 20) < 0.01  # the same place
    # The only lamp shines upwards.
    assert drawn(WORLD.format(lights='lights: [lamp]'))[:].sum() < 0.9 * first.sum()


def test_the_spot_exponent_darkens_what_is_off_the_axis(drawn):
    """Straight below a lamp nothing changes; 45 degrees off, the light of exponent 8 is 1/16 of that of exponent 0."""
    text = WORLD.format(lights='lights: [lamp]').replace(
        'location: {x: 0, y: 0, z: 3}, direction: {x: 0, y: 0, z: 1}, cutoff angle: 0.3', '{}'
    )
    above = text.replace(
        'location: {x: 1.5, y: 0.2, z: 1.0}', 'location: {x: 0.0, y: 0.0, z: 2.5}, up: {x: 1, y: 0, z: 0}'
    ).replace('bodies: [BODY floor, BODY post]', 'bodies: [BODY floor]')
    place = 'location: {x: 0, y: 0, z: 0.5}, direction: {x: 0, y: 0, z: -1}, cutoff angle: 1.4, spot exponent: '
    even, narrow = (
        drawn(above.replace('{}', place + exponent)).reshape(HEIGHT, WIDTH, 3).sum(axis=2) for exponent in ('0', '8')
    )
    middle = np.s_[HEIGHT // 2 - 2 : HEIGHT // 2 + 2, WIDTH // 2 - 2 : WIDTH // 2 + 2]
    assert abs(even[middle].mean() - narrow[middle].mean()) < 0.05 * even[middle].mean()
    # The camera is 2.5 m high with 0.35 rad to its upper edge, 0.9 m away: 0.5 m off the axis is at half of that.
    off = np.s_[HEIGHT // 2 - 2 : HEIGHT // 2 + 2, WIDTH // 2 + 19 : WIDTH // 2 + 23]
    assert narrow[off].mean() < 0.85 * even[off].mean(), (narrow[off].mean(), even[off].mean())


def test_render_adf_refuses_a_camera_that_there_is_not(tmp_path):
    (tmp_path / 'world.yaml').write_text(WORLD.format(lights=''))
    done = draw(tmp_path / 'world.yaml', '--camera', 'nosuch', '-o', str(tmp_path / 'x.png'))
    assert done.returncode == 1
    assert "found 'nosuch', expected one of first, hung, free" in done.stderr
    assert not (tmp_path / 'x.png').exists()
