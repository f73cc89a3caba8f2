# SPDX-License-Identifier: BSD-3-Clause
"""Soft bodies, cameras, lights, sensors, actuators and ghosts are citizens of the graph, too."""

import math
import pathlib

import pytest
import yaml
from tf2_msgs.msg import TFMessage
from world_fixture import *

from ambf_msgs.msg import (
    ActuatorCmd,
    ActuatorState,
    CameraCmd,
    CameraState,
    GhostObjectState,
    LightCmd,
    LightState,
    RigidBodyState,
    SensorState,
    SoftBodyCmd,
    SoftBodyState,
    WorldSnapshot,
    WorldState,
)

# A fixed hand that looks down at a target 0.25 m below, which is inside a ghost; nothing falls.
HAND = """
bodies: [BODY hand, BODY target]
ghost objects: [GHOST zone]
sensors: [SENSOR eye]
actuators: [ACTUATOR grip]
joints: []
namespace: /ambf/env/hand/
gravity: {x: 0.0, y: 0.0, z: 0.0}
BODY hand:
  name: hand
  shape: BOX
  geometry: {x: 0.1, y: 0.1, z: 0.1}
  mass: 0.0
  location:
    position: {x: 3.0, y: 0.0, z: 1.0}
    orientation: {r: 0.0, p: 0.0, y: 0.0}
BODY target:
  name: target
  shape: BOX
  geometry: {x: 0.1, y: 0.1, z: 0.1}
  collision shape: BOX
  collision geometry: {x: 0.1, y: 0.1, z: 0.1}
  mass: 0.05
  location:
    position: {x: 3.0, y: 0.0, z: 0.75}
    orientation: {r: 0.0, p: 0.0, y: 0.0}
SENSOR eye:
  name: eye
  type: Proximity
  parent: BODY hand
  location:
    position: {x: 0.0, y: 0.0, z: -0.05}
    orientation: {r: 0.0, p: 0.0, y: 0.0}
  range: 0.5
  array: [{offset: {x: 0.0, y: 0.0, z: 0.0}, direction: {x: 0.0, y: 0.0, z: -1.0}}]
ACTUATOR grip:
  name: grip
  type: Constraint
  parent: BODY hand
GHOST zone:
  name: zone
  location:
    position: {x: 3.0, y: 0.0, z: 0.75}
    orientation: {r: 0.0, p: 0.0, y: 0.0}
  collision shape: SPHERE
  collision geometry: {radius: 0.03}
"""
RIDER = """
cameras: [CAMERA rider]
bodies: []
joints: []
namespace: /ambf/env/rider/
CAMERA rider:
  name: rider
  parent: BODY carrier
  location: {x: 0.0, y: 0.0, z: 1.0}
  look at: {x: -1.0, y: 0.0, z: 1.0}
  up: {x: 0.0, y: 0.0, z: 1.0}
"""
CARRIER = """
bodies: [BODY carrier]
joints: []
namespace: /ambf/env/carrier/
BODY carrier:
  name: carrier
  shape: SPHERE
  geometry: {radius: 0.1}
  mass: 0.0
  location:
    position: {x: 7.0, y: 0.0, z: 0.0}
    orientation: {r: 0.0, p: 0.0, y: 0.0}
"""


@pytest.fixture(scope='module')
def world():
    share = description('worlds/cloth/launch.yaml')
    with World(world=share, mode='lockstep') as w:
        # AMBF gives a soft body no topics unless it is asked to.
        cloth = pathlib.Path(description('adf/cloth.yaml')).read_text().replace('  mass:', '  passive: false\n  mass:')
        for name, text in (('hand', HAND), ('soft', cloth.replace('name: cloth', 'name: curtain'))):
            reply = w.call(
                LoadModel,
                'load_model',
                text=text,
                name=name,
                resource_base=description('adf'),
                ns='/more',
                allow_rename=True,
            )
            assert reply.ok, (reply.message, reply.errors)
        w.wait_for(lambda: w.manifest.revision == reply.manifest_revision, 'the manifest')
        yield w


def test_the_manifest_describes_the_world_files_cameras(world):
    assert yaml.safe_load(world.manifest.world_adf)['main camera']['field view angle'] == 0.8


