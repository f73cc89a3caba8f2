# SPDX-License-Identifier: BSD-3-Clause
"""What the mechanics of the dVRK's Python clients demand of an arm; each test fails where its rule is broken."""

import time

import pytest
from arm_fixture import DATA, LATCHED, LOCKSTEP, PAUSED, REALTIME, World, arm_process, position, seconds
from crtk_msgs.msg import StringStamped
from crtk_msgs.srv import QueryForwardKinematics, QueryInverseKinematics, TriggerOperatingState
from geometry_msgs.msg import Pose, PoseStamped, WrenchStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64, String
from std_srvs.srv import Trigger


@pytest.fixture(scope='module')
def world():
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',)) as made:
        made.psm = made.arm('/PSM1', 'measured_js', 'measured_cp', 'setpoint_cp', 'setpoint_js', 'sim_time')
        yield made


@pytest.fixture
def homed(world):
    world.psm.bring_up()
    return world


def test_values_of_an_arm_that_is_not_homed_have_stamp_0_and_a_unit_quaternion(world):
    world.psm.command_and_wait('disable')
    count = len(world.psm.heard['measured_cp'])
    world.wait_for(lambda: len(world.psm.heard['measured_cp']) > count + 20, 'poses')
    pose = world.psm.heard['measured_cp'][-1]
    assert seconds(pose.header.stamp) == 0.0
    o = pose.pose.orientation
    assert o.x**2 + o.y**2 + o.z**2 + o.w**2 == pytest.approx(1.0)


def test_home_of_a_disabled_arm_is_a_warning_and_no_event(world):
    world.psm.command_and_wait('disable')
    heartbeat, warnings = world.psm.states[-1], len(world.psm.heard['warning'])
    world.psm.state_command('home')
    world.wait_for(lambda: len(world.psm.heard['warning']) > warnings, 'a warning')
    assert 'is not supported in state "DISABLED' in world.psm.heard['warning'][-1].data
    assert world.psm.states[-1].state == heartbeat.state == 'DISABLED'


def test_every_valid_command_is_answered_changed_or_not(homed):
    texts = 5 * ['enable', 'enable', 'home', 'home', 'pause', 'pause', 'resume']
    before, began = len(homed.psm.states), time.monotonic()
    for text in texts:
        homed.psm.state_command(text)

    def answers():
        # Once a second there is a heartbeat, which is no answer.
        return len(homed.psm.states) - before - (time.monotonic() - began)

    # Of these commands 10 change something.
    homed.wait_for(lambda: answers() > 25, f'{len(texts)} answers')
    assert homed.psm.command_and_wait('enable').is_homed


def test_every_move_is_busy_then_not_busy_with_rising_stamps_also_where_it_is_already(homed):
    psm = homed.psm
    goal = [0.1, 0.1, 0.12, 0.0, 0.0, 0.0]
    first = len(psm.states)
    for _ in range(3):
        assert psm.move('move_jp', JointState(position=goal))
    homed.wait_for(lambda: sum(s.is_busy for s in psm.states[first:]) >= 3, 'three moves')
    stamps = [seconds(s.header.stamp) for s in psm.states]
    nanoseconds = [s.header.stamp.sec * 10**9 + s.header.stamp.nanosec for s in psm.states]
    assert all(a < b for a, b in zip(nanoseconds, nanoseconds[1:], strict=False)), stamps


def test_stamps_are_of_the_wall_and_simulated_time_is_beside_them(homed):
    now = time.time()
    state = homed.psm.command_and_wait('enable')
    assert abs(seconds(state.header.stamp) - now) < 30.0
    assert abs(seconds(homed.psm.newest('measured_js').header.stamp) - now) < 30.0
    simulated = seconds(homed.psm.newest('sim_time'))
    assert 0.0 < simulated < 3600.0


