# SPDX-License-Identifier: BSD-3-Clause
"""Calls to the services of simulation_interfaces, and the processes that answer them."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time

import numpy as np
import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from geometry_msgs.msg import Pose, PoseStamped
from rclpy.action import ActionClient
from simulation_interfaces import srv
from simulation_interfaces.action import SimulateSteps
from simulation_interfaces.msg import Resource, Result, SimulationState

SNAKE = {
    name: ''.join('_' + c.lower() if c.isupper() else c for c in name)[1:]
    for name in dir(srv)
    if name[0].isupper() and '_' not in name
}
# Requests without effect, where that of the defaults has one.
NO_EFFECT = {
    'SetSimulationState': {'state': SimulationState(state=200)},
    'ResetSimulation': {'scope': 8},
    'StepSimulation': {'steps': 0},
}


# Generation 2 says by flags which parts of a state count; in generation 1 all of them do.
FLAGS = 'set_pose' in srv.SetEntityState.Request.get_fields_and_field_types()


def request_of(kind: str, **fields):
    """A request in the words of generation 2, for the generation of simulation_interfaces that is installed."""
    request = getattr(srv, kind).Request
    known = request.get_fields_and_field_types()
    for name in ('entity_resource', 'world_resource'):
        if name in fields and name not in known:
            resource = fields.pop(name)
            fields.update(uri=resource.uri, resource_string=resource.resource_string)
    return request(**{name: value for name, value in fields.items() if name in known or not name.startswith('set_')})


def uri_of(spawnable) -> str:
    return spawnable.entity_resource.uri if hasattr(spawnable, 'entity_resource') else spawnable.uri


def program(package: str, name: str) -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


def model_file(name: str) -> str:
    return str(pathlib.Path(get_package_share_directory('ambf_description')) / 'adf' / name)


def physics_node(*models: str) -> list:
    return [
        program('ambf_physics_node', 'physics_node'),
        '--ros-args',
        '-p',
        'models:=[%s]' % ', '.join(f"'{model_file(m)}'" for m in models),
    ]


def adapter() -> list:
    return [program('ambf_simulation_interfaces', 'adapter')]


class Client:
    """Programs, and calls to the standard's services; a context manager."""

    def __init__(self, *commands: list):
        self.log = tempfile.TemporaryFile('a+')
        self.processes = []
        for command in commands:
            self.start(command)
        rclpy.init()
        self.node = rclpy.create_node('standard_client')
        self.clients = {}
        self.steps = ActionClient(self.node, SimulateSteps, 'simulate_steps')

    def start(self, command: list):
        self.processes.append(subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT))

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        rclpy.shutdown()
        codes = [self.end(process) for process in self.processes]
        output = self.output()
        self.log.close()
        assert error or codes == [0] * len(codes), output

    def end(self, process, how=signal.SIGINT) -> int:
        process.send_signal(how)
        return process.wait(timeout=60)

    def output(self):
        self.log.flush()
        self.log.seek(0)
        text = self.log.read()
        self.log.seek(0, os.SEEK_END)
        return text

    def wait_for(self, condition, what: str, timeout=90.0):
        end = time.monotonic() + timeout
        while not condition():
            rclpy.spin_once(self.node, timeout_sec=0.05)
            assert time.monotonic() < end, f'no {what} within {timeout} s\n{self.output()}'

    def wait(self, future):
        self.wait_for(future.done, 'answer')
        return future.result()

    def send(self, kind: str, prefix: str = '', **fields):
        """Send a request; the future is returned."""
        key = prefix + kind
        if key not in self.clients:
            self.clients[key] = self.node.create_client(getattr(srv, kind), prefix + SNAKE[kind])
            assert self.clients[key].wait_for_service(60.0), key
            self.meet(key, kind)
        return self.clients[key].call_async(request_of(kind, **fields))

    def meet(self, key: str, kind: str):
        """Ask for nothing until there is an answer: it is lost as long as the server has not found the client."""
        if kind == 'UnloadWorld':
            return  # every request to it has an effect
        request = request_of(kind, **NO_EFFECT.get(kind, {}))
        end, future = time.monotonic() + 90.0, None
        while future is None or not future.done():
            assert time.monotonic() < end, f'{kind} does not answer\n{self.output()}'
            future = self.clients[key].call_async(request)
            patience = time.monotonic() + 3.0
            while not future.done() and time.monotonic() < patience:
                rclpy.spin_once(self.node, timeout_sec=0.05)

    def __call__(self, kind: str, prefix: str = '', **fields):
        return self.wait(self.send(kind, prefix, **fields))

    def ok(self, kind: str, prefix: str = '', **fields):
        response = self(kind, prefix, **fields)
        assert response.result.result == Result.RESULT_OK, (kind, response.result.error_message)
        return response

    def wait_for_world(self):
        self.wait_for(lambda: self('GetEntities').result.result == Result.RESULT_OK, 'world')

    def set_state(self, state: int, prefix: str = ''):
        return self('SetSimulationState', prefix, state=SimulationState(state=state)).result.result

    def state(self, prefix: str = '') -> int:
        return self.ok('GetSimulationState', prefix).state.state

    def simulate(self, steps: int, feedback=None):
        assert self.steps.wait_for_server(60.0)
        return self.wait(self.steps.send_goal_async(SimulateSteps.Goal(steps=steps), feedback_callback=feedback))

    def simulate_for_ever(self):
        """A goal that does not end by itself, at work."""
        feedback = []
        goal = self.simulate(4_000_000_000, lambda m: feedback.append(m.feedback.completed_steps))
        self.wait_for(lambda: feedback, 'feedback')
        return goal

    def entities(self) -> list:
        return list(self.ok('GetEntities').entities)

    def time(self, entity: str = 'pendulum') -> float:
        stamp = self.ok('GetEntityState', entity=entity).state.header.stamp
        return stamp.sec + 1e-9 * stamp.nanosec

    def pose(self, entity: str) -> np.ndarray:
        return matrix(self.ok('GetEntityState', entity=entity).state.pose)


def matrix(pose: Pose) -> np.ndarray:
    """T of a pose, 4 x 4."""
    q = pose.orientation
    x, y, z, w = q.x, q.y, q.z, q.w
    result = np.eye(4)
    result[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    result[:3, 3] = pose.position.x, pose.position.y, pose.position.z
    return result


def pose_at(x, y, z, axis=(0.0, 0.0, 1.0), angle=0.0) -> Pose:
    """A pose turned about an axis by an angle, rad."""
    pose = Pose()
    pose.position.x, pose.position.y, pose.position.z = float(x), float(y), float(z)
    axis = np.sin(angle / 2) * np.asarray(axis) / np.linalg.norm(axis)
    pose.orientation.x, pose.orientation.y, pose.orientation.z = map(float, axis)
    pose.orientation.w = float(np.cos(angle / 2))
    return pose


def at(*arguments, frame: str = 'world') -> PoseStamped:
    """pose_at in a frame."""
    stamped = PoseStamped(pose=pose_at(*arguments))
    stamped.header.frame_id = frame
    return stamped


SPHERE = 'shape: SPHERE\n  geometry: {radius: 0.1}'


def ball(name: str = 'drop', look: str = SPHERE) -> Resource:
    """A body of 1 kg that falls freely."""
    return Resource(
        resource_string=f"""
bodies: [BODY {name}]
joints: []
BODY {name}:
  name: {name}
  {look}
  collision shape: SPHERE
  collision geometry: {{radius: 0.1}}
  mass: 1.0
  damping: {{linear: 0.0, angular: 0.0}}
"""
    )
