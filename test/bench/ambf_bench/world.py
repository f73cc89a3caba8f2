"""The physics node as its own process, with an rclpy node to ask it."""
import os
import pathlib
import random
import time

from ament_index_python.packages import get_package_prefix

from ambf_bench.processes import Background


def physics_program(name: str) -> str:
    return str(pathlib.Path(get_package_prefix('ambf_physics_node')) / 'lib/ambf_physics_node' / name)


class Node(Background):
    """The physics node as its own process, in a domain of its own, with an rclpy node to ask it."""

    def __init__(self, models, place=None, **parameters):
        os.environ['ROS_DOMAIN_ID'] = str(random.randint(1, 100))
        command = [physics_program('physics_node'), '--ros-args', '-p',
                   'models:=[%s]' % ', '.join(f"'{m}'" for m in models)]
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
            WorldManifest, '/ambf/env/World/Manifest', lambda m: setattr(self, 'manifest', m),
            QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
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
        return (before + after) / 2, future.result().step, (after - before) / 2

    def now(self) -> tuple[float, int]:
        """Wall time and step at the same moment, as well as a call can tell."""
        return self.now_within()[:2]

    def topics(self, count: int) -> list[str]:
        return [body.topic + '/State' for body in self.manifest.bodies if body.mass > 0][:count]

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
