# SPDX-License-Identifier: BSD-3-Clause
"""The CRTK driver and a mock MTM in two processes, over the topics that a dVRK console has."""

import math
import signal
import time
from array import array

import pytest
from crtk_msgs.msg import OperatingState, StringStamped
from device_fixture import BEST_EFFORT, Lab, seconds
from geometry_msgs.msg import PoseStamped, WrenchStamped
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState, Joy
from std_msgs.msg import String

from ambf_msgs.msg import DeviceSample

LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
ARM = dict(arm='/MTMR')


@pytest.fixture
def lab():
    with Lab() as made:
        made.states = made.listen(OperatingState, '/MTMR/operating_state', LATCHED)
        made.said = made.listen(String, '/MTMR/status', LATCHED)
        made.given = made.listen(WrenchStamped, '/MTMR/body/measured_cf')
        made.samples = made.listen(DeviceSample, '/ambf/env/MTMR/Sample', BEST_EFFORT)
        yield made


def start(lab, **parameters):
    lab.start('mock_mtm', rate=300.0, homing_time=0.3, **ARM)
    lab.start('crtk_device', rate=300.0, retry_period=0.1, linear_stiffness='[100.0]', **ARM, **parameters)
    lab.start('proxy_echo', device='MTMR')
    # Each topic is found in its own time, the force perhaps before the state.
    lab.wait_for(lambda: lab.states and lab.samples, 'the arm and its device')


def given(lab) -> float:
    return abs(lab.given[-1].wrench.force.x) if lab.given else 0.0


def command(lab, word, done, what):
    """Ask, and ask again, until it is done: a first command may be lost before the arm is found."""
    commands = lab.node.create_publisher(StringStamped, '/MTMR/state_command', LATCHED)
    asked = 0.0

    def is_done():
        nonlocal asked
        if not done() and time.monotonic() - asked > 1.0:
            asked = time.monotonic()
            commands.publish(StringStamped(string=word))
        return done()

    lab.wait_for(is_done, what)
    lab.node.destroy_publisher(commands)


def press(lab, pedal, value):
    events = lab.node.create_publisher(Joy, f'/console/emulate_{pedal}', LATCHED)
    lab.wait_for(lambda: events.get_subscription_count() > 0, 'console')
    events.publish(Joy(buttons=[value]))


def test_homes_feels_grips_presses_and_stops(lab):
    start(lab)
    lab.wait_for(lambda: given(lab) > 1.8, 'force at the arm')
    states = lambda: [(s.state, s.is_homed, s.is_busy) for s in lab.states]
    lab.wait_for(lambda: states()[-1] == ('ENABLED', True, False), 'word that it is homed')
    assert ('ENABLED', False, True) in states()
    lab.wait_for(
        lambda: {'gravity compensation on', 'forces have the axes of the base'} <= {s.data for s in lab.said},
        'gravity compensation and axes',
    )
    lab.wait_for(lambda: len({round(s.gripper, 2) for s in lab.samples}) > 5, 'motion of the gripper')
    assert all(0.0 <= s.gripper <= 1.0 for s in lab.samples)

    for pedal, field in (('clutch', 'position_clutch'), ('camera', 'camera_clutch')):
        press(lab, pedal, 1)
        lab.wait_for(lambda: getattr(lab.samples[-1], field), f'{pedal} pressed')
        lab.wait_for(lambda: given(lab) == 0.0, 'free hand')
        press(lab, pedal, 0)
        lab.wait_for(lambda: not getattr(lab.samples[-1], field), f'{pedal} released')
        lab.wait_for(lambda: given(lab) > 1.8, 'force again')

    for stop, go in (('pause', 'resume'), ('disable', 'enable')):
        command(lab, stop, lambda: lab.states[-1].state != 'ENABLED', stop)
        stopped_at = seconds(lab.states[-1].header.stamp)
        lab.wait_for(lambda: lab.samples[-1].position_clutch, 'free hand')
        # By the arm's own stamps: what arrives here may be older than the stop.
        after = lambda: [f for f in lab.given if seconds(f.header.stamp) > stopped_at]
        lab.wait_for(lambda: len(after()) > 50, 'the arm after its stop')
        assert all(f.wrench.force.x == 0.0 for f in after())
        assert lab.states[-1].state != 'ENABLED', 'nobody but the person starts it again'
        command(lab, go, lambda: lab.states[-1].state == 'ENABLED', go)
        lab.wait_for(lambda: given(lab) > 1.8, 'force after ' + go)


