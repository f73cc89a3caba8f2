# SPDX-License-Identifier: BSD-3-Clause
"""Tools with bodies: what `set_tool_type` asks for comes into the world, and the arm does not move for it."""

import numpy
import pytest
from arm_fixture import HOME, LATCHED, LOCKSTEP, REALTIME, World, arm_process, distance, position
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, String

TOOL_BODIES = ['toolrolllink', 'toolpitchlink', 'toolyawlink', 'toolgripper1link', 'toolgripper2link']
POSTURE = [0.3, -0.2, 0.15, 0.4, -0.3, 0.2]
DATA = ('measured_js', 'setpoint_js', 'measured_cp', 'jaw/setpoint_js', 'jaw/measured_js')


@pytest.fixture(scope='module')
def world():
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',)) as made:
        made.psm = made.arm('/PSM1', *DATA)
        # A process that is new may have told its tool before it was found.
        made.psm.listen('tool_type', LATCHED)
        made.psm.bring_up()
        yield made


def bodies(world) -> list[str]:
    return [b.name for b in world.manifests[-1].bodies]


def tool_file(world) -> str:
    """The file of the tool that is a model of its own; '' for none."""
    tools = [m.name for m in world.manifests[-1].models if 'link' not in m.name and m.name != 'psm']
    assert len(tools) <= 1, tools
    return tools[0] if tools else ''


def exchange(world, name: str, told: str):
    """Ask, and wait until the arm says that it is done."""
    psm = world.psm
    count = len(psm.heard['tool_type'])
    psm.say('set_tool_type', String(data=name))
    world.wait_for(
        lambda: any(m.data == told for m in psm.heard['tool_type'][count:]) and not psm.states[-1].is_busy,
        f'the tool {told}',
    )


def named_by(told: str) -> tuple:
    """The file of the tool that the arm tells; the large needle driver may be the model's own, which has none."""
    name, _, number = told.partition(':')
    return (f'{name.lower()}_{number}', *([''] if number == '400006' else []))


def has_tool(world, file: str):
    """The manifest may be heard after what the arm says of it."""
    world.wait_for(lambda: tool_file(world) == file and 'toolyawlink' in bodies(world), f'{file} in the manifest')


def rotation(x, y, z, w) -> numpy.ndarray:
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def tip_told_as_it_is(world):
    """What the arm told before may still be on its way to this process."""
    world.wait_for(lambda: misfit(world) < 1e-4, 'the pose of the last wrist body')


def misfit(world) -> float:
    """Between the pose that the arm tells and that of its last wrist body [m]; snapshots of now."""
    told = position(world.psm.newest('measured_cp').pose)
    world.snapshots.clear()
    world.wait_for(
        lambda: (
            world.snapshots
            and len(world.snapshots[-1].bodies) == 13 * len(world.manifests[-1].bodies)
            and world.snapshots[-1].manifest_revision == world.manifests[-1].revision
        ),
        'a snapshot',
    )
    base, tip = world.body('baselink'), world.body('toolyawlink')
    return distance(told, rotation(*base[1]).T @ (numpy.array(tip[0]) - numpy.array(base[0])))


def at_rest(world, goal, tolerance=1e-4):
    world.wait_for(
        lambda: (
            max(abs(a - b) for a, b in zip(world.psm.heard['measured_js'][-1].position, goal, strict=True)) < tolerance
        ),
        f'the joints at {goal}',
    )


def go(world, goal=POSTURE):
    assert world.psm.move('move_jp', JointState(position=goal))
    at_rest(world, goal)


