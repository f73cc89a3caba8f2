# SPDX-License-Identifier: BSD-3-Clause
"""A client written from the definitions of simulation_interfaces alone (2.1, or 1.5 where that is installed) drives a world."""

import math

import numpy as np
import pytest
from action_msgs.msg import GoalStatus
from geometry_msgs.msg import Vector3
from simulation_interfaces import srv
from simulation_interfaces.action import SimulateSteps
from simulation_interfaces.msg import (
    Bounds,
    EntityCategory,
    EntityFilters,
    EntityInfo,
    EntityState,
    Resource,
    Result,
    SimulationState,
    SimulatorFeatures,
    SpawnEntity,
    SpawnResult,
    TagsFilter,
)
from standard_client import FLAGS, SNAKE, Client, adapter, at, ball, matrix, physics_node, pose_at, uri_of

BALL = 'package://ambf_description/adf/ball.yaml'
DROP = ball()
S = SimulationState
# Described away from the origin and turned; the body without a parent is not the first one. The tip is 0.2 m
# above its base, which is turned by 0.5 rad about x.
ARM = Resource(
    resource_string=f"""
bodies: [BODY tip, BODY base]
joints: [JOINT base-tip]
BODY tip:
  name: tip
  mass: 0.5
  location:
    position: {{x: 0.4, y: {-0.3 - 0.2 * math.sin(0.5)}, z: {1.0 + 0.2 * math.cos(0.5)}}}
    orientation: {{r: 0.5, p: 0.0, y: 0.0}}
  collision shape: SPHERE
  collision geometry: {{radius: 0.05}}
BODY base:
  name: base
  mass: 1.0
  location:
    position: {{x: 0.4, y: -0.3, z: 1.0}}
    orientation: {{r: 0.5, p: 0.0, y: 0.0}}
  collision shape: BOX
  collision geometry: {{x: 0.1, y: 0.1, z: 0.1}}
JOINT base-tip:
  name: base-tip
  type: revolute
  parent: BODY base
  child: BODY tip
  parent pivot: {{x: 0.0, y: 0.0, z: 0.2}}
  parent axis: {{x: 0.0, y: 0.0, z: 1.0}}
  child pivot: {{x: 0.0, y: 0.0, z: 0.0}}
  child axis: {{x: 0.0, y: 0.0, z: 1.0}}
"""
)
T_BASE_TIP = matrix(pose_at(0, 0, 0.2))
# What a pose loses on its way through quaternions, a file's numbers and the closing of joints.
EXACT = 1e-6


@pytest.fixture(scope='module')
def sim():
    with Client(physics_node('pendulum.yaml', 'floor.yaml'), adapter()) as client:
        client.wait_for_world()
        yield client


@pytest.fixture
def paused(sim):
    sim.set_state(S.STATE_PAUSED)
    sim.ok('ResetSimulation', scope=255)
    return sim


def vector(x, y, z):
    return Vector3(x=float(x), y=float(y), z=float(z))


def test_every_advertised_feature_has_its_service_and_no_other(sim):
    features = sim('GetSimulatorFeatures').features
    assert features.spawn_formats == ['adf', 'urdf', 'sdf', 'mjcf']
    F = SimulatorFeatures
    needs = {
        F.SPAWNING: 'SpawnEntity',
        F.SPAWNING_ENTITIES: 'SpawnEntities',
        F.DELETING: 'DeleteEntity',
        F.NAMED_POSES: 'GetNamedPoses',
        F.POSE_BOUNDS: 'GetNamedPoseBounds',
        F.ENTITY_BOUNDS: 'GetEntityBounds',
        F.ENTITY_STATE_GETTING: 'GetEntityState',
        F.ENTITY_STATE_SETTING: 'SetEntityState',
        F.ENTITY_INFO_GETTING: 'GetEntityInfo',
        F.ENTITY_INFO_SETTING: 'SetEntityInfo',
        F.SPAWNABLES: 'GetSpawnables',
        F.SIMULATION_RESET: 'ResetSimulation',
        F.SIMULATION_STATE_GETTING: 'GetSimulationState',
        F.SIMULATION_STATE_SETTING: 'SetSimulationState',
        F.STEP_SIMULATION_SINGLE: 'StepSimulation',
        F.WORLD_LOADING: 'LoadWorld',
        F.WORLD_UNLOADING: 'UnloadWorld',
        F.WORLD_INFO_GETTING: 'GetCurrentWorld',
        F.AVAILABLE_WORLDS: 'GetAvailableWorlds',
    }
    wanted = {'/' + SNAKE[service]: feature in features.features for feature, service in needs.items()}

    def found():
        there = {name for name, _ in sim.node.get_service_names_and_types()}
        return {name: name in there for name in wanted}

    sim.wait_for(lambda: found() == wanted, 'graph with the services')  # which it tells of one by one


