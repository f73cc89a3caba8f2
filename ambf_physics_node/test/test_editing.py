"""Models, worlds and names: what is loaded, refused and found."""
import pytest
from rclpy.qos import QoSProfile

from ambf_msgs.msg import RigidBodyCmd, RigidBodyState
from world_fixture import *  # noqa: F403

PENDULUM = 'adf/pendulum.yaml'
AWAY = '''
bodies: [BODY base, BODY link]
joints: [JOINT hinge]
BODY base: {name: base, mass: 0.0, location: {position: {x: 4.0, y: 5.0, z: 6.0}, orientation: {r: 0.3, p: 0.2, y: 0.1}}}
BODY link: {name: link, mass: 0.1, inertia: {ix: 0.1, iy: 0.1, iz: 0.1},
  location: {position: {x: 4.0, y: 5.0, z: 6.0}, orientation: {r: 0.3, p: 0.2, y: 0.1}}}
JOINT hinge: {name: hinge, type: revolute, parent: BODY base, child: BODY link,
  parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: 0, y: 0, z: 0}, parent axis: {x: 1, y: 0, z: 0},
  child axis: {x: 1, y: 0, z: 0}}
'''
MESH = '''
bodies: [BODY ball]
BODY ball: {name: ball, mass: 1.0, mesh: no_such_ball.STL, collision shape: SPHERE, collision geometry: {radius: 0.1},
  inertia: {ix: 0.1, iy: 0.1, iz: 0.1}}
'''


@pytest.fixture(scope='module')
def world():
    with World('adf/psm.yaml', PENDULUM, world=description('worlds/demo/launch.yaml'), mode='lockstep') as w:
        yield w


def load(world, **fields):
    reply = world.call(LoadModel, 'load_model', **fields)
    if reply.ok:
        world.wait_for(lambda: world.manifest.revision == reply.manifest_revision, 'the manifest')
    return reply


def remove(world, name: str):
    reply = world.call(RemoveObject, 'remove', name=name)
    assert reply.ok, reply.message
    world.wait_for(lambda: world.manifest.revision == reply.manifest_revision, 'the manifest')


def test_every_kind_of_object_can_be_asked_for(world):
    manifest = world.manifest
    joint = next(j for j in manifest.joints if j.model == 'psm')
    found = world.call(QueryObject, 'query', name=joint.identifier)
    assert found.ok and found.info.kind == 'JOINT' and len(found.state) == 3, found.message
    assert [j.name for j in found.joints] == [joint.name] and joint.name in found.adf
    assert world.call(QueryObject, 'query', name=joint.name).info.identifier == joint.identifier
    model = world.call(QueryObject, 'query', name='psm')
    assert model.info.kind == 'MODEL' and model.adf and model.info.topic == '/ambf/env/psm'
    assert {j.model for j in model.joints} == {'psm'} and not model.state
    lists = {'cameras': 7, 'lights': 7, 'sensors': None, 'actuators': 1, 'soft_bodies': None, 'ghost_objects': 7}
    for name, numbers in lists.items():
        for info in getattr(manifest, name):
            found = world.call(QueryObject, 'query', name=info.identifier)
            assert found.ok and found.info == info, found.message
            assert numbers is None or len(found.state) == numbers
    assert manifest.cameras and manifest.lights
    assert 'nearest' in world.call(QueryObject, 'query', name='no such thing').message
    assert not world.call(QueryObject, 'query', name='').ok


def test_a_model_is_placed_by_its_base(world):
    fields = dict(text=AWAY, name='away', pose_of_base=True)
    from geometry_msgs.msg import Point, Pose, Quaternion
    pose = Pose(position=Point(x=-1.0, y=2.0, z=3.0), orientation=Quaternion(x=0.5, y=0.5, z=0.5, w=0.5))
    assert load(world, pose=pose, **fields).ok
    for body in ('base', 'link'):
        state = world.call(QueryObject, 'query', name=next(
            b.identifier for b in world.manifest.bodies if b.model == 'away' and b.name == body)).state
        assert list(state[:7]) == pytest.approx([-1.0, 2.0, 3.0, 0.5, 0.5, 0.5, 0.5], abs=1e-9)
    taken = load(world, keep_name=True, allow_rename=True, **fields)
    assert not taken.ok and taken.problem == LoadModel.Response.PROBLEM_NAME_TAKEN and 'away' in taken.message
    taken = load(world, text=AWAY, name='World', keep_name=True, allow_rename=True)
    assert taken.problem == LoadModel.Response.PROBLEM_NAME_TAKEN, 'the world file has this name'
    renamed = load(world, allow_rename=True, **fields)
    assert renamed.ok and renamed.names[0] != 'away'
    remove(world, 'away')
    remove(world, renamed.names[0])


