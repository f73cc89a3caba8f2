# SPDX-License-Identifier: BSD-3-Clause
"""Models, worlds and names: what is loaded, refused and found."""

import pytest
from geometry_msgs.msg import Point, Pose, Quaternion
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from world_fixture import *

from ambf_msgs.msg import RigidBodyCmd, RigidBodyState

PENDULUM = 'adf/pendulum.yaml'
AWAY = """
bodies: [BODY base, BODY link]
joints: [JOINT hinge]
BODY base: {name: base, mass: 0.0, location: {position: {x: 4.0, y: 5.0, z: 6.0}, orientation: {r: 0.3, p: 0.2, y: 0.1}}}
BODY link: {name: link, mass: 0.1, inertia: {ix: 0.1, iy: 0.1, iz: 0.1},
  location: {position: {x: 4.0, y: 5.0, z: 6.0}, orientation: {r: 0.3, p: 0.2, y: 0.1}}}
JOINT hinge: {name: hinge, type: revolute, parent: BODY base, child: BODY link,
  parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: 0, y: 0, z: 0}, parent axis: {x: 1, y: 0, z: 0},
  child axis: {x: 1, y: 0, z: 0}}
"""
MESH = """
bodies: [BODY ball]
BODY ball: {name: ball, mass: 1.0, mesh: no_such_ball.STL, collision shape: SPHERE, collision geometry: {radius: 0.1},
  inertia: {ix: 0.1, iy: 0.1, iz: 0.1}}
"""


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
    found = world.call(QueryObject, 'query', name=joint.identifier, details=True)
    assert found.ok and found.info.kind == 'JOINT' and len(found.state) == 3, found.message
    assert [j.name for j in found.joints] == [joint.name] and joint.name in found.adf
    assert world.call(QueryObject, 'query', name=joint.name).info.identifier == joint.identifier
    model = world.call(QueryObject, 'query', name='psm', details=True)
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


def test_an_answer_is_a_summary_unless_details_are_asked_for(world):
    body = next(b for b in world.manifest.bodies if b.model == 'psm' and not b.parent)
    brief, whole = (
        world.call(QueryObject, 'query', name=body.identifier, details=details) for details in (False, True)
    )
    assert len(serialize_message(brief)) < 2000 < 10000 < len(serialize_message(whole))
    assert list(brief.state) == list(whole.state) and len(brief.state) == 13
    assert not brief.adf and not brief.joints and whole.adf and len(whole.joints) == len(body.client_joints)
    assert f"rigid body '{body.name}' of model 'psm'" in brief.message and 'State on /ambf/env/psm' in brief.message
    model = world.call(QueryObject, 'query', name='psm')
    assert 'bodies' in model.message and 'joints' in model.message and not model.joints


def test_what_has_no_topics_says_so(world):
    passive = [b for b in world.manifest.bodies if b.without_topics]
    assert {'floor', 'pitchbottomlink'} <= {b.name for b in passive} and len(passive) < len(world.manifest.bodies)
    assert 'no topics: it is passive' in world.call(QueryObject, 'query', name=passive[0].identifier).message
    assert f'({len(passive)} without topics: passive in their description' in world.output()
    world.executor.spin_once(timeout_sec=0.05)
    topics = {name for name, _ in world.node.get_topic_names_and_types()}
    for body in world.manifest.bodies:
        assert body.without_topics or f'{body.topic}/State' in topics, body.topic
        assert not body.without_topics or f'{body.topic}/State' not in topics, body.topic


def test_warnings_of_a_model_are_in_the_reply_and_in_the_log(world):
    reply = load(world, text=MESH, name='warned')
    assert reply.ok and any('no_such_ball.STL' in warning for warning in reply.warnings), reply
    lines = [line for line in world.output().splitlines() if 'WARN' in line and 'no_such_ball.STL' in line]
    assert len(lines) == 1 and 'load_model:' in lines[0], world.output()
    remove(world, 'warned')


