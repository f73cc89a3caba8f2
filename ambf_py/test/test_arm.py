# SPDX-License-Identifier: BSD-3-Clause
"""An arm on CRTK topics through `ambf_py.Arm`; the other side is a stand-in of a few lines."""

import threading
import time

import numpy as np
import pytest
import rclpy
from arm_stand_in import HOME, NAMES, TABLE, StandIn
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

from ambf_py import (
    Arm,
    ArmRefused,
    ArmSilent,
    ArmTimeout,
    BadValue,
    NotEnabled,
    NotHomed,
    PyKDL,
    UnknownArm,
    psm,
)
from ambf_py.arm_link import Link
from ambf_py.arm_values import pose, rotation
from ambf_py.rotations import quaternion_from_matrix

# Only says that something hangs.
PATIENCE = 90.0


@pytest.fixture(scope='module')
def there():
    with StandIn('/PSM1') as stand_in:
        yield stand_in


@pytest.fixture(scope='module')
def connected(there):
    with Arm('PSM1', timeout=PATIENCE, freshness=PATIENCE) as arm:
        yield arm


@pytest.fixture
def arm(connected, there):
    there.velocity = 20.0
    if connected.operating_state() in ('PAUSED', 'FAULT'):
        connected.disable()
    connected.enable(timeout=PATIENCE)
    connected.unhome(timeout=PATIENCE)
    connected.home(timeout=PATIENCE)
    yield connected


def test_states_follow_commands(arm):
    assert arm.operating_state() == 'ENABLED' and arm.is_homed() and not arm.is_busy()
    arm.home()  # again: answered at once
    arm.pause()
    assert arm.operating_state() == 'PAUSED' and not arm.is_enabled()
    arm.resume()
    assert arm.is_enabled() and arm.is_homed()
    arm.unhome()
    assert not arm.is_homed()
    arm.disable()
    assert arm.is_disabled()


def test_what_is_measured_is_numpy(arm, there):
    js = arm.measured_js(fresh=True)
    assert np.array_equal(js.position, HOME) and js.effort.tolist() == [0.5] * 6 and js.time > 1e9
    assert np.array_equal(arm.setpoint_jp(), HOME) and arm.measured_jv().shape == (6,)
    tip, stamp = arm.measured_cp(stamp=True)
    assert np.allclose(tip, psm.forward(HOME), atol=1e-12) and stamp > 1e9
    assert np.allclose(arm.setpoint_cp(), arm.local.measured_cp())
    assert arm.measured_cv().tolist() == [0.0] * 6
    assert arm.measured_cf().tolist() == [0, 0, 2.0, 0.1, 0, 0] == arm.measured_cf('spatial').tolist()
    assert np.array_equal(arm.jacobian(), np.arange(36.0).reshape(6, 6))
    assert arm.jacobian('spatial')[5, 0] == 30.0
    assert arm.joint_names() == NAMES and arm.reference_frame() == 'PSM1_base'
    assert arm.jaw.measured_jp().tolist() == [0.0] and arm.gripper.measured_jp() == 0.25
    with pytest.raises(BadValue, match='body or spatial'):
        arm.jacobian('tip')


def test_a_move_is_awaited(arm, there):
    there.velocity = 2.0
    motion = arm.move_jp(TABLE[0])
    assert motion.wait(is_busy=True, timeout=PATIENCE) and motion.wait(timeout=PATIENCE)
    assert not motion.is_busy()
    assert np.allclose(arm.setpoint_jp(fresh=True), TABLE[0], atol=1e-12)
    there.velocity = 20.0
    # Where it is already, the arm is busy for a moment, too.
    assert arm.move_jp(TABLE[0]).wait(timeout=PATIENCE)
    assert arm.move_jr([0.1, 0, 0, 0, 0, 0]).wait(timeout=PATIENCE)
    assert abs(arm.measured_jp(fresh=True)[0] - 0.2) < 1e-12
    assert arm.insert_jp(0.1).wait(timeout=PATIENCE)
    assert abs(arm.measured_jp(fresh=True)[2] - 0.1) < 1e-12
    assert arm.jaw.open().wait(timeout=PATIENCE)
    assert abs(arm.jaw.measured_jp(fresh=True)[0] - np.radians(60)) < 1e-12
    assert arm.jaw.close().wait(timeout=PATIENCE)
    assert abs(arm.jaw.setpoint_jp(fresh=True)[0] + np.radians(20)) < 1e-12


