# SPDX-License-Identifier: BSD-3-Clause
"""The graph that the dVRK's console and its Python clients look for: names, types, directions, quality of service."""

import pytest
from arm_fixture import LATCHED, Client, Process, arm_process, share
from crtk_msgs.msg import OperatingState
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
from sensor_msgs.msg import Joy
from std_msgs.msg import Bool, Empty, Float64, String
from teleop_fixture import teleop_process

POSE, TWIST, WRENCH = (f'geometry_msgs/msg/{kind}Stamped' for kind in ('Pose', 'Twist', 'Wrench'))
JOINTS, MATRIX = 'sensor_msgs/msg/JointState', 'std_msgs/msg/Float64MultiArray'
TEXT, FLAG, NUMBER, EMPTY = (f'std_msgs/msg/{kind}' for kind in ('String', 'Bool', 'Float64', 'Empty'))
STATE, ORDER = 'crtk_msgs/msg/OperatingState', 'crtk_msgs/msg/StringStamped'
BUTTONS, NUMBERS = 'sensor_msgs/msg/Joy', MATRIX

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
        'arm_clutch': BUTTONS,
    },
    'ECM': {'endoscope_type': TEXT, 'arm_clutch': BUTTONS},
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
# What is kept for those who come later and ask for it.
KEPT = {
    *('operating_state', 'desired_state', 'goal_reached', 'error', 'warning', 'status'),
    *('trajectory_j/ratio', 'trajectory_j/ratio_v', 'trajectory_j/ratio_a'),
    *('tool_type', 'endoscope_type', 'arm_clutch', 'orientation_locked', 'gripper/closed'),
}
# The console's process: what it tells, all of it kept, and what it listens to.
CONSOLE_TOLD = {
    'console/teleop/enabled': FLAG,
    'console/teleop/scale': NUMBER,
    'console/teleop/selected': TEXT,
    'console/teleop/unselected': TEXT,
    'console/status': TEXT,
    'console/warning': TEXT,
    'console/operator_present': BUTTONS,
    'console/clutch': BUTTONS,
    'console/camera': BUTTONS,
    'system/volume': NUMBER,
}
CONSOLE_HEARD = {
    'console/teleop/enable': FLAG,
    'console/teleop/set_scale': NUMBER,
    'console/teleop/select': TEXT,
    'console/teleop/unselect': TEXT,
    'console/emulate_operator_present': BUTTONS,
    'console/emulate_clutch': BUTTONS,
    'console/emulate_camera': BUTTONS,
    'system/power_on': EMPTY,
    'system/power_off': EMPTY,
    'system/home': EMPTY,
    'system/set_volume': NUMBER,
    'system/beep': NUMBERS,
    'system/string_to_speech': TEXT,
}
SERVICES = {
    'forward_kinematics': 'crtk_msgs/srv/QueryForwardKinematics',
    'local/forward_kinematics': 'crtk_msgs/srv/QueryForwardKinematics',
    'inverse_kinematics': 'crtk_msgs/srv/QueryInverseKinematics',
    'operating_state': 'crtk_msgs/srv/TriggerOperatingState',
    'crtk_version': 'std_srvs/srv/Trigger',
}
KINDS = {'PSM1': 'psm', 'ECM': 'ecm', 'MTMR': 'mtm'}
ARMS = [*KINDS, 'SUJ/PSM1']


@pytest.fixture(scope='module')
def graph():
    client = Client()
    # No world: an arm without one is there all the same.
    client.processes = [arm_process(name, kind) for name, kind in KINDS.items()]
    client.processes.append(arm_process('PSM2', 'psm', name_style='crtk'))
    cart = share('worlds/patient_cart/arms.yaml')
    client.processes.append(arm_process('SUJ_PSM1', cart, arm='SUJ_PSM1'))
    client.console = teleop_process('console', 'console', pairs=['MTMR_PSM1'], arms=['PSM1', 'MTMR'])
    client.processes.append(client.console)
    yield client
    client.close()
    for process in client.processes:
        process.end()


def wait_for_all(graph, look, wanted: dict):
    """Every name with just this type."""
    graph.wait_for(lambda: all(look(name) for name in wanted), f'all of {sorted(wanted)}')
    for name, kind in wanted.items():
        assert {info.topic_type for info in look(name)} == {kind}, name


def keeps(info) -> bool:
    return info.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL


@pytest.mark.parametrize('arm', ARMS)
def test_what_an_arm_tells(graph, arm):
    def publishers(name):
        return graph.node.get_publishers_info_by_topic(f'/{arm}/{name}')

    wanted = TOLD | MORE_TOLD.get(arm, {})
    wait_for_all(graph, publishers, wanted)
    for name in wanted:
        (info,) = publishers(name)
        assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE, name
        assert keeps(info) == (name in KEPT), name
    others = set(MORE_TOLD) - {arm}
    for name in {name for other in others for name in MORE_TOLD[other]} - set(wanted):
        assert not publishers(name), f'{name} is of another kind of arm'


