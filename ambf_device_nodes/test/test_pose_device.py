# SPDX-License-Identifier: BSD-3-Clause
"""pose_device: trackers that somebody publishes, and a hand in a real world by topics alone."""

import math
import pathlib

import pytest
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from device_fixture import BEST_EFFORT, Lab
from geometry_msgs.msg import PoseStamped, TransformStamped, TwistStamped, WrenchStamped
from sensor_msgs.msg import Joy
from std_msgs.msg import Bool, Float32MultiArray, Float64
from tf2_msgs.msg import TFMessage

from ambf_msgs.msg import DeviceSample, WorldState

PHYSICS = pathlib.Path(get_package_prefix('ambf_physics_node')) / 'lib/ambf_physics_node/physics_node'
WORLD = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds/gamepad/world.yaml'
BALL = """
bodies: [BODY ball]
namespace: /ambf/env/
BODY ball:
  name: ball
  mass: 0.1
  inertia: {ix: 0.0001, iy: 0.0001, iz: 0.0001}
  location: {position: {x: 0, y: 0, z: 1}, orientation: {r: 0, p: 0, y: 0}}
  collision shape: SPHERE
  collision geometry: {radius: 0.02}
"""


# The hand of these tests is this process, which a busy machine lets wait for longer than the 30 ms after which a device
# ends its force; test_device_cycle has that limit to the tick.
PATIENT = dict(timeout=1.0, fade_from=0.5)


@pytest.fixture
def lab():
    with Lab() as made:
        made.samples = made.listen(DeviceSample, '/ambf/env/tracker/Sample', BEST_EFFORT)
        yield made


def pose(x=0.0, y=0.0, z=0.0, w=1.0) -> PoseStamped:
    message = PoseStamped()
    message.pose.position.x, message.pose.position.y, message.pose.position.z = x, y, z
    message.pose.orientation.w = w
    return message


def repeat(lab, publisher, message, condition):
    """Publishes until the condition holds."""

    def done():
        publisher.publish(message() if callable(message) else message)
        return condition()

    return done


def test_a_tracker_becomes_a_hand_with_axes_units_buttons_and_gripper(lab):
    lab.start(
        'pose_device',
        retry_period=0.1,
        axes="['z', 'x', 'y']",
        scale=0.001,
        joy_topic='/tracker/joy',
        button_position_clutch=1,
        button_actions='[0, 3]',
        camera_topic='/tracker/camera',
        gripper_topic='/tracker/grip',
        gripper_closed=10.0,
        gripper_open=20.0,
    )
    lab.wait_for(lambda: 'nobody publishes /tracker/pose' in lab.output(), 'word that nobody publishes')
    poses = lab.node.create_publisher(PoseStamped, '/tracker/pose', 1)
    joy = lab.node.create_publisher(Joy, '/tracker/joy', 1)
    camera = lab.node.create_publisher(Bool, '/tracker/camera', 1)
    grip = lab.node.create_publisher(Float64, '/tracker/grip', 1)

    def all_of_it():
        joy.publish(Joy(buttons=[1, 1, 0, 0]))
        camera.publish(Bool(data=True))
        grip.publish(Float64(data=12.5))
        return pose(10.0, 20.0, 30.0)

    arrived = lambda: (
        lab.samples
        and lab.samples[-1].position_clutch
        and lab.samples[-1].camera_clutch
        and lab.samples[-1].gripper == 0.25
    )
    lab.wait_for(repeat(lab, poses, all_of_it, arrived), 'everything')
    hand = lab.samples[-1]
    assert hand.pose.position.x == pytest.approx(0.030)
    assert hand.pose.position.y == pytest.approx(0.010)
    assert hand.pose.position.z == pytest.approx(0.020)
    assert list(hand.actions)[:2] == [True, False]
    # A flood, poses that are none, and what is not a rotation reach nobody.
    for _ in range(300):
        poses.publish(pose(math.nan))
        poses.publish(pose(10.0, 20.0, 30.0, w=3.0))
    lab.wait_for(lambda: 'NaN' in lab.output() or 'unit length' in lab.output(), 'word of the bad poses')
    assert all(math.isfinite(s.pose.position.x) for s in lab.samples)
    lab.node.destroy_publisher(poses)
    lab.wait_for(lambda: 'the device is gone' in lab.output(), 'word that it is gone')


