# SPDX-License-Identifier: BSD-3-Clause
"""An agent commands what a hand feels: over topics, within the limits, and nothing after its silence."""

import math
import os
import signal
import subprocess
import sys

import pytest
from device_fixture import BEST_EFFORT, Lab
from geometry_msgs.msg import Point, Pose, Vector3, Wrench, WrenchStamped

from ambf_msgs.msg import DeviceCommand, DeviceSample

AGENT = """
import sys, rclpy
from geometry_msgs.msg import Vector3, Wrench
from ambf_msgs.msg import DeviceCommand
rclpy.init()
node = rclpy.create_node(sys.argv[1])
topic = node.create_publisher(DeviceCommand, '/ambf/env/mock/Command', 1)
command = DeviceCommand(mode=DeviceCommand.MODE_WRENCH, wrench=Wrench(force=Vector3(y=2.0)))
node.create_timer(0.003, lambda: topic.publish(command))
rclpy.spin(node)
"""


@pytest.fixture
def lab():
    with Lab() as made:
        made.forces = made.listen(WrenchStamped, '/ambf/env/mock/Force')
        made.samples = made.listen(DeviceSample, '/ambf/env/mock/Sample', BEST_EFFORT)
        made.commands = made.node.create_publisher(DeviceCommand, '/ambf/env/mock/Command', 1)
        yield made


def start(lab, **parameters):
    # Longer than the usual 30 ms, which a busy machine does not keep; test_device_guidance has that limit to the tick.
    patient = dict(timeout=0.3, fade_from=0.2)
    lab.start('mock_device', rate=200.0, trajectory_scale=0.0, max_force=3.0, **patient, **parameters)
    lab.wait_for(lambda: lab.commands.get_subscription_count() > 0 and lab.forces, 'the device')


def push(x: float, **fields) -> DeviceCommand:
    return DeviceCommand(mode=DeviceCommand.MODE_WRENCH, wrench=Wrench(force=Vector3(x=x)), **fields)


def felt(lab, command: DeviceCommand, condition):
    """Commands until the force is as it should be."""

    def is_felt():
        lab.commands.publish(command)
        return lab.forces and condition(lab.forces[-1].wrench.force)

    return is_felt


def is_free(lab) -> bool:
    last = lab.forces[-50:]
    return len(last) == 50 and all(f.wrench.force == Vector3() for f in last)


def test_a_command_is_felt_named_in_the_samples_and_over_with_its_sender(lab):
    start(lab)
    lab.wait_for(felt(lab, push(2.0), lambda f: math.isclose(f.x, 2.0)), 'the force')
    # The graph may tell the name of a node later than its first message comes.
    named = lambda _: any(s.commanded_by == '/tester' for s in lab.samples)
    lab.wait_for(felt(lab, push(2.0), named), 'the name of who commands')
    lab.forces.clear()
    lab.wait_for(lambda: is_free(lab), 'the end of the force')
    lab.wait_for(lambda: lab.samples[-1].commanded_by == '', 'word that nobody commands')
    assert 'a command leads the hand' in lab.output() and 'no command leads the hand any more' in lab.output()


def test_no_command_exceeds_the_devices_limits(lab):
    start(lab)
    lab.wait_for(felt(lab, push(1000.0), lambda f: f.x > 2.99), 'the largest force')
    far = DeviceCommand(mode=DeviceCommand.MODE_SET_POINT, linear_stiffness=100.0, pose=Pose(position=Point(y=-9.0)))
    lab.wait_for(felt(lab, far, lambda f: f.y < -2.99), 'the largest force of a set-point')
    assert all(math.hypot(f.wrench.force.x, f.wrench.force.y, f.wrench.force.z) < 3.0 + 1e-9 for f in lab.forces)


def test_a_fixture_holds_the_hand_and_none_lets_it_go(lab):
    """The hand yields to forces: on a plane it comes to lie where the spring and its own stiffness balance."""
    start(lab, hand_compliance=0.003)
    plane = DeviceCommand(
        mode=DeviceCommand.MODE_PLANE,
        pose=Pose(position=Point(x=0.5, y=0.5, z=0.02)),
        direction=Vector3(z=2.0),
        linear_stiffness=50.0,
    )
    # A spring of 50 N/m from 2 cm away, and a hand that yields by 3 mm a newton (less than the step that is taken for a
    # jump): nothing along the plane.
    balance = 0.02 * 50.0 / (1.0 + 0.003 * 50.0)
    lab.wait_for(felt(lab, plane, lambda f: math.isclose(f.z, balance, abs_tol=0.02)), 'the balance')
    assert lab.forces[-1].wrench.force.x == lab.forces[-1].wrench.force.y == 0.0
    lab.forces.clear()
    none = DeviceCommand(mode=DeviceCommand.MODE_NONE)
    lab.wait_for(felt(lab, none, lambda f: f == Vector3()), 'a hand that is let go')


def test_a_killed_agent_leaves_the_hand_free_and_another_may_lead_it(lab):
    start(lab)

    def agent(name):
        process = subprocess.Popen([sys.executable, '-c', AGENT, name])
        lab.processes.append(process)
        return process

    first = agent('first')
    lab.wait_for(lambda: lab.samples and lab.samples[-1].commanded_by == '/first', 'the first agent')
    second = agent('second')
    lab.wait_for(lambda: 'is led by /first until that is silent' in lab.output(), 'word of the second agent')
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    lab.processes.remove(first)
    lab.wait_for(lambda: lab.samples[-1].commanded_by == '/second', 'the second agent')
    os.kill(second.pid, signal.SIGKILL)
    second.wait()
    lab.processes.remove(second)
    lab.forces.clear()
    lab.wait_for(lambda: is_free(lab), 'the end of the force')


@pytest.mark.parametrize(
    'command, words',
    [
        (push(math.nan), 'expected finite numbers'),
        (DeviceCommand(mode=77), 'mode: found 77, expected 0 to 5'),
        (push(1.0, axes=9), 'axes: found 9, expected 0 to 2'),
        (DeviceCommand(mode=DeviceCommand.MODE_LINE, linear_stiffness=1.0), 'direction: expected a vector'),
        (
            DeviceCommand(mode=DeviceCommand.MODE_SET_POINT, linear_stiffness=1e6),
            'linear_stiffness: found 1e+06 N/m, expected at most',
        ),
    ],
)
def test_a_command_that_means_nothing_is_refused_in_words(lab, command, words):
    start(lab)

    def told():
        lab.commands.publish(command)
        return words in lab.output()

    lab.wait_for(told, words)
    assert all(f.wrench.force == Vector3() for f in lab.forces)
    assert all(s.commanded_by == '' for s in lab.samples)
