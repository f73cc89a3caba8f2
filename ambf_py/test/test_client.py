# SPDX-License-Identifier: BSD-3-Clause
"""A client of a running world: handles, commands, stepping, agents."""

import os
import pathlib
import threading
import time

import numpy as np
import pytest
import rclpy
from conftest import PENDULUM, PSM, wait_for
from rclpy.executors import SingleThreadedExecutor
from rclpy.serialization import serialize_message

from ambf_msgs.msg import WorldManifest, WorldSnapshot
from ambf_py import (
    AmbfError,
    AmbiguousName,
    BadValue,
    Client,
    NotJoined,
    Refused,
    RigidBody,
    SimulatorGone,
    StepRefused,
    UnknownObject,
    _dynamics,
)
from ambf_py.simulator import Simulator, resolve
from ambf_py.view import State, WorldView

LONG = os.environ.get('AMBF_TEST_LONG') == '1'


@pytest.fixture(scope='module')
def connected(simulator):
    with Client('tester', alive=simulator.reason_of_end) as client:
        yield client


@pytest.fixture
def client(connected):
    connected.world.set_mode('lockstep')
    connected.world.reset()
    yield connected


def test_objects_are_found_by_name_identifier_and_part(client):
    arm = client.get_obj_handle('psm/baselink')
    assert isinstance(arm, RigidBody) and arm.get_name() == '/ambf/env/psm/baselink'
    assert client.get_obj_handle('/ambf/env/psm/baselink') is arm
    assert client.get_obj_handle('psm/base link') is arm
    assert client.get_obj_handle('jaw_constraint').info.kind == 'CONSTRAINT'
    with pytest.raises(AmbiguousName, match='toolgripper1link.*toolgripper2link'):
        client.get_obj_handle('toolgripper')
    with pytest.raises(UnknownObject, match='did you mean.*baselink'):
        client.get_obj_handle('baslink')


def test_a_step_applies_commands_and_returns_states_in_one_call(client):
    state = client.world.step(400, {'psm/baselink-yawlink': 0.3})
    index = client.view.find('psm/baselink-yawlink', 'joints', 'joint')
    # The controller is critically damped at 15 Hz: within 1 % after 0.4 s.
    assert abs(state.joints[index, 0] - 0.3) < 0.003
    assert state.step == 400 and abs(state.time - 0.4) < 1e-9
    chosen = client.world.step(0, observe_bodies=['psm/toolyawlink'], observe_joints=['psm/baselink-yawlink'])
    assert chosen.bodies.shape == (1, 13) and chosen.joints.shape == (1, 3)


def test_what_is_observed_may_be_given_as_numpy_arrays(client):
    everything = client.world.step(0)
    bodies, joints = np.array([0, 2]), np.array([0])
    chosen = client.world.step(0, observe_bodies=bodies, observe_joints=joints)
    assert np.array_equal(chosen.bodies, everything.bodies[bodies])
    assert np.array_equal(chosen.joints, everything.joints[joints])


def test_commands_of_handles_go_with_the_step(client):
    arm = client.get_obj_handle('psm/baselink')
    arm.set_joint_pos('baselink-yawlink', 0.2)
    arm.set_joint_pos(1, -0.1)
    client.world.step(400)
    assert abs(arm.get_joint_pos(0) - 0.2) < 0.003 and abs(arm.get_joint_pos(1) + 0.1) < 0.003
    assert arm.joint_positions.shape == (8,) and isinstance(arm.joint_positions, np.ndarray)
    tip = client.get_obj_handle('psm/toolyawlink')
    assert np.allclose(tip.pose, client.state.bodies[tip.index][:7])
    arm.release_joints()


def test_commands_persist_in_realtime_without_being_renewed(client):
    client.world.set_mode('realtime')
    arm = client.get_obj_handle('psm/baselink')
    arm.set_joint_pos(0, 0.25)
    # Longer than the simulator's watchdog of 0.5 s: the client renews the command.
    wait_for(lambda: abs(arm.get_joint_pos(0) - 0.25) < 0.005, 'the commanded position')
    time.sleep(0.8)
    assert abs(arm.get_joint_pos(0) - 0.25) < 0.005
    arm.release_joints()


