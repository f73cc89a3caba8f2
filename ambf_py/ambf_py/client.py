# SPDX-License-Identifier: BSD-3-Clause
"""The client: finds the world by its manifest and hands out handles of what is in it."""

import atexit
import logging
import os
import threading
import time
import weakref

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile

from ambf_msgs.msg import WorldManifest, WorldSnapshot, WorldState

from .base_object import BaseObject
from .calls import LOOK_PERIOD, ServiceCalls
from .errors import AmbfError, BadValue, SimulatorGone
from .presence import Presence
from .rigid_body import RigidBody
from .ros_process import check_domain, check_fork, choose_transport
from .rotations import number
from .scene_objects import Actuator, Camera, Ghost, Light, Sensor, SoftBody
from .view import State, WorldView
from .world import World

HANDLES = {
    'bodies': RigidBody,
    'soft_bodies': SoftBody,
    'ghost_objects': Ghost,
    'sensors': Sensor,
    'actuators': Actuator,
    'cameras': Camera,
    'lights': Light,
}
# A simulator that did not say how it is for so long is reported as gone [s]; it does so 50 times a second.
SILENCE = 3.0
# What was sent last, a good-bye, and the first meeting with a reader are waited for this long at most [s].
DELIVERY = 5.0
log = logging.getLogger('ambf_py')
_connected: 'weakref.WeakSet[Client]' = weakref.WeakSet()


@atexit.register
def _clean_up_all():
    """Scripts end without clean_up; threads that use ROS must not outlive the interpreter's modules."""
    for client in list(_connected):
        client.clean_up()