class Topic:
    """State of one object, and its Command."""

    def __init__(self, world, objects, name, state, command=None):
        self.info = next(o for o in objects if o.name == name)
        self.world = world
        self.states = []
        self.subscription = world.node.create_subscription(state, self.info.topic + '/State', self.states.append, 10)
        self.publisher = command and world.node.create_publisher(command, self.info.topic + '/Command', 1)
        world.wait_for(lambda: self.states and (not command or self.publisher.get_subscription_count()), name)

    def after(self, steps=1, **fields):
        """The state of the last of so many steps."""
        reply = self.world.step(steps, **fields)
        assert reply.ok, reply.message
        self.world.wait_for(lambda: self.states[-1].sim_step == reply.step, 'the state')
        return self.states[-1]

    def command_until(self, message, condition, what):
        self.world.wait_for(lambda: (self.publisher.publish(message), condition(self.after()))[1], what)

    def rejects(self, message, words):
        self.world.wait_for(lambda: (self.publisher.publish(message), words in self.world.output())[1], words)


def test_a_sensor_names_what_it_senses_and_an_actuator_takes_it(world):
    sensor = Topic(world, world.manifest.sensors, 'eye', SensorState)
    state = sensor.after(3)
    assert state.type == 'PROXIMITY' and state.parent_name == 'hand' and state.count == 1
    assert list(state.triggered) == [True] and state.sensed_objects == ['target']
    assert list(state.sensed_objects_map) == [0]
    # The ray starts 0.95 m high, is 0.5 m long, and meets the target at 0.8 m.
    assert state.measurement[0] == pytest.approx(1.0 - 0.15 / 0.5, abs=0.01)

    actuator = Topic(world, world.manifest.actuators, 'grip', ActuatorState, ActuatorCmd)
    actuator.command_until(
        ActuatorCmd(actuate=True, use_sensor_data=True, sensor_identifier='eye'),
        lambda s: s.actuated and s.body_name == 'target' and s.commanded_by.endswith('tester'),
        'the grasp',
    )
    assert actuator.states[-1].applied_step > 0
    actuator.command_until(ActuatorCmd(actuate=False), lambda s: not s.actuated, 'the release')
    actuator.rejects(ActuatorCmd(actuate=True, body_name='nobody'), 'expected a body')
    actuator.rejects(ActuatorCmd(actuate=True, use_sensor_data=True, sensor_identifier='nose'), 'expected a sensor')
    held = actuator.after(actuator_cmds=[ActuatorCmd(name='grip', actuate=True, body_name='target')])
    held = actuator.after() if not held.actuated else held
    assert held.actuated and held.commanded_by == 'tester'
    actuator.after(actuator_cmds=[ActuatorCmd(name='grip', actuate=False)])
    refused = world.step(1, actuator_cmds=[ActuatorCmd(name='claw', actuate=True)])
    assert not refused.ok and 'actuator_cmds[0].name' in refused.message and 'grip' in refused.message


def test_states_name_the_frame_of_their_pose(world):
    hand = next(b.topic for b in world.manifest.bodies if b.name == 'hand').lstrip('/')
    root = world.manifest.root_frame
    for objects, name, state, frame in (
        ('bodies', 'target', RigidBodyState, root),
        ('ghost_objects', 'zone', GhostObjectState, root),
        ('soft_bodies', 'curtain', SoftBodyState, root),
        ('cameras', 'main_camera', CameraState, root),
        ('lights', 'key_light', LightState, root),
        ('sensors', 'eye', SensorState, hand),
        ('actuators', 'grip', ActuatorState, hand),
    ):
        topic = Topic(world, getattr(world.manifest, objects), name, state)
        assert topic.after().header.frame_id == frame, name
        world.node.destroy_subscription(topic.subscription)
    states = []
    subscription = world.node.create_subscription(WorldState, '/ambf/env/World/State', states.append, 10)
    world.wait_for(lambda: states, 'the state of the world')
    assert root and states[-1].header.frame_id == root
    world.node.destroy_subscription(subscription)


def test_a_ghost_tells_who_is_inside(world):
    ghost = Topic(world, world.manifest.ghost_objects, 'zone', GhostObjectState)
    assert 'target' in ghost.after(2).sensed_objects
    assert ghost.states[-1].pose.position.z == pytest.approx(0.75)


def test_a_soft_body_shows_its_nodes_and_is_pushed(world):
    cloth = Topic(world, world.manifest.soft_bodies, 'curtain', SoftBodyState, SoftBodyCmd)
    state = cloth.after()
    count = len(state.nodes) // 3
    assert count > 10 and state.mass > 0.0
    assert state.pose.position.z == pytest.approx(sum(state.nodes[2::3]) / count, abs=1e-5)
    push = SoftBodyCmd()
    push.wrench.force.x = 50.0 * state.mass
    cloth.command_until(push, lambda s: s.commanded_by.endswith('tester'), 'the push')
    before = cloth.states[-1].pose.position.x
    assert cloth.after(50).pose.position.x > before + 0.001
    from geometry_msgs.msg import Vector3

    cloth.rejects(SoftBodyCmd(node_indices=[count], node_forces=[Vector3()]), 'expected less than')
    cloth.rejects(SoftBodyCmd(node_indices=[0]), 'node_forces')
    bad = SoftBodyCmd()
    bad.wrench.force.x = math.nan
    cloth.rejects(bad, 'wrench.force')
    cloth.publisher.publish(SoftBodyCmd())