def test_the_client_watchdog_releases_what_nobody_renews(client):
    client.world.set_mode('realtime')
    arm = client.get_obj_handle('psm/baselink')
    arm.set_timeout(0.2)
    arm.set_joint_effort(0, 0.5)
    wait_for(lambda: not arm._commanded, 'the end of the watchdog')
    assert list(arm._cmd.joint_modes)[0] == 4
    arm.set_timeout(None)


@pytest.mark.parametrize(
    'action, error, words',
    [
        (lambda c: c.get_obj_handle('psm/baselink').set_joint_pos(0, float('nan')), BadValue, 'finite'),
        (lambda c: Client(domain_id=300), BadValue, 'domain_id: found 300, expected a whole number from 0 to 232'),
        (lambda c: Client(domain_id=-1), BadValue, 'domain_id'),
        (lambda c: Client(domain_id='blue'), BadValue, 'domain_id'),
        (lambda c: Simulator(models=[PSM], domain_id=300), BadValue, 'domain_id'),
        (lambda c: c.get_obj_handle('psm/baselink').get_joint_pos(99), BadValue, 'expected 0 to 7'),
        (lambda c: c.get_obj_handle('psm/baselink').set_multiple_joint_pos([0.0], [99]), BadValue, 'expected 0 to 7'),
        (lambda c: c.get_obj_handle('psm/baselink').set_joint_pos('elbow', 0.0), UnknownObject, 'elbow'),
        (lambda c: c.get_obj_handle('psm/baselink').set_multiple_joint_pos([0.0, 1.0], [0]), BadValue, 'expected 1'),
        (lambda c: c.get_obj_handle('psm/toolyawlink').set_force(1.0, 2.0), BadValue, 'force'),
        (lambda c: c.get_obj_handle('psm/toolyawlink').set_rot([0, 0, 0, 0]), BadValue, 'length'),
        (lambda c: c.world.step(1, {'psm/baselink-yawlink': np.inf}), BadValue, 'finite'),
        (lambda c: c.world.step(-1), BadValue, 'steps'),
        (lambda c: c.world.step(1, [0.1]), BadValue, 'joints: found'),
        (lambda c: c.world.step(1, {None: 0.1}), BadValue, 'joint index'),
        (lambda c: c.world.step(1, observe_bodies=[0.5]), BadValue, 'body index'),
        (lambda c: c.get_obj_handle('psm/baselink').get_joint_pos(None), BadValue, 'finite'),
        (lambda c: c.world.step('many'), BadValue, 'steps'),
        (lambda c: c.world.step(0.5), BadValue, 'whole number'),
        (lambda c: c.world.step(1, barrier='nobody', barrier_timeout=float('nan')), BadValue, 'barrier_timeout'),
        (lambda c: c.world.step(1, barrier='nobody', barrier_timeout=0.2), StepRefused, 'nobody'),
        (lambda c: c.world.step(1, {'psm/elbow': 0.0}), UnknownObject, 'elbow'),
        (lambda c: c.world.step(1, {99: 0.0}), BadValue, 'joint index'),
        (lambda c: c.world.step(1, observe_bodies=['psm/elbow']), UnknownObject, 'elbow'),
        (lambda c: c.world.step(1, actuators={'jaw_constraint': 'psm/elbow'}), UnknownObject, 'elbow'),
        (lambda c: c.world.step(1, actuators={'jaw_constrain_': None}), UnknownObject, 'did you mean'),
        (lambda c: c.world.set_mode('realtime', float('inf')), BadValue, 'real_time_factor'),
        (lambda c: c.world.set_num_step_skips(0), BadValue, 'step skips'),
        (lambda c: c.world.set_body_states({'pendulum/bob': [0, 0, 1]}), BadValue, '7'),
        (lambda c: c.world.set_body_states({'pendulum/bob': [0, 0, 1, 0, 0, 0, 5]}), BadValue, 'length'),
        (lambda c: c.world.load(), Refused, 'load_model'),
        (lambda c: c.world.load(text='bodies: [BODY a]'), Refused, 'load_model'),
        (lambda c: c.world.load('ball.yaml', pose=[np.nan] * 7), BadValue, 'finite'),
        (lambda c: c.get_obj_handle(''), UnknownObject, 'empty name'),
        (lambda c: c.get_obj_handle('jaw_constraint').actuate('psm/elbow'), UnknownObject, 'elbow'),
        (lambda c: c.get_obj_handle('jaw_constraint').set_pos(0, 0, 0), AmbfError, 'takes no pose'),
        (lambda c: c.get_obj_handle('psm/toolyawlink').set_timeout(-1.0), BadValue, 'above 0'),
        (lambda c: c.get_obj_handle('psm/toolyawlink').set_wrench([1, 2, 3]), BadValue, 'expected 6'),
        (lambda c: c.get_obj_handle('psm/toolyawlink').set_name('me'), AmbfError, 'keeps its name'),
        (lambda c: c.set_publish_rate('fast'), BadValue, 'publish rate'),
        (lambda c: Client(timeout=0.0), BadValue, 'above 0'),
        (lambda c: c.world.step(1, {'psm/baselink-yawlink': 0.1}, 'dance'), BadValue, 'dance'),
        (lambda c: c.world.set_mode('slow'), BadValue, 'lockstep'),
        (lambda c: c.world.restore('never saved'), Refused, 'never saved'),
        (lambda c: c.world.load('package://ambf_description/adf/nothing.yaml'), Refused, 'nothing.yaml'),
        (lambda c: c.world.remove('nothing'), Refused, 'nothing'),
    ],
)
def test_bad_input_is_refused_with_a_reason(client, action, error, words):
    with pytest.raises(error, match=words):
        action(client)


