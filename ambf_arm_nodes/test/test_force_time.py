# SPDX-License-Identifier: BSD-3-Clause
"""Forces in lockstep end after their time of the world, however long the clock on the wall goes on meanwhile."""

import time

import pytest
from arm_fixture import World, seconds
from geometry_msgs.msg import WrenchStamped
from rclpy.duration import Duration

TIMEOUT, WATCHDOG = 0.5, 0.2  # s
STEPS = 10  # a call: 0.01 s


@pytest.fixture(scope='module')
def world():
    parameters = {'force_timeout': TIMEOUT, 'force_watchdog': WATCHDOG}
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',), mode='lockstep', arm_parameters=parameters) as made:
        made.psm = made.arm('/PSM1', 'setpoint_js')
        while not (reply := made.step(0, ['PSM1'])).ok:
            assert 'PSM1' in reply.message, reply.message
            made.spin_for(0.05)
        made.psm.command_and_wait('enable')
        made.psm.command_and_wait('home')
        while not made.psm.states[-1].is_homed:
            assert made.psm.states[-1].state == 'ENABLED'
            step(made, 100)
        yield made


def step(world, count: int = STEPS):
    reply = world.step(count, ['PSM1'])
    assert reply.ok, reply.message


def pushes(world) -> bool:
    """Is the force there, by what the arm says from now on?"""
    now, heard = time.time(), world.psm.heard['setpoint_js']
    world.wait_for(lambda: heard and seconds(heard[-1].header.stamp) > now, 'data')
    return any(heard[-1].effort)


def push() -> WrenchStamped:
    message = WrenchStamped()
    message.wrench.force.x = 0.1
    return message


def steps_until(world, pushing: bool) -> float:
    """Steps until the force is there, or is not any more: the time that the world took for it [s]."""
    for calls in range(200):
        if pushes(world) == pushing:
            return 0.001 * STEPS * calls
        step(world)
    raise AssertionError(f'no {"begin" if pushing else "end"} of the force within 2 s of the world')


def ends(world) -> int:
    """How often the arm has said that a force has ended; what it is asked to do changes with the next step only."""
    return sum('the force has ended' in m.data for m in world.psm.heard['status'])


def lasts(world) -> float:
    """The world's time until the force has ended [s]."""
    before = ends(world)
    taken = steps_until(world, False)
    world.wait_for(lambda: ends(world) == before + 1, 'the end in words')
    return taken


def test_a_force_that_is_not_renewed_lasts_for_its_time(world):
    before = ends(world)
    world.psm.say('body/servo_cf', push())
    steps_until(world, True)
    world.spin_for(2.0 * TIMEOUT)
    assert pushes(world) and ends(world) == before, 'the world stands, and so does its time'
    assert abs(lasts(world) - TIMEOUT) < 0.025


def test_a_force_whose_publisher_is_gone_lasts_for_the_watchdogs_time(world):
    before = ends(world)
    other = world.node.create_publisher(WrenchStamped, '/PSM1/spatial/servo_cf', 10)
    world.wait_for(lambda: other.get_subscription_count() > 0, 'the arm')
    other.publish(push())
    assert other.wait_for_all_acked(Duration(seconds=90)), 'a publisher takes what has not arrived along'
    steps_until(world, True)
    world.node.destroy_publisher(other)
    world.spin_for(5.0 * WATCHDOG)
    assert pushes(world) and ends(world) == before, 'the world stands, and so does its time'
    # Not for the time after which a force ends that nobody renews.
    assert WATCHDOG - 0.025 < lasts(world) < TIMEOUT - 0.1
