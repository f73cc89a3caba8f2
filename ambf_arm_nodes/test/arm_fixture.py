# SPDX-License-Identifier: BSD-3-Clause
"""A world and its arms in processes of their own, or in one container; and plain rclpy clients of the arms."""

import collections
import contextlib
import math
import pathlib
import signal
import subprocess
import tempfile
import time

import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from builtin_interfaces.msg import Time
from composition_interfaces.srv import LoadNode
from crtk_msgs.msg import CartesianImpedance, OperatingState, StringStamped
from geometry_msgs.msg import Pose, PoseStamped, Quaternion, TwistStamped, WrenchStamped
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Empty, Float64, Float64MultiArray, String

from ambf_msgs.msg import WorldManifest, WorldSnapshot
from ambf_msgs.srv import GetWorldMode, RemoveObject, ResetWorld, SetWorldMode, StepWorld

REALTIME, FREE, LOCKSTEP, PAUSED = range(4)
PATIENCE = 90.0  # s; what takes longer hangs
LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
HOME = [0.0, 0.0, 0.12, 0.0, 0.0, 0.0]

DATA = {
    'measured_js': JointState,
    'setpoint_js': JointState,
    'measured_cp': PoseStamped,
    'setpoint_cp': PoseStamped,
    'local/measured_cp': PoseStamped,
    'local/setpoint_cp': PoseStamped,
    'measured_cv': TwistStamped,
    'body/measured_cf': WrenchStamped,
    'spatial/measured_cf': WrenchStamped,
    'body/jacobian': Float64MultiArray,
    'spatial/jacobian': Float64MultiArray,
    'jaw/measured_js': JointState,
    'jaw/setpoint_js': JointState,
    'gripper/measured_js': JointState,
    'gravity_compensation/setpoint_js': JointState,
    'trajectory_j/ratio': Float64,
    'sim_time': Time,
    'T_b_w': PoseStamped,
    'operating_state': OperatingState,
    'desired_state': String,
    'goal_reached': Bool,
    'error': String,
    'warning': String,
    'status': String,
    'tool_type': String,
    'endoscope_type': String,
}
ORDERS = {
    'state_command': StringStamped,
    'servo_jp': JointState,
    'servo_jr': JointState,
    'servo_jf': JointState,
    'servo_cp': PoseStamped,
    'move_jp': JointState,
    'move_jr': JointState,
    'move_cp': PoseStamped,
    'jaw/servo_jp': JointState,
    'jaw/move_jp': JointState,
    'jaw/servo_jf': JointState,
    'body/servo_cf': WrenchStamped,
    'spatial/servo_cf': WrenchStamped,
    'servo_ci': CartesianImpedance,
    'hold': Empty,
    'free': Empty,
    'lock_orientation': Quaternion,
    'unlock_orientation': Empty,
    'use_gravity_compensation': Bool,
    'trajectory_j/set_ratio': Float64,
    'set_base_frame': PoseStamped,
    'set_tool_type': String,
    'set_endoscope_type': String,
    'emulate_tool_present': Bool,
}


def share(name: str) -> str:
    """Path of a file of ambf_description."""
    return str(pathlib.Path(get_package_share_directory('ambf_description')) / name)


def program(package: str, name: str) -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


def seconds(stamp) -> float:
    return stamp.sec + 1e-9 * stamp.nanosec


class Client:
    """A node in a context of its own, and what waits for events."""

    def __init__(self, name: str = 'client'):
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node(name, context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.processes = []
        self.clients = {}

    def close(self):
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def wait_for(self, condition, what: str, timeout: float = PATIENCE):
        """Spin until the condition holds; say what was missing otherwise."""
        end = time.monotonic() + timeout
        while not condition():
            assert time.monotonic() < end, f'no {what} within {timeout} s\n{self.outputs()}'
            assert not any(process.died() for process in self.processes), f'a node died\n{self.outputs()}'
            self.executor.spin_once(timeout_sec=0.05)

    def spin_for(self, duration: float):
        """Only to show that something does not happen meanwhile."""
        end = time.monotonic() + duration
        while time.monotonic() < end:
            self.executor.spin_once(timeout_sec=0.01)

    def outputs(self) -> str:
        return '\n'.join(process.output() for process in self.processes)

    def call(self, kind, name: str, repeat: bool = False, /, **fields):
        if name not in self.clients:
            self.clients[name] = self.node.create_client(kind, name)
        client = self.clients[name]
        self.wait_for(client.service_is_ready, f'service {name}')
        # An answer is lost as long as the server has not found the client.
        end = time.monotonic() + PATIENCE
        while True:
            future = client.call_async(kind.Request(**fields))
            patience = time.monotonic() + (5.0 if repeat or name in NO_EFFECT_TWICE else PATIENCE)
            while not future.done() and time.monotonic() < patience:
                self.executor.spin_once(timeout_sec=0.05)
            if future.done():
                return future.result()
            assert time.monotonic() < end, f'{name} does not answer\n{self.outputs()}'


# Services that may be asked again where an answer was lost.
NO_EFFECT_TWICE = tuple(f'/ambf/env/World/{name}' for name in ('get_mode', 'set_mode', 'reset'))


class Process:
    """A program, its output, and its end."""

    def __init__(self, *command: str):
        self.command = command
        self.killed = False
        self.log = tempfile.TemporaryFile('a+')
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT)

    def output(self) -> str:
        self.log.flush()
        self.log.seek(0)
        return f'--- {self.command[0]}\n{self.log.read()}'

    def alive(self) -> bool:
        return self.process.poll() is None

    def died(self) -> bool:
        """Not by the test's own hand."""
        return not self.killed and not self.alive()

    def kill(self):
        self.killed = True
        self.process.kill()
        self.process.wait(timeout=PATIENCE)

    def end(self):
        """By Ctrl-C, and with code 0."""
        if self.alive():
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=PATIENCE)
        assert code in (0, -signal.SIGKILL), f'{self.command} ended with {code}: {self.output()}'