def test_a_joint_index_that_does_not_exist_is_reported_and_strict_clients_raise(client, caplog):
    arm = client.get_obj_handle('psm/baselink')
    arm.set_joint_pos(99, 0.0)
    assert 'expected 0 to 7; the joint is left out' in caplog.text
    client.strict = True
    try:
        with pytest.raises(BadValue, match='expected 0 to 7'):
            arm.set_joint_pos(99, 0.0)
    finally:
        client.strict = False


def test_what_is_wrong_with_a_file_is_told_once(client, tmp_path):
    with pytest.raises(Refused) as told:
        client.world.load(tmp_path / 'absent.yaml')
    assert str(told.value).count('found no such file') == 1
    bad = tmp_path / 'bad.yaml'
    bad.write_text('bodies: [BODY a, BODY b]\nBODY a: {name: a, mass: heavy}\nBODY b: {name: b, mass: light}\n')
    with pytest.raises(Refused) as told:
        client.world.load(bad)
    assert str(told.value).count("'heavy'") == 1 and str(told.value).count("'light'") == 1


def test_stepping_a_world_that_keeps_its_own_time_is_refused(client):
    client.world.set_mode('paused')
    with pytest.raises(StepRefused, match='lockstep'):
        client.world.step(1)


def test_a_second_client_must_join(client, simulator):
    with Client('second', alive=simulator.reason_of_end) as second:
        second.world.agent = 'second'
        assert second.world.mode == 'lockstep'
        # The first agent has the world for the lease of 2 s after its last step.
        client.world.step(1)
        with pytest.raises(NotJoined, match='join'):
            second.world.step(1)


def test_two_agents_share_the_clock(client, simulator):
    with Client('second', alive=simulator.reason_of_end) as second:
        second.world.join('second')
        client.world.join('first')
        start = client.world.read().step
        ends = []
        thread = threading.Thread(target=lambda: ends.extend(second.world.step(5).step for _ in range(3)))
        thread.start()
        mine = [client.world.step(5).step for _ in range(3)]
        thread.join(20.0)
        assert mine == ends == [start + 5, start + 10, start + 15]
        second.world.leave()
        client.world.leave()


def test_steps_wait_for_a_barrier_member(client, simulator):
    seen = []
    with Client('member', alive=simulator.reason_of_end) as member:
        member.world.be_barrier_member('watcher', lambda snapshot: seen.append(snapshot.step))

        def first():
            try:
                return client.world.step(1, barrier=['watcher'], barrier_timeout=0.5).step > 0
            except StepRefused:
                return False

        wait_for(first, 'a first barrier')
        for _ in range(20):
            assert client.world.step(1, barrier=['watcher']).step == seen[-1]


