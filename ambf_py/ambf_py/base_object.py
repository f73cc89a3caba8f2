# SPDX-License-Identifier: BSD-3-Clause
"""What the handles of all objects share: state, command, names."""

import logging
import threading
import time
from collections.abc import Sequence

import numpy as np
from geometry_msgs.msg import Point, Pose, Quaternion
from rclpy.duration import Duration
from rclpy.serialization import deserialize_message

from .errors import AmbfError, BadValue, SimulatorGone, UnknownObject
from .rotations import quaternion_from_rpy, rpy_from_quaternion, vector
from .view import seconds

log = logging.getLogger('ambf_py')
# How long a state of the step that was answered last is waited for [s].
ON_ITS_WAY = 0.5


def set_xyz(target, values) -> None:
    """Write three numbers into a Point or Vector3."""
    target.x, target.y, target.z = (float(v) for v in values)


def xyz(source) -> np.ndarray:
    return np.array([source.x, source.y, source.z])


def xyzw(source) -> np.ndarray:
    return np.array([source.x, source.y, source.z, source.w])


WITHOUT_TOPICS = "it is passive in its description, or the physics node's parameter 'publish' leaves it out"


class StateTopic:
    """The newest message of a topic, unpacked when somebody looks."""

    def __init__(self, node, kind, topic: str):
        self._kind = kind
        self._topic = topic
        self._changed = threading.Condition()
        self._raw: bytes | None = None
        self._message = None
        self._subscription = node.create_subscription(kind, topic, self._take, 1, raw=True)

    def _take(self, raw: bytes):
        with self._changed:
            self._raw = raw
            self._changed.notify_all()

    def newest(self, timeout: float):
        """The newest message; waits for the first only, None if it does not come."""
        with self._changed:
            self._changed.wait_for(lambda: self._raw is not None or self._message is not None, timeout)
            if self._raw is not None:
                self._message = deserialize_message(self._raw, self._kind)
                self._raw = None
            return self._message

    def latest(self, timeout: float, step: int = 0):
        """The newest message, of `step` or later where such a one is on its way; SimulatorGone if none comes at all."""
        message = self.newest(timeout)
        deadline = time.monotonic() + min(timeout, ON_ITS_WAY)
        while message is not None and message.sim_step < step and time.monotonic() < deadline:
            with self._changed:
                self._changed.wait_for(lambda: self._raw is not None, max(0.0, deadline - time.monotonic()))
            message = self.newest(0.0)
        if message is None:
            raise SimulatorGone(
                f"nothing was received on '{self._topic}' within {timeout:g} s: the simulator is gone, "
                'paused before its first step, or does not publish this object; or this is a callback '
                'in the only thread of the executor that would receive it'
            )
        return message

    def close(self, node):
        node.destroy_subscription(self._subscription)


class Text(str):
    """AMBF's names are std_msgs/String: scripts read them with `.data`."""

    @property
    def data(self) -> str:
        return str(self)


class AmbfState:
    """A State message with what AMBF's has and ours says otherwise, for scripts that look into `handle._state`.

    AMBF counts `wall_time` from the simulator's start; here it begins with the simulation time of the first one read.
    """

    _start: float | None = None  # of wall times [s]

    def __init__(self, message):
        self._message = message

    def __getattr__(self, name: str):
        value = getattr(self._message, 'pinertia' if name == 'pInertia' else name)
        if name == 'wall_time':
            if AmbfState._start is None:
                AmbfState._start = seconds(value) - self._message.sim_time
            return seconds(value) - AmbfState._start
        return Text(value) if isinstance(value, str) else value


def reader(kind):
    """How messages of this kind are given to scripts that were written for AMBF: its states as AmbfState."""
    of_ambf = kind.__module__.startswith('ambf_msgs.') and kind.__name__.endswith('State')
    return AmbfState if of_ambf else lambda message: message