@pytest.mark.parametrize(
    'kind, name, state, command',
    [('cameras', 'main_camera', CameraState, CameraCmd), ('lights', 'key_light', LightState, LightCmd)],
)
def test_cameras_and_lights_are_placed_and_seen_in_the_snapshot(world, kind, name, state, command):
    objects = getattr(world.manifest, kind)
    view = Topic(world, objects, name, state, command)
    snapshots = []
    subscription = world.node.create_subscription(WorldSnapshot, '/ambf/env/World/Snapshot', snapshots.append, 10)
    world.wait_for(lambda: (world.step(1), snapshots)[1], 'a snapshot')
    move = command(enable_position_controller=True)
    move.pose.position.x = 3.5
    view.command_until(move, lambda s: s.pose.position.x == 3.5 and s.commanded_by.endswith('tester'), 'the new place')
    reply = world.step(1)
    world.wait_for(lambda: snapshots[-1].step == reply.step, 'the snapshot')
    index = [o.name for o in objects].index(name)
    poses = getattr(snapshots[-1], kind)
    assert len(poses) == 7 * len(objects)
    assert list(poses[7 * index : 7 * index + 7]) == pytest.approx([3.5, 0, 0, 0, 0, 0, 1])
    move.pose.orientation.w = 0.0
    view.rejects(move, f'{name}/Command')
    world.node.destroy_subscription(subscription)


def test_a_camera_command_comes_with_a_step(world):
    camera = Topic(world, world.manifest.cameras, 'main_camera', CameraState)
    move = CameraCmd(name='main_camera', enable_position_controller=True)
    move.pose.position.y = -2.0
    assert camera.after(camera_cmds=[move]).pose.position.y == -2.0
    assert world.call(ResetWorld, 'reset', scope=2).ok
    assert camera.after().pose.position.y != -2.0, 'a reset puts the camera back'


def test_a_camera_finds_its_parent_when_that_comes_later_and_has_a_tf_frame(world):
    transforms = {}
    world.node.create_subscription(
        TFMessage, '/tf', lambda m: transforms.update({t.child_frame_id: t.transform for t in m.transforms}), 100
    )
    for name, text in (('rider', RIDER), ('carrier', CARRIER)):
        reply = world.call(LoadModel, 'load_model', text=text, name=name)
        assert reply.ok, (reply.message, reply.errors)
    world.wait_for(lambda: world.manifest.revision == reply.manifest_revision, 'the manifest')
    assert next(c for c in world.manifest.cameras if c.name == 'rider').parent.endswith('BODY carrier')
    frame = 'ambf/env/rider/rider'
    world.wait_for(lambda: (world.step(1), frame in transforms)[1], 'the frame')
    at = transforms[frame]
    # The camera looks along -x of its own frame and of the carrier's: no turn.
    assert (at.translation.x, at.translation.z) == (pytest.approx(7.0), pytest.approx(1.0))
    assert abs(at.rotation.w) == pytest.approx(1.0)
    assert world.call(RemoveObject, 'remove', name='rider').ok


def test_the_wrench_of_a_body_holds_what_hangs_on_it():
    with World('adf/pendulum.yaml', mode='lockstep', namespace='/second', publish_clock='false') as pendulum:
        joint = pendulum.manifest.joints[0]
        child = next(b for b in pendulum.manifest.bodies if b.identifier == joint.child)
        topic = Topic(pendulum, pendulum.manifest.bodies, child.name, RigidBodyState)
        state = topic.after(2)
        force = state.wrench.force
        norm = math.sqrt(force.x**2 + force.y**2 + force.z**2)
        assert norm > 0.01 * child.mass * 9.8


def test_a_reset_of_time_alone_leaves_everything_where_it_is(world):
    world.step(20)
    before = world.step(0, observe_all=True)
    assert world.call(ResetWorld, 'reset', scope=1).ok
    after = world.step(0, observe_all=True)
    assert after.step == 0 and list(after.bodies) == list(before.bodies)


def test_the_world_state_counts_what_was_rejected(world):
    states = []
    world.node.create_subscription(WorldState, '/ambf/env/World/State', states.append, 1)
    world.wait_for(lambda: states, 'the world state')
    assert states[-1].rejected_commands > 0
