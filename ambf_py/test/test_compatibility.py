# SPDX-License-Identifier: BSD-3-Clause
"""The methods of AMBF's client and the types that they return."""

import inspect
import pathlib

import pytest
from conftest import wait_for
from geometry_msgs.msg import Pose, Quaternion, Vector3

import ambf_py
from ambf_msgs.msg import WorldState
from ambf_py import ambf_client, rospy
from ambf_py.base_object import AmbfState

# Every public method of AMBF's Python client, with how many arguments scripts give (least, most).
METHODS = {
    'Client': {
        'connect': (0, 1),
        'refresh': (0, 0),
        'create_objs_from_rostopics': (0, 1),
        'start': (0, 0),
        'set_publish_rate': (1, 1),
        'get_obj_names': (0, 0),
        'get_common_namespace': (0, 0),
        'get_obj_handle': (1, 1),
        'get_world_handle': (0, 0),
        'get_obj_pose': (1, 1),
        'set_obj_cmd': (7, 7),
        'print_summary': (0, 0),
        'print_active_topics': (0, 0),
        'clean_up': (0, 0),
    },
    'BaseObject': {
        'is_active': (0, 0),
        'set_active': (0, 0),
        'get_sim_step': (0, 0),
        'get_num_of_children': (0, 0),
        'get_children_names': (0, 0),
        'get_pos': (0, 0),
        'get_rot': (0, 0),
        'get_rpy': (0, 0),
        'get_pose': (0, 0),
        'get_pos_command': (0, 0),
        'get_rot_command': (0, 0),
        'get_identifier': (0, 0),
        'get_name': (0, 0),
        'get_parent_name': (0, 0),
        'get_msg_header': (0, 0),
        'get_time_stamp': (0, 0),
        'get_msg_time_stamp': (0, 0),
        'get_seq_num': (0, 0),
        'get_msg_seq_num': (0, 0),
        'get_frame_id': (0, 0),
        'get_msg_frame_id': (0, 0),
        'set_name': (1, 1),
        'set_pos': (3, 3),
        'set_rpy': (3, 3),
        'set_rot': (1, 1),
        'set_pose': (1, 1),
        'run_publisher': (0, 0),
        'set_timeout': (1, 1),
        'is_wd_expired': (0, 0),
        'acknowledge_wd': (0, 0),
        'clear_cmd': (0, 0),
    },
    'RigidBody': {
        'is_joint_idx_valid': (1, 1),
        'get_linear_vel': (0, 0),
        'get_angular_vel': (0, 0),
        'get_joint_idx_from_name': (1, 1),
        'get_joint_name_from_idx': (1, 1),
        'get_joint_pos': (1, 1),
        'get_joint_vel': (1, 1),
        'get_joint_effort': (1, 1),
        'get_all_joint_pos': (0, 0),
        'get_all_joint_vel': (0, 0),
        'get_all_joint_effort': (0, 0),
        'get_num_joints': (0, 0),
        'get_joint_names': (0, 0),
        'get_force_command': (0, 0),
        'get_torque_command': (0, 0),
        'get_linear_velocity_command': (0, 0),
        'get_angular_velocity_command': (0, 0),
        'get_publish_children_names_flag': (0, 0),
        'get_publish_joint_names_flag': (0, 0),
        'get_publish_joint_positions_flag': (0, 0),
        'set_publish_children_names_flag': (1, 1),
        'set_publish_joint_names_flag': (1, 1),
        'set_publish_joint_positions_flag': (1, 1),
        'get_inertia': (0, 0),
        'set_force': (3, 3),
        'set_torque': (3, 3),
        'set_wrench': (1, 1),
        'set_linear_vel': (3, 3),
        'set_angular_vel': (3, 3),
        'set_twist': (1, 1),
        'wrench_command': (6, 6),
        'pose_command': (6, 8),
        'velocity_command': (6, 8),
        'set_joint_pos': (2, 2),
        'set_joint_vel': (2, 2),
        'set_joint_effort': (2, 2),
        'set_multiple_joint_pos': (2, 2),
        'set_multiple_joint_vel': (2, 2),
        'set_multiple_joint_effort': (2, 2),
    },
    'Actuator': {'actuate': (1, 2), 'actuate_from_sensor_data': (1, 1), 'deactuate': (0, 0)},
    'Sensor': {
        'get_count': (0, 0),
        'is_triggered': (1, 1),
        'get_range': (1, 1),
        'get_measurement': (1, 1),
        'get_all_measurements': (0, 0),
        'get_sensed_object': (1, 1),
        'get_parent': (0, 0),
        'get_pose': (0, 0),
    },
    'Camera': {'get_pos': (0, 0)},
    'Light': {'get_pos': (0, 0)},
    'World': {
        'enable_throttling': (1, 1),
        'set_num_step_skips': (1, 1),
        'update': (0, 0),
        'reset': (0, 0),
        'reset_bodies': (0, 0),
        'run_publisher': (0, 0),
        'set_active': (0, 0),
        'set_timeout': (1, 1),
        'is_wd_expired': (0, 0),
        'acknowledge_wd': (0, 0),
        'clear_cmd': (0, 0),
        'set_name': (1, 1),
    },
    'Vehicle': {
        'get_wheel_count': (0, 0),
        'set_steered_wheel_indices': (1, 1),
        'set_powered_wheel_indices': (1, 1),
        'set_vehicle_steering': (1, 1),
        'set_vehicle_steering_ackerman': (1, 1),
        'set_vehicle_power': (1, 1),
        'set_vehicle_brake': (1, 1),
        'set_wheel_steering': (2, 2),
        'set_wheel_power': (2, 2),
        'set_wheel_brake': (2, 2),
    },
}
# What docs/python.md lists as not offered.
ABSENT_CLASSES = {'Vehicle'}