def test_spawn_pause_step_state_reset_delete(paused):
    sim = paused
    assert sim.state() == S.STATE_PAUSED
    spawned = sim.ok('SpawnEntity', name='my ball', entity_resource=DROP, initial_pose=at(3, 0, 5))
    assert spawned.entity_name == 'my ball'
    assert 'my ball' in sim.entities()
    start = sim.ok('GetEntityState', entity='my ball').state
    assert start.header.frame_id == 'world'
    before = sim.time()
    sim.ok('StepSimulation', steps=100)
    assert sim.time() - before == pytest.approx(0.1, abs=1e-9)
    fallen = sim.ok('GetEntityState', entity='my ball').state
    # Free fall for 0.1 s; one step of error in the sum is g dt t.
    assert start.pose.position.z - fallen.pose.position.z == pytest.approx(0.5 * 9.8 * 0.01, abs=0.001)
    assert fallen.twist.linear.z == pytest.approx(-0.98, abs=0.01)

    fallen.pose.position.z = 9.0
    fallen.twist.linear.x = 2.0
    fallen.twist.linear.z = 0.0
    if FLAGS:
        sim.ok('SetEntityState', entity='my ball', state=fallen)
        assert sim.ok('GetEntityState', entity='my ball').state.pose.position.z < 6.0, 'no flag: nothing is set'
    sim.ok('SetEntityState', entity='my ball', state=fallen, set_pose=True, set_twist=True)
    placed = sim.ok('GetEntityState', entity='my ball').state
    assert placed.pose.position.z == pytest.approx(9.0, abs=1e-9)
    sim.ok('StepSimulation', steps=10)
    assert sim.ok('GetEntityState', entity='my ball').state.pose.position.x == pytest.approx(3.02, abs=0.001)

    sim.ok('ResetSimulation', scope=srv.ResetSimulation.Request.SCOPE_STATE)
    assert np.allclose(sim.pose('my ball'), matrix(start.pose), atol=EXACT)
    sim.ok('DeleteEntity', entity='my ball')
    assert 'my ball' not in sim.entities()
    assert sim('DeleteEntity', entity='my ball').result.result == Result.RESULT_NOT_FOUND


INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
FOREIGN = [
    f'<robot name="dropped"><link name="body">{INERTIAL}</link></robot>',
    '<mujoco><worldbody><body name="body"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>',
]


@pytest.mark.parametrize('text', FOREIGN)
@pytest.mark.parametrize('as_file', [False, True])
def test_what_other_formats_describe_is_spawned_and_falls(paused, tmp_path, text, as_file):
    sim = paused
    file = tmp_path / ('dropped.urdf' if text.startswith('<robot') else 'dropped.xml')
    file.write_text(text)
    resource = Resource(uri=str(file)) if as_file else Resource(resource_string=text)
    sim.ok('SpawnEntity', name='dropped', entity_resource=resource, initial_pose=at(3, 0, 50))
    start = sim.pose('dropped')
    sim.ok('StepSimulation', steps=100)
    fallen = start[2, 3] - sim.pose('dropped')[2, 3]
    assert fallen == pytest.approx(0.5 * 9.8 * 0.01, abs=0.001)
    sim.ok('DeleteEntity', entity='dropped')


def test_a_spawned_entity_is_where_it_was_asked_for_in_any_frame(paused):
    sim = paused
    stand = at(1, 2, 3, (1, 2, 3), 0.7)
    sim.ok('SpawnEntity', name='stand', entity_resource=DROP, initial_pose=stand)
    assert np.allclose(sim.pose('stand'), matrix(stand.pose), atol=EXACT)
    poses = [pose_at(0, 0, 0), pose_at(-2, 1, 4, (3, -1, 2), 2.0)]
    frames = {
        '': np.eye(4),
        'world': np.eye(4),
        'stand': matrix(stand.pose),
        'pendulum/bob': sim.pose('pendulum/bob'),
        'ambf/env/pendulum/bob': sim.pose('pendulum/bob'),
    }
    for frame, t_world_frame in frames.items():
        for pose in poses:
            initial = at(0, 0, 0, frame=frame)
            initial.pose = pose
            sim.ok('SpawnEntity', name='arm', entity_resource=ARM, initial_pose=initial)
            assert np.allclose(sim.pose('arm'), t_world_frame @ matrix(pose), atol=EXACT), (frame, pose)
            assert np.allclose(sim.pose('arm/base'), sim.pose('arm'), atol=EXACT)
            assert np.allclose(sim.pose('arm/tip'), sim.pose('arm') @ T_BASE_TIP, atol=EXACT), (frame, pose)
            sim.ok('DeleteEntity', entity='arm')