def parameters_of(parameters: dict) -> list[str]:
    words = ['--ros-args']
    for name, value in parameters.items():
        text = f"'{value}'" if isinstance(value, str) else str(value)
        text = text.lower() if isinstance(value, bool) else text
        words += ['-p', f'{name}:={text}']
    return words


def physics_process(**parameters) -> Process:
    return Process(program('ambf_physics_node', 'physics_node'), *parameters_of(parameters))


def arm_process(name: str, kind: str, model: str = '', **parameters) -> Process:
    file = kind if '/' in kind else share(f'arms/{kind}.yaml')
    words = parameters_of({'arms_file': file, 'name': name, 'model': model, **parameters})
    return Process(program('ambf_arm_nodes', 'arm_server'), *words, '-r', f'__node:={name}')


def as_parameter(name: str, value) -> Parameter:
    kinds = {bool: 'bool', str: 'string', float: 'double', int: 'integer'}
    word = kinds[type(value)]
    fields = {'type': getattr(ParameterType, f'PARAMETER_{word.upper()}'), f'{word}_value': value}
    return Parameter(name=name, value=ParameterValue(**fields))


class Arm:
    """A client of one arm: what it hears, newest last, and what it says."""

    def __init__(self, client: Client, topic: str, listen_to: tuple = ()):
        self.client, self.topic = client, topic
        self.heard = collections.defaultdict(list)
        self.states = self.heard['operating_state']
        self.publishers = {}
        for name in ('operating_state', 'error', 'warning', 'status', 'goal_reached', *listen_to):
            self.listen(name)

    def listen(self, name: str, qos=10):
        deep = 1000 if name == 'operating_state' else qos
        self.client.node.create_subscription(DATA[name], f'{self.topic}/{name}', self.heard[name].append, deep)

    def newest(self, name: str):
        """The next message from now on."""
        if not self.client.node.get_subscriptions_info_by_topic(f'{self.topic}/{name}'):
            self.listen(name)
        count = len(self.heard[name])
        self.client.wait_for(lambda: len(self.heard[name]) > count, f'{self.topic}/{name}')
        return self.heard[name][-1]

    def joints(self) -> list[float]:
        return list(self.newest('measured_js').position)

    def publisher(self, name: str):
        if name not in self.publishers:
            made = self.client.node.create_publisher(ORDERS[name], f'{self.topic}/{name}', 10)
            self.client.wait_for(lambda: made.get_subscription_count() > 0, f'{self.topic}/{name} to be heard')
            self.publishers[name] = made
        return self.publishers[name]

    def say(self, name: str, message=None):
        self.publisher(name).publish(message if message is not None else ORDERS[name]())

    def state_command(self, text: str):
        message = StringStamped(string=text)
        message.header.stamp = self.client.node.get_clock().now().to_msg()
        self.say('state_command', message)

    def command_and_wait(self, text: str) -> OperatingState:
        """The answer; what was told before, or by the heartbeat on the way, is none."""
        wanted = {'disable': 'DISABLED', 'pause': 'PAUSED'}.get(text, 'ENABLED')
        now = time.time()
        self.state_command(text)
        self.client.wait_for(
            lambda: self.states and self.states[-1].state == wanted and seconds(self.states[-1].header.stamp) > now,
            f'operating_state after {text}',
        )
        return self.states[-1]

    def bring_up(self):
        """Enable and home, back to back as a console does."""
        self.client.wait_for(lambda: self.states, f'{self.topic}/operating_state')
        now = time.time()
        self.state_command('enable')
        self.state_command('home')

        def homed():
            state = self.states[-1]
            ready = state.state == 'ENABLED' and state.is_homed and not state.is_busy
            return ready and seconds(state.header.stamp) > now

        self.client.wait_for(homed, f'{self.topic} to be homed')

    def say_joints(self, name: str, values):
        message = JointState(position=[float(v) for v in values])
        self.say(name, message)

    def say_pose(self, name: str, pose: Pose):
        self.say(name, PoseStamped(pose=pose))

    def move(self, name: str, message) -> bool:
        """Move and wait for busy, then not busy; True: the goal was reached."""
        self.publisher(name)
        count, reached = len(self.states), len(self.heard['goal_reached'])
        self.say(name, message)
        self.client.wait_for(
            lambda: any(s.is_busy for s in self.states[count:]) and not self.states[-1].is_busy, f'the end of {name}'
        )
        self.client.wait_for(lambda: len(self.heard['goal_reached']) > reached, 'goal_reached')
        return self.heard['goal_reached'][-1].data


