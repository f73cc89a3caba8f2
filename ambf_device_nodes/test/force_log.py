# SPDX-License-Identifier: BSD-3-Clause
"""Writes stamp [s] and size of the forces of the device `mock` to a file, a line each, until it is ended."""

import sys

import rclpy
from device_fixture import seconds
from geometry_msgs.msg import WrenchStamped

rclpy.init()
node = rclpy.create_node('force_log')
with open(sys.argv[1], 'w', buffering=1) as log:
    node.create_subscription(
        WrenchStamped,
        '/ambf/env/mock/Force',
        lambda m: log.write(f'{seconds(m.header.stamp)} {abs(m.wrench.force.x)}\n'),
        100,
    )
    rclpy.spin(node)