class Client:
    """Connects to a world and hands out handles; a context manager.

    With `node` it lives in that node and its executor (which somebody else spins); without, it has a node and a thread
    of its own. Calls never wait for longer than `timeout` [s] for the simulator to answer. With `strict` a command to a
    joint index that does not exist raises; without, it is logged and ignored, as scripts for AMBF expect.

    >>> with Client() as client:                                  # doctest: +SKIP
    ...     arm = client.get_obj_handle('psm/baselink')
    ...     arm.set_joint_pos(0, 0.3)
    """

    # For scripts that were written for AMBF, see ambf_py.ambf_client: whether what is not there is logged and ignored
    # everywhere, and how long a force acts that nobody renews [s].
    forgiving = False
    wrench_timeout: float | None = None

    def __init__(
        self,
        client_name: str = 'ambf_client',
        *,
        node=None,
        namespace: str = '',
        timeout: float = 10.0,
        domain_id: int | None = None,
        alive=None,
        strict: bool = False,
    ):
        self.name = f'{client_name or "ambf_client"}_{os.getpid()}'
        self.base = f'{namespace.rstrip("/")}/ambf/env'
        self.timeout = number(timeout, 'timeout')
        if self.timeout <= 0.0:
            raise BadValue(f'timeout: found {timeout!r}, expected seconds above 0')
        self.view = WorldView()
        self._given_node = node
        self._domain_id = domain_id if node is not None else check_domain(domain_id)
        self._alive = alive or (lambda: None)
        self._patience = 10.0 if alive is None else 60.0
        self.strict = strict
        self.node = None
        self.calls: ServiceCalls | None = None
        self.presence: Presence | None = None
        self._context = None
        self._executor = None
        self._threads: list[threading.Thread] = []
        self._handles: dict[tuple[str, str], BaseObject] = {}
        self._world: World | None = None
        self._snapshots = None
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._rate = 120.0
        self._silent = False
        self._heartbeats = None
        self._heard: float | None = None

    # Connection

    def connect(self, default_publish_rate: float = 120.0, timeout: float | None = None) -> 'Client':
        """Find the world; SimulatorGone if there is none within the time-out."""
        if self.node is not None:
            return self
        self.set_publish_rate(default_publish_rate)
        if timeout is None:
            # Whose process is known to run only needs time: on a busy machine that may be long.
            timeout = max(self.timeout, self._patience)
        self._stop.clear()
        self._open()
        _connected.add(self)
        try:
            self.presence.wait_for_manifest(timeout, self._given_node is not None)
            self.presence.check_alone()
        except Exception:
            self.clean_up()
            raise
        self._start_thread(self._run_publisher, 'ambf_publisher')
        return self

    @property
    def open_node(self):
        """The node; SimulatorGone before `connect` and after `clean_up`."""
        if self.node is None:
            raise SimulatorGone('not connected: call connect() first')
        return self.node

    def _open(self):
        check_fork()
        if self._given_node is not None:
            self.node = self._given_node
            self._context = self.node.context
        else:
            choose_transport()
            self._context = rclpy.Context()
            rclpy.init(context=self._context, domain_id=self._domain_id)
            self.node = rclpy.create_node(
                self.name.replace('-', '_'), context=self._context, start_parameter_services=False
            )
            self._executor = SingleThreadedExecutor(context=self._context)
            self._executor.add_node(self.node)
        self.calls = ServiceCalls(self._context, self.base, self.timeout, self._alive, f'{self.name}_calls')
        self.presence = Presence(self.node, self.calls, self.view, self.base, self._alive)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._manifests = self.node.create_subscription(
            WorldManifest, self.presence.topic, self._take_manifest, latched
        )
        if self._executor is not None:
            self._start_thread(self._spin, 'ambf_executor')

    def _start_thread(self, work, name: str):
        thread = threading.Thread(target=work, name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _spin(self):
        try:
            self._executor.spin()
        except ExternalShutdownException:
            pass

    def _take_manifest(self, manifest: WorldManifest):
        again = self.view.manifests > 0
        self.view.take_manifest(manifest)
        if again:
            log.info('the world changed: revision %d with %d bodies', manifest.revision, len(manifest.bodies))

    def start(self):
        """AMBF's name; `connect` starts everything."""
        self.connect()

    def create_objs_from_rostopics(self, publish_rate: float = 120.0):
        """AMBF's name; objects come from the manifest."""
        self.connect(publish_rate)

    def refresh(self):
        """AMBF's name; handles follow the manifest by themselves and stay valid."""
        self.connect()

    def set_publish_rate(self, rate: float):
        """How often held commands are sent again [Hz]."""
        checked = number(rate, 'publish rate')
        if not 0.0 < checked <= 10000.0:
            raise BadValue(f'publish rate: found {rate!r}, expected 0 to 10000 Hz')
        self._rate = checked

    def clean_up(self):
        """Send what was commanded last, leave the world if it was joined; end threads, subscriptions and publishers."""
        _connected.discard(self)
        self._deliver()
        self._leave()
        self._stop.set()
        self._wake.set()
        if self._executor is not None:
            self._executor.shutdown()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5.0)
        self._threads.clear()
        for handle in self._handles.values():
            handle._close()
        self._handles.clear()
        if self._world is not None:
            self._world._close()
        if self.calls is not None:
            self.calls.close()
        if self.node is not None and self._given_node is None:
            self.node.destroy_node()
            rclpy.shutdown(context=self._context)
        elif self.node is not None:
            for subscription in (self._manifests, self._snapshots, self._heartbeats):
                if subscription is not None:
                    self.node.destroy_subscription(subscription)
        self.node = self._executor = self._world = self._snapshots = self._heartbeats = self._heard = None
        self.calls = None
        self.view = WorldView()

    close = clean_up

    def _deliver(self):
        """A command that was given just before the end still arrives: a publisher that goes takes it along."""
        if self.node is None or not self._context.ok() or self._silent:
            return
        deadline = time.monotonic() + min(self.timeout, DELIVERY)
        try:
            self.flush()
            for handle in self._handles.values():
                handle._wait_for_delivery(max(0.0, deadline - time.monotonic()))
        except Exception as error:  # the end comes all the same
            log.info('the last commands may be lost: %s', error)

    def _leave(self):
        """Agents that joined wait for each other: say good-bye to those that stay."""
        try:
            if self._world is not None:
                self._world.leave(timeout=min(self.timeout, DELIVERY))
        except AmbfError as error:
            log.info('not left in order: %s', error)

    def __enter__(self):
        return self.connect()

    def __exit__(self, *_):
        self.clean_up()

    # State

    @property
    def state(self) -> State:
        """The newest state of everything; the first time it waits for one."""
        self._watch()
        state = self.view.state()
        return self.get_world_handle().read() if state is None else state

    def _watch(self):
        """One subscription for the states of all bodies and joints."""
        if self._snapshots is None:
            self._snapshots = self.open_node.create_subscription(
                WorldSnapshot, f'{self.base}/World/Snapshot', self.view.take_snapshot, 1, raw=True
            )
            # A process that was killed stays in the graph for a while: only its silence tells.
            self._heartbeats = self.node.create_subscription(
                WorldState, f'{self.base}/World/State', self._take_heartbeat, 1, raw=True
            )

    def _take_heartbeat(self, _raw: bytes):
        self._heard = time.monotonic()

    def wait_for_revision(self, revision: int, timeout: float | None = None):
        """Until the manifest of this revision, or a later one, is here."""
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        while self.view.manifest.revision < revision:
            if not self.view.wait_for_manifest(self.view.manifests, max(0.0, deadline - time.monotonic())):
                if self.view.manifest.revision >= revision:
                    return
                raise SimulatorGone(f'the manifest of revision {revision} did not arrive')

    def wait_for_world(self, timeout: float = 30.0):
        """Until a simulator answers; for use after SimulatorGone."""
        deadline = time.monotonic() + timeout
        world = self.get_world_handle()
        while True:
            left = deadline - time.monotonic()
            try:
                return world.get_mode(min(self.timeout, max(LOOK_PERIOD, left)))
            except SimulatorGone:
                if left <= 0.0:
                    raise
                time.sleep(0.05)  # some reasons are known at once

    @property
    def silent(self) -> bool:
        """Whether the simulator has left, or has said nothing for 3 s since handles read states."""
        return self._silent

    # Handles

    def get_obj_names(self) -> list[str]:
        """Full topic prefixes of all objects."""
        manifest = self.view.manifest
        return [info.topic for kind in HANDLES for info in getattr(manifest, kind)]

    def get_common_namespace(self) -> str:
        """The longest namespace that all objects share."""
        common = os.path.commonprefix(Client.get_obj_names(self))
        return common[: common.rfind('/') + 1]

    def get_obj_handle(self, name: str, required_type: type | None = None) -> BaseObject | World:
        """Handle of the object with this name, identifier, topic, or unique part of one."""
        if name.rstrip('/') in ('World', 'world', f'{self.base}/World'):
            return self.get_world_handle()
        kinds = [kind for kind, handle in HANDLES.items() if required_type is handle]
        kind, index = (kinds[0], self.view.find(name, kinds[0], kinds[0])) if kinds else self.view.find_object(name)
        topic = getattr(self.view.manifest, kind)[index].topic
        handle = self._handles.get((kind, topic))
        if handle is None:
            handle = self._handles[(kind, topic)] = HANDLES[kind](self, kind, index)
        handle.set_active()
        return handle

    def get_world_handle(self) -> World:
        if self.calls is None:
            raise SimulatorGone('not connected: call connect() first')
        if self._world is None:
            self._world = World(self)
        return self._world

    @property
    def world(self) -> World:
        return self.get_world_handle()

    def get_obj_pose(self, name: str) -> list[float]:
        """Position and roll, pitch, yaw."""
        return self.get_obj_handle(name).get_pose()

    def set_obj_cmd(self, name: str, fx: float, fy: float, fz: float, nx: float, ny: float, nz: float):
        """Force and torque on a body."""
        self.get_obj_handle(name).wrench_command(fx, fy, fz, nx, ny, nz)

    def print_active_topics(self):
        for name in self.get_obj_names():
            print(name)

    def print_summary(self):
        """What the world holds, by kind."""
        for kind in HANDLES:
            for info in getattr(self.view.manifest, kind):
                joints = f', {len(info.client_joints)} joints' if info.client_joints else ''
                print(f'{info.kind:12s} {info.topic}{joints}')

    # Commands

    def wait_for_reader(self, publisher):
        """Until the simulator reads this topic, so that a first message is not lost."""
        deadline = time.monotonic() + min(self.timeout, DELIVERY)
        while publisher.get_subscription_count() == 0:
            if time.monotonic() > deadline or self._stop.is_set():
                log.warning(
                    "nobody reads '%s': the object takes no commands, or the simulator is gone", publisher.topic_name
                )
                return
            time.sleep(0.002)

    def wake_publisher(self, _handle: BaseObject):
        self._wake.set()

    def flush(self):
        """Send what was commanded and not sent yet, now."""
        for handle in list(self._handles.values()):
            if handle._dirty and not handle.is_gone():
                handle._publish()

    def pending_commands(self) -> list:
        """Commands of rigid bodies for a step request; others go out by topic before it."""
        commands = []
        for handle in list(self._handles.values()):
            if handle.is_gone():
                continue
            if isinstance(handle, RigidBody):
                with handle._lock:
                    if handle._commanded and handle._active:
                        handle._cmd.name = handle.topic
                        commands.append(handle._cmd)
                        handle._dirty = False
            elif handle._dirty:
                handle._publish()
        return commands

    def _run_publisher(self):
        """Sends new commands at once and held ones at the publish rate; notices when the simulator goes."""
        next_round = looked = time.monotonic()
        while not self._stop.is_set():
            now = time.monotonic()
            self._wake.wait(max(0.0, next_round - now))
            if self._stop.is_set() or not self._context.ok():
                return
            self._wake.clear()
            now = time.monotonic()
            try:
                if now >= next_round:
                    next_round = max(next_round + 1.0 / self._rate, now)
                    for handle in list(self._handles.values()):
                        handle._tend(now)
                else:
                    self.flush()
                if now - looked > 0.5:
                    looked = now
                    self._look_for_simulator()
            except Exception as error:  # the thread must outlive one bad handle
                if not self._stop.is_set():
                    log.warning('a command was not sent: %s', error)

    def _look_for_simulator(self):
        quiet = self._heard is not None and time.monotonic() - self._heard > SILENCE
        gone = quiet or self.node.count_publishers(self.presence.topic) == 0
        if gone != self._silent:
            self._silent = gone
            log.warning('the simulator left; commands are held until it is back' if gone else 'the simulator is back')
