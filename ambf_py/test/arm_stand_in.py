# SPDX-License-Identifier: BSD-3-Clause
"""A small arm on CRTK topics, in a thread of the test: states, moves along straight lines in joint space, PSM kinematics."""

import threading

import numpy as np
import rclpy
from crtk_msgs.msg import OperatingState, StringStamped
from crtk_msgs.srv import QueryForwardKinematics, QueryInverseKinematics, TriggerOperatingState
from geometry_msgs.msg import PoseStamped, Quaternion, TwistStamped, WrenchStamped
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Empty, Float64, Float64MultiArray, MultiArrayDimension, String

from ambf_py import psm
from ambf_py.arm_values import matrix_of, pose_message
from ambf_py.rotations import quaternion_from_matrix

ACCEPTED = {
    'DISABLED': ('enable', 'disable', 'unhome'),
    'ENABLED': ('enable', 'disable', 'pause', 'home', 'unhome'),
    'PAUSED': ('disable', 'pause', 'resume', 'unhome'),
    'FAULT': ('enable', 'disable', 'unhome'),
}
HOME = np.array([0.0, 0.0, 0.12, 0.0, 0.0, 0.0])
NAMES = ['yaw', 'pitch', 'insertion', 'roll', 'wrist_pitch', 'wrist_yaw']
RATE = 200.0


