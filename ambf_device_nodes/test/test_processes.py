# SPDX-License-Identifier: BSD-3-Clause
"""A device and its physics in two processes: force, its end, what comes in badly, replay."""

import math
import time

import pytest
from device_fixture import BEST_EFFORT, Lab, seconds
from geometry_msgs.msg import WrenchStamped

from ambf_msgs.msg import DeviceSample, ProxyState


@pytest.fixture
def lab():
    with Lab() as made:
        yield made


def felt(forces) -> float:
    return abs(forces[-1].wrench.force.x) if forces else 0.0


def test_force_ends_after_a_kill_and_comes_back(lab):
    """That it takes 30 ms is shown without processes in ambf_devices: here a busy machine would be measured."""
    forces = lab.listen(WrenchStamped, '/ambf/env/mock/Force')
    lab.start('mock_device', rate=500.0, linear_stiffness='[100.0]')
    echo = lab.start('proxy_echo', device='mock')
    lab.wait_for(lambda: felt(forces) > 1.8, 'force')
    killed_at = time.time()
    echo.kill()
    # States that were on their way are still felt when they arrive; then there is none, and the device goes on.
    lab.wait_for(lambda: len(forces) > 100 and all(f.wrench.force.x == 0.0 for f in forces[-100:]), 'the end of force')
    assert any(f.wrench.force.x != 0.0 for f in forces if seconds(f.header.stamp) < killed_at)
    lab.start('proxy_echo', device='mock')
    lab.wait_for(lambda: felt(forces) > 1.8, 'force again')
    assert 'no proxy state within the timeout' in lab.output()


def test_proxy_states_that_flood_or_mean_nothing_leave_the_force_bounded(lab):
    forces = lab.listen(WrenchStamped, '/ambf/env/mock/Force')
    lab.start('mock_device', rate=500.0, linear_stiffness='[100.0]', max_force=1.5)
    lab.start('proxy_echo', device='mock', copies=20)  # ten thousand a second
    lab.wait_for(lambda: felt(forces) > 1.4, 'force')
    bad = lab.node.create_publisher(ProxyState, '/ambf/env/mock/Proxy', BEST_EFFORT)
    for value in (math.nan, math.inf, 1e300):
        state = ProxyState()
        state.pose.position.x = value
        for _ in range(20):
            bad.publish(state)
            lab.executor.spin_once(timeout_sec=0.002)
    zero = ProxyState()
    zero.pose.orientation.w = 0.0
    bad.publish(zero)
    lab.spin(0.3)
    sizes = [math.hypot(f.wrench.force.x, f.wrench.force.y, f.wrench.force.z) for f in forces]
    assert all(math.isfinite(size) and size <= 1.5 + 1e-9 for size in sizes)


def test_a_hand_on_the_worlds_clock_waits_for_the_world_and_stands_with_it(lab):
    samples = lab.listen(DeviceSample, '/ambf/env/mock/Sample', BEST_EFFORT)
    lab.start('mock_device', rate=200.0, clock='world', start_at=10.0, trajectory_scale=0.01)
    lab.wait_for(lambda: samples, 'samples')
    start = samples[-1].pose.position
    world = lab.node.create_publisher(ProxyState, '/ambf/env/mock/Proxy', BEST_EFFORT)

    def hand_at(seconds_of_world: float):
        state = ProxyState()
        state.header.stamp.sec = int(seconds_of_world)
        state.header.stamp.nanosec = round((seconds_of_world % 1) * 1e9)
        world.publish(state)
        return samples[-1].pose.position

    for _ in range(20):
        assert hand_at(9.5) == start
        lab.executor.spin_once(timeout_sec=0.01)
    # x is offset + scale * amplitude * sin(4 t).
    lab.wait_for(lambda: hand_at(10.25) != start, 'motion with the world')
    there = samples[-1].pose.position
    assert (there.x - start.x) == pytest.approx(0.01 * math.sin(1.0), rel=1e-3)
    lab.spin(0.3)
    assert samples[-1].pose.position == there, 'the world stands, and the hand with it'


def test_a_recording_of_samples_is_replayed_as_it_was(lab, tmp_path):
    text = 'time,px,py,pz,qx,qy,qz,qw,gripper,position_clutch,camera_clutch,actions\n'
    text += ''.join(f'{0.01 * i},{0.001 * i},0,0,0,0,0,1,{0.01 * i},0,0,{i % 2}\n' for i in range(100))
    path = tmp_path / 'hand.csv'
    path.write_text(text)
    samples = lab.listen(DeviceSample, '/ambf/env/mock/Sample', BEST_EFFORT)
    lab.start('mock_device', rate=200.0, recording=path, repeat='false')
    lab.wait_for(lambda: samples and samples[-1].pose.position.x == pytest.approx(0.099), 'the last state')
    # At a state and between two of them: on the line that the hand went.
    assert all(s.gripper == pytest.approx(10.0 * s.pose.position.x, abs=1e-9) for s in samples)
    assert samples[-1].gripper == pytest.approx(0.99) and samples[-1].actions[0]
