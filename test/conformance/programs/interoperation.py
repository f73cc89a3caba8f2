#!/usr/bin/env python3
# Copyright 2026 AMBF for ROS 2 developers
# SPDX-License-Identifier: BSD-3-Clause
"""An rclpy node and a C++ component in another process see each other in every way."""

from __future__ import annotations

import time

import rclpy
from container_process import PATIENCE, ContainerProcess, say
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import DescribeParameters, GetParameters, ListParameters, SetParameters
from rclpy.action import ActionClient, ActionServer
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.qos import QoSDurabilityPolicy, QoSProfile, QoSReliabilityPolicy
from std_msgs.msg import String
from std_srvs.srv import SetBool
from test_msgs.action import Fibonacci

BEST_EFFORT = QoSProfile(depth=1, reliability=QoSReliabilityPolicy.BEST_EFFORT)
LATCHED = QoSProfile(depth=1, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)


class PythonPeer:
    """The rclpy side: one node with everything that the C++ side asks for."""

    def __init__(self) -> None:
        self.node = rclpy.create_node('python_peer')
        self.node.declare_parameter('colour', 'green')
        self.heard: list[str] = []
        self.words = self.node.create_publisher(String, 'words', 10)
        self.ask = self.node.create_publisher(String, 'ask', 10)
        self.echo = self.node.create_subscription(String, 'echo', lambda m: self.heard.append(m.data), 10)
        self.node.create_service(SetBool, 'python_negate', self._negate)
        self.action_server = ActionServer(self.node, Fibonacci, 'python_fibonacci', self._fibonacci)

    def _negate(self, request, response):
        response.success = not request.data
        response.message = 'negated by python'
        return response

    def _fibonacci(self, goal):
        sequence = [0, 1]
        while len(sequence) <= goal.request.order:
            sequence.append(sequence[-1] + sequence[-2])
        goal.succeed()
        return Fibonacci.Result(sequence=sequence)

    def until(self, condition) -> bool:
        """Spin until the condition holds or patience ends."""
        end = time.monotonic() + PATIENCE
        while not condition() and time.monotonic() < end:
            rclpy.spin_once(self.node, timeout_sec=0.02)
        return condition()

    def call(self, service_type, name: str, request):
        """Call a service and return its answer, or None."""
        client = self.node.create_client(service_type, name)
        if not client.wait_for_service(PATIENCE):
            return None
        future = client.call_async(request)
        self.until(future.done)
        return future.result()


def topics(peer: PythonPeer) -> None:
    """Words go over and come back."""
    print('[topics]', flush=True)
    say(
        'matched',
        peer.until(lambda: peer.words.get_subscription_count() == 1 and peer.node.count_publishers('echo') == 1),
    )
    peer.until(lambda: peer.echo.get_publisher_count() == 1 if hasattr(peer.echo, 'get_publisher_count') else True)
    peer.words.publish(String(data='hello'))
    peer.until(lambda: bool(peer.heard))
    say('echo', ' | '.join(peer.heard))
    latched: list[str] = []
    late = peer.node.create_subscription(String, 'latched', lambda m: latched.append(m.data), LATCHED)
    peer.until(lambda: bool(latched))
    say('latched', ' | '.join(latched))
    peer.node.destroy_subscription(late)


def services(peer: PythonPeer) -> None:
    """Requests in both directions."""
    print('[services]', flush=True)
    answer = peer.call(SetBool, 'negate', SetBool.Request(data=True))
    say('python asks', answer.success, answer.message)
    peer.heard.clear()
    peer.until(lambda: peer.ask.get_subscription_count() == 1)
    peer.ask.publish(String(data='service'))
    peer.until(lambda: bool(peer.heard))
    say('C++ asks', ' | '.join(peer.heard))


def actions(peer: PythonPeer) -> None:
    """Goals in both directions, with feedback, cancelling and refusal."""
    print('[actions]', flush=True)
    client = ActionClient(peer.node, Fibonacci, 'fibonacci')
    say('server', client.wait_for_server(PATIENCE))
    feedback: list[int] = []

    def send(order: int):
        future = client.send_goal_async(
            Fibonacci.Goal(order=order), feedback_callback=lambda m: feedback.append(len(m.feedback.sequence))
        )
        peer.until(future.done)
        return future.result()

    handle = send(5)
    say('accepted', handle.accepted)
    result = handle.get_result_async()
    peer.until(result.done)
    say('result', result.result().status, list(result.result().result.sequence))
    say('feedback', feedback)
    handle = send(40)
    cancel = handle.cancel_goal_async()
    peer.until(cancel.done)
    say('cancel', cancel.result().return_code, len(cancel.result().goals_canceling))
    result = handle.get_result_async()
    peer.until(result.done)
    say('cancelled result', result.result().status)
    say('refused', send(99).accepted)
    peer.heard.clear()
    peer.ask.publish(String(data='action'))
    peer.until(lambda: bool(peer.heard))
    say('C++ asks', ' | '.join(peer.heard))


