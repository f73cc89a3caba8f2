"""A client written from the definitions of simulation_interfaces 2.1 alone drives a world."""
import math
import pathlib
import signal
import subprocess
import tempfile
import time

import pytest
import rclpy
from action_msgs.msg import GoalStatus
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from rclpy.action import ActionClient
from simulation_interfaces import srv
from simulation_interfaces.action import SimulateSteps
from simulation_interfaces.msg import (Bounds, EntityCategory, EntityFilters, EntityInfo, Resource, Result,
                                       SimulationState, SimulatorFeatures, SpawnEntity, SpawnResult, TagsFilter)

BALL = 'package://ambf_description/adf/ball.yaml'
DROP = Resource(resource_string="""
bodies: [BODY drop]
joints: []
BODY drop:
  name: drop
  shape: SPHERE
  geometry: {radius: 0.1}
  collision shape: SPHERE
  collision geometry: {radius: 0.1}
  mass: 1.0
  damping: {linear: 0.0, angular: 0.0}
""")
SNAKE = {name: ''.join('_' + c.lower() if c.isupper() else c for c in name)[1:] for name in dir(srv)
         if name[0].isupper()}

# Requests without effect, where that of the defaults has one.
NO_EFFECT = {'SetSimulationState': {'state': SimulationState(state=200)}, 'ResetSimulation': {'scope': 8},
             'StepSimulation': {'steps': 0}}


def program(package: str, name: str) -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


class Client:
    """The two nodes, and calls to the standard's services."""

    def __init__(self):
        share = pathlib.Path(get_package_share_directory('ambf_description'))
        self.log = tempfile.TemporaryFile('a+')
        self.processes = [subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT) for command in (
            [program('ambf_physics_node', 'physics_node'), '--ros-args', '-p',
             f"models:=['{share}/adf/pendulum.yaml', '{share}/adf/floor.yaml']"],
            [program('ambf_simulation_interfaces', 'adapter')])]
        rclpy.init()
        self.node = rclpy.create_node('standard_client')
        self.clients = {}
        self.steps = ActionClient(self.node, SimulateSteps, 'simulate_steps')

    def output(self):
        self.log.flush()
        self.log.seek(0)
        return self.log.read()

    def wait(self, future, timeout=90.0):
        end = time.monotonic() + timeout
        while not future.done():
            rclpy.spin_once(self.node, timeout_sec=0.05)
            assert time.monotonic() < end, f'no answer within {timeout} s\n{self.output()}'
        return future.result()

    def __call__(self, kind: str, **fields):
        if kind not in self.clients:
            self.clients[kind] = self.node.create_client(getattr(srv, kind), SNAKE[kind])
            assert self.clients[kind].wait_for_service(60.0), kind
            self.meet(kind)
        return self.wait(self.clients[kind].call_async(getattr(srv, kind).Request(**fields)))

    def meet(self, kind: str):
        """Ask for nothing until there is an answer: it is lost as long as the server has not found the client."""
        if kind == 'UnloadWorld':
            return  # every request to it has an effect
        request = getattr(srv, kind).Request(**NO_EFFECT.get(kind, {}))
        end, future = time.monotonic() + 90.0, None
        while future is None or not future.done():
            assert time.monotonic() < end, f'{kind} does not answer\n{self.output()}'
            future = self.clients[kind].call_async(request)
            patience = time.monotonic() + 3.0
            while not future.done() and time.monotonic() < patience:
                rclpy.spin_once(self.node, timeout_sec=0.05)

    def ok(self, kind: str, **fields):
        response = self(kind, **fields)
        assert response.result.result == Result.RESULT_OK, (kind, response.result.error_message)
        return response

    def set_state(self, state: int):
        return self('SetSimulationState', state=SimulationState(state=state)).result.result

    def state(self) -> int:
        return self.ok('GetSimulationState').state.state

    def simulate(self, steps: int, feedback=None):
        assert self.steps.wait_for_server(60.0)
        goal = SimulateSteps.Goal(steps=steps)
        return self.wait(self.steps.send_goal_async(goal, feedback_callback=feedback))

    def close(self):
        rclpy.shutdown()
        for process in self.processes:
            process.send_signal(signal.SIGINT)
        codes = [process.wait(timeout=60) for process in self.processes]
        self.log.close()
        assert codes == [0, 0]