def test_warnings_of_a_loaded_model_are_logged(client, caplog):
    text = (
        'bodies: [BODY odd]\nBODY odd: {name: odd, mass: 1.0, mesh: no_such_thing.STL, '
        'inertia: {ix: 0.1, iy: 0.1, iz: 0.1}, passive: true}\n'
    )
    names = client.world.load(text=text, name='odd')
    assert 'no_such_thing.STL' in caplog.text
    odd = client.get_obj_handle('odd')
    # It is passive, which is no reason to wait for what never comes.
    with pytest.raises(AmbfError, match='has no State topic: it is passive'):
        odd.state()
    client.world.remove(names[0])


def test_a_jointed_body_takes_its_arm_along(client):
    base, tip = client.get_obj_handle('psm/baselink'), client.get_obj_handle('psm/toolyawlink')
    before, joints = tip.position - base.position, client.world.read().joints[:, 0]
    client.world.set_body_states({'psm/baselink': [0, 0, 2, *base.pose[3:7]]})
    assert np.allclose(base.position, [0, 0, 2]) and np.allclose(tip.position - base.position, before, atol=1e-6)
    assert np.allclose(client.world.read().joints[:, 0], joints, atol=1e-6)
    with pytest.raises(Refused, match="hangs by joints on 'baselink'"):
        client.world.set_body_states({'psm/toolyawlink': [0, 0, 1, 0, 0, 0, 1]})


def test_models_come_and_go_and_handles_follow(client):
    tip = client.get_obj_handle('psm/toolyawlink')
    before = tip.position
    names = client.world.load('package://ambf_description/adf/ball.yaml', pose=[0.5, 0.5, 1.0, 0, 0, 0, 1])
    assert any('ball' in topic for topic in client.get_obj_names())
    assert np.allclose(tip.position, before, atol=1e-3)
    client.world.remove(names[0])
    assert not any('ball' in topic for topic in client.get_obj_names())
    assert np.allclose(tip.position, before, atol=1e-3)


def test_the_command_of_a_body_that_was_removed_is_forgotten(client, caplog):
    names = client.world.load('package://ambf_description/adf/ball.yaml', pose=[0.5, 0.5, 1.0, 0, 0, 0, 1])
    ball = client.get_obj_handle(next(topic for topic in client.get_obj_names() if 'ball' in topic))
    ball.set_force(0.0, 0.0, 1.0)
    client.world.step(1)
    client.world.remove(names[0])
    start = client.world.read().step
    assert client.world.step(1).step == start + 1
    assert 'its command is forgotten' in caplog.text
    with pytest.raises(UnknownObject, match='no longer in the world'):
        ball.release()


def test_a_camera_gives_the_pictures_of_the_render_node(client):
    from sensor_msgs.msg import Image

    models = client.world.load('package://ambf_description/adf/ecm.yaml', pose=[2.0, 0.0, 0.0, 0, 0, 0, 1])
    topic = client.view.manifest.cameras[0].topic
    camera = client.get_obj_handle(topic)
    with pytest.raises(SimulatorGone, match='ImageData'):
        camera.image(timeout=0.05)
    sender = client.node.create_publisher(Image, f'{topic}/ImageData', 1)
    wait_for(lambda: sender.get_subscription_count() > 0, 'the reader')
    # Rows of two pixels with two bytes of padding.
    sender.publish(Image(height=1, width=2, step=8, encoding='rgb8', data=bytes(range(8))))
    assert camera.image().tolist() == [[[0, 1, 2], [3, 4, 5]]]
    with pytest.raises(SimulatorGone, match='render node'):
        camera.image(not_before=9.0, timeout=0.05)
    client.node.destroy_publisher(sender)
    client.world.remove(models[0])


def test_a_saved_state_comes_back(client):
    client.world.step(100, {'psm/baselink-yawlink': 0.3})
    saved = client.world.save('here')
    later = client.world.step(50).hash
    assert client.world.restore('here') == saved
    assert client.world.step(50).hash == later