def test_jaw_and_arm_move_together(arm, there):
    there.velocity = 1.0
    arm.move_jp([0.1, 0, 0.12, 0, 0, 0]).wait(is_busy=True, timeout=PATIENCE)
    assert arm.jaw.move_jp(0.2).wait(timeout=PATIENCE)
    assert abs(arm.measured_jp(fresh=True)[0] - 0.1) < 1e-12 and abs(arm.jaw.measured_jp(fresh=True)[0] - 0.2) < 1e-12


def test_a_move_that_another_command_ends(arm, there):
    there.velocity = 0.01
    motion = arm.move_jp([0.5, 0, 0.12, 0, 0, 0])
    motion.wait(is_busy=True, timeout=PATIENCE)
    assert motion.is_busy() and arm.is_busy()
    with pytest.raises(ArmTimeout, match=r'PSM1: move_jp did not end within 0.05 s; the arm is ENABLED, homed, busy'):
        motion.wait(timeout=0.05)
    arm.hold()
    assert motion.wait(timeout=PATIENCE) is False


def test_a_move_that_a_fault_ends(arm, there):
    there.velocity = 0.01
    motion = arm.move_jp([0.5, 0, 0.12, 0, 0, 0])
    motion.wait(is_busy=True, timeout=PATIENCE)
    there.fail('tracking error of joint 1')
    with pytest.raises(NotEnabled, match=r'the arm is FAULT.*tracking error of joint 1'):
        motion.wait(timeout=PATIENCE)
    with pytest.raises(NotEnabled, match=r'servo_jp: the arm is FAULT: see error\(\)'):
        arm.servo_jp(HOME)
    assert arm.error() == 'tracking error of joint 1'


def test_poses_in_every_form(arm, there):
    goal = psm.forward(np.array(TABLE[1]))
    q = quaternion_from_matrix(goal[:3, :3])
    frame = PyKDL.Frame(PyKDL.Rotation.Quaternion(*q), PyKDL.Vector(*goal[:3, 3]))
    forms = (
        goal,
        goal.tolist(),
        (goal[:3, 3], goal[:3, :3]),
        (goal[:3, 3], q),
        [*goal[:3, 3], *q],
        frame,
        (frame.p, frame.M),
    )
    for form in forms:
        assert np.allclose(pose(form, 'goal'), goal, atol=1e-9)
    for form in (goal, frame):
        assert arm.move_cp(form).wait(timeout=PATIENCE)
        assert np.allclose(arm.measured_cp(fresh=True), goal, atol=1e-9)
        assert arm.move_jp(HOME).wait(timeout=PATIENCE)
    for wrong, says in (
        (goal[:3, 3], 'expected a 4 x 4 matrix'),
        (np.full((4, 4), np.nan), 'last row'),
        (np.diag([1, 1, -1, 1.0]), 'no rotation'),
        ((goal[:3, 3], [0, 0, 0, 0]), 'quaternion of length 0'),
        ((goal[:3, 3], 'up'), 'expected a rotation'),
        ((goal[:2, 3], goal[:3, :3]), 'found 2 numbers, expected 3'),
        ('home', 'expected a 4 x 4 matrix'),
    ):
        with pytest.raises(BadValue, match=says):
            arm.servo_cp(wrong)
    assert np.allclose(rotation(frame.M, 'r'), goal[:3, :3])


def test_servo_commands_arrive(arm, there):
    there.heard.clear()
    arm.servo_jp(TABLE[0], velocity=[0.1] * 6)
    arm.servo_jr([0.1] * 6)
    arm.servo_jf([0.2] * 6)
    arm.servo_cp(psm.forward(HOME))
    arm.servo_cf([1, 2, 3, 4, 5, 6])
    arm.spatial.servo_cf([0] * 6)
    arm.jaw.servo_jp(0.3)
    arm.jaw.servo_jf(-0.1)
    arm.free()
    arm.use_gravity_compensation(True)
    arm.lock_orientation()
    arm.lock_orientation([0, 0, 0, 1])
    arm.unlock_orientation()
    there.wait_for(lambda: there.count('unlock_orientation') == 1 and len(there.heard) == 13, 'thirteen commands')
    heard = dict(there.heard)
    assert list(heard['servo_jp'].position) == list(TABLE[0]) and list(heard['servo_jp'].velocity) == [0.1] * 6
    assert list(heard['servo_jf'].effort) == [0.2] * 6 and list(heard['jaw/servo_jf'].effort) == [-0.1]
    assert heard['body/servo_cf'].wrench.force.z == 3.0 and heard['body/servo_cf'].wrench.torque.z == 6.0
    assert heard['use_gravity_compensation'].data is True and heard['lock_orientation'].w == 1.0
    with pytest.raises(BadValue, match=r'PSM1: servo_jp: found 7 numbers, expected 6'):
        arm.servo_jp([0] * 7)
    with pytest.raises(BadValue, match=r'velocity of servo_jp: found 1 numbers, expected 6'):
        arm.servo_jp([0] * 6, velocity=[1])
    with pytest.raises(BadValue, match='finite'):
        arm.move_jp([np.nan] * 6)


