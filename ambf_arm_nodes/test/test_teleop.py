# SPDX-License-Identifier: BSD-3-Clause
"""A hand leads a PSM of a real world in real time, whatever happens to either."""

import pytest
from arm_fixture import World, arm_process, distance, position
from sensor_msgs.msg import Joy
from std_msgs.msg import String
from teleop_fixture import HEARD, TOLD, Hand, Teleop, teleop_process

from ambf_msgs.msg import Caption

SCALE = 0.2


@pytest.fixture(scope='module')
def world():
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',)) as made:
        made.psm = made.arm('/PSM1', 'setpoint_cp', 'jaw/setpoint_js')
        made.hand = Hand(made, 'right')
        made.teleop = Teleop(made, 'right_PSM1')
        # A busy machine must not take the test's hand for a silent one.
        parameters = {'hand': 'right', 'arm': 'PSM1', 'scale': SCALE, 'hand_timeout': 5.0, 'arm_timeout': 3.0}
        made.processes += [
            teleop_process(**parameters, force='limits'),
            teleop_process('console', 'console', pairs=['right_PSM1']),
        ]
        made.teleop.wait_for_following()
        yield made


def setpoint(world):
    """Where the tip is asked to be, once it rests."""
    newest = world.psm.newest('setpoint_cp').pose
    while True:
        before, newest = newest, world.psm.newest('setpoint_cp').pose
        if newest == before:
            return newest


def test_the_arm_was_enabled_and_homed_and_the_hand_leads(world):
    states = [message.data for message in world.teleop.heard['current_state']]
    assert states[-1] == 'ENABLED'
    assert world.psm.newest('operating_state').is_homed
    assert world.teleop.newest('scale') == SCALE


def test_names_and_types_are_those_of_a_dvrk(world):
    for names, look in (
        (TOLD, world.node.get_publishers_info_by_topic),
        (HEARD, world.node.get_subscriptions_info_by_topic),
    ):
        for name, kind in names.items():
            types = {info.topic_type for info in look(f'/right_PSM1/{name}')}
            package, message = kind.__module__.split('.')[0], kind.__name__
            assert types == {f'{package}/msg/{message}'}, name


def test_the_tip_follows_the_scaled_hand(world):
    start = setpoint(world)
    told = len(world.teleop.captions)
    world.hand.move(0.05, -0.02, 0.03)
    goal = [a + SCALE * d for a, d in zip(position(start), (0.05, -0.02, 0.03), strict=True)]
    world.wait_for(
        lambda: distance(position(world.psm.heard['setpoint_cp'][-1].pose), goal) < 1e-9, 'the tip at its goal'
    )
    world.hand.move(-0.05, 0.02, -0.03)
    world.wait_for(
        lambda: distance(position(world.psm.heard['setpoint_cp'][-1].pose), position(start)) < 1e-9, 'the way back'
    )
    assert len(world.teleop.captions) == told  # nothing is told of a hand that leads


def test_the_gripper_moves_the_jaw(world):
    for gripper, jaw in ((1.0, 1.0471975512), (0.0, -0.3490658504)):
        world.hand.sample.gripper = gripper
        world.wait_for(
            lambda: abs(world.psm.heard['jaw/setpoint_js'][-1].position[0] - jaw) < 1e-6, f'the jaw at {jaw}'
        )


def test_a_clutch_frees_the_hand_and_nothing_jumps(world):
    before, told = setpoint(world), len(world.teleop.captions)
    world.hand.sample.position_clutch = True
    world.teleop.wait_for('following', False)
    world.teleop.wait_for_caption('a clutch holds the arm', count=told)
    world.hand.move(0.2, 0.1, -0.1, answered=False)
    world.hand.sample.position_clutch = False
    count = len(world.psm.heard['setpoint_cp'])
    world.teleop.wait_for_following()
    world.psm.newest('setpoint_cp')
    steps = [distance(position(m.pose), position(before)) for m in world.psm.heard['setpoint_cp'][count:]]
    assert max(steps) < 1e-9
    world.teleop.wait_for_caption('right leads PSM1', count=told)


