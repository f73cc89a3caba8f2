# SPDX-License-Identifier: BSD-3-Clause
"""One hand leads a PSM above a board, whose force it feels, and the endoscope while its camera clutch is pressed."""

import numpy
import pytest
from arm_fixture import World, distance, position
from teleop_fixture import Hand, Teleop, teleop_process

COMPLIANCE = 0.005  # m/N
SCALE = {'PSM1': 1.0, 'ECM': 0.5}


def vector(v) -> list[float]:
    return [v.x, v.y, v.z]


@pytest.fixture(scope='module')
def world():
    arms = (('PSM1', 'psm_over_table', 'psm1'), ('ECM', 'ecm', 'ecm'))
    with World(*arms, world='worlds/two_psms_ecm/launch.yaml') as made:
        made.hand = Hand(made, 'right')
        made.arms = {name: made.arm(f'/{name}', 'setpoint_cp') for name in SCALE}
        made.teleops = {name: Teleop(made, f'right_{name}') for name in SCALE}
        common = {'hand': 'right', 'enable': True, 'hand_timeout': 5.0, 'arm_timeout': 5.0}
        force = {'force': 'contact', 'contact_compliance': COMPLIANCE, 'contact_dead_band': 1.0}
        camera = {'camera': True, 'ignore_jaw': True, 'rotation_locked': True, 'view': 'endoscope', 'view_of': 'ECM'}
        made.processes += [
            teleop_process(arm=name, scale=SCALE[name], **common, **more)
            for name, more in (('PSM1', force), ('ECM', camera))
        ]
        made.teleops['PSM1'].wait_for_following()
        yield made


def felt(world):
    """The newest proxy, once it answers a sample from now on."""
    sequence = world.hand.sample.sequence
    world.wait_for(lambda: world.hand.proxies and world.hand.proxies[-1].sequence > sequence, 'a proxy')
    return world.hand.proxies[-1]


def test_the_camera_clutch_gives_the_hand_to_the_endoscope(world):
    psm, ecm = world.teleops['PSM1'], world.teleops['ECM']
    ecm.wait_for('current_state', 'ALIGNING_MTM')
    assert not ecm.newest('following')
    world.hand.sample.camera_clutch = True
    psm.wait_for('following', False)
    ecm.wait_for_following()
    before = world.arms['ECM'].newest('setpoint_cp').pose
    # Away from the person: into the picture, along the shaft.
    world.hand.move(x=-0.02, answered=False)
    o = before.orientation
    away = numpy.array([2 * (o.x * o.z + o.y * o.w), 2 * (o.y * o.z - o.x * o.w), 1 - 2 * (o.x * o.x + o.y * o.y)])
    goal = numpy.array(position(before)) + SCALE['ECM'] * 0.02 * away
    world.wait_for(
        lambda: distance(position(world.arms['ECM'].heard['setpoint_cp'][-1].pose), goal) < 1e-6,
        'the endoscope further in',
    )
    world.hand.sample.camera_clutch = False
    ecm.wait_for('following', False)
    psm.wait_for_following()
    assert distance(position(world.arms['ECM'].newest('setpoint_cp').pose), goal) < 1e-6


def test_a_board_pushes_the_hand_back_and_free_air_does_not(world):
    assert vector(felt(world).contact_wrench.force) == [0.0, 0.0, 0.0]

    def pushed() -> float:
        """By the board on the tip, against a motion along -z of the arm's base [N]."""
        return world.hand.proxies[-1].contact_wrench.force.z

    for _ in range(25):
        world.hand.move(z=-0.004)
        felt(world)
        if pushed() > 5.0:
            break
    world.wait_for(lambda: pushed() > 5.0, 'a force of the board')

    def displacement_fits():
        """What the hand is held to is pushed away by compliance times force."""
        p = world.hand.proxies[-1]
        push = [a - b for a, b in zip(position(p.pose), position(p.reference_pose), strict=True)]
        return distance(push, [COMPLIANCE * f for f in vector(p.contact_wrench.force)]) < 1e-6

    world.wait_for(displacement_fits, 'a proxy that is pushed away by the force')
    assert not world.teleops['PSM1'].heard['error']