def test_a_velocity_that_is_published_counts_and_differences_where_none_is(lab):
    lab.start('pose_device', retry_period=0.1, twist_topic='/tracker/twist')
    lab.start('pose_device', retry_period=0.1, device='plain')
    plain = lab.listen(DeviceSample, '/ambf/env/plain/Sample', BEST_EFFORT)
    poses = lab.node.create_publisher(PoseStamped, '/tracker/pose', 1)
    twists = lab.node.create_publisher(TwistStamped, '/tracker/twist', 1)
    said = TwistStamped()
    said.twist.linear.y = 0.7
    x = 0.0

    def move():
        nonlocal x
        x += 0.0005
        twists.publish(said)
        return pose(x)

    done = lambda: lab.samples and lab.samples[-1].twist.linear.y == 0.7 and plain and plain[-1].twist.linear.x > 1e-3
    lab.wait_for(repeat(lab, poses, move, done), 'both velocities')
    assert lab.samples[-1].twist.linear.x == 0.0 and plain[-1].twist.linear.y == 0.0


def test_one_transform_among_others_on_tf(lab):
    lab.start('pose_device', retry_period=0.1, pose_type='tf', tf_parent='hydra_base', tf_child='hydra_right_grab')
    tf = lab.node.create_publisher(TFMessage, '/tf', 10)

    def frames(*names):
        message = TFMessage()
        for i, name in enumerate(names):
            one = TransformStamped()
            one.header.frame_id, one.child_frame_id = 'hydra_base', name
            one.transform.translation.x = 0.1 * (i + 1)
            message.transforms.append(one)
        return message

    others = frames('hydra_left_pivot', 'hydra_left_grab')
    words = "no transform from 'hydra_base' to 'hydra_right_grab' in it"
    lab.wait_for(repeat(lab, tf, others, lambda: words in lab.output()), 'word of the missing frame')
    both = frames('hydra_left_grab', 'hydra_right_grab')
    lab.wait_for(repeat(lab, tf, both, lambda: bool(lab.samples)), 'samples')
    assert {round(s.pose.position.x, 9) for s in lab.samples} == {0.2}


def test_a_tracker_with_motors_is_given_forces_in_its_own_axes(lab):
    lab.start(
        'pose_device',
        retry_period=0.1,
        pose_type='float32_array',
        pose_topic='/haply_pos_vel',
        force_topic='/haply_forces',
        force_type='float32_array',
        axes="['-y', 'x', 'z']",
        linear_stiffness='[50.0]',
        **PATIENT,
    )
    lab.start('proxy_echo', device='tracker')
    numbers = lab.node.create_publisher(Float32MultiArray, '/haply_pos_vel', 1)
    here = Float32MultiArray(data=[0.1, 0.2, 0.3, 0.01, 0.02, 0.03])
    words = 'nobody listens on /haply_forces'
    lab.wait_for(repeat(lab, numbers, here, lambda: words in lab.output()), 'word of the missing motors')
    forces = lab.listen(Float32MultiArray, '/haply_forces', 1)
    # The echo's proxy is 2 cm towards the person, 1 N: the tracker's -y.
    pulled = lambda: forces and abs(forces[-1].data[1] + 1.0) < 1e-3
    lab.wait_for(repeat(lab, numbers, here, pulled), 'force')
    assert forces[-1].data[0] == pytest.approx(0.0, abs=1e-6)
    assert lab.samples[-1].pose.position.x == pytest.approx(-0.2)
    assert lab.samples[-1].twist.linear.y == pytest.approx(0.01)
    # Silence of the tracker ends the force; it is told that.
    forces.clear()
    lab.wait_for(lambda: forces and list(forces[-1].data) == [0.0, 0.0, 0.0], 'zero')