def placed(*position) -> Pose:
    x, y, z = (float(v) for v in position)
    return Pose(position=Point(x=x, y=y, z=z), orientation=Quaternion(w=1.0))


def test_a_jointed_body_takes_its_arm_along_or_is_refused(world):
    """The example of docs/physics_node.md: the base of the PSM goes somewhere else."""
    world.set_mode(LOCKSTEP)
    bodies = [b for b in world.manifest.bodies if b.model == 'psm']
    base = next(b for b in bodies if not b.parent)
    start = {b.identifier: list(world.call(QueryObject, 'query', name=b.identifier).state) for b in bodies}
    joints = list(world.step(0, observe_all=True).joints)
    before = start[base.identifier]
    goal = placed(0, 0, 1)
    goal.orientation = Quaternion(**dict(zip('xyzw', before[3:7])))
    moved = world.call(SetBodyState, 'set_body_state', names=[base.name], poses=[goal])
    assert moved.ok, moved.message
    for body in bodies:
        state = world.call(QueryObject, 'query', name=body.identifier).state
        apart = [a - b for a, b in zip(state[:3], start[body.identifier][:3])]
        # The base is not turned, so that all go by the same way.
        assert apart == pytest.approx([-before[0], -before[1], 1.0 - before[2]], abs=1e-9), body.name
    assert list(world.step(0, observe_all=True).joints) == pytest.approx(joints, abs=1e-6)
    assert world.step(50).ok
    tip = next(b for b in bodies if b.name == 'toolyawlink')
    refused = world.call(SetBodyState, 'set_body_state', names=[tip.identifier], poses=[placed(0, 0, 2)])
    assert not refused.ok and f"hangs by joints on '{base.name}'" in refused.message, refused.message
    world.call(ResetWorld, 'reset')


def test_a_model_is_placed_by_its_base(world):
    fields = dict(text=AWAY, name='away', pose_of_base=True)
    pose = Pose(position=Point(x=-1.0, y=2.0, z=3.0), orientation=Quaternion(x=0.5, y=0.5, z=0.5, w=0.5))
    assert load(world, pose=pose, **fields).ok
    for body in ('base', 'link'):
        state = world.call(
            QueryObject,
            'query',
            name=next(b.identifier for b in world.manifest.bodies if b.model == 'away' and b.name == body),
        ).state
        assert list(state[:7]) == pytest.approx([-1.0, 2.0, 3.0, 0.5, 0.5, 0.5, 0.5], abs=1e-9)
    taken = load(world, keep_name=True, allow_rename=True, **fields)
    assert not taken.ok and taken.problem == LoadModel.Response.PROBLEM_NAME_TAKEN and 'away' in taken.message
    taken = load(world, text=AWAY, name='World', keep_name=True, allow_rename=True)
    assert taken.problem == LoadModel.Response.PROBLEM_NAME_TAKEN, 'the world file has this name'
    renamed = load(world, allow_rename=True, **fields)
    assert renamed.ok and renamed.names[0] != 'away'
    remove(world, 'away')
    remove(world, renamed.names[0])