def test_all_that_is_spawnable_is_spawned_where_it_was_asked_for(paused):
    sim = paused
    wanted = at(30, -20, 10, (1, -1, 2), 1.2)
    uris = [uri_of(s) for s in sim.ok('GetSpawnables').spawnables]
    assert BALL in uris
    for uri in uris:
        name = sim.ok(
            'SpawnEntity', allow_renaming=True, entity_resource=Resource(uri=uri), initial_pose=wanted
        ).entity_name
        state = sim('GetEntityState', entity=name)
        if state.result.result == Result.RESULT_OK:
            assert np.allclose(matrix(state.state.pose), matrix(wanted.pose), atol=1e-5), uri
        else:
            assert 'no rigid body' in state.result.error_message, uri
        sim.ok('DeleteEntity', entity=name)


def test_an_entity_is_set_as_one_rigid_thing_in_any_frame(paused):
    sim = paused
    stand = at(1, 2, 3, (1, 2, 3), 0.7)
    t_world_stand = matrix(stand.pose)
    sim.ok('SpawnEntity', name='stand', entity_resource=DROP, initial_pose=stand)
    sim.ok('SpawnEntity', name='arm', entity_resource=ARM, initial_pose=at(0, 0, 5))
    state = EntityState(pose=pose_at(0.5, -1, 2, (0, 1, 1), 1.5))
    state.header.frame_id = 'stand'
    state.twist.linear = vector(1, 2, 3)
    state.twist.angular = vector(0, 0, 2)

    def motion(entity):
        twist = sim.ok('GetEntityState', entity=entity).state.twist
        return np.array([[v.x, v.y, v.z] for v in (twist.linear, twist.angular)])

    sim.ok('SetEntityState', entity='arm', state=state, set_twist=True)
    if FLAGS:
        assert np.allclose(sim.pose('arm'), matrix(pose_at(0, 0, 5)), atol=EXACT), 'only the twist was to be set'
    sim.ok('SetEntityState', entity='arm', state=state, set_pose=True)
    assert np.allclose(sim.pose('arm'), t_world_stand @ matrix(state.pose), atol=EXACT)
    assert np.allclose(sim.pose('arm/tip'), sim.pose('arm') @ T_BASE_TIP, atol=EXACT)
    linear, angular = t_world_stand[:3, :3] @ [1, 2, 3], t_world_stand[:3, :3] @ [0, 0, 2]
    assert np.allclose(motion('arm'), [linear, angular], atol=EXACT), 'the pose alone leaves the twist'
    lever = (sim.pose('arm/tip') - sim.pose('arm'))[:3, 3]
    assert np.allclose(motion('arm/tip'), [linear + np.cross(angular, lever), angular], atol=EXACT)

    state.header.frame_id = 'moon'
    bad = sim('SetEntityState', entity='arm', state=state, set_twist=True).result
    assert bad.result == srv.SetEntityState.Response.INVALID_POSE and 'moon' in bad.error_message
    state.header.frame_id = ''
    state.twist.linear.x = math.nan
    assert (
        sim('SetEntityState', entity='arm', state=state, set_twist=True).result.result == Result.RESULT_OPERATION_FAILED
    )


@pytest.mark.parametrize('x, w', [(math.inf, 1.0), (1e300, 1.0), (0.0, 0.0), (0.0, math.nan), (0.0, 2.0)])
def test_a_pose_that_cannot_be_is_refused(paused, x, w):
    state = EntityState(pose=pose_at(x, 0, 0))
    state.pose.orientation.w = w
    answer = paused('SetEntityState', entity='pendulum', state=state, set_pose=True)
    assert answer.result.result == srv.SetEntityState.Response.INVALID_POSE
    spawn = at(0, 0, 0)
    spawn.pose = state.pose
    answer = paused('SpawnEntity', name='x', entity_resource=DROP, initial_pose=spawn)
    assert answer.result.result == SpawnResult.INVALID_POSE


def test_a_static_entity_is_placed_but_does_not_move(paused):
    sim = paused
    static = sim.ok(
        'GetEntities',
        filters=EntityFilters(categories=[EntityCategory(category=EntityCategory.CATEGORY_STATIC_OBJECT)]),
    ).entities
    assert 'floor' in static and 'pendulum' not in static
    for entity in 'floor', 'pendulum':  # whose base is static
        state = sim.ok('GetEntityState', entity=entity).state
        sim.ok('SetEntityState', entity=entity, state=state, set_pose=True, set_twist=True, set_acceleration=True)
        state.twist.linear.x = 1.0
        refused = sim('SetEntityState', entity=entity, state=state, set_twist=True)
        assert refused.result.result == Result.RESULT_OPERATION_FAILED
        if FLAGS:
            sim.ok('SetEntityState', entity=entity, state=state, set_pose=True)
        state.twist.linear.x = 0.0
        state.acceleration.angular.z = 1.0
        refused = sim('SetEntityState', entity=entity, state=state, set_acceleration=True)
        assert refused.result.result == Result.RESULT_OPERATION_FAILED