class Stretch:
    """How long data have come without a silence of a second, after which a client takes an arm for lost."""

    def __init__(self, heard: list):
        self.heard, self.seen, self.begin, self.last = heard, len(heard), 0.0, 0.0

    def length(self) -> float:
        for message in self.heard[self.seen :]:
            stamp = seconds(message.header.stamp)
            assert stamp > self.last, 'wall stamps go on'
            if stamp - self.last >= 1.0:
                self.begin = stamp
            self.last = stamp
        self.seen = len(self.heard)
        return self.last - self.begin


@pytest.fixture
def paused(homed):
    homed.set_mode(PAUSED)
    yield homed
    homed.set_mode(REALTIME)


def test_data_flow_and_nothing_moves_while_the_world_is_paused(paused):
    psm = paused.psm
    psm.say_joints('move_jp', [-0.5, 0.0, 0.12, 0.0, 0.0, 0.0])
    paused.wait_for(lambda: psm.states[-1].is_busy, 'the move to begin')
    stretch = Stretch(psm.heard['measured_js'])
    paused.wait_for(lambda: stretch.length() > 3.0, 'three seconds of data without a gap of one')
    # What was told before the world stood may still be in the queues: the last hundred of many.
    last = psm.heard['measured_js'][-100:]
    assert all(m.position == last[0].position for m in last)
    assert all(t == psm.heard['sim_time'][-1] for t in psm.heard['sim_time'][-50:])
    assert psm.states[-1].is_busy
    paused.set_mode(REALTIME)
    paused.wait_for(lambda: not psm.states[-1].is_busy, 'the end of the move')


def test_a_move_in_a_paused_world_to_where_the_arm_is_ends(homed):
    homed.set_mode(PAUSED)
    assert homed.psm.move('move_jp', JointState(position=list(homed.psm.newest('setpoint_js').position)))
    homed.set_mode(REALTIME)


def test_operating_state_is_an_event_and_no_stream(homed):
    homed.psm.newest('measured_js')
    states, data = len(homed.psm.states), len(homed.psm.heard['measured_js'])
    began = time.monotonic()
    homed.spin_for(2.5)
    seconds_taken = time.monotonic() - began
    assert 1 <= len(homed.psm.states) - states <= 3 * seconds_taken
    assert len(homed.psm.heard['measured_js']) - data > 20 * (len(homed.psm.states) - states)


def test_who_hears_that_the_arm_is_homed_has_data_at_once(homed):
    """A client that comes to a homed arm: with the first event there is a pose, before anything else is asked for."""
    for attempt in range(3):
        client = type(homed.psm)(homed, '/PSM1', ())
        poses = []
        subscription = homed.node.create_subscription(PoseStamped, '/PSM1/measured_cp', poses.append, 10)
        client.command_and_wait('enable')
        homed.wait_for(lambda: poses, f'a pose in attempt {attempt}', timeout=5.0)
        assert seconds(poses[0].header.stamp) > 0.0
        homed.node.destroy_subscription(subscription)


def test_a_new_reader_of_operating_state_is_told_it_although_it_keeps_nothing(homed):
    heard = []
    subscription = homed.node.create_subscription(DATA['operating_state'], '/PSM1/operating_state', heard.append, 1)
    homed.wait_for(lambda: heard, 'operating_state')
    assert heard[0].state == 'ENABLED'
    homed.node.destroy_subscription(subscription)


def test_a_new_reader_of_data_does_not_wait_for_the_timer_of_a_slow_arm(homed):
    process = arm_process('SLOW', 'psm', rate=1.0)
    try:
        slow, waits = homed.arm('/SLOW', 'measured_js'), []
        for _ in range(5):
            slow.newest('measured_js')
            heard, began = [], time.monotonic()
            reader = homed.node.create_subscription(PoseStamped, '/SLOW/measured_cp', heard.append, 10)
            homed.wait_for(lambda: heard, 'a pose')
            waits.append(time.monotonic() - began)
            homed.node.destroy_subscription(reader)
        # Each would be most of a second, from one tick to the next.
        assert min(waits) < 0.5, waits
    finally:
        process.end()


