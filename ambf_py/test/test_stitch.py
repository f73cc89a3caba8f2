# SPDX-License-Identifier: BSD-3-Clause
"""The needle as hands see it, and one stitch of two of them."""

import math
import os
import pathlib

import numpy as np
import pytest
import yaml

from ambf_py.hands.drive import InProcessArms
from ambf_py.hands.needle import BEFORE, HALFWAY, OUT, Stitch
from ambf_py.hands.stitch import CENTRE, FRONT, HALF_HOLE, HOLE, LIPS, RADIUS, TOP, Passage, grip_pose, lying, yaw_of
from ambf_py.simulator import resolve

LONG = os.environ.get('AMBF_TEST_LONG') == '1'
WORLD = 'package://ambf_description/worlds/needle/launch.yaml'
AWAY = (CENTRE - [0.040, 0.0, 0.0], CENTRE - [0.080, 0.0, 0.0])


def seen(poses) -> Passage:
    passage = Passage()
    for pose in poses:
        passage.look(pose)
    return passage


def round_the_centre(start: float, end: float, centre: np.ndarray = CENTRE) -> list[np.ndarray]:
    return [lying(centre, yaw) for yaw in np.arange(start, end, math.copysign(0.02, end - start))]


def straight(start: np.ndarray, end: np.ndarray, yaw: float) -> list[np.ndarray]:
    return [lying(start + share * (end - start), yaw) for share in np.linspace(0.0, 1.0, 60)]


def test_a_needle_that_goes_round_its_centre_goes_through_the_hole():
    half_way = round_the_centre(BEFORE, HALFWAY)
    passage = seen(half_way)
    assert passage.tip_is_out and not passage.through
    passage = seen(half_way + round_the_centre(HALFWAY, OUT) + straight(CENTRE, AWAY[0], OUT))
    assert passage.through and not passage.tip_is_out


def test_a_needle_that_is_drawn_back_or_goes_another_way_is_not_through():
    forth_and_back = round_the_centre(BEFORE, HALFWAY) + round_the_centre(HALFWAY, BEFORE)
    assert not seen([*forth_and_back, *straight(CENTRE, AWAY[0], BEFORE)]).through
    over = CENTRE + [0.0, 0.0, TOP - HOLE[2] + 0.002]
    assert not seen(round_the_centre(BEFORE, OUT, over) + straight(over, AWAY[0], OUT)).through
    beside = CENTRE + [0.0, 1.5 * HALF_HOLE, 0.0]
    assert not seen(round_the_centre(BEFORE, OUT, beside) + straight(beside, AWAY[0], OUT)).through
    before = CENTRE - [0.0, HOLE[1] - FRONT + 0.002, 0.0]
    assert not seen(round_the_centre(BEFORE, OUT, before) + straight(before, AWAY[0], OUT)).through
    assert not seen(straight(AWAY[0], AWAY[1], 0.0)).through


@pytest.mark.parametrize('yaw', [-2.0, 0.0, 0.7])
@pytest.mark.parametrize('at', [0.4, 1.6])
def test_a_jaw_takes_the_needle_between_its_fingers(yaw, at):
    needle = lying(np.array([0.1, -0.2, 0.7]), yaw)
    tip = grip_pose(needle, at, 0.002)
    assert yaw_of(needle) == pytest.approx(yaw)
    assert tip[2, 3] == pytest.approx(0.698) and np.allclose(tip[:3, 2], [0.0, 0.0, -1.0])
    outwards = tip[:2, 3] - needle[:2, 3]
    assert np.linalg.norm(outwards) == pytest.approx(RADIUS)
    assert np.allclose(tip[:2, 1], outwards / RADIUS), 'it opens along the radius'


def test_the_lips_of_the_world_are_where_the_hands_see_them():
    pads = yaml.safe_load((pathlib.Path(resolve(WORLD)).parent / 'suture_pads.yaml').read_text())
    boxes = []
    for block in pads['bodies']:
        place = np.array([pads[block]['location']['position'][axis] for axis in 'xyz'])
        for shape in pads[block]['compound collision shape']:
            middle = place + [shape['offset']['position'][axis] for axis in 'xyz']
            half = np.array([shape['geometry'][axis] for axis in 'xyz']) / 2.0
            boxes.append((middle - half, middle + half))
    lips = [box for box in boxes if box[1][2] > HOLE[2]]
    assert max(np.abs([low[0], high[0]]).max() for low, high in lips) == pytest.approx(LIPS)
    assert min(low[1] for low, _ in lips) == pytest.approx(FRONT)
    assert max(high[2] for _, high in lips) == pytest.approx(TOP)

    def inside(point) -> bool:
        return any((low < point).all() and (point < high).all() for low, high in boxes)

    for x in (-0.0025, 0.0025):
        for side in np.vstack([np.eye(3)[1:], -np.eye(3)[1:]]):
            edge = [x, *HOLE[1:]] + HALF_HOLE * side
            assert not inside(edge - 1e-4 * side) and inside(edge + 1e-4 * side)


def test_a_hand_takes_the_needle_from_the_table_by_friction_alone():
    arms = InProcessArms(WORLD, {'PSM1': 'psm1', 'PSM2': 'psm2'})
    stitch = Stitch(arms.sight, *arms.hands)
    lying_at = stitch.needle()[2, 3]
    arms.run(stitch.pick())
    assert stitch.in_jaw(stitch.left) and not stitch.in_jaw(stitch.right)
    assert stitch.needle()[2, 3] > lying_at + 0.04
    assert stitch.needle()[2, 2] > 0.99, 'it hangs level'


@pytest.mark.skipif(not LONG, reason='AMBF_TEST_LONG=1 asks for it')
def test_two_hands_make_a_stitch_by_friction_alone():
    arms = InProcessArms(WORLD, {'PSM1': 'psm1', 'PSM2': 'psm2'})
    stitch = Stitch(arms.sight, *arms.hands)
    arms.run(stitch.make(), stitch.look)
    assert stitch.handed_over == 1 and stitch.retries == 0, stitch.said
    assert stitch.passage.through and stitch.in_jaw(stitch.left), stitch.said
    assert stitch.thread_through() >= 1
