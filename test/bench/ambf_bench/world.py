# SPDX-License-Identifier: BSD-3-Clause
"""The physics node as its own process, with an rclpy node to ask it."""

import os
import pathlib
import time

from ambf_bench.processes import Background, new_domain, program

PHYSICS = program('physics_node', 'ambf_physics_node')
COMPOSED_PROBE = program('composed_probe', 'ambf_physics_node')
WORLD_PROBE = program('world_probe')


class Node(Background):
    """The physics node as its own process, in a domain of its own, with an rclpy node to ask it."""

    def __init__(self, models, place=None, **parameters):
        self.domain = new_domain()
        command = [PHYSICS, '--ros-args', '-p', 'models:=[%s]' % ', '.join(f"'{m}'" for m in models)]
        for name, value in parameters.items():
            command += ['-p', f'{name}:={value}']
        super().__init__(*command, place=place)
        import rclpy
        from rclpy.executors import SingleThreadedExecutor

        from ambf_msgs.msg import WorldManifest
        from ambf_msgs.srv import GetWorldMode

        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('bench', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.manifest = None
        from rclpy.qos import DurabilityPolicy, QoSProfile

        self.node.create_subscription(
            WorldManifest,
            '/ambf/env/World/Manifest',
            lambda m: setattr(self, 'manifest', m),
            QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL),
        )
        self.client = self.node.create_client(GetWorldMode, '/ambf/env/World/get_mode')
        self.request = GetWorldMode.Request()
        end = time.monotonic() + 60
        while self.manifest is None or not self.client.service_is_ready():
            self.executor.spin_once(timeout_sec=0.1)
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f'the physics node did not come up:\n{self.output()}')

    def __exit__(self, *args):
        import rclpy

        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)
        super().__exit__(*args)

    def now_within(self) -> tuple[float, int, float]:
        """Wall time, the step at that moment, and by how much the two may miss each other [s]: half of a call."""
        before = time.monotonic()
        future = self.client.call_async(self.request)
        while not future.done():
            self.executor.spin_once(timeout_sec=1.0)
        after = time.monotonic()
        self.reply = future.result()
        return (before + after) / 2, self.reply.step, (after - before) / 2

    def now(self) -> tuple[float, int]:
        """Wall time and step at the same moment, as well as a call can tell."""
        return self.now_within()[:2]

    def run_free(self, topics: list[str]):
        """A paused world begins to step as fast as it can, once somebody reads the topics."""
        from ambf_msgs.srv import SetWorldMode

        end = time.monotonic() + 30
        while not all(self.node.count_subscribers(topic) for topic in topics):
            self.executor.spin_once(timeout_sec=0.1)
            if time.monotonic() > end:
                raise RuntimeError('nobody reads the topics')
        time.sleep(1.0)
        client = self.node.create_client(SetWorldMode, '/ambf/env/World/set_mode')
        client.wait_for_service()
        future = client.call_async(SetWorldMode.Request(mode=1))
        while not future.done():
            self.executor.spin_once(timeout_sec=1.0)
        if not future.result().ok:
            raise RuntimeError(future.result().message)
        self.node.destroy_client(client)

    def wait_for_step(self, step: int):
        while self.now()[1] < step:
            time.sleep(0.05)

    def topics(self, count: int) -> list[str]:
        """State topics of bodies, of those that move first. Passive bodies have none, which only the graph tells."""
        bodies = sorted(self.manifest.bodies, key=lambda body: body.mass == 0)
        end = time.monotonic() + 20.0
        while True:
            there = {name for name, _ in self.node.get_topic_names_and_types()}
            topics = [body.topic + '/State' for body in bodies if body.topic + '/State' in there][:count]
            if len(topics) == count:
                return topics
            if time.monotonic() > end:
                raise RuntimeError(f'found {len(topics)} State topics of bodies, expected {count}')
            self.executor.spin_once(timeout_sec=0.1)

    def counters(self, limit: float = 20.0) -> dict[str, str]:
        """What the node says of itself on /diagnostics now. Somebody must listen to the world for it to count."""
        from diagnostic_msgs.msg import DiagnosticArray

        from ambf_msgs.msg import WorldState

        got = []
        listeners = [
            self.node.create_subscription(WorldState, '/ambf/env/World/State', lambda _: None, 1),
            self.node.create_subscription(DiagnosticArray, '/diagnostics', lambda m: got.append(m.status[0]), 1),
        ]
        end = time.monotonic() + limit
        while len(got) < 3:  # the first may be of before somebody listened
            self.executor.spin_once(timeout_sec=0.1)
            if time.monotonic() > end:
                raise RuntimeError(f'/diagnostics: {len(got)} messages in {limit} s, expected 3')
        for listener in listeners:
            self.node.destroy_subscription(listener)
        return {value.key: value.value for value in got[-1].values}

    def physics_cpu_s(self) -> float:
        """Processor time of the physics thread."""
        for task in pathlib.Path(f'/proc/{self.process.pid}/task').iterdir():
            if (task / 'comm').read_text().strip() == 'ambf_physics':
                return int((task / 'schedstat').read_text().split()[0]) * 1e-9
        raise RuntimeError('no physics thread')

    def cpu_s(self) -> float:
        fields = pathlib.Path(f'/proc/{self.process.pid}/stat').read_text().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def rss_mb(self) -> float:
        pages = int(pathlib.Path(f'/proc/{self.process.pid}/statm').read_text().split()[1])
        return pages * os.sysconf('SC_PAGESIZE') / 1e6
