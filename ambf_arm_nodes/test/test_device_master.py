# SPDX-License-Identifier: BSD-3-Clause
"""A device of ours is a master of a dVRK: for a console, and for the teleoperation that leads a simulated PSM."""

import pytest
from arm_fixture import Process, World, distance, parameters_of, position, program
from geometry_msgs.msg import Vector3, WrenchStamped
from rclpy.qos import QoSProfile, ReliabilityPolicy
from teleop_fixture import Hand, Teleop, teleop_process

from ambf_msgs.msg import DeviceCommand

SCALE = 0.2
# What a console takes from a master on ROS, and what it says to it.
OUT = {
    'operating_state': 'crtk_msgs/msg/OperatingState',
    'measured_cp': 'geometry_msgs/msg/PoseStamped',
    'setpoint_cp': 'geometry_msgs/msg/PoseStamped',
    'measured_cv': 'geometry_msgs/msg/TwistStamped',
    'measured_js': 'sensor_msgs/msg/JointState',
    'setpoint_js': 'sensor_msgs/msg/JointState',
    'gripper/measured_js': 'sensor_msgs/msg/JointState',
    'error': 'std_msgs/msg/String',
    'warning': 'std_msgs/msg/String',
    'status': 'std_msgs/msg/String',
}
IN = {
    'state_command': 'crtk_msgs/msg/StringStamped',
    'body/servo_cf': 'geometry_msgs/msg/WrenchStamped',
    'use_gravity_compensation': 'std_msgs/msg/Bool',
    'lock_orientation': 'geometry_msgs/msg/Quaternion',
    'unlock_orientation': 'std_msgs/msg/Empty',
    'hold': 'std_msgs/msg/Empty',
    'free': 'std_msgs/msg/Empty',
}


def master_process(**parameters) -> Process:
    return Process(program('ambf_arm_nodes', 'device_master'), *parameters_of(parameters))


@pytest.fixture(scope='module')
def world():
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',)) as made:
        made.psm = made.arm('/PSM1', 'setpoint_cp')
        made.master = made.arm('/MTMR', 'measured_cp', 'gripper/measured_js')
        made.processes.append(master_process(device='right', arm='MTMR', device_timeout=1.0))
        made.commands = []
        best = QoSProfile(depth=50, reliability=ReliabilityPolicy.BEST_EFFORT)
        made.node.create_subscription(DeviceCommand, '/ambf/env/right/Command', made.commands.append, best)
        yield made


def test_without_its_device_it_cannot_be_enabled(world):
    world.wait_for(lambda: world.master.states, 'the master')
    world.master.state_command('enable')
    world.wait_for(lambda: world.master.states[-1].state == 'FAULT', 'a fault')
    world.wait_for(lambda: world.master.heard['error'], 'words')
    assert 'the device right is silent; start it' in world.master.heard['error'][-1].data
    stamp = world.master.newest('measured_cp').header.stamp
    assert (stamp.sec, stamp.nanosec) == (0, 0), 'data without a device have no time'


def test_its_device_brings_it_up(world):
    world.hand = Hand(world, 'right')
    # What the hand does is told before it is homed, without a time.
    world.hand.sample.pose.position.z = 0.05
    world.wait_for(lambda: world.master.newest('measured_cp').pose.position.y == 0.05, 'the hand to be heard')
    world.hand.sample.pose.position.z = 0.0
    world.master.bring_up()
    assert world.master.newest('measured_cp').header.stamp.sec > 0


def test_names_and_types_are_those_of_a_master(world):
    for names, look in (
        (OUT, world.node.get_publishers_info_by_topic),
        (IN, world.node.get_subscriptions_info_by_topic),
    ):
        for name, kind in names.items():
            assert {info.topic_type for info in look(f'/MTMR/{name}')} == {kind}, name


def test_the_hand_has_the_axes_of_a_master(world):
    # Towards the person, right, up become left, up, away.
    at = world.hand.sample.pose.position
    at.x, at.y, at.z = 0.01, 0.02, 0.03
    wanted = (-0.02, 0.03, -0.01)
    world.wait_for(
        lambda: distance(position(world.master.newest('measured_cp').pose), wanted) < 1e-12, f'the hand at {wanted}'
    )
    at.x = at.y = at.z = 0.0
    world.hand.sample.gripper = 1.0
    world.wait_for(
        lambda: abs(world.master.newest('gripper/measured_js').position[0] - 1.0471975512) < 1e-9, 'an open gripper'
    )
    world.hand.sample.gripper = 0.5


def test_the_consoles_force_reaches_the_device_in_its_axes(world):
    turned = world.hand.sample.pose.orientation
    turned.w, turned.z = 0.5**0.5, 0.5**0.5  # the handle is turned by 90 degrees about up
    wanted = (-3.0, 0.0, 0.0)

    def felt():
        wrench = WrenchStamped()
        wrench.wrench.force = Vector3(y=3.0)
        world.master.say('body/servo_cf', wrench)
        world.executor.spin_once(timeout_sec=0.02)
        if not world.commands:
            return False
        force = world.commands[-1].wrench.force
        return distance((force.x, force.y, force.z), wanted) < 1e-9

    world.wait_for(felt, f'a force of {wanted}')
    command = world.commands[-1]
    assert command.mode == DeviceCommand.MODE_WRENCH and command.axes == DeviceCommand.AXES_BASE and command.replaces
    world.master.say('body/servo_cf')
    world.wait_for(lambda: world.commands[-1].mode == DeviceCommand.MODE_NONE, 'the end of the force')
    turned.w, turned.z = 1.0, 0.0


def test_it_leads_a_psm_as_a_master_does(world):
    teleop = Teleop(world, 'MTMR_PSM1')
    free = {'start_gripper_threshold': 0.0, 'start_roll_threshold': 0.0, 'alignment': 'none'}
    slow = {'hand_timeout': 5.0, 'arm_timeout': 3.0}
    world.processes.append(
        teleop_process(hand='MTMR', arm='PSM1', hand_kind='crtk', scale=SCALE, enable=True, **free, **slow)
    )
    teleop.wait_for_following()
    start = world.psm.newest('setpoint_cp').pose
    world.hand.sample.pose.position.y = 0.04  # to the right
    wanted = [a + d for a, d in zip(position(start), (-SCALE * 0.04, 0.0, 0.0), strict=True)]
    world.wait_for(lambda: distance(position(world.psm.newest('setpoint_cp').pose), wanted) < 1e-6, 'the tip to follow')
    assert not teleop.heard['error']


def test_a_device_that_falls_silent_is_a_fault_and_is_brought_up_again(world):
    count = len(world.master.heard['error'])
    world.hand.silent = True
    world.wait_for(lambda: world.master.states[-1].state == 'FAULT', 'a fault')
    world.wait_for(lambda: len(world.master.heard['error']) > count, 'words')
    assert 'the device right is silent' in world.master.heard['error'][-1].data
    world.hand.sample.pose.position.z = 0.05
    world.hand.silent = False
    world.wait_for(lambda: world.master.newest('measured_cp').pose.position.y == 0.05, 'the hand to be heard')
    world.master.bring_up()


def test_a_device_must_be_named():
    process = master_process(arm='MTMR')
    assert process.process.wait(timeout=90.0) == 1
    assert "parameter 'device': found '', expected at most 64 letters, digits and underscores" in process.output()