@pytest.mark.parametrize('age, state', [(0, 'ENABLED'), (60, 'DISABLED')])
def test_a_command_that_was_said_before_the_arm_was_there_counts_unless_it_is_too_old(world, age, state):
    kept = world.node.create_publisher(StringStamped, '/LATE/state_command', LATCHED)
    message = StringStamped(string='enable')
    message.header.stamp = world.node.get_clock().now().to_msg()
    message.header.stamp.sec -= age
    kept.publish(message)
    process = arm_process('LATE', 'psm')
    try:
        late = world.arm('/LATE')
        world.wait_for(lambda: kept.get_subscription_count() == 2, 'both ears')
        if not age:
            world.wait_for(lambda: late.states and late.states[-1].state == state, f'{state} without another word')
        # What comes after it is answered, and by then it has been heard.
        live = StringStamped(string='unhome')
        live.header.stamp = world.node.get_clock().now().to_msg()
        answered = time.time()
        kept.publish(live)
        world.wait_for(lambda: late.states and seconds(late.states[-1].header.stamp) > answered, 'the answer')
        assert late.states[-1].state == state
    finally:
        process.end()
        world.node.destroy_publisher(kept)


def test_a_command_that_comes_by_both_ways_is_obeyed_once(homed):
    kept = homed.node.create_publisher(StringStamped, '/PSM1/state_command', LATCHED)
    homed.wait_for(lambda: kept.get_subscription_count() == 2, 'both ears')
    statuses = len(homed.psm.heard['status'])
    for text in ('pause', 'resume'):
        message = StringStamped(string=text)
        message.header.stamp = homed.node.get_clock().now().to_msg()
        kept.publish(message)
        wanted = 'PAUSED' if text == 'pause' else 'ENABLED'
        homed.wait_for(lambda: homed.psm.states[-1].state == wanted, wanted)
    homed.psm.command_and_wait('enable')
    # A second resume would be refused, a second pause told again.
    homed.wait_for(lambda: any('PAUSED' in m.data for m in homed.psm.heard['status'][statuses:]), 'the pause told')
    told = [m.data for m in homed.psm.heard['status'][statuses:]]
    assert sum('PAUSED' in text for text in told) == 1, told
    assert not any('resume' in m.data for m in homed.psm.heard['warning'])
    homed.node.destroy_publisher(kept)


def test_the_jaw_and_the_arm_are_one_trajectory(homed):
    psm = homed.psm
    psm.publisher('jaw/move_jp')
    psm.publisher('move_jp')
    reached = len(psm.heard['goal_reached'])
    psm.say_joints('move_jp', [0.4, 0.0, 0.12, 0.0, 0.0, 0.0])
    homed.wait_for(lambda: psm.states[-1].is_busy, 'the move to begin')
    psm.say_joints('jaw/move_jp', [0.6])
    homed.wait_for(lambda: len(psm.heard['goal_reached']) > reached and not psm.states[-1].is_busy, 'the end')
    homed.wait_for(lambda: psm.heard['setpoint_js'][-1].position[0] == 0.4, "the arm's goal")
    assert list(psm.newest('jaw/setpoint_js').position) == [0.6]
    assert [m.data for m in psm.heard['goal_reached'][reached:]] == [True]


def test_commands_to_an_arm_that_is_not_ready_warn_rarely_and_never_err(world):
    psm = world.psm
    psm.command_and_wait('disable')
    psm.publisher('servo_cp')
    warnings = len(psm.heard['warning'])
    for _ in range(100):
        psm.say_pose('servo_cp', Pose())
        world.executor.spin_once(timeout_sec=0.005)
    world.wait_for(lambda: len(psm.heard['warning']) > warnings, 'a warning')
    told = [m.data for m in psm.heard['warning'][warnings:]]
    assert len(told) <= 3 and all('servo_cp, arm not ready' in text for text in told)
    assert not psm.heard['error']