def test_a_name_means_the_same_in_every_door(world):
    arm = description('adf/psm.yaml')
    assert load(world, uri=arm, name='left', allow_rename=True).names == ['left']
    assert load(world, uri=arm, ns='/ambf/env/arms/', allow_rename=True).ok
    topics = [body.topic for body in world.manifest.bodies]
    assert '/ambf/env/left/baselink' in topics and '/ambf/env/arms/psm/baselink' in topics
    model = next(m for m in world.manifest.models if m.name == 'left')
    assert model.topic == '/ambf/env/left', 'joint states lie where the bodies do'
    body = next(b for b in world.manifest.bodies if b.topic == '/ambf/env/left/toolyawlink')
    for name in ('left/toolyawlink', '/ambf/env/left/toolyawlink', 'left/tool yaw link', body.identifier):
        found = world.call(QueryObject, 'query', name=name)
        assert found.ok and found.info.topic == body.topic, (name, found.message)
        commanded = world.step(1, body_cmds=[RigidBodyCmd(name=name, cartesian_cmd_type=RigidBodyCmd.TYPE_FORCE)])
        assert commanded.ok, (name, commanded.message)
    for name in ('left/baselink-yawlink', '/ambf/env/left/baselink-yawlink', 'left/JOINT base link-yaw link'):
        found = world.call(QueryObject, 'query', name=name)
        assert found.ok and found.info.identifier == '/ambf/env/left/JOINT base link-yaw link', (name, found.message)
        commanded = world.step(
            1,
            body_cmds=[
                RigidBodyCmd(
                    name='left/baselink', cartesian_cmd_type=3, joint_names=[name], joint_cmds=[0.1], joint_modes=[2]
                )
            ],
        )
        assert commanded.ok, (name, commanded.message)
    ours = next(b for b in world.manifest.bodies if b.topic == '/ambf/env/psm/toolyawlink')
    assert world.call(QueryObject, 'query', name='psm/toolyawlink').info == ours, 'and not that of arms/psm'
    assert world.step(1, body_cmds=[RigidBodyCmd(name='psm/toolyawlink', cartesian_cmd_type=3)]).ok
    assert not world.call(QueryObject, 'query', name='toolyawlink').ok, 'three arms have one'
    remove(world, 'left/toolgripper1link')
    for name in [m.name for m in world.manifest.models if m.topic in ('/ambf/env/left', '/ambf/env/arms/psm')]:
        remove(world, name)


def test_no_name_names_nothing(world):
    assert any(b.without_topics for b in world.manifest.bodies), 'what has no topic must not be found by none'
    before = world.manifest.revision
    refused = world.call(RemoveObject, 'remove', name='')
    assert not refused.ok and "is named ''" in refused.message and refused.manifest_revision == before
    assert not world.call(QueryObject, 'query', name='').ok


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
        publisher.publish(
            RigidBodyCmd(
                cartesian_cmd_type=RigidBodyCmd.TYPE_NONE,
                joint_names=[joints[i]],
                joint_cmds=[targets[i]],
                joint_modes=[POSITION],
            )
        )

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
        'lights: []\ncameras: []\ngravity: {x: 0, y: 0, z: -9.8}\nnot a key: 1\nmax iterations: 10\n'
    )
    (tmp_path / 'model.yaml').write_text(MESH)
    launch = tmp_path / 'launch.yaml'
    launch.write_text('world config: world.yaml\nmultibody configs: [model.yaml]\n')
    before = world.step(0).state_hash
    R = LoadWorld.Response
    for fields, problem, words in (
        ({'refuse_missing_files': True}, R.PROBLEM_MISSING_FILE, 'no_such_ball.STL'),
        ({'refuse_unknown_keys': True}, R.PROBLEM_UNKNOWN_KEY, 'not a key'),
    ):
        refused = world.call(LoadWorld, 'load_world', uri=str(launch), **fields)
        assert not refused.ok and refused.problem == problem and words in refused.message
        assert world.step(0).state_hash == before
    (tmp_path / 'long.yaml').write_text(MESH.replace('name: ball', f'name: {"x" * 300}'))
    (tmp_path / 'long_launch.yaml').write_text('world config: world.yaml\nmultibody configs: [long.yaml]\n')
    for uri, words in (
        (tmp_path / 'long_launch.yaml', 'characters'),
        (tmp_path, 'no file'),
        ('no://address', 'address'),
    ):
        refused = world.call(LoadWorld, 'load_world', uri=str(uri))
        assert not refused.ok and refused.problem == R.PROBLEM_DESCRIPTION and words in refused.message
        assert world.step(0).state_hash == before
    loaded = world.call(LoadWorld, 'load_world', uri=str(launch))
    assert loaded.ok, loaded.message
    world.wait_for(lambda: [m.name for m in world.manifest.models] == ['model'], 'the other world')
    assert world.step(0).step == 0