def test_killed_device_process_leaves_the_arm_without_force_and_a_killed_arm_is_waited_for(lab):
    start(lab)
    arm, device = lab.processes[:2]
    lab.wait_for(lambda: given(lab) > 1.8, 'force at the arm')
    killed_at = time.time()
    device.kill()
    # What was on its way is still felt when it arrives, on a busy machine late; then there is none.
    late = lambda: [f for f in lab.given if seconds(f.header.stamp) > killed_at]
    lab.wait_for(lambda: len(late()) > 100 and all(f.wrench.force.x == 0.0 for f in late()[-100:]), 'the end of force')

    lab.start('crtk_device', rate=300.0, retry_period=0.1, linear_stiffness='[100.0]', lost_after=0.3, **ARM)
    lab.wait_for(lambda: given(lab) > 1.8, 'force from the new process')
    arm.kill()
    lab.wait_for(lambda: 'the device is gone' in lab.output(), 'word that the arm is gone')
    lab.start('mock_mtm', rate=300.0, homing_time=0.1, **ARM)
    lab.wait_for(lambda: "'auto_home' does not allow" in lab.output(), 'word that a person must home it')
    lab.given.clear()
    lab.wait_for(lambda: not lab.states[-1].is_homed, 'word of the new arm')
    command(lab, 'home', lambda: lab.states[-1].is_homed, 'homed arm')
    lab.wait_for(lambda: given(lab) > 1.8, 'force at the new arm')


def test_a_fault_of_the_arm_ends_the_force_where_it_is_made(lab):
    start(lab)
    sent = lab.listen(WrenchStamped, '/MTMR/body/servo_cf')
    errors = lab.listen(String, '/MTMR/error', LATCHED)
    faults = lab.node.create_publisher(String, '/MTMR/emulate_fault', 10)
    lab.wait_for(lambda: given(lab) > 1.8 and sent and sent[-1].wrench.force.x != 0.0, 'force at the arm')
    lab.wait_for(lambda: faults.get_subscription_count() > 0, 'an arm that can fail')
    faults.publish(String(data='encoder 3'))
    lab.wait_for(lambda: lab.states[-1].state == 'FAULT' and errors, 'word of the fault')
    assert errors[-1].data == 'encoder 3'
    lab.wait_for(lambda: lab.samples[-1].position_clutch, 'free hand')
    lab.wait_for(lambda: sent[-1].wrench.force.x == 0.0, 'zero as the last word to the arm')
    sent.clear()
    lab.samples.clear()
    lab.wait_for(lambda: len(lab.samples) > 100, 'a device that goes on')
    assert not sent, 'the arm would refuse it, but the driver asks no more'
    assert lab.states[-1].state == 'FAULT', 'nobody but the person starts it again'
    command(lab, 'enable', lambda: lab.states[-1].state == 'ENABLED', 'the way out of a fault')
    lab.wait_for(lambda: given(lab) > 1.8, 'force again')


def test_forces_go_over_spatial_servo_cf_where_that_is_asked_for(lab):
    start(lab, force_topic='spatial/servo_cf', absolute_force=False)
    lab.wait_for(lambda: given(lab) > 1.8, 'force at the arm')
    assert 'forces have the axes of the base' not in {s.data for s in lab.said}