@pytest.fixture(scope='module')
def sim():
    client = Client()
    end = time.monotonic() + 90
    while client('GetSimulationState').result.result != Result.RESULT_OK:
        assert time.monotonic() < end, client.output()
    yield client
    client.close()


@pytest.fixture
def paused(sim):
    sim.set_state(SimulationState.STATE_PAUSED)
    sim.ok('ResetSimulation', scope=255)
    return sim


def pose_at(x, y, z, frame='world'):
    from geometry_msgs.msg import PoseStamped
    pose = PoseStamped()
    pose.header.frame_id = frame
    pose.pose.position.x, pose.pose.position.y, pose.pose.position.z = float(x), float(y), float(z)
    return pose


def sim_time(sim) -> float:
    stamp = sim.ok('GetEntityState', entity='pendulum').state.header.stamp
    return stamp.sec + 1e-9 * stamp.nanosec


def test_every_advertised_feature_has_its_service_and_no_other(sim):
    features = sim('GetSimulatorFeatures').features
    assert features.spawn_formats == ['adf']
    F = SimulatorFeatures
    needs = {F.SPAWNING: 'SpawnEntity', F.SPAWNING_ENTITIES: 'SpawnEntities', F.DELETING: 'DeleteEntity',
             F.NAMED_POSES: 'GetNamedPoses', F.POSE_BOUNDS: 'GetNamedPoseBounds', F.ENTITY_BOUNDS: 'GetEntityBounds',
             F.ENTITY_STATE_GETTING: 'GetEntityState', F.ENTITY_STATE_SETTING: 'SetEntityState',
             F.ENTITY_INFO_GETTING: 'GetEntityInfo', F.ENTITY_INFO_SETTING: 'SetEntityInfo',
             F.SPAWNABLES: 'GetSpawnables', F.SIMULATION_RESET: 'ResetSimulation',
             F.SIMULATION_STATE_GETTING: 'GetSimulationState', F.SIMULATION_STATE_SETTING: 'SetSimulationState',
             F.STEP_SIMULATION_SINGLE: 'StepSimulation', F.WORLD_LOADING: 'LoadWorld',
             F.WORLD_UNLOADING: 'UnloadWorld', F.WORLD_INFO_GETTING: 'GetCurrentWorld',
             F.AVAILABLE_WORLDS: 'GetAvailableWorlds'}
    wanted = {'/' + SNAKE[service]: feature in features.features for feature, service in needs.items()}
    end = time.monotonic() + 60
    while True:  # the graph tells of the services one by one
        there = {name for name, _ in sim.node.get_service_names_and_types()}
        if {name: name in there for name in wanted} == wanted:
            break
        assert time.monotonic() < end, (wanted, there)
        rclpy.spin_once(sim.node, timeout_sec=0.1)


def test_spawn_pause_step_state_reset_delete(paused):
    sim = paused
    assert sim.state() == SimulationState.STATE_PAUSED
    spawned = sim.ok('SpawnEntity', name='my ball', entity_resource=DROP, initial_pose=pose_at(3, 0, 5))
    assert spawned.entity_name == 'my ball'
    assert 'my ball' in sim.ok('GetEntities').entities
    start = sim.ok('GetEntityState', entity='my ball').state
    assert start.pose.position.x == pytest.approx(3.0, abs=1e-9)
    before = sim_time(sim)
    sim.ok('StepSimulation', steps=100)
    assert sim_time(sim) - before == pytest.approx(0.1, abs=1e-9)
    fallen = sim.ok('GetEntityState', entity='my ball').state
    # Free fall for 0.1 s; one step of error in the sum is g dt t.
    assert start.pose.position.z - fallen.pose.position.z == pytest.approx(0.5 * 9.8 * 0.01, abs=0.001)
    assert fallen.twist.linear.z == pytest.approx(-0.98, abs=0.01)

    fallen.pose.position.z = 9.0
    fallen.twist.linear.x = 2.0
    fallen.twist.linear.z = 0.0
    sim.ok('SetEntityState', entity='my ball', state=fallen)
    assert sim.ok('GetEntityState', entity='my ball').state.pose.position.z < 6.0, 'no flag: nothing is set'
    sim.ok('SetEntityState', entity='my ball', state=fallen, set_pose=True, set_twist=True)
    placed = sim.ok('GetEntityState', entity='my ball').state
    assert placed.pose.position.z == pytest.approx(9.0, abs=1e-9)
    sim.ok('StepSimulation', steps=10)
    assert sim.ok('GetEntityState', entity='my ball').state.pose.position.x == pytest.approx(3.02, abs=0.001)

    sim.ok('ResetSimulation', scope=srv.ResetSimulation.Request.SCOPE_STATE)
    assert sim.ok('GetEntityState', entity='my ball').state.pose.position.z == pytest.approx(
        start.pose.position.z, abs=1e-6)
    sim.ok('DeleteEntity', entity='my ball')
    assert 'my ball' not in sim.ok('GetEntities').entities
    assert sim('DeleteEntity', entity='my ball').result.result == Result.RESULT_NOT_FOUND