class StandIn:
    """`stepped`: moves go on with `advance` only, as in a world that somebody steps. `latched`: keeps its states; `asked`: tells it."""

    def __init__(
        self,
        name: str = '/PSM1',
        *,
        stepped: bool = False,
        latched: bool = True,
        asked: bool = False,
        domain_id: int | None = None,
    ):
        self.name, self.stepped = name, stepped
        self.lock = threading.RLock()
        self.state, self.homed, self.busy, self.silent = 'DISABLED', False, False, False
        self.q, self.goal, self.jaw, self.jaw_goal = np.zeros(6), np.zeros(6), 0.0, 0.0
        self.velocity, self.moving = 2.0, False
        self.heard: list[tuple[str, object]] = []
        self.changed = threading.Condition(self.lock)
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain_id)
        self.node = rclpy.create_node(name.replace('/', '_'), context=self.context)
        kept = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.events = {
            leaf: self.node.create_publisher(kind, f'{name}/{leaf}', kept if latched else 10)
            for leaf, kind in (
                ('operating_state', OperatingState),
                ('goal_reached', Bool),
                ('error', String),
                ('warning', String),
                ('tool_type', String),
                ('trajectory_j/ratio', Float64),
            )
        }
        self.data = {
            leaf: self.node.create_publisher(kind, f'{name}/{leaf}', 10)
            for leaf, kind in (
                ('measured_js', JointState),
                ('setpoint_js', JointState),
                ('jaw/measured_js', JointState),
                ('jaw/setpoint_js', JointState),
                ('gripper/measured_js', JointState),
                ('measured_cp', PoseStamped),
                ('setpoint_cp', PoseStamped),
                ('local/measured_cp', PoseStamped),
                ('measured_cv', TwistStamped),
                ('body/measured_cf', WrenchStamped),
                ('spatial/measured_cf', WrenchStamped),
                ('body/jacobian', Float64MultiArray),
                ('spatial/jacobian', Float64MultiArray),
            )
        }
        for leaf, kind in (
            ('state_command', StringStamped),
            ('hold', Empty),
            ('free', Empty),
            ('servo_jp', JointState),
            ('servo_jr', JointState),
            ('servo_jf', JointState),
            ('move_jp', JointState),
            ('move_jr', JointState),
            ('servo_cp', PoseStamped),
            ('move_cp', PoseStamped),
            ('body/servo_cf', WrenchStamped),
            ('spatial/servo_cf', WrenchStamped),
            ('jaw/servo_jp', JointState),
            ('jaw/servo_jf', JointState),
            ('jaw/move_jp', JointState),
            ('use_gravity_compensation', Bool),
            ('trajectory_j/set_ratio', Float64),
            ('set_tool_type', String),
            ('lock_orientation', Quaternion),
            ('unlock_orientation', Empty),
        ):
            self.node.create_subscription(kind, f'{name}/{leaf}', self._hear(leaf), 10)
        self.node.create_service(QueryForwardKinematics, f'{name}/forward_kinematics', self._forward)
        self.node.create_service(QueryInverseKinematics, f'{name}/inverse_kinematics', self._inverse)
        if asked:
            self.node.create_service(TriggerOperatingState, f'{name}/operating_state', self._tell_state)
        self.node.create_timer(1.0 / RATE, self._tick)
        if not latched:
            self.node.create_timer(0.2, self.say_state)  # what others call a heartbeat
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.say_state()
        self.say('tool_type', 'LARGE_NEEDLE_DRIVER:400006')
        self.events['trajectory_j/ratio'].publish(Float64(data=1.0))
        self.thread = threading.Thread(target=self.executor.spin, daemon=True)
        self.thread.start()

    def close(self):
        self.executor.shutdown()
        self.thread.join(timeout=90.0)
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def wait_for(self, condition, what: str):
        """Until something heard makes it true."""
        with self.changed:
            assert self.changed.wait_for(condition, timeout=90.0), f'no {what}'

    def count(self, leaf: str) -> int:
        with self.lock:
            return sum(name == leaf for name, _ in self.heard)

    # What it says

    def say(self, leaf: str, words: str):
        self.events[leaf].publish(String(data=words))

    def state_message(self) -> OperatingState:
        message = OperatingState(state=self.state, is_homed=self.homed, is_busy=self.busy)
        message.header.stamp = self.node.get_clock().now().to_msg()
        return message

    def say_state(self):
        self.events['operating_state'].publish(self.state_message())

    def _tell_state(self, _request, response):
        response.operating_state = self.state_message()
        return response

    def fail(self, words: str):
        with self.lock:
            self.state, self.busy, self.moving = 'FAULT', False, False
            self.say('error', words)
            self.say_state()

    def _tick(self):
        with self.lock:
            if not self.stepped:
                self.advance(1.0 / RATE)
            if not self.silent:
                self.publish()

    def advance(self, dt: float):
        """A piece of the way to the goal."""
        with self.lock:
            if not self.moving:
                return
            way = np.append(self.goal - self.q, self.jaw_goal - self.jaw)
            length = float(np.abs(way).max())
            step = min(1.0, self.velocity * dt / length) if length > 0.0 else 1.0
            self.q = self.q + step * way[:6]
            self.jaw += step * way[6]
            if step == 1.0:
                self.moving = self.busy = False
                self.homed = True
                self.publish()
                self.events['goal_reached'].publish(Bool(data=True))
                self.say_state()

    def publish(self):
        valid = self.state == 'ENABLED' and self.homed
        stamp = self.node.get_clock().now().to_msg()

        def send(leaf, message):
            if valid and hasattr(message, 'header'):
                message.header.stamp = stamp
            self.data[leaf].publish(message)

        for leaf in ('measured_js', 'setpoint_js'):
            send(
                leaf,
                JointState(name=NAMES[: len(self.q)], position=self.q.tolist(), velocity=[0.0] * 6, effort=[0.5] * 6),
            )
            send(f'jaw/{leaf}', JointState(name=['jaw'], position=[self.jaw]))
        send('gripper/measured_js', JointState(name=['gripper'], position=[0.25]))
        tip = PoseStamped(pose=pose_message(psm.forward(np.resize(self.q, 6))))
        tip.header.frame_id = f'{self.name.strip("/")}_base'
        for leaf in ('measured_cp', 'setpoint_cp', 'local/measured_cp'):
            send(leaf, tip)
        send('measured_cv', TwistStamped())
        force = WrenchStamped()
        force.wrench.force.z, force.wrench.torque.x = 2.0, 0.1
        for frame in ('body', 'spatial'):
            send(f'{frame}/measured_cf', force)
            jacobian = Float64MultiArray(data=np.arange(36.0).tolist())
            jacobian.layout.dim = [
                MultiArrayDimension(label='rows', size=6, stride=1),
                MultiArrayDimension(label='cols', size=6, stride=6),
            ]
            send(f'{frame}/jacobian', jacobian)

    # What it hears

    def _hear(self, leaf: str):
        take = getattr(self, '_on_' + leaf.replace('/', '_'), lambda message: None)

        def hear(message):
            with self.changed:
                self.heard.append((leaf, message))
                take(message)
                self.changed.notify_all()

        return hear

    def _on_state_command(self, message):
        word = message.string
        if word not in ACCEPTED[self.state]:
            self.say('warning', f'{self.name}: command "{word}" is not supported in state "{self.state}"')
            return
        if word == 'home' and not self.homed:
            self._go(HOME, 0.0)
            return
        self.state = {'enable': 'ENABLED', 'disable': 'DISABLED', 'pause': 'PAUSED', 'resume': 'ENABLED'}.get(
            word, self.state
        )
        self.homed = self.homed and word != 'unhome'
        if word in ('disable', 'pause'):
            self.moving = self.busy = False
        self.say_state()

    def _go(self, goal, jaw):
        self.goal, self.jaw_goal = np.array(goal, dtype=float), float(jaw)
        self.moving = self.busy = True
        self.say_state()

    def _stop(self):
        if self.moving:
            self.moving = self.busy = False
            self.events['goal_reached'].publish(Bool(data=False))
            self.say_state()

    def _on_move_jp(self, message):
        self._go(message.position, self.jaw_goal)

    def _on_move_jr(self, message):
        self._go((self.goal if self.moving else self.q) + np.array(message.position), self.jaw_goal)

    def _on_jaw_move_jp(self, message):
        self._go(self.goal if self.moving else self.q, message.position[0])

    def _on_servo_jp(self, message):
        self._stop()
        self.q = np.array(message.position)

    def _on_servo_jr(self, message):
        self._stop()
        self.q = self.q + np.array(message.position)

    def _on_jaw_servo_jp(self, message):
        self._stop()
        self.jaw = self.jaw_goal = message.position[0]

    def _on_hold(self, _message):
        self._stop()

    def _solve(self, message):
        """None for what is out of reach, by a table: poses that are those of known joint values."""
        goal = matrix_of(message)
        for q in (self.q, HOME, *TABLE):
            if np.allclose(psm.forward(np.asarray(q)), goal, atol=1e-6):
                return np.asarray(q)
        return None

    def _on_move_cp(self, message):
        q = self._solve(message.pose)
        if q is None:
            self.say('error', f'{self.name}: move_cp: no inverse kinematics solution')
            self.events['goal_reached'].publish(Bool(data=False))
            return
        self._go(q, self.jaw_goal)

    def _on_servo_cp(self, message):
        q = self._solve(message.pose)
        if q is not None:
            self.q = q

    def _on_trajectory_j_set_ratio(self, message):
        self.events['trajectory_j/ratio'].publish(message)

    def _on_set_tool_type(self, message):
        if 'NOTHING' in message.data:
            self.say('warning', f'{self.name}: tool type {message.data} is not supported')
        else:
            self.say('tool_type', f'{message.data}[1]')

    def _forward(self, request, response):
        response.result = len(request.jp) == 6
        response.message = '' if response.result else f'found {len(request.jp)} joints, expected 6'
        if response.result:
            response.cp = pose_message(psm.forward(np.array(request.jp)))
        return response

    def _inverse(self, request, response):
        q = self._solve(request.cp)
        response.result = q is not None
        response.message = '' if response.result else 'out of reach'
        response.jp = [] if q is None else q.tolist()
        return response


# Joint values whose poses the stand-in can reach.
TABLE = (
    (0.1, -0.1, 0.15, 0.2, 0.1, -0.1),
    (0.3, -0.2, 0.15, 0.5, -0.4, 0.6),
)


def quaternion(matrix) -> list[float]:
    return quaternion_from_matrix(np.asarray(matrix)).tolist()