def test_the_mock_arm_has_topics_types_and_quality_of_service_of_a_dvrk_master(lab):
    periodic = {
        'measured_js': 'sensor_msgs/msg/JointState',
        'setpoint_js': 'sensor_msgs/msg/JointState',
        'measured_cp': 'geometry_msgs/msg/PoseStamped',
        'setpoint_cp': 'geometry_msgs/msg/PoseStamped',
        'local/measured_cp': 'geometry_msgs/msg/PoseStamped',
        'local/setpoint_cp': 'geometry_msgs/msg/PoseStamped',
        'measured_cv': 'geometry_msgs/msg/TwistStamped',
        'gripper/measured_js': 'sensor_msgs/msg/JointState',
        'body/measured_cf': 'geometry_msgs/msg/WrenchStamped',
        'spatial/measured_cf': 'geometry_msgs/msg/WrenchStamped',
    }
    events = {
        'operating_state': 'crtk_msgs/msg/OperatingState',
        'desired_state': 'std_msgs/msg/String',
        'gripper/closed': 'std_msgs/msg/Bool',
        'error': 'std_msgs/msg/String',
        'warning': 'std_msgs/msg/String',
        'status': 'std_msgs/msg/String',
    }
    taken = {
        'state_command': 'crtk_msgs/msg/StringStamped',
        'body/servo_cf': 'geometry_msgs/msg/WrenchStamped',
        'spatial/servo_cf': 'geometry_msgs/msg/WrenchStamped',
        'servo_jf': 'sensor_msgs/msg/JointState',
        'hold': 'std_msgs/msg/Empty',
        'free': 'std_msgs/msg/Empty',
        'use_gravity_compensation': 'std_msgs/msg/Bool',
        'body/set_cf_orientation_absolute': 'std_msgs/msg/Bool',
    }
    lab.start('mock_mtm', rate=300.0, **ARM)

    def ends(ask, names):
        found = {name: [e for e in ask('/MTMR/' + name) if e.node_name == 'mock_mtm'] for name in names}
        return {name: each[0] for name, each in found.items() if each}

    sent = lambda: ends(lab.node.get_publishers_info_by_topic, {**periodic, **events})
    heard = lambda: ends(lab.node.get_subscriptions_info_by_topic, taken)
    lab.wait_for(lambda: len(sent()) == len(periodic) + len(events) and len(heard()) == len(taken), 'all topics')
    assert {name: end.topic_type for name, end in sent().items()} == {**periodic, **events}
    assert {name: end.topic_type for name, end in heard().items()} == taken
    for name, end in sent().items():
        kept = DurabilityPolicy.VOLATILE if name in periodic else DurabilityPolicy.TRANSIENT_LOCAL
        assert (end.qos_profile.durability, end.qos_profile.reliability) == (kept, ReliabilityPolicy.RELIABLE), name
    joints = lab.listen(JointState, '/MTMR/measured_js')
    lab.wait_for(lambda: joints, 'joints')
    assert len(joints[-1].name) == len(joints[-1].position) == len(joints[-1].velocity) == 7


def test_null_space_and_force_are_sent_as_efforts_of_the_joints_that_the_hand_hangs_on(lab):
    joints = lab.listen(JointState, '/MTMR/measured_js')
    lab.start('mock_mtm', rate=300.0, homing_time=0.1, kinematics=True, **ARM)
    lab.start(
        'crtk_device',
        rate=300.0,
        retry_period=0.1,
        linear_stiffness='[100.0]',
        null_space_stiffness=0.5,
        null_space_max_torque=0.2,
        **ARM,
    )
    lab.wait_for(lambda: lab.samples and joints and abs(joints[-1].effort[3]) > 0.02, 'a torque on the platform')
    # Without a force: 0.5 N m/rad on joint 6, which swings by 0.1 rad at 2 rad/s, and nothing anywhere else.
    joints.clear()
    lab.wait_for(lambda: len(joints) > 100, 'joints')
    for j in joints:
        assert all(j.effort[i] == 0.0 for i in (0, 1, 2, 4, 5, 6)) and abs(j.effort[3]) <= 0.05 + 1e-9
    same = [j for j in joints if abs(j.position[5]) > 0.05 and j.effort[3] != 0.0]
    assert all((j.effort[3] > 0.0) == (j.position[5] > 0.0) for j in same)
    # The hand is where the joints put it: an MTM's arm reaches half a metre from its base.
    hand = lab.samples[-1].pose.position
    assert 0.2 < math.hypot(hand.x, hand.y, hand.z) < 0.8
    lab.start('proxy_echo', device='MTMR')
    lab.wait_for(lambda: max(abs(joints[-1].effort[i]) for i in (0, 1, 2)) > 0.3, 'the force of 2 N by its lever arms')
    assert given(lab) == 0.0, 'no wrench beside it'
    stopped = lab.processes[1]
    stopped.send_signal(signal.SIGINT)
    stopped.wait(timeout=90)
    joints.clear()
    lab.wait_for(lambda: len(joints) > 50 and joints[-1].effort == array('d', [0.0] * 7), 'the end of all efforts')