def test_the_consoles_pedal_does_the_same(world):
    pedal = world.node.create_publisher(Joy, '/console/emulate_clutch', 10)
    world.wait_for(lambda: pedal.get_subscription_count() > 0, 'the console')
    pedal.publish(Joy(buttons=[1]))
    world.teleop.wait_for('following', False)
    pedal.publish(Joy(buttons=[0]))
    world.teleop.wait_for_following()


def test_a_pair_that_is_not_selected_does_not_work(world):
    for topic, state in (('unselect', 'DISABLED'), ('select', 'ENABLED')):
        order = world.node.create_publisher(String, f'/console/teleop/{topic}', 10)
        world.wait_for(lambda order=order: order.get_subscription_count() > 0, 'the console')
        order.publish(String(data='right_PSM1'))
        world.teleop.wait_for('current_state', state)
    world.teleop.wait_for_following()


def test_a_hand_that_falls_silent_holds_the_arm_until_it_is_back(world):
    before = setpoint(world)
    count, told = len(world.teleop.heard['warning']), len(world.teleop.captions)
    world.hand.silent = True
    world.teleop.wait_for('following', False)
    world.teleop.wait_for_words('warning', 'silent', count)
    # It stands there until the hand leads again.
    assert world.teleop.wait_for_caption('the hand is silent', Caption.WARNING, told).duration == 0.0
    world.hand.sample.pose.position.y += 0.3
    world.hand.silent = False
    world.teleop.wait_for_following()
    assert distance(position(setpoint(world)), position(before)) < 1e-9


def test_beyond_the_workspace_the_arm_stays_and_the_hand_is_told(world):
    told = len(world.teleop.captions)
    # Deeper than the insertion reaches.
    for _ in range(12):
        world.hand.move(z=-0.08)

    def gap():
        if not world.hand.proxies:
            return 0.0
        proxy = world.hand.proxies[-1]
        return distance(position(proxy.reference_pose), position(proxy.pose))

    world.wait_for(lambda: gap() > 0.02, 'a proxy that stays behind')
    world.teleop.wait_for_words('warning', 'the hand asks for more than PSM1 reaches')
    world.teleop.wait_for_caption('the hand asks for more than PSM1 reaches', Caption.WARNING, told)
    for _ in range(12):
        world.hand.move(z=0.08)
    world.wait_for(lambda: gap() < 1e-6, 'a proxy that follows again')
    assert not world.teleop.heard['error']
    assert len(world.teleop.captions) == told + 1


def test_wrong_orders_are_told(world):
    count = len(world.teleop.heard['warning'])
    world.teleop.say('state_command', 'home')
    world.teleop.wait_for_words('warning', "found the state command 'home'", count)
    world.teleop.say('set_scale', -1.0)
    world.teleop.wait_for_words('warning', 'expected a number above 0', count)
    assert world.teleop.newest('following')


def test_an_arm_that_faults_ends_it_and_it_goes_on_when_the_arm_does(world):
    count, told = len(world.teleop.heard['error']), len(world.teleop.captions)
    world.psm.state_command('disable')
    world.teleop.wait_for_words('error', 'not ENABLED and homed any more', count)
    world.teleop.wait_for_caption('not ENABLED and homed any more', Caption.ERROR, told)
    world.teleop.wait_for('following', False)
    assert world.teleop.captions[-1].level == Caption.ERROR  # what goes on meanwhile does not replace it
    world.psm.bring_up()
    world.teleop.wait_for_following()
    world.teleop.wait_for_caption('right leads PSM1', count=told)


def test_an_arm_that_dies_is_brought_up_again_when_it_is_back(world):
    count = len(world.teleop.heard['error'])
    world.arm_processes['PSM1'].kill()
    world.teleop.wait_for_words('error', 'does not answer any more', count)
    world.teleop.wait_for('following', False)
    world.processes.append(arm_process('PSM1', 'psm'))
    world.teleop.wait_for_following()
    world.wait_for(lambda: world.psm.states[-1].is_homed, 'an arm that is homed')


def test_a_hand_and_an_arm_must_be_named():
    process = teleop_process(hand='right')
    assert process.process.wait(timeout=90.0) == 1
    assert "parameter 'arm': found '', expected at most 64 letters, digits and underscores" in process.output()