def test_reset_scopes_are_what_they_say(paused):
    sim = paused
    sim.ok('SpawnEntity', name='guest', entity_resource=DROP, initial_pose=pose_at(3, 0, 5))
    sim.ok('StepSimulation', steps=50)
    z = sim.ok('GetEntityState', entity='guest').state.pose.position.z
    sim.ok('ResetSimulation', scope=srv.ResetSimulation.Request.SCOPE_TIME)
    assert sim_time(sim) == 0.0
    assert sim.ok('GetEntityState', entity='guest').state.pose.position.z == z
    sim.ok('ResetSimulation', scope=srv.ResetSimulation.Request.SCOPE_SPAWNED)
    assert 'guest' not in sim.ok('GetEntities').entities
    assert sim('ResetSimulation', scope=8).result.result == Result.RESULT_FEATURE_UNSUPPORTED


def test_states_follow_the_standard(paused):
    sim = paused
    S = SimulationState
    assert sim.set_state(S.STATE_PAUSED) == srv.SetSimulationState.Response.ALREADY_IN_TARGET_STATE
    assert sim.set_state(S.STATE_PLAYING) == Result.RESULT_OK
    assert sim.state() == S.STATE_PLAYING
    before = sim_time(sim)
    end = time.monotonic() + 60
    while sim_time(sim) == before:
        assert time.monotonic() < end, 'time does not run'
    refused = sim('StepSimulation', steps=1).result
    assert refused.result == Result.RESULT_OPERATION_FAILED and 'paused' in refused.error_message
    assert sim.set_state(S.STATE_STOPPED) == Result.RESULT_OK
    assert sim.state() == S.STATE_STOPPED and sim_time(sim) == 0.0
    assert sim('StepSimulation', steps=1).result.result == Result.RESULT_OPERATION_FAILED
    assert sim.set_state(S.STATE_PAUSED) == Result.RESULT_OK
    assert sim_time(sim) == 0.0, 'pausing from stopped takes no step'
    assert sim.set_state(S.STATE_QUITTING) == Result.RESULT_FEATURE_UNSUPPORTED


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
    assert sim_time(sim) == pytest.approx(0.025, abs=1e-9)

    feedback.clear()
    goal = sim.simulate(4_000_000_000, lambda m: feedback.append(m.feedback.completed_steps))
    end = time.monotonic() + 60
    while not feedback:
        rclpy.spin_once(sim.node, timeout_sec=0.05)
        assert time.monotonic() < end, 'no progress'
    assert sim('StepSimulation', steps=1).result.result == Result.RESULT_OPERATION_FAILED, 'one at a time'
    sim.wait(goal.cancel_goal_async())
    done = sim.wait(goal.get_result_async())
    assert done.status == GoalStatus.STATUS_CANCELED
    assert 'canceled after' in done.result.result.error_message
    taken = round(1000 * sim_time(sim))
    assert taken < 4_000_000_000 and str(taken - 25) in done.result.result.error_message

    sim.set_state(SimulationState.STATE_PLAYING)
    done = sim.wait(sim.simulate(5).get_result_async())
    assert done.status == GoalStatus.STATUS_ABORTED and done.result.result.result == Result.RESULT_OPERATION_FAILED
    sim.set_state(SimulationState.STATE_PAUSED)