def test_a_missing_mesh_is_a_warning_or_an_error_as_asked_for(world):
    before = world.manifest.revision
    refused = load(world, text=MESH, name='ball', refuse_missing_files=True)
    assert refused.problem == LoadModel.Response.PROBLEM_MISSING_FILE and 'no_such_ball.STL' in refused.message
    assert world.manifest.revision == before
    loaded = load(world, text=MESH, name='ball')
    assert loaded.ok and any('no_such_ball.STL' in w for w in loaded.warnings)
    remove(world, 'ball')


def test_models_whose_names_have_no_ascii_letter_have_topics_of_their_own(world):
    for name in ('日本', '中国'):
        assert load(world, uri=description(PENDULUM), name=name, allow_rename=True).ok
    topics = {m.name: m.topic for m in world.manifest.models}
    assert len(set(topics.values())) == len(topics)

    def published():
        return {name for name, types in world.node.get_topic_names_and_types()}
    world.wait_for(lambda: {t + '/joint_states' for t in topics.values()} <= published(), 'the topics')
    for name in ('日本', '中国'):
        remove(world, name)


def test_two_messages_for_different_joints_before_one_step_both_count(world):
    base = world.manifest.bodies[world.body('baselink')]
    publisher = world.node.create_publisher(RigidBodyCmd, base.topic + '/Command', QoSProfile(depth=10))
    world.wait_for(publisher.get_subscription_count, 'the world')
    joints = [world.manifest.joints[i].name for i in base.client_joints[:2]]
    before = world.step(0, observe_joints=list(base.client_joints[:2])).joints
    targets = [before[0] + 0.2, before[3] - 0.15]

    def send(i):
        publisher.publish(RigidBodyCmd(cartesian_cmd_type=RigidBodyCmd.TYPE_NONE, joint_names=[joints[i]],
                                       joint_cmds=[targets[i]], joint_modes=[POSITION]))
    send(0)
    send(1)

    def arrived():
        world.executor.spin_once(timeout_sec=0.2)
        after = world.step(20, observe_joints=list(base.client_joints[:2])).joints
        return abs(after[0] - targets[0]) < 0.02 and abs(after[3] - targets[1]) < 0.02
    for _ in range(5):  # nobody steps: both are there before the next one
        world.executor.spin_once(timeout_sec=0.1)
    world.wait_for(arrived, 'both joints at their targets')
    world.node.destroy_publisher(publisher)


def test_a_joint_that_a_step_commands_tells_who_did(world):
    base = world.manifest.bodies[world.body('baselink')]
    states = []
    subscription = world.node.create_subscription(RigidBodyState, base.topic + '/State', states.append, 10)
    world.wait_for(lambda: (world.step(1), states)[1], 'the state')
    reply = world.step(1, joints=[base.client_joints[0]], joint_modes=[EFFORT], joint_values=[0.0])
    world.wait_for(lambda: states[-1].sim_step >= reply.step, 'the state of the step')
    assert states[-1].commanded_by == 'tester' and states[-1].applied_step == reply.step
    world.node.destroy_subscription(subscription)


def test_a_world_is_refused_as_its_flags_say_and_nothing_changes(world, tmp_path):
    (tmp_path / 'world.yaml').write_text(
        'lights: []\ncameras: []\ngravity: {x: 0, y: 0, z: -9.8}\nnot a key: 1\nmax iterations: 10\n')
    (tmp_path / 'model.yaml').write_text(MESH)
    launch = tmp_path / 'launch.yaml'
    launch.write_text('world config: world.yaml\nmultibody configs: [model.yaml]\n')
    before = world.step(0).state_hash
    R = LoadWorld.Response
    for fields, problem, words in (({'refuse_missing_files': True}, R.PROBLEM_MISSING_FILE, 'no_such_ball.STL'),
                                   ({'refuse_unknown_keys': True}, R.PROBLEM_UNKNOWN_KEY, 'not a key')):
        refused = world.call(LoadWorld, 'load_world', uri=str(launch), **fields)
        assert not refused.ok and refused.problem == problem and words in refused.message
        assert world.step(0).state_hash == before
    (tmp_path / 'long.yaml').write_text(MESH.replace('name: ball', f'name: {"x" * 300}'))
    (tmp_path / 'long_launch.yaml').write_text('world config: world.yaml\nmultibody configs: [long.yaml]\n')
    for uri, words in ((tmp_path / 'long_launch.yaml', 'characters'), (tmp_path, 'no file'), ('no://address', 'address')):
        refused = world.call(LoadWorld, 'load_world', uri=str(uri))
        assert not refused.ok and refused.problem == R.PROBLEM_DESCRIPTION and words in refused.message
        assert world.step(0).state_hash == before
    loaded = world.call(LoadWorld, 'load_world', uri=str(launch))
    assert loaded.ok, loaded.message
    world.wait_for(lambda: [m.name for m in world.manifest.models] == ['model'], 'the other world')
    assert world.step(0).step == 0