@pytest.mark.parametrize(
    'tool, told',
    [
        ('PROGRASP_FORCEPS', 'PROGRASP_FORCEPS:400093'),
        ('400194', 'MEGA_NEEDLE_DRIVER:400194'),
        ('PERMANENT_CAUTERY_HOOK:400183', 'PERMANENT_CAUTERY_HOOK:400183'),
        ('LARGE_NEEDLE_DRIVER:400006', 'LARGE_NEEDLE_DRIVER:400006'),
    ],
)
def test_the_bodies_come_and_the_set_point_stays(world, tool, told):
    psm = world.psm
    go(world)
    before, first = list(psm.newest('setpoint_js').position), len(psm.heard['setpoint_js'])
    measured, states = len(psm.heard['measured_js']), len(psm.states)
    exchange(world, tool, told)
    name, number = told.split(':')
    has_tool(world, f'{name.lower()}_{number}')
    assert len(set(bodies(world))) == len(bodies(world))
    assert any(s.is_busy for s in psm.states[states:]), 'engaging'
    psm.newest('setpoint_js'), psm.newest('measured_js')
    steps = numpy.array([m.position for m in psm.heard['setpoint_js'][first:]]) - before
    assert numpy.abs(steps).max() < 1e-9
    # Nor did the arm: a joint of the new tool begins where that of the old one was.
    moved = numpy.array([m.position for m in psm.heard['measured_js'][measured:]]) - before
    assert numpy.abs(moved).max() < 2e-3
    at_rest(world, before)
    tip_told_as_it_is(world)
    assert not psm.heard['error']


def test_the_new_tool_obeys(world):
    exchange(world, 'MEGA_NEEDLE_DRIVER', 'MEGA_NEEDLE_DRIVER:400194')
    go(world, [-0.2, 0.1, 0.14, -0.5, 0.6, -0.7])
    tip_told_as_it_is(world)
    assert world.psm.move('jaw/move_jp', JointState(position=[0.7]))
    world.wait_for(lambda: abs(world.psm.heard['jaw/measured_js'][-1].position[0] - 0.7) < 0.02, 'an open jaw')


def test_a_snake_wrist_moves_its_four_axes(world):
    go(world, [0.1, 0.1, 0.14, 0.3, 0.4, -0.3])
    exchange(world, '400117', 'NEEDLE_DRIVER:400117')
    has_tool(world, 'needle_driver_400117')
    go(world, [0.1, 0.1, 0.14, -0.3, -0.5, 0.4])
    told = world.psm.newest('measured_cp').pose
    world.snapshots.clear()
    world.wait_for(lambda: len(world.snapshots) > 0, 'a snapshot')
    base, tip = world.body('baselink'), world.body('toolyawlink')
    to_base = rotation(*base[1]).T
    # The tip is 17.1 mm beyond the last axis, along -y of its body.
    tip_in_base = to_base @ (numpy.array(tip[0]) - numpy.array(base[0]) + rotation(*tip[1]) @ [0.0, -0.0171, 0.0])
    assert distance(position(told), tip_in_base) < 1e-4


def test_a_tool_without_bodies_of_its_own_gets_those_of_its_nearest_and_says_so(world):
    statuses = len(world.psm.heard['status'])
    exchange(world, 'POTTS_SCISSORS', 'POTTS_SCISSORS:400001')
    has_tool(world, 'round_tip_scissors_400007')
    world.wait_for(
        lambda: any('ROUND_TIP_SCISSORS:400007 stand for it' in m.data for m in world.psm.heard['status'][statuses:]),
        'a status',
    )


def test_an_unknown_tool_is_a_warning_and_nothing_changes(world):
    psm = world.psm
    before, warnings, told = bodies(world), len(psm.heard['warning']), len(psm.heard['tool_type'])
    psm.say('set_tool_type', String(data='LARGE_NEEDEL_DRIVER'))
    world.wait_for(lambda: len(psm.heard['warning']) > warnings, 'a warning')
    assert "did you mean 'LARGE_NEEDLE_DRIVER" in psm.heard['warning'][-1].data
    assert psm.command_and_wait('enable').is_homed
    assert bodies(world) == before and len(psm.heard['tool_type']) == told


def test_two_requests_at_once_and_in_a_move_end_with_the_newest(world):
    psm = world.psm
    psm.publisher('set_tool_type')
    reached = len(psm.heard['goal_reached'])
    psm.say('move_jp', JointState(position=[-0.4, 0.2, 0.2, 0.0, 0.0, 0.0]))
    world.wait_for(lambda: psm.states[-1].is_busy, 'the move to begin')
    psm.say('set_tool_type', String(data='PROGRASP_FORCEPS'))
    exchange(world, 'DEBAKEY_FORCEPS', 'DEBAKEY_FORCEPS:400036')
    has_tool(world, 'debakey_forceps_400036')
    assert psm.heard['goal_reached'][reached].data is False, 'the move is over'
    go(world)
    tip_told_as_it_is(world)