def test_of_two_goals_at_once_one_is_refused(paused):
    sim = paused
    assert sim.steps.wait_for_server(60.0)
    before = sim_time(sim)
    sent = [sim.steps.send_goal_async(SimulateSteps.Goal(steps=200)) for _ in range(2)]
    done = [sim.wait(sim.wait(goal).get_result_async()) for goal in sent]
    assert sorted(d.status for d in done) == [GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_ABORTED]
    refused, = (d for d in done if d.status == GoalStatus.STATUS_ABORTED)
    assert 'under way' in refused.result.result.error_message
    assert sim_time(sim) - before == pytest.approx(0.2, abs=1e-9)


@pytest.mark.parametrize('fields, code', [
    (dict(name='x'), SpawnResult.NO_RESOURCE),
    (dict(name='x', entity_resource=Resource(uri='robot.urdf')), SpawnResult.UNSUPPORTED_FORMAT),
    (dict(name='x', entity_resource=Resource(resource_string='<robot/>')), SpawnResult.UNSUPPORTED_FORMAT),
    (dict(name='a/b', entity_resource=Resource(uri=BALL)), SpawnResult.NAME_INVALID),
    (dict(entity_resource=Resource(resource_string='bodies: []')), SpawnResult.NAME_INVALID),
    (dict(name='pendulum', entity_resource=Resource(uri=BALL)), SpawnResult.NAME_NOT_UNIQUE),
    (dict(name='x', entity_resource=Resource(uri=BALL), entity_namespace='1 2'), SpawnResult.NAMESPACE_INVALID),
    (dict(name='x', entity_resource=Resource(uri='/no/such/file.yaml')), SpawnResult.RESOURCE_PARSE_ERROR),
    (dict(name='x', entity_resource=Resource(resource_string='bodies: [BODY a]')), SpawnResult.RESOURCE_PARSE_ERROR),
    (dict(name='x', entity_resource=Resource(uri=BALL), initial_pose=pose_at(math.nan, 0, 0)), SpawnResult.INVALID_POSE),
    (dict(name='x', entity_resource=Resource(uri=BALL), initial_pose=pose_at(0, 0, 0, 'moon')), SpawnResult.INVALID_POSE),
])
def test_a_spawn_that_cannot_be_is_refused_with_its_code_and_changes_nothing(sim, fields, code):
    before = sim.ok('GetEntities').entities
    answer = sim('SpawnEntity', **fields)
    assert answer.result.result == code and answer.result.error_message
    assert sim.ok('GetEntities').entities == before


def test_several_entities_are_spawned_and_renamed_from_text_and_file(paused):
    sim = paused
    requests = [SpawnEntity(name='twin', allow_renaming=True, entity_resource=resource,
                            entity_namespace='copies', initial_pose=pose_at(10 + i, 0, 1))
                for i, resource in enumerate((DROP, Resource(uri=BALL)))]
    answer = sim.ok('SpawnEntities', spawn_requests=requests)
    names = [r.entity_name for r in answer.results]
    assert names[0] == 'twin' and len(set(names)) == 2
    requests.append(SpawnEntity(name='y'))
    answer = sim('SpawnEntities', spawn_requests=requests[2:])
    assert answer.result.result == srv.SpawnEntities.Response.ENTITIES_SPAWN_FAILED
    assert answer.results[0].result.result == SpawnResult.NO_RESOURCE
    for name in names:
        sim.ok('DeleteEntity', entity=name)


