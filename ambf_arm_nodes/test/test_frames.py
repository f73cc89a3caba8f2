# SPDX-License-Identifier: BSD-3-Clause
"""Arms tell tf where they are: the frames, how often, and the same poses as their topics."""

import time

import pytest
from arm_fixture import HOME, LOCKSTEP, PAUSED, REALTIME, World, arm_process, position, seconds
from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

RATE = 50.0


@pytest.fixture(scope='module')
def world():
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',)) as made:
        made.psm = made.arm('/PSM1', 'measured_cp', 'T_b_w', 'sim_time')
        made.tf = Frames(made)
        yield made


class Frames:
    """What the arms tell tf; the physics tells its bodies, which are passed over."""

    def __init__(self, world: World):
        self.world, self.heard, self.arrivals = world, {}, {}
        world.node.create_subscription(TFMessage, '/tf', self.take, 1000)

    def take(self, message: TFMessage):
        for t in message.transforms:
            if 'ambf' not in t.child_frame_id:
                self.heard.setdefault(t.child_frame_id, []).append(t)
                self.arrivals.setdefault(t.child_frame_id, []).append(time.monotonic())

    def newest(self, child: str):
        """The next one from now on."""
        count = len(self.heard.get(child, []))
        self.world.wait_for(lambda: len(self.heard.get(child, [])) > count, f'{child} in tf')
        return self.heard[child][-1]


def flat_transform(t) -> list[float]:
    p, o = t.transform.translation, t.transform.rotation
    return [p.x, p.y, p.z, o.x, o.y, o.z, o.w]


def flat_pose(message: PoseStamped) -> list[float]:
    o = message.pose.orientation
    return [*position(message.pose), o.x, o.y, o.z, o.w]


def agree(frames, arm, tolerance: float) -> bool:
    """The newest of both; what is older may still be in a queue."""
    told, tip = arm.newest('measured_cp'), frames.heard['PSM1'][-1]
    same = flat_transform(tip) == pytest.approx(flat_pose(told), abs=tolerance)
    return same and tip.header.frame_id == told.header.frame_id


def settled(world, goal) -> bool:
    return max(abs(a - b) for a, b in zip(world.psm.joints(), goal, strict=True)) < 1e-3


def test_before_an_arm_is_homed_tf_has_its_base_alone(world):
    base = world.tf.newest('PSM1_base')
    assert base.header.frame_id == 'world'
    assert flat_transform(base) == pytest.approx(flat_pose(world.psm.newest('T_b_w')), abs=1e-12)
    assert 'PSM1' not in world.tf.heard


def test_tf_is_measured_cp(world):
    """In lockstep between two calls nothing moves: both are of one step."""
    world.psm.bring_up()
    goal = [0.3, -0.2, 0.15, 0.4, -0.3, 0.2]
    assert world.psm.move('move_jp', JointState(position=goal))
    world.set_mode(LOCKSTEP)
    try:
        for _ in range(3):
            reply = world.step(7, barrier=['PSM1'])
            assert reply.ok, reply.message
            world.wait_for(lambda: world.tf.heard['PSM1'][-1].header.stamp == reply.sim_time, 'tf of that step')
            assert world.tf.heard['PSM1'][-1].header.frame_id == 'PSM1_base'
            world.wait_for(lambda: agree(world.tf, world.psm, 1e-12), 'the same pose in both')
    finally:
        world.set_mode(REALTIME)


def test_stamps_rise_and_come_no_more_often_than_asked(world):
    first = len(world.tf.heard['PSM1'])
    assert world.psm.move('move_jp', JointState(position=HOME))
    assert world.psm.move('move_jp', JointState(position=[0.5, 0.0, 0.12, 0.0, 0.0, 0.0]))
    world.wait_for(lambda: len(world.tf.heard['PSM1']) >= first + 60, 'sixty transforms')
    stamps = [seconds(t.header.stamp) for t in world.tf.heard['PSM1'][first:]]
    assert all(a < b for a, b in zip(stamps, stamps[1:], strict=False))
    # On a busy machine the world may be slow, or this process: then many come at once. Not both by so much.
    arrivals = world.tf.arrivals['PSM1'][first:]
    span = max(stamps[-1] - stamps[0], arrivals[-1] - arrivals[0])
    assert len(stamps) <= 1.5 * RATE * span + 3


def test_who_comes_while_the_world_waits_hears_where_the_arm_is(world):
    world.set_mode(PAUSED)
    try:
        late = Frames(world)
        world.wait_for(lambda: 'PSM1' in late.heard and 'PSM1_base' in late.heard, 'the frames of the arm')
        world.wait_for(lambda: agree(late, world.psm, 1e-12), 'the same pose in both')
        world.spin_for(0.3)
        stamps = [seconds(t.header.stamp) for t in late.heard['PSM1']]
        assert len(stamps) <= len(set(stamps)) + 1, 'tf2 warns of stamps that come again'
    finally:
        world.set_mode(REALTIME)


def test_in_another_reference_the_arm_hangs_on_that(world):
    frame = PoseStamped()
    frame.header.frame_id = 'ECM'
    frame.pose.position.x = 1.0
    frame.pose.orientation.w = 1.0
    world.psm.say('set_base_frame', frame)
    world.wait_for(lambda: world.tf.newest('PSM1').header.frame_id == 'ECM', 'the arm in ECM')
    world.wait_for(lambda: settled(world, [0.5, 0.0, 0.12, 0.0, 0.0, 0.0]), 'rest')
    world.wait_for(lambda: agree(world.tf, world.psm, 1e-4), 'the same pose in both')
    assert world.tf.heard['PSM1'][-1].transform.translation.x > 0.9
    assert world.tf.heard['PSM1_base'][-1].header.frame_id == 'world'


def test_without_a_rate_there_is_no_tf(world):
    world.processes.append(arm_process('ECM', 'ecm', tf_rate=0.0))
    ecm = world.arm('/ECM')
    world.wait_for(lambda: ecm.states, 'the ECM')
    told = {info.node_name for info in world.node.get_publishers_info_by_topic('/tf')}
    assert 'PSM1' in told and 'ECM' not in told