class World(Client):
    """A world with arms; a context manager."""

    def __init__(
        self,
        *arms: tuple,
        world: str = '',
        models: tuple = (),
        composed: bool = False,
        arm_parameters=None,
        **parameters,
    ):
        super().__init__()
        self.physics_parameters = {'world': share(world) if world else '', **parameters}
        self.model_files = [share(model) for model in models]
        self.snapshots, self.manifests = collections.deque(maxlen=100), []
        self.node.create_subscription(WorldManifest, '/ambf/env/World/Manifest', self.manifests.append, LATCHED)
        best = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
        self.node.create_subscription(
            WorldSnapshot, '/ambf/env/World/Snapshot', lambda m: self.snapshots.append(m), best
        )
        self.arm_processes = {}
        if composed:
            self.compose(arms, arm_parameters or {})
            return
        self.start_physics()
        for name, kind, model in arms:
            self.arm_processes[name] = arm_process(name, kind, model, **(arm_parameters or {}))
            self.processes.append(self.arm_processes[name])

    def start_physics(self):
        words = parameters_of(self.physics_parameters)
        if self.model_files:
            words += ['-p', 'models:=[%s]' % ', '.join(f"'{m}'" for m in self.model_files)]
        self.physics = Process(program('ambf_physics_node', 'physics_node'), *words)
        self.processes.append(self.physics)

    def compose(self, arms, arm_parameters):
        container = Process(program('rclcpp_components', 'component_container_mt'))
        self.processes.append(container)
        self.physics = container
        models = Parameter(
            name='models',
            value=ParameterValue(type=ParameterType.PARAMETER_STRING_ARRAY, string_array_value=self.model_files),
        )
        load = [as_parameter(*item) for item in self.physics_parameters.items() if item[1] != '']
        self.load('ambf_physics_node', 'ambf_physics::PhysicsNode', 'physics', [*load, models])
        for name, kind, model in arms:
            given = {'arms_file': share(f'arms/{kind}.yaml'), 'name': name, 'model': model, **arm_parameters}
            self.load('ambf_arm_nodes', 'ambf_arm_nodes::ArmServer', name, [as_parameter(*p) for p in given.items()])

    def load(self, package, plugin, name, parameters):
        reply = self.call(
            LoadNode,
            '/ComponentManager/_container/load_node',
            package_name=package,
            plugin_name=plugin,
            node_name=name,
            parameters=parameters,
            extra_arguments=[as_parameter('use_intra_process_comms', True)],
        )
        assert reply.success, reply.error_message

    def __enter__(self):
        self.wait_for(lambda: self.manifests, 'the manifest')
        return self

    def __exit__(self, *_):
        self.close()
        with contextlib.ExitStack() as ends:
            for process in self.processes:
                ends.callback(process.end)

    def arm(self, topic: str, *listen_to: str) -> Arm:
        return Arm(self, topic, listen_to)

    def set_mode(self, mode: int):
        reply = self.call(SetWorldMode, '/ambf/env/World/set_mode', mode=mode)
        assert reply.ok, reply.message

    def step(self, steps: int = 1, barrier=(), **fields):
        reply = self.call(
            StepWorld,
            '/ambf/env/World/step',
            agent='tester',
            steps=steps,
            barrier=list(barrier),
            barrier_timeout=60.0,
            **fields,
        )
        return reply

    def reset(self, scope: int = 0):
        reply = self.call(ResetWorld, '/ambf/env/World/reset', scope=scope)
        assert reply.ok, reply.message

    def remove(self, name: str):
        # Nothing has no name: this is refused, and shows that answers arrive.
        refused = self.call(RemoveObject, '/ambf/env/World/remove', True, name='')
        assert not refused.ok
        reply = self.call(RemoveObject, '/ambf/env/World/remove', name=name)
        assert reply.ok, reply.message

    def mode(self) -> int:
        return self.call(GetWorldMode, '/ambf/env/World/get_mode').mode

    def body(self, name: str) -> tuple:
        """Position and quaternion (x, y, z, w) of a body in the newest snapshot."""
        index = [i for i, b in enumerate(self.manifests[-1].bodies) if b.name == name]
        assert len(index) == 1, (name, [b.name for b in self.manifests[-1].bodies])
        count = len(self.snapshots)
        self.wait_for(lambda: len(self.snapshots) > 0 and (count == 0 or len(self.snapshots) >= 1), 'a snapshot')
        flat = self.snapshots[-1].bodies[13 * index[0] : 13 * index[0] + 7]
        return list(flat[:3]), list(flat[3:])


def distance(a, b) -> float:
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def position(pose: Pose) -> list[float]:
    return [pose.position.x, pose.position.y, pose.position.z]
