# SPDX-License-Identifier: BSD-3-Clause
"""Two hands drag and turn the picture of an endoscope."""

import numpy
import pytest
from arm_fixture import World, distance, position
from teleop_fixture import Hand, Teleop, teleop_process

SCALE = 0.2
APART = 0.1  # of each hand from the middle [m]


def rotation(pose):
    """Axes of the endoscope's tip in its base: to the left of the picture, up, away."""
    q = pose.orientation
    w, x, y, z = q.w, q.x, q.y, q.z
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def rpy(matrix) -> list[float]:
    """Roll, pitch and yaw; the yaw is 0 where it cannot be told from the roll."""
    (a, x, _), (b, y, _), (c, d, e) = matrix
    upright = abs(c) > 1.0 - 1e-9
    roll, yaw = (numpy.arctan2(-c * x, y), 0.0) if upright else (numpy.arctan2(d, e), numpy.arctan2(b, a))
    return [float(angle) for angle in (roll, numpy.arcsin(-c), yaw)]


@pytest.fixture(scope='module')
def world():
    with World(('ECM', 'ecm', ''), models=('adf/ecm.yaml',)) as made:
        made.ecm = made.arm('/ECM', 'setpoint_cp', 'setpoint_js')
        made.hands = [Hand(made, 'left'), Hand(made, 'right')]
        for hand, side in zip(made.hands, (-APART, APART), strict=True):
            hand.sample.pose.position.y = side
        made.teleop = Teleop(made, 'left_right_ECM')
        made.ecm.bring_up()
        # As the picture lies now. It stays: with `view: endoscope` two hands, whose samples come one after the other, would
        # each be seen through a camera that the other one has moved.
        left, up, away = rotation(made.ecm.newest('setpoint_cp').pose).T
        view = numpy.column_stack([-away, -left, up])
        # A busy machine must not take the test's hands for silent ones.
        words = {'scale': SCALE, 'view': 'fixed', 'view_rpy': rpy(view), 'hand_timeout': 5.0, 'arm_timeout': 3.0}
        made.processes.append(teleop_process(hand='left', second_hand='right', arm='ECM', enable=True, **words))
        made.teleop.wait_for_following()
        yield made


def newest(world):
    return world.ecm.heard['setpoint_cp'][-1].pose


def place(world, left, right):
    """Where the hands are, in the view: towards the person, right, up. Their samples come one after the other, and in between
    their middle is elsewhere: what the camera does is to be looked at when both have been heard."""
    for hand, at in zip(world.hands, (left, right), strict=True):
        p = hand.sample.pose.position
        p.x, p.y, p.z = at
    sent = [hand.sample.sequence for hand in world.hands]
    world.wait_for(
        lambda: all(hand.sample.sequence > first + 20 for hand, first in zip(world.hands, sent, strict=True)), 'samples'
    )
    world.ecm.newest('setpoint_cp')


def test_the_picture_goes_with_the_hands(world):
    start = newest(world)
    left, up, away = rotation(start).T
    for move, goal in (
        ((0.0, 0.04, 0.0), left),  # to the right: the camera goes to the left
        ((0.0, 0.0, 0.04), -up),
        ((0.04, 0.0, 0.0), away),  # the picture comes nearer
    ):
        place(world, (move[0], move[1] - APART, move[2]), (move[0], move[1] + APART, move[2]))
        wanted = numpy.array(position(start)) + SCALE * 0.04 * goal
        world.wait_for(lambda wanted=wanted: distance(position(newest(world)), wanted) < 1e-6, f'{move} to be followed')
        place(world, (0.0, -APART, 0.0), (0.0, APART, 0.0))
        world.wait_for(lambda: distance(position(newest(world)), position(start)) < 1e-6, 'the way back')


def test_hands_that_turn_roll_the_camera_and_nothing_else(world):
    before = numpy.array(world.ecm.newest('setpoint_js').position)
    roll = 0.3
    aside, up = APART * numpy.cos(roll), APART * numpy.sin(roll)
    place(world, (0.0, -aside, -up), (0.0, aside, up))
    world.wait_for(
        lambda: abs(abs(world.ecm.heard['setpoint_js'][-1].position[3] - before[3]) - roll) < 1e-6, 'the camera to roll'
    )
    assert numpy.abs(numpy.array(world.ecm.newest('setpoint_js').position) - before)[:3].max() < 1e-4
    # Seen from the person, hands that turn anticlockwise turn the picture that way, and the camera the other way.
    _, rolled_up, _ = rotation(newest(world)).T
    place(world, (0.0, -APART, 0.0), (0.0, APART, 0.0))
    world.wait_for(lambda: abs(world.ecm.heard['setpoint_js'][-1].position[3] - before[3]) < 1e-6, 'the way back')
    left, up, _ = rotation(newest(world)).T
    assert rolled_up @ left == pytest.approx(-numpy.sin(roll), abs=1e-5), "the camera's up goes to the right"
    assert rolled_up @ up == pytest.approx(numpy.cos(roll), abs=1e-5)


def test_their_distance_moves_nothing(world):
    before = newest(world)
    place(world, (0.0, -2 * APART, 0.0), (0.0, 2 * APART, 0.0))
    wanted = position(before)
    world.wait_for(lambda: distance(position(newest(world)), wanted) < 1e-6, 'the camera where it was')
    place(world, (0.0, -APART, 0.0), (0.0, APART, 0.0))


def test_one_hand_on_its_clutch_holds_the_camera_and_nothing_jumps(world):
    before = newest(world)
    world.hands[0].sample.position_clutch = True
    world.teleop.wait_for('following', False)
    place(world, (0.2, -0.3, 0.0), (0.0, 0.1, 0.2))
    world.hands[0].sample.position_clutch = False
    count = len(world.ecm.heard['setpoint_cp'])
    world.teleop.wait_for_following()
    world.ecm.newest('setpoint_cp')
    assert max(distance(position(m.pose), position(before)) for m in world.ecm.heard['setpoint_cp'][count:]) < 1e-9


def test_a_hand_alone_does_not_move_the_camera(world):
    world.hands[1].silent = True
    world.teleop.wait_for('following', False)
    world.hands[1].silent = False
    world.teleop.wait_for_following()


@pytest.mark.parametrize(
    'parameters, words',
    [
        ({'second_hand': 'left'}, "parameter 'second_hand': found 'left', expected another name"),
        ({'second_hand': 'right', 'alignment': 'wait'}, "parameter 'alignment': found 'wait', expected none"),
        ({'second_hand': 'right', 'force': 'limits'}, "parameter 'force': found 'limits', expected none"),
    ],
)
def test_what_two_hands_cannot_do_is_refused(parameters, words):
    process = teleop_process(hand='left', arm='ECM', **parameters)
    assert process.process.wait(timeout=90.0) == 1
    assert words in process.output()