def test_a_soft_body_has_no_state_but_comes_and_goes(paused):
    sim = paused
    sim.ok(
        'SpawnEntity',
        name='cloth',
        entity_resource=Resource(uri='package://ambf_description/adf/cloth.yaml'),
        initial_pose=at(0, 0, 8),
    )
    assert 'cloth' in sim.entities()
    assert 'cloth' not in sim.ok('GetEntitiesStates').entities
    for kind, fields in {'GetEntityState': {}, 'GetEntityBounds': {}, 'SetEntityState': {'set_pose': True}}.items():
        assert sim(kind, entity='cloth', **fields).result.result == Result.RESULT_OPERATION_FAILED
    refused = sim('SpawnEntity', name='x', entity_resource=DROP, initial_pose=at(0, 0, 0, frame='cloth'))
    assert refused.result.result == SpawnResult.INVALID_POSE
    sim.ok('DeleteEntity', entity='cloth')
    assert 'cloth' not in sim.entities()


def test_reset_scopes_are_what_they_say(paused):
    sim = paused
    sim.ok('SpawnEntity', name='guest', entity_resource=DROP, initial_pose=at(3, 0, 5))
    sim.ok('StepSimulation', steps=50)
    z = sim.pose('guest')[2, 3]
    sim.ok('ResetSimulation', scope=srv.ResetSimulation.Request.SCOPE_TIME)
    assert sim.time() == 0.0
    assert sim.pose('guest')[2, 3] == z
    sim.ok('ResetSimulation', scope=srv.ResetSimulation.Request.SCOPE_SPAWNED)
    assert 'guest' not in sim.entities()
    assert sim('ResetSimulation', scope=8).result.result == Result.RESULT_FEATURE_UNSUPPORTED


def test_states_follow_the_standard(paused):
    sim = paused
    already = srv.SetSimulationState.Response.ALREADY_IN_TARGET_STATE
    assert sim.set_state(S.STATE_PAUSED) == already
    assert sim.set_state(S.STATE_PLAYING) == Result.RESULT_OK
    assert sim.state() == S.STATE_PLAYING
    assert sim.set_state(S.STATE_PLAYING) == already
    before = sim.time()
    sim.wait_for(lambda: sim.time() != before, 'progress of time')
    refused = sim('StepSimulation', steps=1).result
    assert refused.result == Result.RESULT_OPERATION_FAILED and 'paused' in refused.error_message
    assert sim.set_state(S.STATE_STOPPED) == Result.RESULT_OK
    assert sim.state() == S.STATE_STOPPED and sim.time() == 0.0
    assert sim.set_state(S.STATE_STOPPED) == already
    assert sim('StepSimulation', steps=1).result.result == Result.RESULT_OPERATION_FAILED
    sim.ok('ResetSimulation')
    assert sim.state() == S.STATE_STOPPED
    assert sim.set_state(S.STATE_PAUSED) == Result.RESULT_OK
    assert sim.state() == S.STATE_PAUSED and sim.time() == 0.0, 'pausing from stopped takes no step'
    assert sim.set_state(S.STATE_QUITTING) == Result.RESULT_FEATURE_UNSUPPORTED
    for state in S.STATE_NO_WORLD, S.STATE_LOADING_WORLD, 200:
        assert sim.set_state(state) == srv.SetSimulationState.Response.INCORRECT_TRANSITION
    sim.ok('StepSimulation', steps=1)
    assert sim.set_state(S.STATE_STOPPED) == Result.RESULT_OK
    assert sim.set_state(S.STATE_PLAYING) == Result.RESULT_OK
    sim.ok('ResetSimulation')
    assert sim.state() == S.STATE_PLAYING
    sim.set_state(S.STATE_PAUSED)


def test_the_action_tells_about_every_step_and_can_be_canceled(paused):
    sim = paused
    feedback = []
    goal = sim.simulate(25, lambda m: feedback.append((m.feedback.completed_steps, m.feedback.remaining_steps)))
    assert goal.accepted
    done = sim.wait(goal.get_result_async())
    assert done.status == GoalStatus.STATUS_SUCCEEDED and done.result.result.result == Result.RESULT_OK
    # One for each step, of which rclpy drops those that it has not handled when the goal ends.
    assert feedback == sorted(set(feedback)) and all(done + left == 25 for done, left in feedback)
    assert feedback
    assert sim.time() == pytest.approx(0.025, abs=1e-9)
    done = sim.wait(sim.simulate(0).get_result_async())
    assert done.status == GoalStatus.STATUS_SUCCEEDED and done.result.result.result == Result.RESULT_OK

    goal = sim.simulate_for_ever()
    assert sim('StepSimulation', steps=1).result.result == Result.RESULT_OPERATION_FAILED, 'one at a time'
    sim.wait(goal.cancel_goal_async())
    done = sim.wait(goal.get_result_async())
    assert done.status == GoalStatus.STATUS_CANCELED
    taken = round(1000 * sim.time()) - 25
    assert f'canceled after {taken} of 4000000000' in done.result.result.error_message

    sim.set_state(S.STATE_PLAYING)
    done = sim.wait(sim.simulate(5).get_result_async())
    assert done.status == GoalStatus.STATUS_ABORTED and done.result.result.result == Result.RESULT_OPERATION_FAILED
    sim.set_state(S.STATE_PAUSED)


