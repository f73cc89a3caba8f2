#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Steps per second from Python: through ROS, in process, vectorised; beside empty calls, MuJoCo and PyBullet.

MuJoCo and PyBullet are optional: `pip install -r setup/requirements-extra.txt` brings them; without them their rows are
left out and named.
"""

import argparse
import array
import contextlib
import os
import pathlib
import random
import resource
import subprocess
import sys
import time

import numpy as np
import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from ambf_bench import pairs
from ambf_msgs.srv import StepWorld
from ambf_py import _dynamics
from ambf_py.calls import ServiceCalls
from ambf_py.client import Client
from ambf_py.simulator import Simulator
from ambf_py.tasks import ReachTask
from ambf_py.vector_env import AmbfVectorEnv

JOINTS = 8
LINK = 0.1  # length of a link [m]
MASS = 0.2
INERTIA = 2e-4  # about every axis [kg m^2]
GAIN, DAMPING = 5.0, 0.05
ITERATIONS = 10
STEP = 0.001
PSM = 'package://ambf_description/adf/psm.yaml'


def chain_adf() -> str:
    """An arm of JOINTS revolute joints about y, hanging; link i is a body with its frame at its upper end."""
    bodies = ['BODY base'] + [f'BODY link {i}' for i in range(1, JOINTS + 1)]
    joints = [f'JOINT {i}' for i in range(1, JOINTS + 1)]
    text = [f'bodies: [{", ".join(bodies)}]', f'joints: [{", ".join(joints)}]', 'namespace: /ambf/env/chain/']
    for i, body in enumerate(bodies):
        z = -LINK * max(0, i - 1)
        text += [
            f'{body}:',
            f'  name: {body[5:]}',
            f'  mass: {0.0 if i == 0 else MASS}',
            f'  inertia: {{ix: {INERTIA}, iy: {INERTIA}, iz: {INERTIA}}}',
            '  inertial offset:',
            f'    position: {{x: 0.0, y: 0.0, z: {0.0 if i == 0 else -LINK / 2}}}',
            '    orientation: {r: 0.0, p: 0.0, y: 0.0}',
            '  location:',
            f'    position: {{x: 0.0, y: 0.0, z: {z}}}',
            '    orientation: {r: 0.0, p: 0.0, y: 0.0}',
        ]
    for i, joint in enumerate(joints, start=1):
        text += [
            f'{joint}:',
            f'  name: joint {i}',
            '  type: revolute',
            f'  parent: {bodies[i - 1]}',
            f'  child: {bodies[i]}',
            f'  parent pivot: {{x: 0.0, y: 0.0, z: {0.0 if i == 1 else -LINK}}}',
            '  parent axis: {x: 0.0, y: 1.0, z: 0.0}',
            '  child pivot: {x: 0.0, y: 0.0, z: 0.0}',
            '  child axis: {x: 0.0, y: 1.0, z: 0.0}',
            f'  controller: {{P: {GAIN}, I: 0.0, D: {DAMPING}}}',
            '  damping: 0.0',
        ]
    return '\n'.join(text) + '\n'


def chain_urdf() -> str:
    links = [
        '<link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        '</inertial></link>'
    ]
    for i in range(1, JOINTS + 1):
        links.append(
            f'<link name="link{i}"><inertial><origin xyz="0 0 {-LINK / 2}"/><mass value="{MASS}"/>'
            f'<inertia ixx="{INERTIA}" iyy="{INERTIA}" izz="{INERTIA}" ixy="0" ixz="0" iyz="0"/></inertial></link>'
            f'<joint name="joint{i}" type="continuous"><parent link="{"base" if i == 1 else f"link{i - 1}"}"/>'
            f'<child link="link{i}"/><origin xyz="0 0 {0 if i == 1 else -LINK}"/><axis xyz="0 1 0"/></joint>'
        )
    return f'<robot name="chain">{"".join(links)}</robot>'


def chain_mjcf() -> str:
    body, ends = '', ''
    for i in range(1, JOINTS + 1):
        body += (
            f'<body pos="0 0 {0 if i == 1 else -LINK}"><joint name="j{i}" type="hinge" axis="0 1 0"/>'
            f'<inertial pos="0 0 {-LINK / 2}" mass="{MASS}" diaginertia="{INERTIA} {INERTIA} {INERTIA}"/>'
        )
        ends += '</body>'
    motors = ''.join(f'<position joint="j{i}" kp="{GAIN}" kv="{DAMPING}"/>' for i in range(1, JOINTS + 1))
    return (
        f'<mujoco><option timestep="{STEP}" iterations="{ITERATIONS}" integrator="implicitfast" '
        'gravity="0 0 -9.8"/>'
        f'<worldbody>{body}{ends}</worldbody><actuator>{motors}</actuator></mujoco>'
    )


def rate(step, count: int) -> float:
    """Microseconds per call."""
    for _ in range(max(10, count // 20)):
        step()
    begin = time.perf_counter()
    for _ in range(count):
        step()
    return (time.perf_counter() - begin) / count * 1e6


def ours_in_process():
    """One step of the chain in ambf_dynamics (maximal coordinates), from Python."""
    world = _dynamics.World(step_size=STEP, solver_iterations=ITERATIONS)
    world.load_text(chain_adf(), 'chain')
    joints = np.arange(JOINTS, dtype=np.uint32)
    world.step(1, joints, np.full(JOINTS, 2, dtype=np.uint8), np.full(JOINTS, 0.1), [], [], [])
    return world.advance


def pybullet_chain():
    """The same in PyBullet (reduced coordinates, its default for URDF), or None."""
    try:
        import pybullet
    except ImportError:
        return None
    client = pybullet.connect(pybullet.DIRECT)
    file = pathlib.Path(os.environ.get('TMPDIR', '/tmp')) / f'ambf_chain_{os.getpid()}.urdf'
    file.write_text(chain_urdf())
    body = pybullet.loadURDF(str(file), useFixedBase=True, physicsClientId=client)
    file.unlink()
    pybullet.setGravity(0, 0, -9.8)
    pybullet.setPhysicsEngineParameter(fixedTimeStep=STEP, numSolverIterations=ITERATIONS, numSubSteps=1)
    joints = list(range(JOINTS))
    pybullet.setJointMotorControlArray(body, joints, pybullet.POSITION_CONTROL, [0.1] * JOINTS, forces=[100.0] * JOINTS)
    return pybullet.stepSimulation


def mujoco_chain():
    """The same in MuJoCo (reduced coordinates), or None."""
    os.environ.setdefault('MUJOCO_GL', 'disable')
    try:
        import mujoco
    except ImportError:
        return None
    model = mujoco.MjModel.from_xml_string(chain_mjcf())
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.1
    return lambda: mujoco.mj_step(model, data)


def empty_server():
    """In a process of its own: answers StepWorld calls with arrays of the sizes that were asked for."""
    rclpy.init()
    node = rclpy.create_node('empty')

    def answer(request, response):
        response.ok = True
        response.bodies = array.array('d', bytes(8 * 13 * len(request.observe_bodies)))
        response.joints = array.array('d', bytes(8 * 3 * len(request.observe_joints)))
        return response

    node.create_service(StepWorld, '/empty/World/step', answer)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    with contextlib.suppress(KeyboardInterrupt, ExternalShutdownException):
        executor.spin()


def ros_request(agent: str) -> StepWorld.Request:
    request = StepWorld.Request(agent=agent, steps=1)
    request.joints = array.array('I', range(6))
    request.joint_modes = array.array('B', [2] * 6)
    request.joint_values = array.array('d', [0.1] * 6)
    request.observe_bodies = array.array('I', [0, 8])
    request.observe_joints = array.array('I', range(6))
    return request


def ros_rows(count: int, number: int) -> list[pairs.Row]:
    """A step of one arm beside an empty rclpy service call with the same sizes."""
    os.environ['ROS_DOMAIN_ID'] = str(random.randint(1, 100))
    other = subprocess.Popen([sys.executable, __file__, '--empty-server'])
    try:
        with (
            Simulator(models=[PSM], mode='lockstep', watchdog_timeout=0.0) as simulator,
            Client('bench', alive=simulator.reason_of_end) as client,
        ):
            empty = ServiceCalls(client.calls._context, '/empty', 20.0, name='bench_empty')
            request = ros_request(client.world.agent)
            ours = lambda: client.calls.call(StepWorld, 'step', request)
            blank = lambda: empty.call(StepWorld, 'step', request)
            assert ours().ok and blank().ok
            row = pairs.measure(
                'rclpy lock-step, one PSM | empty rclpy service',
                'us',
                lambda: rate(ours, count),
                lambda: rate(blank, count),
                number,
                1.5,
            )
            empty.close()
            return [row]
    finally:
        other.terminate()
        other.wait()


def vector_table(seconds: float) -> list[tuple[int, float]]:
    """Environments' steps per second, all worlds together."""
    rows = []
    for worlds in (1, 2, 8, 32):
        envs = AmbfVectorEnv(ReachTask(), worlds)
        envs.reset(seed=0)
        actions = np.zeros((worlds, 6))
        envs.step(actions)
        done, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < seconds:
            envs.step(actions)
            done += worlds
        rows.append((worlds, done / (time.perf_counter() - begin)))
        envs.close()
    return rows


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def watch_with_client(namespace: str, seconds: float) -> float:
    """CPU share of a client that reads the poses of 100 bodies at 100 Hz."""
    with Client('watcher', namespace=namespace) as client:
        bodies = [client.get_obj_handle(info.topic) for info in client.view.manifest.bodies[:100]]
        assert len(bodies) == 100, f'found {len(bodies)} bodies'
        begin, cpu = time.monotonic(), cpu_seconds()
        while time.monotonic() - begin < seconds:
            for body in bodies:
                body._row()
            time.sleep(0.01)
        return (cpu_seconds() - cpu) / (time.monotonic() - begin) * 100


