# SPDX-License-Identifier: BSD-3-Clause
"""The graph that the dVRK's console and its Python clients look for: names, types, directions, quality of service."""

import pytest
from arm_fixture import Client, Process, arm_process, share
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy

POSE, TWIST, WRENCH = (f'geometry_msgs/msg/{kind}Stamped' for kind in ('Pose', 'Twist', 'Wrench'))
JOINTS, MATRIX = 'sensor_msgs/msg/JointState', 'std_msgs/msg/Float64MultiArray'
TEXT, FLAG, NUMBER, EMPTY = (f'std_msgs/msg/{kind}' for kind in ('String', 'Bool', 'Float64', 'Empty'))
STATE, ORDER = 'crtk_msgs/msg/OperatingState', 'crtk_msgs/msg/StringStamped'

# What check_connections of the Python clients demands, what the console's arms from ROS use, and what the bridge of a
# real arm offers besides.
TOLD = {
    'operating_state': STATE,
    'setpoint_js': JOINTS,
    'setpoint_cp': POSE,
    'measured_js': JOINTS,
    'measured_cp': POSE,
    'measured_cv': TWIST,
    'local/measured_cp': POSE,
    'local/setpoint_cp': POSE,
    'local/measured_cv': TWIST,
    'body/measured_cf': WRENCH,
    'spatial/measured_cf': WRENCH,
    'body/jacobian': MATRIX,
    'spatial/jacobian': MATRIX,
    'trajectory_j/ratio': NUMBER,
    'trajectory_j/ratio_v': NUMBER,
    'trajectory_j/ratio_a': NUMBER,
    'gravity_compensation/setpoint_js': JOINTS,
    'error': TEXT,
    'warning': TEXT,
    'status': TEXT,
    'desired_state': TEXT,
    'goal_reached': FLAG,
    'sim_time': 'builtin_interfaces/msg/Time',
}
HEARD = {
    'state_command': ORDER,
    'hold': EMPTY,
    'free': EMPTY,
    'servo_jp': JOINTS,
    'servo_jr': JOINTS,
    'servo_jf': JOINTS,
    'servo_cp': POSE,
    'servo_cs': 'crtk_msgs/msg/CartesianState',
    'servo_ci': 'crtk_msgs/msg/CartesianImpedance',
    'move_jp': JOINTS,
    'move_jr': JOINTS,
    'move_cp': POSE,
    'body/servo_cf': WRENCH,
    'spatial/servo_cf': WRENCH,
    'body/set_cf_orientation_absolute': FLAG,
    'use_gravity_compensation': FLAG,
    'trajectory_j/set_ratio': NUMBER,
    'trajectory_j/set_ratio_v': NUMBER,
    'trajectory_j/set_ratio_a': NUMBER,
    'set_base_frame': POSE,
}
MORE_TOLD = {
    'PSM1': {
        'jaw/measured_js': JOINTS,
        'jaw/setpoint_js': JOINTS,
        'tool_type': TEXT,
        'arm_clutch': 'sensor_msgs/msg/Joy',
    },
    'ECM': {'endoscope_type': TEXT, 'arm_clutch': 'sensor_msgs/msg/Joy'},
    'MTMR': {'gripper/measured_js': JOINTS, 'gripper/closed': FLAG, 'gripper/pinch': EMPTY, 'orientation_locked': FLAG},
}
MORE_HEARD = {
    'PSM1': {
        'jaw/servo_jp': JOINTS,
        'jaw/move_jp': JOINTS,
        'jaw/servo_jf': JOINTS,
        'emulate_tool_present': FLAG,
        'emulate_adapter_present': FLAG,
        'set_tool_type': TEXT,
        'tool_type_request': EMPTY,
    },
    'ECM': {'set_endoscope_type': TEXT},
    'MTMR': {'lock_orientation': 'geometry_msgs/msg/Quaternion', 'unlock_orientation': EMPTY},
}
SERVICES = {
    'forward_kinematics': 'crtk_msgs/srv/QueryForwardKinematics',
    'local/forward_kinematics': 'crtk_msgs/srv/QueryForwardKinematics',
    'inverse_kinematics': 'crtk_msgs/srv/QueryInverseKinematics',
    'operating_state': 'crtk_msgs/srv/TriggerOperatingState',
    'crtk_version': 'std_srvs/srv/Trigger',
}
KINDS = {'PSM1': 'psm', 'ECM': 'ecm', 'MTMR': 'mtm'}