def test_an_arm_that_is_stopped_on_its_way_home_is_left_to_the_person(lab):
    lab.start('mock_mtm', rate=300.0, homing_time=3.0, **ARM)
    lab.start('crtk_device', rate=300.0, retry_period=0.05, **ARM)
    lab.wait_for(lambda: lab.states and lab.states[-1].is_busy, 'homing')
    command(lab, 'disable', lambda: lab.states[-1].state == 'DISABLED', 'stop')
    lab.wait_for(lambda: "'auto_home' does not allow" in lab.output(), 'word that a person must home it')
    lab.spin(0.5)  # ten attempts
    assert lab.states[-1].state == 'DISABLED'


def test_an_arm_that_hears_no_axes_is_given_no_force(lab):
    """Without body/set_cf_orientation_absolute forces would have the wrong axes."""
    lab.start('crtk_device', rate=300.0, retry_period=0.1, gravity_compensation=False, **ARM)
    states = lab.node.create_publisher(OperatingState, '/MTMR/operating_state', LATCHED)
    poses = lab.node.create_publisher(PoseStamped, '/MTMR/measured_cp', 100)
    states.publish(OperatingState(state='ENABLED', is_homed=True))

    def told():
        pose = PoseStamped()
        pose.header.stamp = lab.node.get_clock().now().to_msg()
        poses.publish(pose)
        return 'nobody listens on /MTMR/body/set_cf_orientation_absolute' in lab.output()

    lab.wait_for(told, 'word of the axes')
    assert 'opened: CRTK' not in lab.output()


def test_readings_that_mean_nothing_reach_nobody(lab):
    lab.start(
        'crtk_device',
        rate=300.0,
        retry_period=0.1,
        linear_stiffness='[100.0]',
        max_force=2.0,
        gravity_compensation=False,
        absolute_force=False,
        **ARM,
    )
    lab.start('proxy_echo', device='MTMR')
    forces = lab.listen(WrenchStamped, '/MTMR/body/servo_cf')
    lab.wait_for(lambda: 'nothing heard on /MTMR/operating_state' in lab.output(), 'word of the missing arm')
    states = lab.node.create_publisher(OperatingState, '/MTMR/operating_state', LATCHED)
    poses = lab.node.create_publisher(PoseStamped, '/MTMR/measured_cp', 100)
    states.publish(OperatingState(state='ENABLED', is_homed=True))

    def pose(x=0.0, w=1.0, valid=True):
        message = PoseStamped()
        if valid:
            message.header.stamp = lab.node.get_clock().now().to_msg()
        message.pose.position.x = x
        message.pose.orientation.w = w
        poses.publish(message)
        lab.executor.spin_once(timeout_sec=0.0005)

    def good():
        pose()
        return forces and abs(forces[-1].wrench.force.x) > 1.5

    lab.wait_for(good, 'force')
    lab.samples.clear()
    for bad in (dict(x=math.nan), dict(x=1.0), dict(w=1.2), dict(x=5.0, valid=False)):
        for _ in range(12):
            pose(**bad)
        for _ in range(30):
            pose()
    for _ in range(2000):  # as fast as it goes
        pose()
    lab.wait_for(good, 'force at the end')
    # NaN and unstamped poses never; a jump only as a new place, when this machine was silent for so long before it.
    assert {s.pose.position.x for s in lab.samples} <= {0.0, 1.0}
    assert all(abs(s.pose.orientation.w - 1.0) < 1e-9 for s in lab.samples)
    assert all(
        after.relocated
        for before, after in zip(lab.samples, lab.samples[1:])
        if after.sequence == before.sequence + 1 and after.pose.position.x != before.pose.position.x
    )
    assert all(math.isfinite(f.wrench.force.x) and abs(f.wrench.force.x) <= 2.0 + 1e-9 for f in forces)
    text = lab.output()
    assert 'NaN' in text or 'jumped' in text or 'unit length' in text
