#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Busy clients of a simulator are killed at random moments; after each a new one must find the world.

python3 kills.py --kills 1000                  # clients of every kind
python3 kills.py --kills 20 --kinds rclpy
python3 kills.py --kills 20 --as-it-was        # with the middleware's own transports: what this is about
"""

import argparse
import collections
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile

from ambf_msgs.msg import RigidBodyCmd, RigidBodyState, WorldManifest, WorldSnapshot, WorldState
from ambf_msgs.srv import GetWorldMode
from ambf_physics_node.transport import transport_environment

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
WORLD = '/ambf/env/World'
PATIENCE = 60.0  # s; a client that has not met the world by then is said to have failed
SOON = 2.0  # s; within this it should


def program(package: str, name: str) -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


class Visit:
    """A plain rclpy node of a context of its own that looks for the world."""

    def __init__(self, name: str):
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node(name, context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.manifests: list[WorldManifest] = []
        self.node.create_subscription(WorldManifest, f'{WORLD}/Manifest', self.manifests.append, LATCHED)

    def wait_for(self, condition, deadline: float) -> bool:
        while not condition():
            if time.monotonic() > deadline:
                return False
            self.executor.spin_once(timeout_sec=0.02)
        return True

    def end(self):
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


def connect(report: int, plain: bool):
    """A new client: until it exists, has the manifest, hears states and is answered; the times go to the pipe."""
    if not plain:
        os.environ.update(transport_environment())  # as clients of ambf_py do
    begin = time.monotonic()
    visit = Visit('newcomer')
    times = [time.monotonic() - begin]
    heard = []
    visit.node.create_subscription(WorldState, f'{WORLD}/State', heard.append, 1)
    client = visit.node.create_client(GetWorldMode, f'{WORLD}/get_mode')
    deadline = begin + PATIENCE
    for condition in (lambda: visit.manifests, lambda: heard, client.service_is_ready):
        visit.wait_for(condition, deadline)
        times.append(time.monotonic() - begin)
    answer = client.call_async(GetWorldMode.Request())
    visit.wait_for(answer.done, deadline)
    times.append(time.monotonic() - begin)
    os.write(report, ' '.join(f'{seconds:.3f}' for seconds in times).encode())
    visit.end()


def be_busy(_report: int):
    """A client as scripts are: it reads eight bodies and the snapshot, which it does not unpack, and commands one body."""
    visit = Visit('busy')
    if not visit.wait_for(lambda: visit.manifests, time.monotonic() + PATIENCE):
        return
    bodies = visit.manifests[-1].bodies[:8]
    for body in bodies:
        visit.node.create_subscription(RigidBodyState, f'{body.topic}/State', lambda _: None, 1)
    visit.node.create_subscription(WorldSnapshot, f'{WORLD}/Snapshot', lambda _: None, 1, raw=True)
    publisher = visit.node.create_publisher(RigidBodyCmd, f'{bodies[-1].topic}/Command', 1)
    command = RigidBodyCmd(cartesian_cmd_type=RigidBodyCmd.TYPE_FORCE)
    visit.node.create_timer(0.005, lambda: publisher.publish(command))
    visit.executor.spin()


def fork(work, report: int = -1) -> int:
    """A process that does the work; this one has never used ROS, so that a fork of it is as good as a new program."""
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        work(report)
    finally:
        os._exit(0)


def newcomer(plain: bool) -> list[float]:
    """Seconds until a new client exists, has the manifest, a state, the service and its answer."""
    read, write = os.pipe()
    pid = fork(lambda report: connect(report, plain), write)
    os.close(write)
    with os.fdopen(read) as pipe:
        words = pipe.read().split()
    os.waitpid(pid, 0)
    return [float(word) for word in words] or [PATIENCE] * 5


class Client:
    """A client that will be killed."""

    def __init__(self, kind: str, folder: pathlib.Path, number: int):
        self.kind = kind
        self.folder = folder / f'bag_{number}'
        commands = {
            'c++': [program('ambf_sensor_nodes', 'marker_node')],
            'recorder': ['ros2', 'bag', 'record', '-a', '-o', str(self.folder)],
            'renderer': [program('ambf_render_node', 'render_node'), '--ros-args', '-p', 'headless:=true'],
            'device': [
                program('ambf_device_nodes', 'mock_device'),
                '--ros-args',
                '-p',
                'device:=mtm_left',
                '-p',
                'rate:=500.0',
                '-r',
                f'__node:=device_{number}',
            ],
        }
        if kind == 'rclpy':
            self.pid = fork(be_busy)
        else:
            self.pid = subprocess.Popen(
                commands[kind], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
            ).pid

    def kill(self, how: int):
        """End it and what it started."""
        os.killpg(self.pid, how)
        end = time.monotonic() + 5.0
        while os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > end:  # some take their time to end in order
                os.killpg(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                break
            time.sleep(0.005)
        shutil.rmtree(self.folder, ignore_errors=True)


KINDS = ('rclpy', 'c++', 'recorder', 'renderer', 'device')


def children(pid: int) -> list[int]:
    tasks = pathlib.Path(f'/proc/{pid}/task').glob('*/children')
    return [int(child) for task in tasks for child in task.read_text().split()]


class Simulator:
    """The simulator as users start it; a context manager."""

    def __init__(self, world: str, as_it_was: bool):
        environment = dict(os.environ)
        if as_it_was:
            environment['FASTDDS_BUILTIN_TRANSPORTS'] = 'DEFAULT'
        file = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds' / world / 'launch.yaml'
        self.log = tempfile.TemporaryFile('a+')
        self.process = subprocess.Popen(
            ['ros2', 'launch', 'ambf_bringup', 'simulator.launch.py', f'world:={file}', 'render:=false'],
            stdout=self.log,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )

    def __enter__(self):
        end = time.monotonic() + 180.0
        while newcomer(plain=True)[-1] >= PATIENCE:
            if self.process.poll() is not None or time.monotonic() > end:
                self.log.seek(0)
                raise RuntimeError(f'the simulator did not start:\n{self.log.read()}')
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(90.0)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def world_process(self) -> int:
        """The process that the world is in."""
        found = [
            child
            for child in children(self.process.pid)
            if 'component_container' in pathlib.Path(f'/proc/{child}/cmdline').read_text()
        ]
        return found[0]

    def resident_mb(self) -> float:
        """Its memory."""
        status = pathlib.Path(f'/proc/{self.world_process()}/status').read_text()
        return int(status.split('VmRSS:')[1].split()[0]) / 1024


def shared_memory_mb() -> float:
    return sum(file.stat().st_blocks * 512 for file in pathlib.Path('/dev/shm').iterdir() if file.is_file()) / 2**20


def soak(
    kills: int,
    kinds=KINDS,
    seed: int = 1,
    at_once: int = 3,
    world: str = 'two_user_puzzle',
    as_it_was: bool = False,
    plain: bool = False,
    say=lambda _: None,
) -> dict:
    """Kill so many clients; returns the figures."""
    rng = random.Random(seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix='ambf_kills_'))
    clients: list[Client] = []
    connects, memory, shared, counts = [], [], [], collections.Counter()
    with Simulator(world, as_it_was) as simulator:
        before = [newcomer(plain) for _ in range(3)]
        while len(connects) < kills:
            while len(clients) < at_once:
                # The first ones are of all kinds in turn.
                number = len(connects) + len(clients)
                kind = kinds[number % len(kinds)] if number < len(kinds) else rng.choice(kinds)
                clients.append(Client(kind, folder, number))
            time.sleep(rng.uniform(0.1, 1.5))
            victim = clients.pop(rng.randrange(len(clients)))
            how = rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM))
            victim.kill(how)
            counts[f'{victim.kind} {how.name}'] += 1
            connects.append(newcomer(plain))
            memory.append(simulator.resident_mb())
            shared.append(shared_memory_mb())
            say(
                f'{len(connects):5d} {victim.kind:9s} {how.name}  exists, manifest, state, service, answer: '
                f'{" ".join(f"{seconds:6.3f}" for seconds in connects[-1])} s   '
                f'simulator {memory[-1]:.1f} MB   /dev/shm {shared[-1]:.2f} MB'
            )
        for client in clients:
            client.kill(signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)
    last = [times[-1] for times in connects]
    third = max(1, len(last) // 3)
    return dict(
        kills=len(last),
        counts=dict(sorted(counts.items())),
        before_s=[times[-1] for times in before],
        median_s=statistics.median(last),
        worst_s=max(last),
        worst_without_its_own_start_s=max(times[-1] - times[0] for times in connects),
        never=sum(seconds >= PATIENCE for seconds in last),
        late=sum(seconds > SOON for seconds in last),
        median_of_thirds_s=[statistics.median(last[i * third : (i + 1) * third]) for i in range(min(3, len(last)))],
        simulator_mb=[memory[0], statistics.median(memory[:third]), statistics.median(memory[-third:]), memory[-1]],
        shared_memory_mb=[shared[0], statistics.median(shared[:third]), statistics.median(shared[-third:]), shared[-1]],
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--kills', type=int, default=1000, help='how many clients are killed')
    parser.add_argument('--kinds', nargs='+', choices=KINDS, default=KINDS, help='of which kinds')
    parser.add_argument('--at-once', type=int, default=3, help='so many clients live at a time')
    parser.add_argument('--world', default='two_user_puzzle', help='a world of ambf_description')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--plain', action='store_true', help="new clients have the middleware's own transports")
    parser.add_argument('--as-it-was', action='store_true', help='leave the transports to the middleware')
    args = parser.parse_args()
    figures = soak(
        args.kills,
        args.kinds,
        args.seed,
        args.at_once,
        args.world,
        args.as_it_was,
        args.as_it_was or args.plain,
        lambda line: print(line, flush=True),
    )
    for name, value in figures.items():
        print(f'{name}: {value}')
    bad = (
        figures['late']
        or figures['simulator_mb'][2] > figures['simulator_mb'][1] + 20.0
        or (figures['shared_memory_mb'][2] > figures['shared_memory_mb'][1] + 5.0)
    )
    print('failed' if bad else 'passed')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
