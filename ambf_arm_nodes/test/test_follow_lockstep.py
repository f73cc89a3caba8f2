# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories in lockstep: the same hashes however the nodes are run."""

from action_msgs.msg import GoalStatus
from arm_fixture import HOME, LOCKSTEP, World, seconds
from follow_fixture import THERE, Follower, goal_of


def announce(world):
    """Step until the arm answers."""
    while not world.step(0, ['PSM1']).ok:
        world.spin_for(0.05)


def scripted(composed: bool) -> list[int]:
    """Hashes of a trajectory in lockstep, replaced and canceled on the way."""
    hashes = []
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',), composed=composed, mode='lockstep') as world:
        psm = world.arm('/PSM1')
        announce(world)
        assert world.mode() == LOCKSTEP
        world.reset()
        announce(world)

        def step(count, size=20):
            for _ in range(count):
                reply = world.step(size, ['PSM1'])
                assert reply.ok, reply.message
                hashes.append(reply.state_hash)

        psm.command_and_wait('enable')
        psm.command_and_wait('home')
        step(110)
        world.wait_for(lambda: psm.states[-1].is_homed, 'home')
        follower = Follower(world)
        still = [0.0] * 6
        first = follower.send(goal_of((1.0, THERE, still)))
        step(20)
        second = follower.send(goal_of((0.5, HOME, still)))
        assert follower.result(first).status == GoalStatus.STATUS_ABORTED
        step(60)
        stamps = [seconds(f.header.stamp) for f in follower.feedback]
        assert max(b - a for a, b in zip(stamps, stamps[1:], strict=False)) < 0.07, '20 a second, at steps of 20 ms'
        assert follower.result(second).status == GoalStatus.STATUS_SUCCEEDED
        third = follower.send(goal_of((1.0, THERE, still)))
        step(10)
        future = third.cancel_goal_async()
        world.wait_for(future.done, 'the answer to the cancellation')
        step(10)
        assert follower.result(third).status == GoalStatus.STATUS_CANCELED
    return hashes


def test_in_lockstep_it_gives_the_same_hashes_in_one_container_and_in_several_processes():
    distributed = scripted(False)
    assert len(set(distributed)) > 60, 'the arm moves'
    assert scripted(True) == distributed
