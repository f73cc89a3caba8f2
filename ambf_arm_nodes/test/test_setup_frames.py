# SPDX-License-Identifier: BSD-3-Clause
"""Set-up joints tell the arm that they carry where its base is: poses of a PSM are in the ECM's picture."""

import numpy
import pytest
from arm_fixture import HOME, Arm, World, arm_process, share
from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

ARMS = share('worlds/patient_cart/arms.yaml')
# Set-up joints move heavy arms: the frames are those of some milliseconds ago.
NEAR = 1e-4


@pytest.fixture(scope='module')
def world():
    with World(world='worlds/patient_cart/launch.yaml') as made:
        for name in ('PSM1', 'ECM', 'SUJ_PSM1', 'SUJ_ECM'):
            process = arm_process(name, ARMS, arm=name, rate=100.0)
            made.arm_processes[name] = process
            made.processes.append(process)
        made.psm, made.ecm = Arm(made, '/PSM1', ('measured_cp', 'setpoint_js')), Arm(made, '/ECM')
        made.suj = Arm(made, '/SUJ/PSM1', ('measured_cp', 'local/measured_cp', 'measured_js'))
        # Frames are told of an arm that is not homed, too.
        for arm in (made.ecm, made.suj):
            arm.bring_up()
        yield made


def matrix(p, q) -> numpy.ndarray:
    x, y, z, w = q
    t = numpy.eye(4)
    t[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    t[:3, 3] = p
    return t


def told(message: PoseStamped) -> numpy.ndarray:
    p, o = message.pose.position, message.pose.orientation
    return matrix((p.x, p.y, p.z), (o.x, o.y, o.z, o.w))


def body(world, place: str, identifier: str) -> numpy.ndarray:
    """World T body, by the newest snapshot."""
    index = [b.identifier for b in world.manifests[-1].bodies].index(f'/ambf/env/{place}/BODY {identifier}')
    flat = world.snapshots[-1].bodies[13 * index : 13 * index + 7]
    return matrix(flat[:3], flat[3:])


def ecm_tip(world) -> numpy.ndarray:
    """The straight endoscope's picture is a quarter turn behind its shaft."""
    quarter = numpy.array([[0.0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    return body(world, 'ecm', 'tool link') @ quarter


def misfit(world) -> float:
    """Of the PSM's wrist in the picture: what it tells against the bodies, composed here."""
    world.psm.newest('measured_cp')
    in_picture = numpy.linalg.inv(ecm_tip(world)) @ body(world, 'psm1', 'tool yaw link')
    return numpy.abs(told(world.psm.heard['measured_cp'][-1])[:3, 3] - in_picture[:3, 3]).max()


def moved(world, before) -> bool:
    return numpy.abs(told(world.psm.newest('measured_cp')) - before).max() > 0.01


def test_a_psm_is_told_in_the_picture_of_the_ecm(world):
    world.wait_for(lambda: world.psm.newest('measured_cp').header.frame_id == 'ECM', 'poses in ECM')
    world.wait_for(lambda: misfit(world) < NEAR, 'the pose that the bodies have')


def test_the_tip_of_the_set_up_joints_is_the_base_of_the_arm(world):
    def gap():
        message = world.suj.newest('measured_cp')
        base = numpy.linalg.inv(ecm_tip(world)) @ body(world, 'psm1', 'base link')
        return 1.0 if message.header.frame_id != 'ECM' else numpy.abs(told(message) - base).max()

    world.wait_for(lambda: gap() < NEAR, 'the base of the PSM in the picture')


def test_tf_hangs_together_from_the_world_to_the_tips(world):
    links = {}

    def take(message: TFMessage):
        for t in message.transforms:
            p, o = t.transform.translation, t.transform.rotation
            links[t.child_frame_id] = (t.header.frame_id, matrix((p.x, p.y, p.z), (o.x, o.y, o.z, o.w)))

    def in_world(frame: str) -> numpy.ndarray:
        total = numpy.eye(4)
        while frame != 'world':
            frame, link = links[frame]
            total = link @ total
        return total

    def gap() -> float:
        if not {'cart', 'ECM', 'SUJ_PSM1', 'PSM1_base'} <= set(links):
            return 1.0
        base = body(world, 'psm1', 'base link')
        told = [in_world('PSM1_base') - base, in_world('SUJ_PSM1') - base, in_world('ECM') - ecm_tip(world)]
        return max(numpy.abs(difference).max() for difference in told)

    world.node.create_subscription(TFMessage, '/tf', take, 100)
    world.wait_for(lambda: gap() < NEAR, 'the tips where the bodies are')
    assert [links[frame][0] for frame in ('cart', 'ECM', 'SUJ_PSM1')] == ['world', 'cart', 'ECM']


def test_when_set_up_joints_move_frames_follow_and_joints_do_not(world):
    # A disabled arm is asked nothing.
    world.psm.bring_up()
    world.wait_for(lambda: list(world.psm.newest('setpoint_js').position) == HOME, 'the set-point at home')
    asked = HOME
    first, before = len(world.psm.heard['setpoint_js']), told(world.psm.newest('measured_cp'))
    goal = list(world.suj.newest('measured_js').position)
    goal[1] += 0.1
    assert world.suj.move('move_jp', JointState(position=goal))
    world.wait_for(lambda: abs(world.suj.newest('measured_js').position[1] - goal[1]) < 1e-3, 'the set-up joint')
    world.wait_for(lambda: moved(world, before) and misfit(world) < NEAR, 'the frame at the end of the move')
    steps = numpy.array([m.position for m in world.psm.heard['setpoint_js'][first:]]) - asked
    assert len(steps) and numpy.abs(steps).max() < 1e-9


def test_when_the_camera_moves_the_frame_follows(world):
    before = told(world.psm.newest('measured_cp'))
    assert world.ecm.move('move_jp', JointState(position=[0.1, 0.05, 0.13, 0.2]))
    world.wait_for(lambda: moved(world, before) and misfit(world) < NEAR, 'the frame at the end of the move')


def test_another_reference_is_taken_and_an_unknown_one_refused(world):
    choice = world.node.create_publisher(String, '/SUJ/set_reference_arm', 10)
    world.wait_for(lambda: choice.get_subscription_count() == 2, 'both set-up joints')
    warnings = len(world.suj.heard['warning'])
    choice.publish(String(data='SPOON'))
    world.wait_for(lambda: len(world.suj.heard['warning']) > warnings, 'a warning')
    assert 'SPOON' in world.suj.heard['warning'][-1].data
    assert world.psm.newest('measured_cp').header.frame_id == 'ECM'
    choice.publish(String(data=''))
    world.wait_for(lambda: world.psm.newest('measured_cp').header.frame_id == 'cart', 'poses in the cart')
    choice.publish(String(data='ECM'))
    world.wait_for(lambda: world.psm.newest('measured_cp').header.frame_id == 'ECM', 'poses in ECM')
    world.wait_for(lambda: misfit(world) < NEAR, 'the pose that the bodies have')