def test_of_two_goals_at_once_one_is_refused(paused):
    sim = paused
    assert sim.steps.wait_for_server(60.0)
    before = sim.time()
    sent = [sim.steps.send_goal_async(SimulateSteps.Goal(steps=200)) for _ in range(2)]
    done = [sim.wait(sim.wait(goal).get_result_async()) for goal in sent]
    assert sorted(d.status for d in done) == [GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_ABORTED]
    (refused,) = (d for d in done if d.status == GoalStatus.STATUS_ABORTED)
    assert 'under way' in refused.result.result.error_message
    assert sim.time() - before == pytest.approx(0.2, abs=1e-9)


@pytest.mark.parametrize('state', [S.STATE_STOPPED, S.STATE_PLAYING])
def test_a_change_of_state_ends_steps_and_nothing_else_does(paused, state):
    sim = paused
    goal = sim.simulate_for_ever()
    assert sim.state() == S.STATE_PAUSED
    for kind, fields in {
        'ResetSimulation': {},
        'UnloadWorld': {},
        'LoadWorld': {'world_resource': Resource(uri='/no/launch.yaml')},
    }.items():
        refused = sim(kind, **fields).result
        assert refused.result == Result.RESULT_INCORRECT_STATE and 'steps are under way' in refused.error_message
    sim.ok('SpawnEntity', name='guest', entity_resource=DROP, initial_pose=at(3, 0, 5))
    before = sim.time()
    sim.wait_for(lambda: sim.time() > before, 'progress: entities come and go meanwhile')
    assert sim.set_state(state) == Result.RESULT_OK
    done = sim.wait(goal.get_result_async())
    assert done.status == GoalStatus.STATUS_ABORTED
    assert (
        done.result.result.result == Result.RESULT_OPERATION_FAILED
        and ' of 4000000000' in done.result.result.error_message
    )
    assert sim.state() == state
    if state == S.STATE_STOPPED:
        assert sim.time() == 0.0
    assert sim.set_state(S.STATE_PAUSED) == Result.RESULT_OK
    sim.ok('StepSimulation', steps=1)


def test_a_step_call_takes_exactly_its_steps_also_where_they_are_none_or_too_many(paused):
    sim = paused
    sim.ok('StepSimulation', steps=0)
    assert sim.time() == 0.0
    endless = sim.send('StepSimulation', steps=2**63)
    sim.wait_for(lambda: sim.time() > 0.0, 'progress')
    assert sim('StepSimulation', steps=1).result.result == Result.RESULT_OPERATION_FAILED
    assert sim.set_state(S.STATE_STOPPED) == Result.RESULT_OK
    ended = sim.wait(endless).result
    assert ended.result == Result.RESULT_OPERATION_FAILED and 'of 9223372036854775808 steps' in ended.error_message
    assert sim.time() == 0.0
    sim.set_state(S.STATE_PAUSED)


@pytest.mark.parametrize(
    'fields, code',
    [
        (dict(name='x'), SpawnResult.NO_RESOURCE),
        (dict(name='x', entity_resource=Resource(uri='robot.stl')), SpawnResult.UNSUPPORTED_FORMAT),
        (dict(name='x', entity_resource=Resource(resource_string='<robot/>')), SpawnResult.RESOURCE_PARSE_ERROR),
        (dict(name='a/b', entity_resource=Resource(uri=BALL)), SpawnResult.NAME_INVALID),
        (dict(name='n' * 300, entity_resource=Resource(uri=BALL)), SpawnResult.NAME_INVALID),
        (dict(entity_resource=Resource(resource_string='bodies: []')), SpawnResult.NAME_INVALID),
        (dict(name='pendulum', entity_resource=Resource(uri=BALL)), SpawnResult.NAME_NOT_UNIQUE),
        (dict(entity_resource=Resource(uri='package://ambf_description/adf/floor.yaml')), SpawnResult.NAME_NOT_UNIQUE),
        (dict(name='x', entity_resource=Resource(uri=BALL), entity_namespace='1 2'), SpawnResult.NAMESPACE_INVALID),
        (dict(name='x', entity_resource=Resource(uri='/no/such/file.yaml')), SpawnResult.RESOURCE_PARSE_ERROR),
        (
            dict(name='x', entity_resource=Resource(resource_string='bodies: [BODY a]')),
            SpawnResult.RESOURCE_PARSE_ERROR,
        ),
        (dict(name='x', entity_resource=ball(look='mesh: not_there.obj')), SpawnResult.MISSING_ASSETS),
        (
            dict(name='x', entity_resource=Resource(uri=BALL), initial_pose=at(0, 0, 0, frame='moon')),
            SpawnResult.INVALID_POSE,
        ),
    ],
)
def test_a_spawn_that_cannot_be_is_refused_with_its_code_and_changes_nothing(sim, fields, code):
    before = sim.entities()
    answer = sim('SpawnEntity', **fields)
    assert answer.result.result == code and answer.result.error_message
    assert sim.entities() == before