def class_named(name: str):
    if name == 'BaseObject':
        from ambf_py.base_object import BaseObject

        return BaseObject
    return getattr(ambf_py, name)


@pytest.mark.parametrize('owner', METHODS)
def test_every_method_of_ambf_exists_with_its_arguments_or_is_a_documented_difference(owner):
    if owner in ABSENT_CLASSES:
        page = pathlib.Path(__file__).parents[2] / 'docs/python.md'
        if not page.exists():
            pytest.skip('docs/python.md is not here')
        assert owner in page.read_text()
        return
    for method, (least, most) in METHODS[owner].items():
        signature = inspect.signature(getattr(class_named(owner), method))
        for count in (least, most):
            signature.bind(None, *[0] * count)


def test_getters_give_ambfs_types(simulator):
    with ambf_py.Client('getter', alive=simulator.reason_of_end) as client:
        client.world.set_mode('realtime')
        body = client.get_obj_handle('psm/toolyawlink')
        assert isinstance(body.get_rot(), Quaternion) and isinstance(body.get_linear_vel(), Vector3)
        assert body.get_inertia().x > 0.0 and body.get_identifier() == 'BODY tool yaw link'
        assert body.get_sim_step() >= 0 and body.get_seq_num() >= 0 and body.get_frame_id()
        body.set_force(0.0, 0.0, 0.1)
        assert body.get_force_command().z == 0.1 and body.is_active()
        body.set_pos(0.0, 0.0, -0.1)
        assert body.get_pos_command().z == -0.1
        body.release()


def test_sensors_and_actuators_answer(simulator):
    with ambf_py.Client('grasper', alive=simulator.reason_of_end) as client:
        client.world.set_mode('realtime')
        sensor, actuator = client.get_obj_handle('jaw_proximity'), client.get_obj_handle('jaw_constraint')
        wait_for(lambda: sensor.get_count() == 1, 'a ray')
        assert sensor.get_range(0) > 0.0
        assert not sensor.is_triggered(0) and sensor.get_sensed_object(0) == ''
        assert sensor.get_parent_name().endswith('toolyawlink')
        with pytest.raises(ambf_py.BadValue, match='expected 0 to 0'):
            sensor.is_triggered(1)
        actuator.actuate('pendulum/bob')
        wait_for(actuator.is_actuated, 'the grasp')
        assert 'bob' in actuator.held
        actuator.deactuate()
        wait_for(lambda: not actuator.is_actuated(), 'the release')


def test_scripts_for_ambf_are_answered_as_ambf_does_it(simulator, capsys):
    client = ambf_client.Client('script', alive=simulator.reason_of_end).connect()
    try:
        client.world.set_mode('realtime')
        client.set_obj_cmd('elbow', 0, 0, 1, 0, 0, 0)
        assert "no object is called 'elbow'" in capsys.readouterr().out
        arm, tip = client.get_obj_handle('psm/baselink'), client.get_obj_handle('psm/toolyawlink')
        # More values than joints: the value of joint 1 is the second one.
        arm.set_multiple_joint_pos([0.0, 0.05, 0.1, 0.0, 0.0, 0.0], [1, 2])
        assert list(arm._cmd.joint_cmds)[:3] == [0.0, 0.05, 0.1] and list(arm._cmd.joint_modes)[:3] == [0, 2, 2]
        arm.release_joints()
        actuator = client.get_obj_handle('jaw_constraint')
        actuator.actuate('pendulum/bob', Pose())
        assert actuator._cmd.actuate and not actuator._cmd.use_offset
        actuator.deactuate()
        assert not tip.is_wd_expired()
        tip.set_timeout(600.0)
        tip.set_force(0, 0, 0.1)
        assert not tip.is_wd_expired()
        tip.set_timeout(1e-9)
        assert tip.is_wd_expired()
        tip.clear_cmd()
        assert tip.get_force_command().z == 0.0
        assert not client.world.is_wd_expired()
    finally:
        client.clean_up()


def test_states_that_a_script_subscribes_to_read_as_ambfs(simulator, monkeypatch):
    monkeypatch.setattr(AmbfState, '_start', None)
    with ambf_py.Client('starter', alive=simulator.reason_of_end) as client:
        client.world.set_mode('realtime')
        got = []
        subscriber = rospy.Subscriber('/ambf/env/World/State', WorldState, got.append)
        wait_for(lambda: len(got) > 1 and got[-1].sim_time > 0.0, 'states of the world')
        first = got[-1]
        assert first.wall_time == pytest.approx(first.sim_time) and first.sim_step > 0
        wait_for(lambda: got[-1].sim_step > first.sim_step, 'a later state')
        assert 0.0 < got[-1].wall_time - first.wall_time < 60.0
        subscriber.unregister()
    rospy.the_script.close()
