# SPDX-License-Identifier: BSD-3-Clause
"""A C++ process and rclpy see each other's topics, services, actions, parameters and events."""
import os
import signal
import subprocess
import time

from action_msgs.msg import GoalStatus
import pytest
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.srv import GetParameters, ListParameters, SetParameters
import rclpy
from rclpy.action import ActionClient, ActionServer
from rclpy.duration import Duration
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import LivelinessPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import String
from std_srvs.srv import SetBool
from test_msgs.action import Fibonacci

PATIENCE = 90.0


class Peer:
    """The Python side, with the C++ process behind it."""

    def __init__(self):
        self.process = subprocess.Popen([os.environ['INTEROP_PEER']])
        self.node = rclpy.create_node('py_peer', namespace='/interop')
        self.node.declare_parameter('depth', 1)
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.seen = []
        self.node.create_subscription(
            String, 'seen', lambda message: self.seen.append(message.data), 50)
        self.command = self.node.create_publisher(String, 'command', 10)
        self.spin_until(
            lambda: self.command.get_subscription_count() == 1
            and self.node.count_publishers('/interop/seen') == 1)

    def spin_until(self, condition):
        """Spin until the condition holds; fail if it does not in time."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f'not in time; seen so far: {self.seen}'
            self.executor.spin_once(timeout_sec=0.05)

    def wait(self, future):
        """Spin until the future is done and return its result."""
        self.spin_until(future.done)
        return future.result()

    def ask(self, command, answer):
        """Send a command and wait for the answer that begins so."""
        self.command.publish(String(data=command))
        self.spin_until(lambda: any(line.startswith(answer) for line in self.seen))
        return [line for line in self.seen if line.startswith(answer)][-1]

    def close(self):
        """End both sides; the C++ process must end by itself on SIGINT."""
        self.executor.shutdown()
        self.node.destroy_node()
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=PATIENCE) == 0


@pytest.fixture(scope='module')
def peer():
    rclpy.init()
    peer = Peer()
    yield peer
    peer.close()
    rclpy.shutdown()


def test_topics_pass_both_ways(peer):
    publisher = peer.node.create_publisher(String, 'to_cpp', 10)
    peer.spin_until(lambda: publisher.get_subscription_count() == 1)
    publisher.publish(String(data='hällo'))
    peer.spin_until(lambda: 'echo hällo' in peer.seen)


def test_services_answer_both_ways(peer):
    client = peer.node.create_client(SetBool, 'flip')
    peer.spin_until(client.service_is_ready)
    answer = peer.wait(client.call_async(SetBool.Request(data=True)))
    assert (answer.success, answer.message) == (False, 'from C++')

    def flip(request, response):
        response.message = f'from Python {request.data}'
        return response

    service = peer.node.create_service(SetBool, 'py_flip', flip)
    peer.spin_until(lambda: peer.node.count_clients('/interop/py_flip') == 1)
    assert peer.ask('service', 'service ') == 'service from Python True'
    peer.node.destroy_service(service)


def test_python_client_uses_a_cpp_action(peer):
    client = ActionClient(peer.node, Fibonacci, 'cpp_fibonacci')
    peer.spin_until(client.server_is_ready)
    feedback = []
    handle = peer.wait(client.send_goal_async(
        Fibonacci.Goal(order=6), feedback_callback=lambda f: feedback.append(f.feedback)))
    assert handle.accepted
    result = peer.wait(handle.get_result_async())
    assert result.status == GoalStatus.STATUS_SUCCEEDED
    assert list(result.result.sequence) == [0, 1, 1, 2, 3, 5, 8]
    assert feedback

    assert not peer.wait(client.send_goal_async(Fibonacci.Goal(order=41))).accepted

    handle = peer.wait(client.send_goal_async(Fibonacci.Goal(order=0)))
    assert len(peer.wait(handle.cancel_goal_async()).goals_canceling) == 1
    result = peer.wait(handle.get_result_async())
    assert result.status == GoalStatus.STATUS_CANCELED
    assert list(result.result.sequence) == [-1]
    client.destroy()


def test_cpp_client_uses_a_python_action(peer):
    def execute(goal):
        goal.publish_feedback(Fibonacci.Feedback(sequence=[0]))
        goal.succeed()
        return Fibonacci.Result(sequence=[0, goal.request.order])

    server = ActionServer(peer.node, Fibonacci, 'py_fibonacci', execute)
    peer.spin_until(
        lambda: peer.node.count_subscribers('/interop/py_fibonacci/_action/feedback') == 1)
    # The services of the action match one by one; a goal sent too early is lost.
    peer.spin_until(
        lambda: peer.node.count_clients('/interop/py_fibonacci/_action/get_result') == 1)
    assert peer.ask('action', 'action ') == 'action 5'
    server.destroy()


def test_parameters_are_reached_both_ways(peer):
    def call(kind, name, request):
        client = peer.node.create_client(kind, f'cpp_peer/{name}')
        peer.spin_until(client.service_is_ready)
        answer = peer.wait(client.call_async(request))
        peer.node.destroy_client(client)
        return answer

    listed = call(ListParameters, 'list_parameters', ListParameters.Request())
    assert {'gain', 'use_sim_time'} <= set(listed.result.names)
    parameter = ParameterMessage(name='gain')
    parameter.value.type = ParameterType.PARAMETER_DOUBLE
    parameter.value.double_value = 2.5
    wrong = ParameterMessage(name='gain')
    wrong.value.type = ParameterType.PARAMETER_STRING
    results = call(
        SetParameters, 'set_parameters', SetParameters.Request(parameters=[parameter, wrong])).results
    assert [result.successful for result in results] == [True, False]
    assert 'Wrong parameter type' in results[1].reason
    values = call(GetParameters, 'get_parameters', GetParameters.Request(names=['gain'])).values
    assert values[0].double_value == 2.5

    assert peer.ask('parameter', 'parameter ') == 'parameter set'
    assert peer.node.get_parameter('depth').value == 7


def test_graph_shows_both(peer):
    assert ('cpp_peer', '/interop') in peer.node.get_node_names_and_namespaces()
    services = dict(
        peer.node.get_service_names_and_types_by_node('cpp_peer', '/interop'))
    assert services['/interop/flip'] == ['std_srvs/srv/SetBool']
    assert services['/interop/cpp_peer/set_parameters'] == ['rcl_interfaces/srv/SetParameters']
    info = peer.node.get_publishers_info_by_topic('/interop/seen')[0]
    assert (info.node_name, info.topic_type) == ('cpp_peer', 'std_msgs/msg/String')
    assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE
    assert peer.ask('graph', 'node /interop/py_peer')


def test_qos_events_reach_both_sides(peer):
    events = []
    subscription = peer.node.create_subscription(
        String, 'best_effort_only', lambda message: None,
        QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE),
        event_callbacks=SubscriptionEventCallbacks(incompatible_qos=events.append))
    peer.spin_until(lambda: events)
    peer.spin_until(lambda: any(line.startswith('incompatible reader') for line in peer.seen))
    peer.node.destroy_subscription(subscription)

    publisher = peer.node.create_publisher(
        String, 'watched',
        QoSProfile(
            depth=1, deadline=Duration(nanoseconds=50_000_000),
            liveliness=LivelinessPolicy.AUTOMATIC,
            liveliness_lease_duration=Duration(seconds=1)))
    peer.spin_until(lambda: 'alive 1' in peer.seen)
    publisher.publish(String(data='once'))
    peer.spin_until(lambda: 'deadline missed' in peer.seen)
    peer.node.destroy_publisher(publisher)
    peer.spin_until(lambda: 'alive 0' in peer.seen)
