# SPDX-License-Identifier: BSD-3-Clause
"""A physics node in a process of its own, and an rclpy node to talk to it."""

import pathlib
import signal
import subprocess
import tempfile
import time

import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, LivelinessPolicy, QoSProfile, ReliabilityPolicy

from ambf_msgs.msg import AgentHello, WorldManifest
from ambf_msgs.srv import (
    GetWorldMode,
    JoinWorld,
    LeaveWorld,
    LoadModel,
    LoadWorld,
    QueryObject,
    RemoveObject,
    ResetWorld,
    RestoreState,
    SaveState,
    SetBodyState,
    SetGravityCompensation,
    SetJointGains,
    SetWorldMode,
    StepWorld,
)

MEMBERS = QoSProfile(
    depth=10,
    reliability=ReliabilityPolicy.RELIABLE,
    liveliness=LivelinessPolicy.AUTOMATIC,
    liveliness_lease_duration=Duration(seconds=2),
)
REALTIME, FREE, LOCKSTEP, PAUSED = range(4)
EFFORT, POSITION, VELOCITY, RELEASE, ACCELERATION = 1, 2, 3, 4, 5
# For each service a request that is answered and changes nothing.
NO_EFFECT = {
    'get_mode': {},
    'set_mode': {'mode': 255},
    'step': {'manifest_revision': 2**32 - 1},
    'join': {},
    'leave': {},
    'load_model': {},
    'load_world': {'uri': 'no://such/address'},
    'remove': {},
    'reset': {'scope': 128},
    'save_state': {},
    'query': {},
    'read': {},
    'set_body_state': {},
    'set_joint_gains': {},
    'set_gravity_compensation': {},
    'restore_state': {'name': 'nothing was ever saved under this name'},
}


def description(name: str) -> str:
    """Path of a model or world of ambf_description."""
    return str(pathlib.Path(get_package_share_directory('ambf_description')) / name)


class World:
    """Starts a world and calls it; a context manager."""

    def __init__(self, *models: str, world: str = '', namespace: str = '', base: str = '/ambf/env', **parameters):
        self.base = namespace + base
        program = pathlib.Path(get_package_prefix('ambf_physics_node')) / 'lib/ambf_physics_node/physics_node'
        arguments = [str(program), '--ros-args', '-p', f"world:='{world}'"]
        if models:
            arguments += ['-p', 'models:=[%s]' % ', '.join(f"'{description(m)}'" for m in models)]
        if namespace:
            arguments += ['-r', f'__ns:={namespace}']
        for name, value in parameters.items():
            arguments += ['-p', f'{name}:={value}']
        self.log = tempfile.TemporaryFile('a+')
        self.process = subprocess.Popen(arguments, stdout=self.log, stderr=subprocess.STDOUT)
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('tester', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.manifests = []
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.node.create_subscription(WorldManifest, f'{self.base}/World/Manifest', self.manifests.append, latched)
        self.clients = {}

    def __enter__(self):
        self.wait_for(lambda: self.manifests, 'the manifest')
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.exit_code = self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError('the node did not end within 60 s of SIGINT') from None
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)
        output = self.output()
        self.log.close()
        # Killed ones by the test's own hand.
        assert self.exit_code in (0, -signal.SIGKILL), f'the node ended with {self.exit_code}: {output}'

    @property
    def manifest(self) -> WorldManifest:
        return self.manifests[-1]

    def output(self) -> str:
        self.log.flush()
        self.log.seek(0)
        return self.log.read()

    def wait_for(self, condition, what: str, timeout: float = 90.0):
        """Spin until the condition holds; say what was missing otherwise."""
        end = time.monotonic() + timeout
        while not condition():
            assert self.process.poll() is None, f'the node died: {self.output()}'
            assert time.monotonic() < end, f'no {what} within {timeout} s\n{self.output()}'
            self.executor.spin_once(timeout_sec=0.05)

    def start_call(self, kind, service: str, node=None, **fields):
        """Send a request; the future is returned."""
        key = (service, id(node))
        if key not in self.clients:
            self.clients[key] = (node or self.node).create_client(kind, f'{self.base}/World/{service}')
            self.wait_for(self.clients[key].service_is_ready, f'service {service}')
            self.meet(self.clients[key], kind.Request(**NO_EFFECT[service]))
        return self.clients[key].call_async(kind.Request(**fields))

    def meet(self, client, request):
        """Ask for nothing until there is an answer: it is lost as long as the server has not found the client."""
        end = time.monotonic() + 60.0
        future = None
        while future is None or not future.done():
            assert time.monotonic() < end, f'{client.srv_name} does not answer\n{self.output()}'
            future = client.call_async(request)
            patience = time.monotonic() + 2.0
            while not future.done() and time.monotonic() < patience:
                assert self.process.poll() is None, f'the node died: {self.output()}'
                self.executor.spin_once(timeout_sec=0.05)

    def call(self, kind, service: str, **fields):
        future = self.start_call(kind, service, **fields)
        self.wait_for(future.done, f'reply of {service}')
        return future.result()

    def step(self, steps: int = 1, agent: str = 'tester', **fields):
        return self.call(StepWorld, 'step', steps=steps, agent=agent, **fields)

    def set_mode(self, mode: int, factor: float = 0.0):
        reply = self.call(SetWorldMode, 'set_mode', mode=mode, real_time_factor=factor)
        assert reply.ok, reply.message
        return reply

    def joint(self, name: str) -> int:
        """Index of the joint whose name contains this."""
        hits = [i for i, joint in enumerate(self.manifest.joints) if name in joint.name]
        assert len(hits) == 1, (name, [j.name for j in self.manifest.joints])
        return hits[0]

    def body(self, name: str) -> int:
        hits = [i for i, body in enumerate(self.manifest.bodies) if body.name == name]
        assert len(hits) == 1, (name, [b.name for b in self.manifest.bodies])
        return hits[0]


class Agent:
    """An agent on a node of the tester: joined, and holding its lease."""

    def __init__(self, world, name):
        self.world, self.name = world, name
        self.hello = world.node.create_publisher(AgentHello, '/ambf/env/World/Agents', MEMBERS)
        world.wait_for(self.hello.get_subscription_count, 'the world')
        reply = world.call(JoinWorld, 'join', name=name)
        assert reply.ok, reply.message
        # Again and again: a first one can be lost.
        self.timer = world.node.create_timer(0.2, lambda: self.hello.publish(AgentHello(name=name)))

    def grant(self, steps=1, **fields):
        return self.world.start_call(StepWorld, 'step', steps=steps, agent=self.name, **fields)

    def leave(self):
        assert self.world.call(LeaveWorld, 'leave', name=self.name).ok
        self.world.node.destroy_timer(self.timer)
        self.world.node.destroy_publisher(self.hello)


__all__ = [
    'Agent',
    'MEMBERS',
    'World',
    'description',
    'GetWorldMode',
    'JoinWorld',
    'LeaveWorld',
    'LoadModel',
    'LoadWorld',
    'QueryObject',
    'RemoveObject',
    'ResetWorld',
    'RestoreState',
    'SaveState',
    'SetBodyState',
    'SetGravityCompensation',
    'SetJointGains',
    'SetWorldMode',
    'StepWorld',
    'REALTIME',
    'FREE',
    'LOCKSTEP',
    'PAUSED',
    'EFFORT',
    'POSITION',
    'VELOCITY',
    'RELEASE',
    'ACCELERATION',
]