def test_the_arm_refuses(arm, there):
    with pytest.raises(ArmRefused, match='no inverse kinematics solution'):
        arm.move_cp(np.eye(4)).wait(timeout=PATIENCE)
    with pytest.raises(ArmRefused, match='"resume" is not supported in state "ENABLED"'):
        arm.resume(timeout=PATIENCE)
    arm.unhome()
    with pytest.raises(NotHomed, match=r'move_jp: the arm is not homed: home\(\) it first'):
        arm.move_jp(HOME)
    with pytest.raises(NotHomed, match='not valid'):
        arm.measured_js(fresh=True)
    arm.disable()
    with pytest.raises(NotEnabled, match=r'servo_cp: the arm is DISABLED: enable\(\) and home\(\) it first'):
        arm.servo_cp(np.eye(4))
    with pytest.raises(NotEnabled, match=r'home: the arm is DISABLED: enable\(\) it first'):
        arm.home()


def test_kinematics_are_the_arms(arm):
    assert np.allclose(arm.forward_kinematics(TABLE[1]), psm.forward(np.array(TABLE[1])), atol=1e-9)
    assert np.allclose(arm.inverse_kinematics(psm.forward(np.array(TABLE[1]))), TABLE[1])
    with pytest.raises(ArmRefused, match='found 2 joints, expected 6'):
        arm.forward_kinematics([0, 0])
    with pytest.raises(ArmRefused, match='out of reach'):
        arm.inverse_kinematics(np.eye(4), seed=HOME)


def test_settings(arm, there):
    arm.trajectory_j_set_ratio(0.5)
    there.wait_for(lambda: there.count('trajectory_j/set_ratio') > 0, 'ratio')
    end = time.monotonic() + PATIENCE
    while arm.trajectory_j_ratio() != 0.5:
        assert time.monotonic() < end
        time.sleep(0.005)
    with pytest.raises(BadValue, match='above 0, at most 1'):
        arm.trajectory_j_set_ratio(0.0)
    arm.set_tool_type('PROGRASP_FORCEPS:400093', timeout=PATIENCE)
    assert arm.tool_type() == 'PROGRASP_FORCEPS:400093[1]'
    with pytest.raises(ArmRefused, match='NOTHING:1 is not supported'):
        arm.set_tool_type('NOTHING:1', timeout=PATIENCE)


def test_whoever_steps_the_world_can_wait():
    with StandIn('/stepped/ECM', stepped=True) as there:
        steps = []

        def step():
            steps.append(1)
            there.advance(0.01)

        with Arm('ECM', namespace='stepped', timeout=PATIENCE, freshness=PATIENCE) as arm:
            arm.enable()
            arm.home(step=step, timeout=PATIENCE)
            assert steps
            assert arm.move_jp(TABLE[0]).wait(step=step, timeout=PATIENCE)
            arm.step, before = step, len(steps)
            assert arm.move_jp(HOME).wait(timeout=PATIENCE) and len(steps) > before
            arm.step = None
            with pytest.raises(ArmTimeout):  # nobody steps
                arm.move_jp(TABLE[0]).wait(timeout=0.2)


def test_an_arm_that_keeps_no_state_is_awaited():
    with StandIn('/quiet/PSM2', latched=False), Arm('quiet/PSM2', timeout=PATIENCE) as arm:
        assert arm.operating_state() == 'DISABLED'
        arm.enable(timeout=PATIENCE)
        assert arm.is_enabled()