@pytest.mark.parametrize('arm', ARMS)
def test_what_an_arm_listens_to(graph, arm):
    def subscriptions(name):
        return graph.node.get_subscriptions_info_by_topic(f'/{arm}/{name}')

    wanted = HEARD | MORE_HEARD.get(arm, {})
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


@pytest.mark.parametrize('arm', ARMS)
def test_what_an_arm_answers(graph, arm):
    def services():
        return dict(graph.node.get_service_names_and_types())

    graph.wait_for(lambda: all(f'/{arm}/{name}' in services() for name in SERVICES), 'the services')
    for name, kind in SERVICES.items():
        assert services()[f'/{arm}/{name}'] == [kind]


def test_set_up_joints_hear_of_the_reference_and_tell_the_base_frame(graph):
    wait_for_all(graph, graph.node.get_subscriptions_info_by_topic, {'/SUJ/set_reference_arm': TEXT})
    wait_for_all(graph, graph.node.get_publishers_info_by_topic, {'/PSM1/set_base_frame': POSE})


@pytest.mark.parametrize(
    'topic, kind, value',
    [
        ('PSM1/tool_type', String, 'LARGE_NEEDLE_DRIVER:400006'),
        ('ECM/endoscope_type', String, 'Classic_HD_STRAIGHT'),
        ('PSM1/trajectory_j/ratio', Float64, 1.0),
        ('PSM1/trajectory_j/ratio_v', Float64, 1.0),
        ('PSM1/trajectory_j/ratio_a', Float64, 1.0),
        ('console/teleop/enabled', Bool, True),
        ('console/teleop/selected', String, 'MTMR_PSM1'),
    ],
)
def test_who_comes_late_and_asks_for_it_hears_what_was_told_last(graph, topic, kind, value):
    heard = []
    reader = graph.node.create_subscription(kind, f'/{topic}', heard.append, LATCHED)
    graph.wait_for(lambda: heard and heard[-1].data == value, f'/{topic} {value}')
    graph.node.destroy_subscription(reader)


def test_what_the_console_tells_and_listens_to(graph):
    def publishers(name):
        return graph.node.get_publishers_info_by_topic(f'/{name}')

    def subscriptions(name):
        return graph.node.get_subscriptions_info_by_topic(f'/{name}')

    wait_for_all(graph, publishers, CONSOLE_TOLD)
    wait_for_all(graph, subscriptions, CONSOLE_HEARD)
    for name in CONSOLE_TOLD:
        (info,) = publishers(name)
        assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE and keeps(info), name
    for name in CONSOLE_HEARD:
        (info,) = subscriptions(name)
        assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE and not keeps(info), name


def test_pedals_are_buttons_that_are_kept(graph):
    heard = {name: [] for name in ('operator_present', 'clutch', 'camera')}
    for name, messages in heard.items():
        graph.node.create_subscription(Joy, f'/console/{name}', messages.append, LATCHED)
    graph.wait_for(lambda: heard['operator_present'], 'somebody at the console, which was told before')
    assert list(heard['operator_present'][-1].buttons) == [1]
    for name in ('clutch', 'camera'):
        pedal = graph.node.create_publisher(Joy, f'/console/emulate_{name}', 10)
        graph.wait_for(lambda: pedal.get_subscription_count() > 0, 'the console')
        for button in (1, 0, 2):
            pedal.publish(Joy(buttons=[button]))
            graph.wait_for(lambda: heard[name] and list(heard[name][-1].buttons) == [button], f'{name} {button}')
        graph.node.destroy_publisher(pedal)


def test_power_of_the_system_is_that_of_its_arms(graph):
    states = {name: [] for name in ('PSM1', 'MTMR')}
    for name, messages in states.items():
        graph.node.create_subscription(OperatingState, f'/{name}/operating_state', messages.append, 100)
    for topic, wanted in (('power_on', 'ENABLED'), ('power_off', 'DISABLED')):
        order = graph.node.create_publisher(Empty, f'/system/{topic}', 10)
        graph.wait_for(lambda: order.get_subscription_count() > 0, 'the console')
        graph.wait_for(
            lambda: all(len(graph.node.get_publishers_info_by_topic(f'/{n}/state_command')) > 0 for n in states),
            'words of the console to the arms',
        )
        order.publish(Empty())
        graph.wait_for(lambda: all(heard and heard[-1].state == wanted for heard in states.values()), wanted)


def test_an_arm_to_which_no_world_comes_says_so_once(graph):
    words = 'waits for a world: nobody publishes /ambf/env/World/Manifest'
    arms = [process for process in graph.processes if process is not graph.console]
    for process in arms:
        graph.wait_for(lambda: words in process.output(), words)
    graph.spin_for(0.5)
    assert [process.output().count(words) for process in arms] == [1] * len(arms)


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
        ('arms/psm.yaml', {'name_style': 'ros'}, "parameter 'name_style': found 'ros', expected one of crtk, dvrk"),
    ],
)
def test_what_cannot_work_is_refused_in_words(file, parameters, words):
    process: Process = arm_process('X', share(file), **parameters)
    assert process.process.wait(timeout=90) == 1
    assert words in process.output()