def test_filters_bounds_infos_and_tags(paused):
    sim = paused
    sim.ok('SpawnEntity', name='tagged', entity_resource=DROP, initial_pose=pose_at(20, 0, 1))
    bounds = sim.ok('GetEntityBounds', entity='tagged').bounds
    assert bounds.type == Bounds.TYPE_BOX and len(bounds.points) == 2
    assert bounds.points[0].x > bounds.points[1].x
    sim.ok('SetEntityInfo', entity='tagged', info=EntityInfo(
        category=EntityCategory(category=EntityCategory.CATEGORY_DYNAMIC_OBJECT), tags=['red', 'round']))
    assert sim.ok('GetEntityInfo', entity='tagged').info.tags == ['red', 'round']

    def found(**fields):
        return sim.ok('GetEntities', filters=EntityFilters(**fields)).entities
    assert found(filter='^tag') == ['tagged']
    assert found(tags=TagsFilter(tags=['red', 'blue'])) == ['tagged']
    assert found(tags=TagsFilter(tags=['red', 'blue'], filter_mode=TagsFilter.FILTER_MODE_ALL)) == []
    assert found(categories=[EntityCategory(category=EntityCategory.CATEGORY_DYNAMIC_OBJECT)]) == ['tagged']
    sphere = Bounds(type=Bounds.TYPE_SPHERE, points=[pose_vector(20, 0, 1), pose_vector(0.5, 0, 0)])
    assert 'tagged' in found(bounds=sphere) and 'pendulum' not in found(bounds=sphere)
    hull = Bounds(type=Bounds.TYPE_CONVEX_HULL, points=[pose_vector(0, 0, 0)] * 4)
    refused = sim('GetEntities', filters=EntityFilters(bounds=hull))
    assert refused.result.result == Result.RESULT_FEATURE_UNSUPPORTED
    assert sim('GetEntities', filters=EntityFilters(filter='(')).result.result == Result.RESULT_OPERATION_FAILED
    states = sim.ok('GetEntitiesStates', filters=EntityFilters(filter='^tag'))
    assert states.entities == ['tagged'] and states.states[0].pose.position.x == pytest.approx(20.0, abs=1e-6)
    for kind in ('GetEntityState', 'GetEntityBounds', 'GetEntityInfo'):
        assert sim(kind, entity='nobody').result.result == Result.RESULT_NOT_FOUND
    sim.ok('DeleteEntity', entity='tagged')


def pose_vector(x, y, z):
    from geometry_msgs.msg import Vector3
    return Vector3(x=float(x), y=float(y), z=float(z))


def test_a_static_entity_is_placed_but_does_not_move(paused):
    sim = paused
    entities = sim.ok('GetEntities', filters=EntityFilters(
        categories=[EntityCategory(category=EntityCategory.CATEGORY_STATIC_OBJECT)])).entities
    assert entities
    state = sim.ok('GetEntityState', entity=entities[0]).state
    state.twist.linear.x = 1.0
    refused = sim('SetEntityState', entity=entities[0], state=state, set_twist=True)
    assert refused.result.result == Result.RESULT_OPERATION_FAILED
    state.pose.orientation.w = 0.0
    bad = sim('SetEntityState', entity=entities[0], state=state, set_pose=True)
    assert bad.result.result == srv.SetEntityState.Response.INVALID_POSE


def test_spawnables_and_worlds_are_listed_loaded_and_unloaded(paused):
    sim = paused
    uris = [s.entity_resource.uri for s in sim.ok('GetSpawnables').spawnables]
    assert BALL in uris
    assert 'nowhere' in sim.ok('GetSpawnables', sources=['/nowhere']).result.error_message
    worlds = {w.name: w.world_resource.uri for w in sim.ok('GetAvailableWorlds').worlds}
    assert 'boxes' in worlds
    assert sim('GetCurrentWorld').result.result == srv.GetCurrentWorld.Response.NO_WORLD_LOADED
    assert sim('LoadWorld').result.result == srv.LoadWorld.Response.NO_RESOURCE
    bad = sim('LoadWorld', world_resource=Resource(uri='/no/launch.yaml'))
    assert bad.result.result == srv.LoadWorld.Response.RESOURCE_PARSE_ERROR
    assert 'pendulum' in sim.ok('GetEntities').entities, 'a world that is not there changes nothing'

    sim.ok('LoadWorld', world_resource=Resource(uri=worlds['boxes']))
    assert sim.state() == SimulationState.STATE_STOPPED
    assert 'pendulum' not in sim.ok('GetEntities').entities
    assert sim.ok('GetCurrentWorld').world.name == 'boxes'
    assert sim.set_state(SimulationState.STATE_PAUSED) == Result.RESULT_OK
    sim.ok('StepSimulation', steps=5)
    sim.ok('UnloadWorld')
    assert sim.state() == SimulationState.STATE_NO_WORLD
    assert sim.ok('GetEntities').entities == []
    assert sim('UnloadWorld').result.result == srv.UnloadWorld.Response.NO_WORLD_LOADED
    assert sim.set_state(SimulationState.STATE_PLAYING) == Result.RESULT_INCORRECT_STATE
