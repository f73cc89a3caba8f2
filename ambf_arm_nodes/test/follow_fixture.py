# SPDX-License-Identifier: BSD-3-Clause
"""A client of the action follow_joint_trajectory, and goals for it."""

import math

from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance
from rclpy.action import ActionClient
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

NAMES = ['yaw', 'pitch', 'insertion', 'roll', 'wrist_pitch', 'wrist_yaw']
THERE = [0.3, -0.2, 0.15, 0.4, -0.3, 0.2]


def duration(time: float) -> Duration:
    whole = math.floor(time)
    return Duration(sec=whole, nanosec=round(1e9 * (time - whole)))


def goal_of(*points, names=None, begin=None, path=(), end=(), end_time=0.0) -> FollowJointTrajectory.Goal:
    """Points are (time, positions) or (time, positions, velocities)."""
    goal = FollowJointTrajectory.Goal()
    goal.trajectory = JointTrajectory(joint_names=list(names or NAMES))
    if begin is not None:
        goal.trajectory.header.stamp = begin
    for time, positions, *rest in points:
        point = JointTrajectoryPoint(positions=positions, time_from_start=duration(time))
        if rest:
            point.velocities = rest[0]
        goal.trajectory.points.append(point)
    goal.path_tolerance = [JointTolerance(name=n, position=p) for n, p in path]
    goal.goal_tolerance = [JointTolerance(name=n, position=p) for n, p in end]
    goal.goal_time_tolerance = duration(end_time)
    return goal


class Follower:
    """A client of the action."""

    def __init__(self, world, arm='/PSM1'):
        self.world, self.feedback = world, []
        self.client = ActionClient(world.node, FollowJointTrajectory, f'{arm}/follow_joint_trajectory')
        world.wait_for(self.client.server_is_ready, 'the action server')

    def send(self, goal):
        """The handle of a goal; it is always accepted."""
        self.feedback.clear()
        future = self.client.send_goal_async(goal, feedback_callback=lambda m: self.feedback.append(m.feedback))
        self.world.wait_for(future.done, 'the answer to a goal')
        handle = future.result()
        assert handle.accepted
        handle.result_future = handle.get_result_async()
        return handle

    def result(self, handle):
        self.world.wait_for(handle.result_future.done, 'a result')
        return handle.result_future.result()

    def follow(self, goal):
        return self.result(self.send(goal))