def test_of_two_spawns_of_one_name_at_once_one_is_refused(paused):
    sim = paused
    sim.ok('SpawnEntity', name='first', entity_resource=DROP, initial_pose=at(3, 0, 5))  # the service is found
    sent = [sim.send('SpawnEntity', name='one', entity_resource=DROP, initial_pose=at(4, 0, 5)) for _ in range(4)]
    codes = sorted(sim.wait(future).result.result for future in sent)
    assert codes == [Result.RESULT_OK] + 3 * [SpawnResult.NAME_NOT_UNIQUE]
    assert [name for name in sim.entities() if name.startswith('one')] == ['one']


def test_several_entities_are_spawned_and_renamed_from_text_and_file(paused):
    sim = paused
    requests = [
        SpawnEntity(
            name='twin',
            allow_renaming=True,
            entity_resource=resource,
            entity_namespace='copies',
            initial_pose=at(10 + i, 0, 1),
        )
        for i, resource in enumerate((DROP, Resource(uri=BALL)))
    ]
    answer = sim.ok('SpawnEntities', spawn_requests=requests)
    names = [r.entity_name for r in answer.results]
    assert names[0] == 'twin' and len(set(names)) == 2
    answer = sim('SpawnEntities', spawn_requests=[SpawnEntity(name='y'), SpawnEntity(name='z', entity_resource=DROP)])
    assert answer.result.result == srv.SpawnEntities.Response.ENTITIES_SPAWN_FAILED
    assert [r.result.result for r in answer.results] == [SpawnResult.NO_RESOURCE, Result.RESULT_OK]
    for name in names:
        sim.ok('DeleteEntity', entity=name)


def test_filters_bounds_infos_and_tags(paused):
    sim = paused
    sim.ok('SpawnEntity', name='tagged', entity_resource=DROP, initial_pose=at(20, 0, 1))
    sim.ok(
        'SetEntityInfo',
        entity='tagged',
        info=EntityInfo(
            category=EntityCategory(category=EntityCategory.CATEGORY_DYNAMIC_OBJECT), tags=['red', 'round']
        ),
    )
    assert sim.ok('GetEntityInfo', entity='tagged').info.tags == ['red', 'round']

    def found(**fields):
        return sim.ok('GetEntities', filters=EntityFilters(**fields)).entities

    assert found(filter='^tag') == ['tagged']
    assert found(tags=TagsFilter(tags=['red', 'blue'])) == ['tagged']
    assert found(tags=TagsFilter(tags=['red', 'blue'], filter_mode=TagsFilter.FILTER_MODE_ALL)) == []
    assert found(categories=[EntityCategory(category=EntityCategory.CATEGORY_DYNAMIC_OBJECT)]) == ['tagged']
    sphere = Bounds(type=Bounds.TYPE_SPHERE, points=[vector(20, 0, 1), vector(0.5, 0, 0)])
    assert 'tagged' in found(bounds=sphere) and 'pendulum' not in found(bounds=sphere)
    hull = Bounds(type=Bounds.TYPE_CONVEX_HULL, points=[vector(0, 0, 0)] * 4)
    for unknown in EntityFilters(bounds=hull), EntityFilters(tags=TagsFilter(tags=['red'], filter_mode=7)):
        assert sim('GetEntities', filters=unknown).result.result == Result.RESULT_FEATURE_UNSUPPORTED
    assert sim('GetEntities', filters=EntityFilters(filter='(')).result.result == Result.RESULT_OPERATION_FAILED
    states = sim.ok('GetEntitiesStates', filters=EntityFilters(filter='^tag', bounds=sphere))
    assert states.entities == ['tagged'] and states.states[0].pose.position.x == pytest.approx(20.0, abs=1e-6)
    for kind in ('GetEntityState', 'GetEntityBounds', 'GetEntityInfo'):
        assert sim(kind, entity='nobody').result.result == Result.RESULT_NOT_FOUND
    sim.ok('DeleteEntity', entity='tagged')