def test_a_client_lives_in_somebody_elses_node_and_executor(simulator):
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('host', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    thread = threading.Thread(target=executor.spin, daemon=True)
    thread.start()
    results = []
    with Client(node=node) as client:
        client.world.set_mode('lockstep')

        def inside_a_callback():
            # A blocking call inside the only executor thread: answers must not need that executor.
            results.append(client.world.mode)
            timer.cancel()

        timer = node.create_timer(0.01, inside_a_callback)
        wait_for(lambda: results, 'the answer')
        assert results == ['lockstep']
        assert client.get_obj_handle('psm/baselink').get_num_joints() == 8
    executor.shutdown()
    node.destroy_node()
    rclpy.shutdown(context=context)


def test_who_joined_under_a_name_steps_alone_again_afterwards(client):
    start = client.world.step(1).step
    with client.world.join('for a while'):
        assert client.world.step(1).step == start + 1
    # The claim of the first step is still fresh, and it is ours.
    assert client.world.step(1).step == start + 2


def test_an_agent_that_joined_leaves_when_it_is_cleaned_up(client, simulator):
    with Client('guest', alive=simulator.reason_of_end) as guest:
        guest.world.join('guest')
        client.world.join('host')
    # Nobody waits for the guest, and its name is free at once.
    start = client.world.read().step
    assert client.world.step(1).step == start + 1
    with Client('guest', alive=simulator.reason_of_end) as guest:
        guest.world.join('guest')
    client.world.leave()


def test_time_in_which_the_whole_machine_stood_still_does_not_count(client, monkeypatch):
    calls, take, frozen = client.calls, client.calls._take, []

    def stand_still_once(*arguments):
        if not frozen:
            frozen.append(True)
            time.sleep(1.0)
            return None
        return take(*arguments)

    monkeypatch.setattr(calls, '_take', stand_still_once)
    assert client.world.step(1, timeout=0.7).step > 0
    assert frozen


def resident(pid: int) -> int:
    """Memory of a process [kB]."""
    lines = pathlib.Path(f'/proc/{pid}/status').read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith('VmRSS'))


def test_many_ros_steps_are_neither_lost_nor_leak_and_agree_with_the_dynamics_in_process():
    """The long tier takes 20,000 steps."""
    inside = _dynamics.World()
    for model in (PSM, PENDULUM):
        inside.load_model(resolve(model))
    count = 20000 if LONG else 300
    with (
        Simulator(models=[PSM, PENDULUM], namespace='/counted', mode='lockstep', watchdog_timeout=0.0) as simulator,
        Client('counter', namespace='/counted', alive=simulator.reason_of_end) as client,
    ):
        joint = client.view.find('psm/baselink-yawlink', 'joints', 'joint')
        for i in range(count):
            target = 0.3 * np.sin(0.001 * i)
            state = client.world.step(1, {joint: target}, observe_bodies=[0], observe_joints=[0])
            assert state.step == i + 1, 'a step was lost'
            assert state.hash == inside.step(1, [joint], [2], [target], [], [], [])[2], f'another state at step {i}'
            if i == count // 4:
                before = resident(os.getpid()), resident(simulator.pid)
        after = resident(os.getpid()), resident(simulator.pid)
    # Less than a byte for each step and number that is observed.
    assert after[0] - before[0] < 4096 and after[1] - before[1] < 4096


def snapshot(step: int) -> bytes:
    return serialize_message(WorldSnapshot(step=step, manifest_revision=1))


def test_a_snapshot_that_was_on_its_way_does_not_hide_a_newer_answer():
    view = WorldView()
    view.take_manifest(WorldManifest(revision=1))
    view.take_snapshot(snapshot(5))
    assert view.state().step == 5
    view.take_state(State(step=9))
    view.take_snapshot(snapshot(7))
    assert view.state() is None, 'the world must be asked'
    view.take_state(State(step=9))
    view.take_snapshot(snapshot(10))
    assert view.state().step == 10
    view.take_snapshot(snapshot(0))
    assert view.state().step == 0, 'a world that was reset goes on from 0'