def test_without_a_tool_joints_stay_and_with_it_bodies_are_back(world):
    psm = world.psm
    exchange(world, 'LARGE_NEEDLE_DRIVER', 'LARGE_NEEDLE_DRIVER:400006')
    go(world)
    told = len(psm.heard['tool_type'])
    psm.say('emulate_tool_present', Bool(data=False))
    world.wait_for(lambda: any(m.data == '' for m in psm.heard['tool_type'][told:]), 'no tool')
    world.wait_for(lambda: not set(TOOL_BODIES) & set(bodies(world)), 'the bodies to go')
    world.wait_for(lambda: not psm.states[-1].is_busy, 'the arm to be ready')
    assert len(psm.newest('measured_js').position) == 6
    other = [0.2, 0.1, 0.18, -0.5, 0.5, 0.5]
    go(world, other)
    warnings = len(psm.heard['warning'])
    psm.say('servo_cp', psm.newest('setpoint_cp') if 'setpoint_cp' in psm.heard else psm.newest('measured_cp'))
    world.wait_for(lambda: any('there is no tool' in m.data for m in psm.heard['warning'][warnings:]), 'a refusal')
    told = len(psm.heard['tool_type'])
    psm.say('emulate_tool_present', Bool(data=True))
    world.wait_for(
        lambda: any(m.data.startswith('LARGE') for m in psm.heard['tool_type'][told:]) and not psm.states[-1].is_busy,
        'the tool',
    )
    world.wait_for(lambda: set(TOOL_BODIES) <= set(bodies(world)), 'all of its bodies')
    at_rest(world, other)
    tip_told_as_it_is(world)


def test_while_disabled_a_tool_is_exchanged_too(world):
    world.psm.command_and_wait('disable')
    exchange(world, 'CADIERE_FORCEPS', 'CADIERE_FORCEPS:400049')
    has_tool(world, 'cadiere_forceps_400049')
    world.psm.bring_up()
    assert misfit(world) < 1e-3


@pytest.mark.parametrize('scope', [4, 7])
def test_a_reset_that_takes_the_tool_does_not_lose_it(world, scope):
    psm = world.psm
    exchange(world, 'MEGA_NEEDLE_DRIVER', 'MEGA_NEEDLE_DRIVER:400194')
    go(world)
    told = len(psm.heard['tool_type'])
    world.reset(scope)
    world.wait_for(lambda: len(psm.heard['tool_type']) > told and not psm.states[-1].is_busy, 'the tool to be back')
    has_tool(world, 'mega_needle_driver_400194')
    assert psm.command_and_wait('enable').is_homed
    go(world)
    tip_told_as_it_is(world) and not psm.heard['error']


def test_after_a_reset_of_the_state_the_tool_hangs_where_it_belongs(world):
    psm = world.psm
    exchange(world, 'PROGRASP_FORCEPS', 'PROGRASP_FORCEPS:400093')
    go(world)
    world.reset(2)
    world.wait_for(lambda: abs(psm.heard['setpoint_js'][-1].position[0]) < 1e-3, 'the set-point to follow')
    assert misfit(world) < 1e-3
    assert psm.command_and_wait('enable').is_homed
    assert psm.move('move_jp', JointState(position=HOME))


def test_a_part_that_somebody_takes_away_is_brought_back(world):
    psm = world.psm
    told = len(psm.heard['tool_type'])
    world.remove('/ambf/env/psm/BODY tool gripper1 link')
    world.wait_for(lambda: len(psm.heard['tool_type']) > told and not psm.states[-1].is_busy, 'the tool to be back')
    world.wait_for(lambda: set(TOOL_BODIES) <= set(bodies(world)), 'all of its bodies')
    assert psm.states[-1].state == 'ENABLED' and not psm.heard['error']