def test_bad_input_is_a_warning_and_never_an_error(homed):
    psm = homed.psm
    nan = float('nan')
    bad = {
        'servo_jp': JointState(position=[1.0]),
        'servo_jr': JointState(position=[nan] * 6),
        'servo_jf': JointState(effort=[nan] * 6),
        'move_jp': JointState(position=[0.0] * 40),
        'move_jr': JointState(),
        'servo_cp': PoseStamped(pose=Pose()),
        'move_cp': PoseStamped(pose=Pose()),
        'body/servo_cf': WrenchStamped(),
        'jaw/servo_jp': JointState(position=[0.1, 0.2]),
        'jaw/move_jp': JointState(position=[nan]),
        'trajectory_j/set_ratio': Float64(data=2.0),
        'set_tool_type': String(data='SPOON'),
        'set_base_frame': PoseStamped(),
    }
    for name in ('servo_cp', 'move_cp', 'set_base_frame'):
        bad[name].pose.orientation.w = 0.0
    bad['body/servo_cf'].wrench.force.x = nan
    before = [0.1, 0.0, 0.12, 0.0, 0.0, 0.0]
    assert psm.move('move_jp', JointState(position=before))
    for name, message in bad.items():
        count = len(psm.heard['warning'])
        psm.say(name, message)
        homed.wait_for(lambda: len(psm.heard['warning']) > count, f'a warning about {name}')
    assert [m.data for m in psm.heard['error']] == []
    # Refused moves end none, and nothing else has moved the set-point.
    homed.wait_for(lambda: list(psm.heard['setpoint_js'][-1].position) == before, 'the old set-point')
    assert list(psm.newest('setpoint_js').position) == before
    assert psm.command_and_wait('enable').is_homed


def test_the_answer_to_servo_cp_does_not_wait_for_a_tick(homed):
    """In a world that stands nothing ticks, and the set-point is told all the same."""
    psm = homed.psm
    pose = psm.newest('setpoint_cp')
    homed.set_mode(LOCKSTEP)
    pose.pose.position.x += 0.001
    psm.say('servo_cp', pose)
    homed.wait_for(
        lambda: abs(psm.heard['setpoint_cp'][-1].pose.position.x - pose.pose.position.x) < 1e-9, 'the set-point'
    )
    homed.set_mode(REALTIME)


def test_services_answer(homed):
    joints = [0.1, -0.2, 0.15, 0.3, 0.2, -0.1]
    forward = homed.call(QueryForwardKinematics, '/PSM1/forward_kinematics', jp=joints)
    assert forward.result
    inverse = homed.call(QueryInverseKinematics, '/PSM1/inverse_kinematics', cp=forward.cp, jp=joints)
    assert inverse.result and list(inverse.jp) == pytest.approx(joints, abs=1e-9)
    assert not homed.call(QueryForwardKinematics, '/PSM1/forward_kinematics', jp=[0.0]).result
    state = homed.call(TriggerOperatingState, '/PSM1/operating_state').operating_state
    assert state.state == 'ENABLED' and state.is_homed
    assert homed.call(Trigger, '/PSM1/crtk_version').message == '1.1.0'


def test_the_base_frame_moves_poses_but_not_local_ones(homed):
    psm = homed.psm
    local, before = position(psm.newest('local/measured_cp').pose), psm.newest('measured_cp')
    frame = PoseStamped()
    frame.header.frame_id = 'ECM'
    frame.pose.position.x = 1.0
    psm.say('set_base_frame', frame)
    homed.wait_for(lambda: psm.heard['measured_cp'][-1].header.frame_id == 'ECM', 'poses in ECM')
    after = psm.heard['measured_cp'][-1]
    assert before.header.frame_id == 'PSM1_base'
    assert after.pose.position.x - before.pose.position.x == pytest.approx(1.0, abs=1e-3)
    assert position(psm.newest('local/measured_cp').pose) == pytest.approx(local, abs=1e-3)
