# SPDX-License-Identifier: BSD-3-Clause
"""Lockstep: the arm is a member of the barrier, and a scripted motion gives the same hashes however the nodes are run."""

import pytest
from arm_fixture import LOCKSTEP, World
from sensor_msgs.msg import JointState


def announce(world):
    """Step until the arm answers: it has announced itself and knows the mode."""
    reply = world.step(0, ['PSM1'])
    while not reply.ok:
        assert 'PSM1' in reply.message, reply.message
        world.spin_for(0.05)
        reply = world.step(0, ['PSM1'])


def scripted(composed: bool) -> list[int]:
    """Hashes of every tenth step of homing, a move and a stream, from the start of the world."""
    hashes = []
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',), composed=composed, mode='lockstep') as world:
        psm = world.arm('/PSM1', 'setpoint_js')
        announce(world)
        world.reset()
        announce(world)

        def step(count: int, size: int = 10):
            for _ in range(count):
                reply = world.step(size, ['PSM1'])
                assert reply.ok, reply.message
                hashes.append(reply.state_hash)

        assert psm.command_and_wait('enable').state == 'ENABLED'
        step(2)
        assert psm.command_and_wait('home').is_busy
        # A fixed number of steps: when the state is heard is a matter of the wire.
        step(45, 50)
        world.wait_for(lambda: psm.states[-1].is_homed, 'home')
        # What is commanded between two steps acts from the next answered step on.
        count = len(psm.states)
        psm.say('move_jp', JointState(position=[0.2, 0.1, 0.15, 0.3, 0.0, 0.0]))
        world.wait_for(lambda: len(psm.states) > count and psm.states[-1].is_busy, 'the move to begin')
        step(20)
        for i in range(10):
            goal = [0.1 + 0.001 * i, 0.1, 0.15, 0.0, 0.0, 0.0]
            psm.say_joints('servo_jp', goal)
            world.wait_for(
                lambda: psm.heard['setpoint_js'] and list(psm.heard['setpoint_js'][-1].position) == goal,
                'the set-point',
            )
            step(1, 1)
    return hashes


@pytest.fixture(scope='module')
def distributed():
    return scripted(False)


def test_a_scripted_motion_gives_the_same_hashes_again(distributed):
    assert len(set(distributed)) > 20, 'the arm moves'
    assert scripted(False) == distributed


def test_it_gives_the_same_hashes_in_one_container(distributed):
    assert scripted(True) == distributed


def test_the_reply_comes_after_the_data_of_its_step():
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',), mode='lockstep') as world:
        psm = world.arm('/PSM1', 'sim_time')
        announce(world)
        assert world.mode() == LOCKSTEP
        for _ in range(20):
            reply = world.step(5, ['PSM1'])
            assert reply.ok, reply.message
            world.wait_for(
                lambda: any(t == reply.sim_time for t in psm.heard['sim_time']),
                'data of the step',
            )