@pytest.mark.parametrize(
    'parameters, words',
    [
        (dict(axes="['x', 'y', '-z']"), "parameter 'axes'"),
        (dict(pose_type='tf'), "parameters 'tf_parent' and 'tf_child'"),
        (dict(pose_type='odometry'), "parameter 'pose_type': found 'odometry', expected one of"),
        (dict(gripper_open=1.0), "parameters 'gripper_open' and 'gripper_closed' must differ"),
    ],
)
def test_parameters_that_mean_nothing_end_it_in_words(lab, parameters, words):
    process = lab.start('pose_device', **parameters)
    lab.processes.remove(process)
    assert process.wait(timeout=90) == 1
    assert words in lab.output()


def test_clutches_of_the_worlds_file_free_the_hand_and_next_mode_takes_them_away(lab, tmp_path):
    """a1 and a2 of the input-device file are known to the physics; the device hears of them by its proxy states."""
    (tmp_path / 'ball.yaml').write_text(BALL)
    (tmp_path / 'devices.yaml').write_text(
        'input devices: [tracker]\n'
        'tracker:\n'
        '  hardware name: Falcon\n'
        '  root link: ball\n'
        '  controller gain: {linear: {P: 150, D: 10}, angular: {P: 0, D: 0.01}}\n'
        '  haptic gain: {linear: 100.0, angular: 0}\n'
        '  button mapping: {a1: 1, a2: 2, next mode: 3, prev mode: 0}\n'
    )
    # Without its floor: a ball that lies there before the hand comes would weigh nothing in it.
    world = ''.join(line for line in WORLD.read_text().splitlines(True) if not line.startswith('environment:'))
    (tmp_path / 'world.yaml').write_text(world)
    (tmp_path / 'launch.yaml').write_text(
        'world config: ./world.yaml\ninput devices config: ./devices.yaml\nmultibody configs: [./ball.yaml]\n'
    )
    worlds = lab.listen(WorldState, '/ambf/env/World/State')
    forces = lab.listen(WrenchStamped, '/tracker/force', 1)
    lab.start(str(PHYSICS), world=tmp_path / 'launch.yaml', n_devices=-1, proxy_loss_timeout=5.0)
    lab.start(
        'pose_device',
        retry_period=0.1,
        linear_stiffness='[100.0]',
        joy_topic='/tracker/joy',
        button_actions='[0, 1, 2, 3]',
        force_topic='/tracker/force',
        **PATIENT,
    )
    poses = lab.node.create_publisher(PoseStamped, '/tracker/pose', 1)
    joy = lab.node.create_publisher(Joy, '/tracker/joy', 1)
    down: set[int] = set()

    def hand():
        joy.publish(Joy(buttons=[1 if i in down else 0 for i in range(4)]))
        poses.publish(pose())

    lab.node.create_timer(0.005, hand)

    def weight() -> float:
        return abs(forces[-1].wrench.force.z) if forces else 0.0

    # The ball hangs 6.5 mm below the hand: 0.65 N.
    lab.wait_for(lambda: worlds and worlds[-1].n_devices == 1 and weight() > 0.3, 'the weight of the ball')
    for clutch in (1, 2):
        down.add(clutch)
        lab.wait_for(lambda: lab.samples[-1].actions[clutch] and weight() == 0.0, f'a hand that clutch {clutch} frees')
        forces.clear()
        lab.wait_for(lambda: len(forces) > 100, 'forces')
        assert all(f.wrench.force.z == 0.0 for f in forces)
        assert not lab.samples[-1].position_clutch, 'the device has no clutch of its own'
        down.clear()
        lab.wait_for(lambda: weight() > 0.3, 'the weight again')
    down.add(3)
    lab.wait_for(
        lambda: 'its action buttons are for: close and open the gripper' in lab.output(), 'word of the next mode'
    )
    down.clear()
    lab.wait_for(lambda: not lab.samples[-1].actions[3], 'the button released')
    down.add(1)
    lab.wait_for(lambda: lab.samples[-1].actions[1], 'the button pressed')
    forces.clear()
    lab.wait_for(lambda: weight() > 0.3, 'the weight: in this mode it is no clutch')
    assert lab.samples[-1].actions[1]