def parameters(peer: PythonPeer) -> None:
    """The parameter services of a C++ node, and a C++ client of a Python node."""
    print('[parameters]', flush=True)
    value = peer.call(GetParameters, 'peer/get_parameters', GetParameters.Request(names=['prefix']))
    say('get', repr(value.values[0].string_value))
    change = Parameter(name='prefix', value=ParameterValue(type=ParameterType.PARAMETER_STRING, string_value='again '))
    wrong = Parameter(name='prefix', value=ParameterValue(type=ParameterType.PARAMETER_INTEGER, integer_value=3))
    answers = peer.call(SetParameters, 'peer/set_parameters', SetParameters.Request(parameters=[change, wrong]))
    say('set', [r.successful for r in answers.results], answers.results[1].reason)
    listed = peer.call(ListParameters, 'peer/list_parameters', ListParameters.Request())
    say('list', 'prefix' in listed.result.names, 'use_sim_time' in listed.result.names)
    described = peer.call(DescribeParameters, 'peer/describe_parameters', DescribeParameters.Request(names=['prefix']))
    say('describe', described.descriptors[0].type, described.descriptors[0].read_only)
    peer.heard.clear()
    peer.words.publish(String(data='words'))
    peer.until(lambda: bool(peer.heard))
    say('in effect', ' | '.join(peer.heard))
    peer.heard.clear()
    peer.ask.publish(String(data='parameter'))
    peer.until(lambda: bool(peer.heard))
    say('C++ asks', ' | '.join(peer.heard))


def graph(peer: PythonPeer) -> None:
    """What rclpy sees of the C++ node."""
    print('[graph]', flush=True)
    say('node', ('peer', '/') in peer.node.get_node_names_and_namespaces())
    names = dict(peer.node.get_publisher_names_and_types_by_node('peer', '/'))
    say('publishers', sorted(names))
    names = dict(peer.node.get_service_names_and_types_by_node('peer', '/'))
    say('services', sorted(n for n in names if 'parameter' not in n))
    info = peer.node.get_publishers_info_by_topic('echo')[0]
    say(
        'endpoint', info.node_name, info.topic_type, info.qos_profile.reliability.name, info.qos_profile.durability.name
    )


def quality(peer: PythonPeer, container: ContainerProcess) -> None:
    """Incompatible endpoints are reported on both sides."""
    print('[qos events]', flush=True)
    events: list[str] = []
    callbacks = PublisherEventCallbacks(
        incompatible_qos=lambda e: events.append(f'python offered, policy {e.last_policy_kind}')
    )
    weak = peer.node.create_publisher(String, 'words', BEST_EFFORT, event_callbacks=callbacks)
    say('python publisher', peer.until(lambda: bool(events)), ' | '.join(events))
    events.clear()
    callbacks = SubscriptionEventCallbacks(
        incompatible_qos=lambda e: events.append(f'python requested, policy {e.last_policy_kind}')
    )
    strict = peer.node.create_subscription(String, 'echo', lambda m: None, LATCHED, event_callbacks=callbacks)
    say('python subscription', peer.until(lambda: bool(events)), ' | '.join(events))
    wanted = ('New publisher discovered', 'New subscription discovered')
    peer.until(lambda: all(text in container.log() for text in wanted))
    for line in sorted(line for line in container.log().splitlines() if 'discovered' in line):
        say('C++ logs', line)
    peer.node.destroy_publisher(weak)
    peer.node.destroy_subscription(strict)


def main() -> None:
    """Run every check against one container."""
    rclpy.init()
    peer = PythonPeer()
    container = ContainerProcess(peer.node, 'component_container', 'host')
    answer = container.load('ambf_conformance::Peer')
    say('loaded', answer.success, answer.full_node_name)
    topics(peer)
    services(peer)
    actions(peer)
    parameters(peer)
    graph(peer)
    quality(peer, container)
    say('exit code', container.stop())
    say('gone', peer.until(lambda: ('peer', '/') not in peer.node.get_node_names_and_namespaces()))
    peer.action_server.destroy()
    peer.node.destroy_node()
    rclpy.shutdown()


if __name__ == '__main__':
    main()
