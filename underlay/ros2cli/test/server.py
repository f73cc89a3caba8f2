# SPDX-License-Identifier: BSD-3-Clause
"""A node with one of everything for the command line to look at."""

import sys

import rclpy
from rcl_interfaces.msg import IntegerRange, ParameterDescriptor
from rclpy.action import ActionServer
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor
from std_msgs.msg import Int32MultiArray, String
from std_srvs.srv import SetBool
from test_msgs.action import Fibonacci


def set_bool(request, response):
    response.success, response.message = request.data, 'done'
    return response


def fibonacci(goal):
    sequence = [0, 1]
    while len(sequence) < goal.request.order:
        sequence.append(sequence[-1] + sequence[-2])
        goal.publish_feedback(Fibonacci.Feedback(sequence=sequence))
    goal.succeed()
    return Fibonacci.Result(sequence=sequence)


rclpy.init(args=sys.argv)
node = rclpy.create_node('server', namespace='/cli')
node.declare_parameter('level', 5, ParameterDescriptor(
    description='A level', integer_range=[IntegerRange(from_value=0, to_value=10, step=1)]))
node.declare_parameter('group.text', 'hello')
text = node.create_publisher(String, 'text', 10)
numbers = node.create_publisher(Int32MultiArray, 'numbers', 10)
node.create_subscription(String, 'heard', lambda m: print('HEARD', m.data, flush=True), 10)
node.create_service(SetBool, 'switch', set_bool)
ActionServer(node, Fibonacci, 'count', fibonacci)


def publish():
    text.publish(String(data='hello: world'))
    numbers.publish(Int32MultiArray(data=list(range(200))))


node.create_timer(0.05, publish)
print('up', flush=True)
try:
    rclpy.spin(node, MultiThreadedExecutor())
except (KeyboardInterrupt, ExternalShutdownException):
    pass