def bring_up_again(world):
    """A new process does not hear what was said before it was found."""
    states, psm = world.psm.states, world.psm
    count = len(states)

    def homed():
        return len(states) > count and states[-1].is_homed and not states[-1].is_busy

    while not homed():
        if len(states) > count and states[-1].state == 'DISABLED':
            psm.state_command('enable')
        elif len(states) > count and not states[-1].is_busy:
            psm.state_command('home')
        seen = len(states)
        world.wait_for(lambda: homed() or len(states) > seen, 'operating_state')


def test_an_arm_node_that_is_killed_in_an_exchange_is_followed_by_one_that_ends_it(world):
    """Wherever it died: the arm has one whole tool in the end, and knows which."""
    psm = world.psm
    for name in ('MEGA_NEEDLE_DRIVER', 'PROGRASP_FORCEPS', 'DEBAKEY_FORCEPS'):
        revision = world.manifests[-1].revision
        psm.say('set_tool_type', String(data=name))
        world.wait_for(lambda: world.manifests[-1].revision != revision, 'the exchange to begin')
        world.arm_processes['PSM1'].kill()
        world.processes.remove(world.arm_processes['PSM1'])
        world.arm_processes['PSM1'] = arm_process('PSM1', 'psm')
        world.processes.append(world.arm_processes['PSM1'])
        psm.heard['tool_type'].clear()
        bring_up_again(world)
        world.wait_for(lambda: set(TOOL_BODIES) <= set(bodies(world)), 'a whole tool')
        world.wait_for(
            lambda: psm.heard['tool_type'] and psm.heard['tool_type'][-1].data != '' and not psm.states[-1].is_busy,
            'its name',
        )
        go(world)
        tip_told_as_it_is(world)
        world.wait_for(lambda: tool_file(world) in named_by(psm.heard['tool_type'][-1].data), 'its bodies')


def test_physics_that_is_killed_in_an_exchange_has_the_wanted_tool_when_it_is_back(world):
    psm = world.psm
    exchange(world, 'MEGA_NEEDLE_DRIVER', 'MEGA_NEEDLE_DRIVER:400194')
    revision = world.manifests[-1].revision
    psm.say('set_tool_type', String(data='PROGRASP_FORCEPS'))
    world.wait_for(lambda: world.manifests[-1].revision != revision, 'the exchange to begin')
    world.physics.kill()
    world.start_physics()
    world.wait_for(lambda: tool_file(world) == 'prograsp_forceps_400093', 'the tool')
    world.wait_for(lambda: psm.heard['tool_type'][-1].data == 'PROGRASP_FORCEPS:400093', 'its name')
    world.wait_for(lambda: not psm.states[-1].is_busy, 'the arm to be ready')
    assert psm.command_and_wait('enable').is_homed
    go(world)
    tip_told_as_it_is(world)


def test_in_lockstep_a_tool_is_exchanged_between_two_steps(world):
    psm = world.psm
    world.set_mode(LOCKSTEP)
    reply = world.step(1, ['PSM1'])
    while not reply.ok:
        assert 'PSM1' in reply.message, reply.message
        world.spin_for(0.05)
        reply = world.step(1, ['PSM1'])
    before = list(psm.newest('setpoint_js').position)
    exchange(world, 'CADIERE_FORCEPS', 'CADIERE_FORCEPS:400049')
    assert world.step(0, []).step == reply.step, 'no step was taken for it'
    for _ in range(20):
        reply = world.step(5, ['PSM1'])
        assert reply.ok, reply.message
    # Steps in the middle of an exchange are answered as well.
    psm.say('set_tool_type', String(data='LARGE_NEEDLE_DRIVER'))
    told = len(psm.heard['tool_type'])
    while len(psm.heard['tool_type']) == told:
        reply = world.step(1, ['PSM1'])
        assert reply.ok or 'models came or went' in reply.message or 'the world changed' in reply.message, reply.message
    assert numpy.abs(numpy.array(psm.newest('setpoint_js').position) - before).max() < 1e-9
    world.set_mode(REALTIME)
    go(world)
    tip_told_as_it_is(world)