@pytest.fixture(scope='module')
def graph():
    client = Client()
    # No world: an arm without one is there all the same.
    client.processes = [arm_process(name, kind) for name, kind in KINDS.items()]
    client.processes.append(arm_process('PSM2', 'psm', name_style='crtk'))
    yield client
    client.close()
    for process in client.processes:
        process.end()


def wait_for_all(graph, look, wanted: dict):
    """Every name with just this type."""
    graph.wait_for(lambda: all(look(name) for name in wanted), f'all of {sorted(wanted)}')
    for name, kind in wanted.items():
        assert {info.topic_type for info in look(name)} == {kind}, name


@pytest.mark.parametrize('arm', KINDS)
def test_what_an_arm_tells(graph, arm):
    def publishers(name):
        return graph.node.get_publishers_info_by_topic(f'/{arm}/{name}')

    wanted = TOLD | MORE_TOLD[arm]
    wait_for_all(graph, publishers, wanted)
    for name in wanted:
        (info,) = publishers(name)
        assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE, name
    for name in ('operating_state', 'desired_state', 'trajectory_j/ratio', 'error', 'warning', 'status'):
        (info,) = publishers(name)
        assert info.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL, name
    others = set(MORE_TOLD) - {arm}
    for name in {name for other in others for name in MORE_TOLD[other]} - set(wanted):
        assert not publishers(name), f'{name} is of another kind of arm'


@pytest.mark.parametrize('arm', KINDS)
def test_what_an_arm_listens_to(graph, arm):
    def subscriptions(name):
        return graph.node.get_subscriptions_info_by_topic(f'/{arm}/{name}')

    wanted = HEARD | MORE_HEARD[arm]
    wait_for_all(graph, subscriptions, wanted)
    for name in set(wanted) - {'state_command'}:
        (info,) = subscriptions(name)
        assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE, name
        assert info.qos_profile.durability == DurabilityPolicy.VOLATILE, name
    graph.wait_for(lambda: len(subscriptions('state_command')) == 2, 'both ears for state_command')
    assert {info.qos_profile.durability for info in subscriptions('state_command')} == {
        DurabilityPolicy.VOLATILE,
        DurabilityPolicy.TRANSIENT_LOCAL,
    }


@pytest.mark.parametrize('arm', KINDS)
def test_what_an_arm_answers(graph, arm):
    def services():
        return dict(graph.node.get_service_names_and_types())

    graph.wait_for(lambda: all(f'/{arm}/{name}' in services() for name in SERVICES), 'the services')
    for name, kind in SERVICES.items():
        assert services()[f'/{arm}/{name}'] == [kind]


def test_names_as_the_surgical_robotics_challenge_has_them(graph):
    for name in ('measured_js', 'measured_cp', 'measured_cv', 'T_b_w'):
        graph.wait_for(lambda: graph.node.get_publishers_info_by_topic(f'/CRTK/psm2/{name}'), name)
    for name in ('servo_jp', 'servo_cp', 'move_jp', 'move_cp', 'jaw/servo_jp'):
        graph.wait_for(lambda: graph.node.get_subscriptions_info_by_topic(f'/CRTK/psm2/{name}'), name)
    assert not graph.node.get_publishers_info_by_topic('/PSM2/measured_cp')


@pytest.mark.parametrize(
    'file, parameters, words',
    [
        ('arms/psm.yaml', {'arm': 'PSM9'}, "found 'PSM9', expected one of"),
        ('arms/absent.yaml', {}, 'absent.yaml'),
        ('arms/psm.yaml', {'name_style': 'ros'}, 'expected dvrk or crtk'),
    ],
)
def test_what_cannot_work_is_refused_in_words(file, parameters, words):
    process: Process = arm_process('X', share(file), **parameters)
    assert process.process.wait(timeout=90) == 1
    assert words in process.output()