@pytest.mark.parametrize('asked', [False, True])
def test_who_comes_later_gets_the_last_state_and_not_the_first(asked):
    with StandIn('/later/PSM2', asked=asked) as there:
        with Arm('later/PSM2', timeout=PATIENCE, freshness=PATIENCE) as arm:
            arm.enable(timeout=PATIENCE)
            arm.home(timeout=PATIENCE)
        for _ in range(3):
            with Arm('later/PSM2', timeout=PATIENCE, freshness=PATIENCE) as arm:
                assert arm.is_enabled() and arm.is_homed()
                assert arm.move_jp(HOME).wait(timeout=PATIENCE)
        there.fail('broken')
        with Arm('later/PSM2', timeout=PATIENCE, freshness=PATIENCE) as arm:
            assert arm.operating_state() == 'FAULT'


def test_arms_are_found_and_named(there):
    with StandIn('/CRTK/psm2'):
        end = time.monotonic() + PATIENCE
        while Arm.list() != ['CRTK/psm2', 'PSM1']:
            assert time.monotonic() < end
        with pytest.raises(
            UnknownArm, match=r"no arm '/PSM9'.*arms that are there: CRTK/psm2, PSM1; did you mean PSM1\?"
        ):
            Arm('PSM9', timeout=2.0)
        with Arm('/CRTK/psm2', timeout=PATIENCE) as arm:
            assert arm.operating_state() == 'DISABLED'
    assert Arm.list(timeout=0.5, domain_id=231) == []
    with pytest.raises(UnknownArm, match='no arm is there at all'):
        Arm('PSM1', timeout=0.2, domain_id=231)
    with pytest.raises(BadValue, match='expected that of an arm'):
        Arm('/')


def test_arms_share_a_node_and_give_it_back(connected):
    users = next(iter(Link._links.values())).users
    second = Arm('PSM1', timeout=PATIENCE)
    assert next(iter(Link._links.values())).users == users + 1 and len(Link._links) == 1
    second.close()
    second.close()
    assert next(iter(Link._links.values())).users == users
    for call in (second.measured_js, second.operating_state, lambda: second.move_jp(HOME)):
        with pytest.raises(ArmSilent, match='was closed'):
            call()


def test_arms_come_and_go_beside_one_that_stays(arm):
    """What goes must not end the thread that all arms of a program share."""
    for _ in range(60):
        with Arm('PSM1', timeout=PATIENCE, freshness=PATIENCE) as second:
            second.measured_js()
            second.use_gravity_compensation(True)
        assert next(iter(Link._links.values()))._thread.is_alive()
    assert arm.measured_js(fresh=True).time > 0.0


def test_closing_ends_what_is_awaited(there):
    arm = Arm('PSM1', timeout=PATIENCE)
    arm.enable()
    arm.home()
    there.velocity = 0.001
    motion, result = arm.move_jp(TABLE[0]), []

    def wait():
        try:
            motion.wait(timeout=PATIENCE)
        except ArmSilent as error:
            result.append(str(error))

    thread = threading.Thread(target=wait)
    thread.start()
    motion.wait(is_busy=True, timeout=PATIENCE)
    arm.close()
    thread.join(timeout=PATIENCE)
    assert result == ['PSM1: this arm was closed']
    there.velocity = 20.0


def test_silence_is_an_error_not_a_value(there):
    with Arm('PSM1', timeout=PATIENCE, freshness=0.2) as arm:
        arm.enable()
        arm.home(timeout=PATIENCE)
        arm.measured_js(fresh=True)
        there.silent = True
        try:
            time.sleep(0.5)
            with pytest.raises(
                ArmSilent, match=r"nothing on '/PSM1/measured_js' for 0\.\d s: the arm, or the recording"
            ):
                arm.measured_js()
        finally:
            there.silent = False
        arm.timeout = 0.3
        with pytest.raises(ArmSilent, match="nobody publishes '/PSM1/gripper/closed'"):
            arm.gripper.closed()


def test_a_publisher_without_reliability_is_heard():
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('lossy', context=context)
    lossy = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT, durability=DurabilityPolicy.VOLATILE)
    publisher = node.create_publisher(JointState, '/lossy/MTMR/measured_js', lossy)
    stop = threading.Event()
    message = JointState(position=[1.0])
    message.header.stamp.sec = 1

    def publish():
        while not stop.wait(0.005):
            publisher.publish(message)

    thread = threading.Thread(target=publish)
    thread.start()
    try:
        with Arm('lossy/MTMR', timeout=PATIENCE) as arm:
            assert arm.measured_jp().tolist() == [1.0]
            with pytest.raises(ArmSilent, match="nobody publishes '/lossy/MTMR/operating_state'"):
                arm.operating_state()
    finally:
        stop.set()
        thread.join(timeout=PATIENCE)
        node.destroy_node()
        rclpy.shutdown(context=context)
