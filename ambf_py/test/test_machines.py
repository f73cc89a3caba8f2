# SPDX-License-Identifier: BSD-3-Clause
"""What hands on machines are judged by: closed forms of linkages and pendulums, circles, figures; and their table."""

import math
import subprocess

import numpy as np
import pytest

from ambf_msgs.msg import Caption
from ambf_py import psm
from ambf_py.errors import AmbfError
from ambf_py.hands import circles, masters
from ambf_py.hands.film import ffmpeg_arguments
from ambf_py.hands.linkages import FOUR_BAR, PENDULUM, Pendulum, gap
from ambf_py.hands.machines import smooth
from ambf_py.hands.performance import Performance
from ambf_py.hands.repertoire import REPERTOIRE, performance
from ambf_py.tools.hands import Show


def about_y(angle: float, v: np.ndarray) -> np.ndarray:
    """A vector (x, z) turned about the y axis."""
    s, c = math.sin(angle), math.cos(angle)
    return np.array([c * v[0] + s * v[1], c * v[1] - s * v[0]])


@pytest.mark.parametrize('angle', np.linspace(-math.pi, 3.0 * math.pi, 33))
def test_the_four_bars_closed_form_keeps_the_length_of_its_coupler(angle):
    bar = FOUR_BAR
    rest = bar.crank_pivot + bar.crank + bar.coupler - bar.rocker_pivot
    elbow = bar.crank_pivot + about_y(angle, bar.crank)
    end = bar.rocker_pivot + about_y(bar.rocker_angle(angle), rest)
    assert np.linalg.norm(end - elbow) == pytest.approx(np.linalg.norm(bar.coupler), abs=1e-12)


def test_the_four_bars_rocker_begins_at_zero_and_never_jumps():
    angles = [FOUR_BAR.rocker_angle(angle) for angle in np.linspace(0.0, 2.0 * math.pi, 721)]
    assert abs(angles[0]) < 1e-9 and abs(angles[-1]) < 1e-9
    assert np.abs(np.diff(angles)).max() < 0.01


def test_a_pendulum_that_swings_far_is_slow():
    pendulum = Pendulum(mass=2.0, arm=1.0, inertia=2.0)  # a point on a string of 1 m
    assert pendulum.period(1e-9) == pytest.approx(2.0 * math.pi / math.sqrt(9.81))
    assert pendulum.period(0.5 * math.pi) / pendulum.period(1e-9) == pytest.approx(1.18034, abs=1e-5)
    assert pendulum.energy(0.5 * math.pi, 0.0) == pytest.approx(2.0 * 9.81)
    assert PENDULUM.period(1.2) == pytest.approx(1.5343, abs=1e-4)


def test_a_gap_is_between_points_of_two_bodies():
    a, b = np.eye(4), np.eye(4)
    b[:3, 3] = [1.0, 0.0, 0.0]
    assert gap(a, (1.0, 2.0, 0.0), b, (0.0, 2.0, 0.0)) == 0.0
    assert gap(a, (1.0, 2.0, 0.0), b, (0.0, 2.0, 0.003)) == pytest.approx(0.003)


def test_tips_on_the_way_round_are_on_the_circle_and_point_the_same_way():
    out = psm.forward(circles.joints_at(0.0))[:3, 1]
    for angle in np.linspace(-7.0, 7.0, 97):
        joints = circles.joints_at(angle)
        assert (joints > psm.LOWER).all() and (joints < psm.UPPER).all()
        tip = np.eye(4)
        tip[:3, 3] = psm.tip(joints)
        assert circles.off_circle(tip) < 2e-5, angle
        assert np.allclose(psm.forward(joints)[:3, 1], out, atol=1e-3)
    middle = np.eye(4)
    middle[:3, 3] = psm.tip(np.array([0.0, 0.0, circles.DEPTH, 0.0, 0.0, 0.0]))
    assert circles.off_circle(middle) == pytest.approx(circles.RADIUS)


def test_the_figure_is_its_own_mirror_image():
    mirrored = np.array([masters.MIRROR * masters.figure(angle) for angle in np.linspace(0.0, 6.0, 50)])
    for point in mirrored:
        assert np.linalg.norm(masters.FIGURE - point, axis=1).min() < 5e-4


def test_motion_begins_and_ends_softly():
    shares = np.array([smooth(share) for share in np.linspace(-0.5, 1.5, 201)])
    assert shares[0] == 0.0 and shares[-1] == 1.0 and (np.diff(shares) >= 0.0).all()
    assert np.diff(shares).max() < 0.02 and smooth(0.5) == pytest.approx(0.5)


class Ear:
    """Where a show publishes: node and publisher at once."""

    base = '/ambf/env'

    def __init__(self):
        self.heard, self.open_node = [], self

    def create_publisher(self, _kind, topic, _depth):
        self.topic = topic
        return self

    def publish(self, caption):
        self.heard.append((caption.text, caption.level))

    def wait_for_all_acked(self, _duration):
        pass

    def destroy_publisher(self, publisher):
        assert publisher is self


class Arms:
    def __init__(self):
        self.client = Ear()

    def run(self, work, look):
        for _ in work:
            look()


class Waving(Performance):
    doing = ''

    def caption(self):
        return self.doing

    def forth(self, parts):
        for self.doing in ('waves', 'waves', 'bows'):
            yield
        if parts:
            raise AmbfError('the arm is gone')


def test_what_hands_do_is_said_once_and_goes_when_they_end():
    arms = Arms()
    with Show(arms, Waving) as show:
        show.play(show.task.forth(()))
    assert arms.client.topic == '/ambf/env/World/Caption'
    assert arms.client.heard == [('waves', 0), ('bows', 0), ('', 0)]


def test_what_went_wrong_stays_on_the_picture():
    arms = Arms()
    with pytest.raises(AmbfError), Show(arms, Waving) as show:
        show.play(show.task.forth((0,)))
    assert arms.client.heard == [('waves', 0), ('bows', 0), ('the arm is gone', Caption.ERROR)]


def test_a_film_of_several_cameras_has_them_side_by_side(tmp_path):
    for index, colour in enumerate(('red', 'blue')):
        picture = [
            '-f',
            'lavfi',
            '-i',
            f'color={colour}:size=16x8:rate=5:duration=1',
            str(tmp_path / f'%d_{index}.png'),
        ]
        subprocess.run(['ffmpeg', '-loglevel', 'error', *picture], check=True)
    for ending in ('mp4', 'gif', 'apng'):
        file = str(tmp_path / f'film.{ending}')
        patterns = [str(tmp_path / f'%d_{index}.png') for index in (0, 1)]
        subprocess.run(ffmpeg_arguments(patterns, 5.0, file), check=True)
        raw = ['-i', file, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
        read = subprocess.run(['ffmpeg', '-loglevel', 'error', *raw], check=True, capture_output=True).stdout
        image = np.frombuffer(read, np.uint8).reshape(8, 32, 3).astype(int)
        assert image[4, 4, 0] > 150 > image[4, 4, 2] and image[4, 28, 2] > 150 > image[4, 28, 0], ending


@pytest.mark.parametrize('world', sorted(REPERTOIRE))
def test_each_task_has_a_title_and_says_what_it_needs(world):
    kind = performance(world)
    assert issubclass(kind, Performance) and kind.title
    assert kind.forth is not Performance.forth and kind.done is not Performance.done