def test_bounds_are_boxes_and_a_plane_has_none(paused):
    sim = paused
    sim.ok('SpawnEntity', name='drop', entity_resource=DROP, initial_pose=at(20, 0, 1))
    box = sim.ok('GetEntityBounds', entity='drop').bounds
    assert box.type == Bounds.TYPE_BOX
    upper, lower = ([p.x, p.y, p.z] for p in box.points)
    assert np.allclose(upper, 0.1, atol=0.01) and np.allclose(lower, -0.1, atol=0.01)
    plane = (
        ball('endless')
        .resource_string.replace('mass: 1.0', 'mass: 0.0')
        .replace('collision shape: SPHERE', 'collision shape: PLANE')
        .replace('collision geometry: {radius: 0.1}', 'collision geometry: {normal: {x: 0, y: 0, z: 1}, offset: -9}')
    )
    sim.ok('SpawnEntity', name='endless', entity_resource=Resource(resource_string=plane))
    sim.ok(
        'SpawnEntity',
        name='air',
        entity_resource=Resource(
            resource_string="""
bodies: [BODY air]
joints: []
BODY air: {name: air, mass: 0.0}
"""
        ),
        initial_pose=at(40, 0, 1),
    )
    for name in 'endless', 'air':
        answer = sim.ok('GetEntityBounds', entity=name)
        assert answer.bounds == Bounds(type=Bounds.TYPE_EMPTY) and answer.result.error_message
    corners = [vector(41, 1, 2), vector(39, -1, 0)]
    for points in corners, corners[::-1]:
        inside = sim.ok('GetEntities', filters=EntityFilters(bounds=Bounds(type=Bounds.TYPE_BOX, points=points)))
        assert inside.entities == ['endless', 'air'], 'what has no shape is a point'


def test_what_was_said_about_an_entity_goes_with_it(paused):
    sim = paused
    said = EntityInfo(category=EntityCategory(category=EntityCategory.CATEGORY_HUMAN), tags=['said'])

    def tagged():
        return sim.ok('GetEntities', filters=EntityFilters(tags=TagsFilter(tags=['said']))).entities

    arm = dict(name='arm', entity_resource=ARM, initial_pose=at(0, 0, 5))
    sim.ok('SpawnEntity', **arm)
    for vanish, fields in {'DeleteEntity': {'entity': 'arm'}, 'ResetSimulation': {'scope': 4}}.items():
        for name in 'arm', 'arm/tip', 'floor':
            sim.ok('SetEntityInfo', entity=name, info=said)
        assert tagged() == ['floor', 'arm', 'arm/tip']
        sim.ok(vanish, **fields)
        sim.ok('SpawnEntity', **arm)
        assert tagged() == ['floor']
    sim.ok('ResetSimulation')
    assert tagged() == [], 'as if it was launched again'


def test_a_body_of_a_model_can_be_deleted_also_where_two_have_one_name(paused):
    sim = paused
    twins = ARM.resource_string.replace('name: base\n', 'name: tip\n')
    sim.ok('SpawnEntity', name='arm', entity_resource=Resource(resource_string=twins), initial_pose=at(0, 0, 5))
    parts = [name for name in sim.entities() if name.startswith('arm/')]
    assert len(parts) == 2 and len(set(parts)) == 2 and 'arm/tip' in parts
    sim.ok('DeleteEntity', entity=parts[1])
    assert [name for name in sim.entities() if name.startswith('arm')] == ['arm'], 'one body is no part'
    sim.ok('GetEntityState', entity='arm')


def test_a_world_that_diverged_takes_no_changes_and_starts_anew_when_it_is_stopped(paused):
    sim = paused
    sim.ok('SpawnEntity', name='drop', entity_resource=DROP, initial_pose=at(3, 0, 5))
    state = EntityState(pose=pose_at(3, 0, 5))
    state.twist.linear = vector(0, 0, 1e30)
    sim.ok('StepSimulation', steps=1)
    sim.ok('SetEntityState', entity='drop', state=state, set_twist=True)
    refused = sim('StepSimulation', steps=1).result
    assert refused.result == Result.RESULT_OPERATION_FAILED and 'diverged' in refused.error_message
    assert sim.state() == S.STATE_PAUSED
    for kind, fields in {
        'DeleteEntity': {'entity': 'drop'},
        'SpawnEntity': {'name': 'x', 'entity_resource': DROP},
        'SetEntityState': {'entity': 'drop', 'state': state, 'set_pose': True},
        'StepSimulation': {'steps': 1},
    }.items():
        refused = sim(kind, **fields).result
        assert refused.result == Result.RESULT_OPERATION_FAILED and 'diverged' in refused.error_message, kind
    assert sim.set_state(S.STATE_STOPPED) == Result.RESULT_OK
    assert sim.set_state(S.STATE_PAUSED) == Result.RESULT_OK
    sim.ok('StepSimulation', steps=1)


