# SPDX-License-Identifier: BSD-3-Clause
"""Clients and worlds that die, are reset or emptied: the arm stays well, says so, and goes on."""

import signal
import subprocess
import sys
import time

import pytest
from arm_fixture import HOME, World
from sensor_msgs.msg import JointState

# A client in a process of its own: begins a move, says so, and waits to be killed.
VICTIM = """
import rclpy, time
from sensor_msgs.msg import JointState
rclpy.init()
node = rclpy.create_node('victim')
move = node.create_publisher(JointState, '/PSM1/{topic}', 10)
while move.get_subscription_count() == 0:
    time.sleep(0.01)
for i in range({count}):
    move.publish(JointState(position=[0.5 + 0.0001 * i, 0.0, 0.12, 0.0, 0.0, 0.0]))
    time.sleep(0.001)
print('said', flush=True)
time.sleep(600)
"""


@pytest.fixture(scope='module')
def world():
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',)) as made:
        made.psm = made.arm('/PSM1', 'measured_js', 'setpoint_js')
        made.psm.bring_up()
        yield made


def victim(topic: str, count: int) -> subprocess.Popen:
    process = subprocess.Popen(
        [sys.executable, '-c', VICTIM.format(topic=topic, count=count)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == 'said\n'
    return process


def test_a_client_that_is_killed_in_mid_move_leaves_an_arm_that_arrives(world):
    process = victim('move_jp', 1)
    world.wait_for(lambda: world.psm.states[-1].is_busy, 'the move to begin')
    process.kill()
    world.wait_for(lambda: not world.psm.states[-1].is_busy, 'the end of the move')
    world.wait_for(lambda: abs(world.psm.heard['measured_js'][-1].position[0] - 0.5) < 2e-3, 'the goal')
    process.wait(timeout=60)


def test_a_stream_that_ends_leaves_an_arm_that_holds(world):
    process = victim('servo_jp', 100)
    process.kill()
    world.wait_for(lambda: abs(world.psm.heard['measured_js'][-1].position[0] - 0.5099) < 2e-3, 'the last set-point')
    count = len(world.psm.heard['measured_js'])
    # Longer than the world's watchdog, which lets go of what nobody commands.
    world.spin_for(1.0)
    assert all(abs(m.position[0] - 0.5099) < 2e-3 for m in world.psm.heard['measured_js'][count:])
    process.wait(timeout=60)


def test_an_arm_that_was_stopped_itself_does_not_take_the_world_for_lost(world):
    """A process that gets no processor for seconds finds the world's messages behind its own timer."""
    psm = world.psm
    arm = world.arm_processes['PSM1'].process
    assert psm.move('move_jp', JointState(position=HOME))
    warnings, done = len(psm.heard['warning']), len(psm.heard['goal_reached'])
    psm.say('move_jp', JointState(position=[1.2, 0.5, 0.2, 0.0, 0.0, 0.0]))
    world.wait_for(lambda: psm.states[-1].is_busy, 'the move to begin')
    arm.send_signal(signal.SIGSTOP)
    time.sleep(2.5)  # longer than a world may be silent
    arm.send_signal(signal.SIGCONT)
    world.wait_for(lambda: len(psm.heard['goal_reached']) > done, 'the end of the move')
    assert psm.heard['goal_reached'][-1].data, [m.data for m in psm.heard['warning'][warnings:]]
    assert not any('world' in m.data for m in psm.heard['warning'][warnings:])


@pytest.mark.parametrize('scope', [0, 2])
def test_after_a_reset_the_arm_stays_where_it_was_put(world, scope):
    psm = world.psm
    assert psm.move('move_jp', JointState(position=[0.4, 0.3, 0.2, 0.0, 0.0, 0.0]))
    world.reset(scope)
    world.wait_for(lambda: abs(psm.heard['setpoint_js'][-1].position[0]) < 1e-3, 'the set-point to follow')
    world.spin_for(0.5)
    assert abs(psm.heard['measured_js'][-1].position[0]) < 0.01, 'it does not go back to where it was'
    assert psm.command_and_wait('enable').is_homed and not psm.heard['error']
    assert psm.move('move_jp', JointState(position=HOME))


def test_a_world_that_is_killed_and_started_again_is_taken_up(world):
    psm = world.psm
    warnings, errors = len(psm.heard['warning']), len(psm.heard['error'])
    world.physics.kill()
    world.wait_for(
        lambda: any('the world does not answer' in m.data for m in psm.heard['warning'][warnings:]), 'a warning'
    )
    # Nobody is left without data, and they are not to be believed.
    world.wait_for(lambda: psm.newest('measured_js').header.stamp.sec == 0, 'data without a stamp')
    psm.say_joints('servo_jp', HOME)
    world.start_physics()
    world.wait_for(lambda: psm.newest('measured_js').header.stamp.sec > 0, 'data of the new world')
    assert psm.command_and_wait('enable').is_homed
    assert psm.move('move_jp', JointState(position=[-0.3, 0.0, 0.12, 0.0, 0.0, 0.0]))
    world.wait_for(lambda: abs(psm.heard['measured_js'][-1].position[0] + 0.3) < 2e-3, 'the goal')
    assert len(psm.heard['error']) == errors, 'an error would end a teleoperation'


def test_bodies_that_are_taken_away_are_a_fault_with_a_reason(world):
    psm = world.psm
    world.remove('psm')
    world.wait_for(lambda: psm.states[-1].state == 'FAULT', 'FAULT')
    world.wait_for(lambda: any('its bodies are gone' in m.data for m in psm.heard['error']), 'the reason')
    assert world.arm_processes['PSM1'].alive()