class BaseObject:
    """A handle of one object: found once, valid as long as the world holds the object.

    Commands are held: they go out at once, and again at the client's publish rate, until they are replaced, released,
    or until the optional watchdog of this handle (`set_timeout`) finds that nobody renewed them.
    """

    object_type = 'BASE_OBJECT'  # AMBF's words for the kind of a handle
    body_type = 'KINEMATIC'
    state_type = None
    command_type = None

    def __init__(self, client, kind: str, index: int):
        self._client = client
        self._kind = kind
        self._topic = getattr(client.view.manifest, kind)[index].topic
        self._seen_manifest = client.view.manifests
        self._index: int | None = index
        self._state_topic: StateTopic | None = None
        self._publisher = None
        self._lock = threading.RLock()
        self._cmd = self.command_type() if self.command_type else None
        self._active = False
        self._commanded = False
        self._dirty = False
        self._timeout: float | None = None
        self._renewed = 0.0
        self._told = False  # that there is no Command topic

    # Names

    @property
    def index(self) -> int:
        """Position in the manifest; found again when the manifest changed."""
        view = self._client.view
        if self._seen_manifest != view.manifests:
            self._index = view.index_of_topic(self._kind, self._topic)
            self._seen_manifest = view.manifests
        if self._index is None:
            raise UnknownObject(f"'{self._topic}' is no longer in the world")
        return self._index

    @property
    def info(self):
        """The ObjectInfo of the manifest."""
        return getattr(self._client.view.manifest, self._kind)[self.index]

    @property
    def topic(self) -> str:
        return self._topic

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def _name(self) -> str:
        return self._topic

    def get_name(self) -> str:
        """AMBF's name of an object: its topic without /State."""
        return self._topic

    def set_name(self, name: str):
        """Names are the simulator's; a handle cannot change them."""
        raise AmbfError(f"'{self._topic}' keeps its name; names are given by the description")

    def get_identifier(self) -> str:
        """As the description names it, without the namespace that the manifest puts before it."""
        return self.info.identifier.rpartition('/')[2]

    def get_parent_name(self) -> str:
        """Published name of the body that it is fixed to; empty: the world."""
        parent = self.info.parent
        return next((b.name for b in self._client.view.manifest.bodies if b.identifier == parent), parent)

    def get_num_of_children(self) -> int:
        return len(self.get_children_names())

    def get_children_names(self) -> list[str]:
        return []

    # State

    def state(self, timeout: float | None = None):
        """The newest State message of this object."""
        if self._state_topic is None:
            if self.info.without_topics:
                raise AmbfError(
                    f"'{self._topic}' has no State topic: {WITHOUT_TOPICS}; world.read() has the states of all bodies"
                )
            self._state_topic = StateTopic(self._client.open_node, self.state_type, f'{self._topic}/State')
        # A step call is answered when its states were sent, and they may still be on their way.
        return self._state_topic.latest(
            self._client.timeout if timeout is None else timeout, self._client.view.answered_step
        )

    @property
    def _state(self) -> AmbfState:
        return AmbfState(self.state())

    @property
    def pose(self) -> np.ndarray:
        """Position (3) and quaternion x y z w (4)."""
        pose = self.state().pose
        return np.concatenate([xyz(pose.position), xyzw(pose.orientation)])

    @property
    def position(self) -> np.ndarray:
        return self.pose[:3]

    @property
    def quaternion(self) -> np.ndarray:
        return self.pose[3:7]

    def get_sim_step(self) -> int:
        return self.state().sim_step

    def get_pos(self) -> Point:
        x, y, z = (float(v) for v in self.pose[:3])
        return Point(x=x, y=y, z=z)

    def get_rot(self) -> Quaternion:
        x, y, z, w = (float(v) for v in self.pose[3:7])
        return Quaternion(x=x, y=y, z=z, w=w)

    def get_rpy(self) -> list[float]:
        """Fixed-axis roll, pitch, yaw [rad]."""
        return rpy_from_quaternion(self.pose[3:7]).tolist()

    def get_pose(self) -> list[float]:
        """Position and roll, pitch, yaw."""
        pose = self.pose
        return pose[:3].tolist() + rpy_from_quaternion(pose[3:7]).tolist()

    def get_msg_header(self):
        return self.state().header

    def get_msg_time_stamp(self):
        return self.get_msg_header().stamp

    get_time_stamp = get_msg_time_stamp

    def get_msg_seq_num(self) -> int:
        """ROS 2 headers have no sequence number: the step of the state."""
        return self.get_sim_step()

    get_seq_num = get_msg_seq_num

    def get_msg_frame_id(self) -> str:
        return self.get_msg_header().frame_id

    get_frame_id = get_msg_frame_id

    # Command

    def is_active(self) -> bool:
        """Whether this handle publishes its command."""
        return self._active

    def set_active(self):
        self._active = True

    def set_timeout(self, seconds: float | None):
        """Client watchdog: a command that is not renewed for this long is released; None: never."""
        if seconds is not None and not float(seconds) > 0.0:
            raise BadValue(f'timeout: found {seconds!r}, expected seconds above 0, or None')
        self._timeout = None if seconds is None else float(seconds)

    def _watchdog(self) -> float | None:
        """After how long a command expires [s]."""
        return self._timeout

    def acknowledge_wd(self):
        """AMBF's word: the command counts as renewed."""
        self._renewed = time.monotonic()

    def is_wd_expired(self) -> bool:
        """Whether a command was given and not renewed within the time of `set_timeout`."""
        limit = self._watchdog()
        return limit is not None and self._renewed > 0.0 and time.monotonic() - self._renewed > limit

    def clear_cmd(self):
        """AMBF's word: forces and torques end; here they end with their command."""

    def get_pos_command(self) -> Point:
        """The commanded position; without one, where the object is."""
        command = self._pose_command()
        return command.position if self._pose_is_commanded() else self.get_pos()

    def get_rot_command(self) -> Quaternion:
        """The commanded orientation; without one, how the object is turned."""
        command = self._pose_command()
        return command.orientation if self._pose_is_commanded() else self.get_rot()

    def set_pos(self, px, py=None, pz=None):
        """Command the position: three numbers or one vector."""
        values = vector(px if py is None else [px, py, pz], 3, 'position')
        with self._lock:
            self._fit_pose_command()
            set_xyz(self._cmd.pose.position, values)
            self._command_pose()

    def set_rpy(self, roll, pitch=None, yaw=None):
        """Command the orientation by fixed-axis angles."""
        angles = vector(roll if pitch is None else [roll, pitch, yaw], 3, 'roll, pitch, yaw')
        self.set_rot(quaternion_from_rpy(*angles))

    def set_rot(self, quaternion: Sequence[float]):
        """Command the orientation by a quaternion x y z w."""
        if hasattr(quaternion, 'w'):
            quaternion = xyzw(quaternion)
        q = vector(quaternion, 4, 'quaternion x y z w')
        length = np.linalg.norm(q)
        if length < 0.1:
            raise BadValue(f'quaternion: found {q.tolist()}, expected length 1')
        with self._lock:
            self._fit_pose_command()
            target = self._cmd.pose.orientation
            target.x, target.y, target.z, target.w = (float(v) for v in q / length)
            self._command_pose()

    def set_pose(self, pose):
        """Command a geometry_msgs/Pose, or position and quaternion (7 numbers)."""
        if isinstance(pose, Pose):
            pose = np.concatenate([xyz(pose.position), xyzw(pose.orientation)])
        values = vector(pose, 7, 'pose: position, quaternion x y z w')
        with self._lock:
            self.set_pos(values[:3])
            self.set_rot(values[3:])

    def run_publisher(self):
        """Send the command now."""
        self._publish()

    def _pose_command(self) -> Pose:
        if self._cmd is None or not hasattr(self._cmd, 'pose'):
            raise AmbfError(f"'{self._topic}' takes no pose")
        return self._cmd.pose

    def _fit_pose_command(self):
        """The part of the pose that is not commanded stays where the object is."""
        pose = self._pose_command()
        if not self._pose_is_commanded():
            now = self.pose
            set_xyz(pose.position, now[:3])
            target = pose.orientation
            target.x, target.y, target.z, target.w = (float(v) for v in now[3:7])

    def _pose_is_commanded(self) -> bool:
        return bool(self._cmd.enable_position_controller)

    def _command_pose(self):
        self._cmd.enable_position_controller = True
        self._changed()

    def _changed(self):
        """A command was given: send it soon, and keep sending it."""
        self._renewed = time.monotonic()
        self._active = self._commanded = self._dirty = True
        self._client.wake_publisher(self)

    def _publish(self):
        with self._lock:
            if self._cmd is None:
                return
            if self.info.without_topics:
                if not self._told:
                    log.warning(
                        "'%s' has no Command topic: %s; its commands go with world.step() only",
                        self._topic,
                        WITHOUT_TOPICS,
                    )
                self._told, self._dirty = True, False
                return
            if self._publisher is None:
                node, topic = self._client.open_node, f'{self._topic}/Command'
                self._publisher = node.create_publisher(self.command_type, topic, 1)
                self._client.wait_for_reader(self._publisher)
            self._publisher.publish(self._cmd)
            self._dirty = False

    def is_gone(self) -> bool:
        """Whether the world no longer holds the object; what it was commanded is then forgotten."""
        try:
            _ = self.index
            return False
        except UnknownObject:
            with self._lock:
                commanded, self._commanded, self._dirty = self._commanded, False, False
                if commanded:
                    log.warning("'%s' is no longer in the world: its command is forgotten", self._topic)
                    self._release()
            return True

    def _tend(self, now: float):
        """Called by the client's publisher thread: renew the command, or let the watchdog end it."""
        if not (self._active and self._commanded) or self.is_gone():
            return
        if self._timeout is not None and now - self._renewed > self._timeout:
            with self._lock:
                self._release()
                self._commanded = False
        self._publish()

    def _release(self):
        self._cmd = self.command_type()

    def _wait_for_delivery(self, timeout: float):
        """Until the simulator has the last command, or the time is over."""
        if self._publisher is not None and self._publisher.get_subscription_count() > 0:
            self._publisher.wait_for_all_acked(Duration(seconds=timeout))

    def _close(self):
        if self._state_topic is not None:
            self._state_topic.close(self._client.node)
            self._state_topic = None
        if self._publisher is not None:
            self._client.node.destroy_publisher(self._publisher)
            self._publisher = None