@pytest.fixture
def flawed_world(tmp_path):
    """A launch file with one model of which a part is given."""

    def write(look: str) -> Resource:
        (tmp_path / 'model.yaml').write_text(ball(look=look).resource_string)
        (tmp_path / 'world.yaml').write_text('gravity: {x: 0.0, y: 0.0, z: -9.81}\nlights: []\ncameras: []\n')
        (tmp_path / 'launch.yaml').write_text('world config: ./world.yaml\nmultibody configs: [./model.yaml]\n')
        return Resource(uri=str(tmp_path / 'launch.yaml'))

    return write


@pytest.mark.parametrize('state', [S.STATE_PLAYING, S.STATE_PAUSED, S.STATE_STOPPED])
def test_a_world_that_cannot_be_loaded_changes_nothing(paused, flawed_world, state):
    sim = paused
    R = srv.LoadWorld.Response
    sim.set_state(state)
    before = sim.entities()
    uris = [
        (Resource(), R.NO_RESOURCE),
        (Resource(resource_string='x'), Result.RESULT_FEATURE_UNSUPPORTED),
        (Resource(uri='a.sdf'), R.UNSUPPORTED_FORMAT),
        (Resource(uri='/no/launch.yaml'), R.RESOURCE_PARSE_ERROR),
    ]
    lines = [
        ('scale: {no: number}', R.RESOURCE_PARSE_ERROR),
        ('mesh: not_there.obj', R.MISSING_ASSETS),
        ('colour of the sky: 3', R.UNSUPPORTED_ELEMENTS),
    ]
    for resource, code in uris + lines:
        world = resource if isinstance(resource, Resource) else flawed_world(resource)
        refused = sim('LoadWorld', world_resource=world, fail_on_unsupported_element=True).result
        assert refused.result == code and refused.error_message, (resource, refused)
        assert sim.state() == state
    assert sim.entities() == before
    if state == S.STATE_PLAYING:
        now = sim.time()
        sim.wait_for(lambda: sim.time() > now, 'progress of time')


def test_worlds_are_listed_loaded_and_unloaded(paused, flawed_world):
    sim = paused
    assert 'nowhere' in sim.ok('GetSpawnables', sources=['/nowhere', '/proc']).result.error_message
    worlds = {w.name: w.world_resource.uri for w in sim.ok('GetAvailableWorlds').worlds}
    assert 'boxes' in worlds
    assert sim('GetAvailableWorlds', additional_sources=['/nowhere']).result.result == Result.RESULT_OPERATION_FAILED
    assert sim.ok('GetAvailableWorlds', additional_sources=['/nowhere'], continue_on_error=True).worlds
    assert (
        sim('GetAvailableWorlds', filter=TagsFilter(tags=['indoor'])).result.result == Result.RESULT_FEATURE_UNSUPPORTED
    )
    assert sim('GetCurrentWorld').result.result == srv.GetCurrentWorld.Response.NO_WORLD_LOADED

    sim.set_state(S.STATE_PLAYING)
    sim.ok('LoadWorld', world_resource=Resource(uri=worlds['boxes']))
    assert sim.state() == S.STATE_STOPPED
    assert 'pendulum' not in sim.entities()
    assert sim.time('floor') == 0.0
    assert sim.ok('GetCurrentWorld').world.name == 'boxes'
    assert sim.set_state(S.STATE_PAUSED) == Result.RESULT_OK
    sim.ok('StepSimulation', steps=5)
    world = flawed_world('mesh: not_there.obj\n  colour of the sky: 3')
    loaded = sim.ok('LoadWorld', world_resource=world, ignore_missing_or_unsupported_assets=True)
    assert loaded.world.world_resource == world and 'not_there.obj' in loaded.result.error_message
    assert sim.state() == S.STATE_STOPPED and sim.entities() == ['model']

    sim.set_state(S.STATE_PLAYING)
    sim.ok('UnloadWorld')
    assert sim.state() == S.STATE_NO_WORLD
    assert sim.entities() == []
    assert sim('UnloadWorld').result.result == srv.UnloadWorld.Response.NO_WORLD_LOADED
    assert (
        sim('LoadWorld', world_resource=Resource(uri='/no/launch.yaml')).result.result
        == srv.LoadWorld.Response.RESOURCE_PARSE_ERROR
    )
    for state in S.STATE_STOPPED, S.STATE_PLAYING, S.STATE_PAUSED:
        assert sim.set_state(state) == Result.RESULT_INCORRECT_STATE
    assert sim('StepSimulation', steps=1).result.result == Result.RESULT_OPERATION_FAILED
    assert sim.state() == S.STATE_NO_WORLD
    sim.ok('SpawnEntity', name='drop', entity_resource=DROP)
    assert sim.state() == S.STATE_STOPPED