def watch_with_subscriptions(namespace: str, seconds: float) -> float:
    """CPU share of bare rclpy subscriptions to the State topics of the same 100 bodies."""
    from ambf_msgs.msg import RigidBodyState

    with Client('lister', namespace=namespace) as client:
        topics = [info.topic for info in client.view.manifest.bodies[:100]]
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('bare', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    latest = {}
    for topic in topics:
        node.create_subscription(
            RigidBodyState, f'{topic}/State', lambda message, key=topic: latest.__setitem__(key, message), 1
        )
    ready = time.monotonic() + 20.0
    while len(latest) < 100 and time.monotonic() < ready:
        executor.spin_once(timeout_sec=0.1)
    begin, cpu = time.monotonic(), cpu_seconds()
    while time.monotonic() - begin < seconds:
        executor.spin_once(timeout_sec=0.01)
    share = (cpu_seconds() - cpu) / (time.monotonic() - begin) * 100
    executor.shutdown()
    node.destroy_node()
    rclpy.shutdown(context=context)
    return share


def watch_row(seconds: float, number: int) -> pairs.Row:
    """The pile of 200 boxes, 100 messages a second of each kind."""
    os.environ['ROS_DOMAIN_ID'] = str(random.randint(1, 100))
    with Simulator(
        'package://ambf_description/worlds/boxes/launch.yaml',
        mode='realtime',
        real_time_factor=0.2,
        snapshot_rate=100.0,
        min_rate=100.0,
        max_rate=100.0,
    ):
        return pairs.measure(
            'CPU of watching 100 bodies at 100 Hz | subscriptions',
            '%',
            lambda: watch_with_client('', seconds),
            lambda: watch_with_subscriptions('', seconds),
            number,
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--pairs', type=int, default=7, help='interleaved pairs for each row (default 7)')
    parser.add_argument('--count', type=int, default=2000, help='calls for each run')
    parser.add_argument('--seconds', type=float, default=3.0, help='for each row that is measured by time')
    parser.add_argument('--json', type=pathlib.Path, default=pathlib.Path('bench_python.json'))
    parser.add_argument('--empty-server', action='store_true', help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.empty_server:
        empty_server()
        return 0
    rows = ros_rows(args.count, args.pairs)
    ours = ours_in_process()
    for name, other, bound in (('PyBullet', pybullet_chain(), 1.0), ('MuJoCo', mujoco_chain(), None)):
        if other is None:
            print(f'{name} is not installed: its row is left out')
            continue
        rows.append(
            pairs.measure(
                f'in process, {JOINTS} joints, maximal | {name}, reduced',
                'us',
                lambda: rate(ours, 5 * args.count),
                lambda: rate(other, 5 * args.count),
                args.pairs,
                bound,
            )
        )
    rows.append(watch_row(args.seconds, args.pairs))
    print(pairs.table(rows))
    print('vectorised reach, 20 physics steps each; environment steps per second:')
    speeds = vector_table(args.seconds)
    base = speeds[0][1]
    for worlds, speed in speeds:
        print(f'  {worlds:3d} worlds: {speed:8.0f}   ({speed / base:.2f} times one world, {os.cpu_count()} cores)')
    pairs.write_json(args.json, rows, cores=os.cpu_count(), vectorised=dict(speeds))
    return 0


if __name__ == '__main__':
    sys.exit(main())
