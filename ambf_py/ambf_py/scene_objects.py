# SPDX-License-Identifier: BSD-3-Clause
"""Handles of what is no rigid body: soft bodies, cameras, lights, sensors, actuators, ghosts."""

import logging
import time
from collections.abc import Callable, Sequence

import numpy as np
from geometry_msgs.msg import Pose
from sensor_msgs.msg import Image

from ambf_msgs.msg import (
    ActuatorCmd,
    ActuatorState,
    CameraCmd,
    CameraState,
    GhostObjectState,
    LightCmd,
    LightState,
    SensorState,
    SoftBodyCmd,
    SoftBodyState,
    WorldSnapshot,
)

from .base_object import BaseObject, StateTopic, set_xyz, xyz, xyzw
from .errors import AmbfError, AmbiguousName, BadValue, SimulatorGone, UnknownObject
from .rotations import vector
from .view import seconds

log = logging.getLogger('ambf_py')
# How long a picture is waited for before the world is asked to show itself again [s].
LOOK_AGAIN = 1.0


def pixels_of(message: Image) -> np.ndarray:
    """The rows of an rgb8 image; the padding at their ends is left out."""
    if message.encoding != 'rgb8':
        raise BadValue(f"image: found the encoding '{message.encoding}', expected 'rgb8'")
    rows = np.frombuffer(message.data, dtype=np.uint8).reshape(message.height, message.step)
    return rows[:, : 3 * message.width].reshape(message.height, message.width, 3)


class Camera(BaseObject):
    """Pose in the parent's frame; looks along -x, z is up."""

    object_type = 'CAMERA'
    state_type = CameraState
    command_type = CameraCmd

    def __init__(self, client, kind: str, index: int):
        super().__init__(client, kind, index)
        self._images: StateTopic | None = None

    def image(self, not_before: float = 0.0, timeout: float | None = None) -> np.ndarray:
        """Newest picture of the render node, height x width x 3, of this simulation time [s] or later."""
        if self._images is None:
            self._images = StateTopic(self._client.open_node, Image, f'{self._topic}/ImageData')
        timeout = self._client.timeout if timeout is None else timeout
        deadline = time.monotonic() + timeout
        listeners: list = []
        try:
            while True:
                message = self._images.newest(min(LOOK_AGAIN, max(0.0, deadline - time.monotonic())))
                # Half a microsecond for the rounding of stamps.
                if message is not None and seconds(message.header.stamp) >= not_before - 5e-7:
                    return pixels_of(message)
                if time.monotonic() > deadline:
                    raise SimulatorGone(
                        f"no picture of time {not_before:g} s or later on '{self._topic}/ImageData' "
                        f'within {timeout:g} s: is the render node running?'
                    )
                if message is None:
                    listeners.append(self._ask_for_snapshot())
                time.sleep(0.002)
        finally:
            for listener in listeners:
                self._client.node.destroy_subscription(listener)

    def _ask_for_snapshot(self):
        """A world that stands still sends its state again when somebody new listens, and is drawn again then.

        The render node draws what it hears; what it heard before this camera had a reader shows in no picture.
        """
        return self._client.node.create_subscription(
            WorldSnapshot, f'{self._client.base}/World/Snapshot', lambda _: None, 1, raw=True
        )

    def _close(self):
        super()._close()
        if self._images is not None:
            self._images.close(self._client.node)
            self._images = None


class Light(BaseObject):
    """Pose in the parent's frame; shines along x."""

    object_type = 'LIGHT'
    state_type = LightState
    command_type = LightCmd


class SoftBody(BaseObject):
    """Nodes in the world frame; forces on all or on single nodes."""

    object_type = 'SOFT_BODY'
    state_type = SoftBodyState
    command_type = SoftBodyCmd

    @property
    def nodes(self) -> np.ndarray:
        """n x 3, world frame [m]."""
        return np.asarray(self.state().nodes, dtype=np.float32).reshape(-1, 3)

    def set_force(self, fx, fy=None, fz=None):
        """A force that all nodes share [N]."""
        values = vector(fx if fy is None else [fx, fy, fz], 3, 'force')
        with self._lock:
            set_xyz(self._cmd.wrench.force, values)
            self._changed()

    def set_node_forces(self, nodes: Sequence[int], forces):
        """One force per node [N]."""
        table = np.asarray(forces, dtype=float).reshape(-1, 3)
        if len(table) != len(nodes) or not np.isfinite(table).all():
            raise BadValue(f'node forces: found {len(table)} for {len(nodes)} nodes, expected as many finite ones')
        with self._lock:
            fresh = SoftBodyCmd(wrench=self._cmd.wrench, node_indices=[int(n) for n in nodes])
            for force in table:
                item = type(fresh.wrench.force)()
                set_xyz(item, force)
                fresh.node_forces.append(item)
            self._cmd = fresh
            self._changed()

    def _pose_is_commanded(self) -> bool:
        raise AmbfError(f"'{self._topic}': a soft body takes forces, not poses")


class Sensor(BaseObject):
    """Proximity, resistance and contact sensors; elements are rays, or bodies in contact."""

    object_type = 'SENSOR'
    state_type = SensorState

    def __init__(self, client, kind: str, index: int):
        super().__init__(client, kind, index)
        self._was_read = False

    def state(self, timeout: float | None = None):
        """Readings begin with the step after somebody listens: the first call waits for them, a second at most."""
        message = super().state(timeout)
        deadline = time.monotonic() + 1.0
        while not self._was_read and message.count == 0 and time.monotonic() < deadline:
            time.sleep(0.002)
            message = super().state(timeout)
        self._was_read = True
        return message

    def get_type(self) -> str:
        return self.info.kind

    def get_count(self) -> int:
        return self.state().count

    def _element(self, index: int, read: Callable):
        """What `read(state, index)` finds; scripts for AMBF get None for elements that are not there."""
        state, i = self.state(), int(index)
        if 0 <= i < state.count:
            return read(state, i)
        if self._client.forgiving:
            return None
        found = f"element of sensor '{self._topic}': found {index}"
        raise BadValue(f'{found}, expected 0 to {state.count - 1}' if state.count else f'{found}, it has none now')

    def is_triggered(self, idx: int) -> bool:
        return self._element(idx, lambda state, i: bool(state.triggered[i]))

    def get_range(self, idx: int) -> float:
        return self._element(idx, lambda state, i: float(state.range[i if len(state.range) > i else 0]))

    def get_measurement(self, idx: int) -> float:
        """1 - hit distance / range; contact sensors: normal force [N]."""
        return self._element(idx, lambda state, i: float(state.measurement[i]))

    def get_all_measurements(self) -> list[float]:
        return list(self.state().measurement)

    @property
    def measurements(self) -> np.ndarray:
        return np.array(self.state().measurement)

    def get_sensed_object(self, idx: int) -> str:
        """Name of what the element senses; empty: nothing."""

        def read(state, i: int) -> str:
            which = state.sensed_objects_map[i] if i < len(state.sensed_objects_map) else len(state.sensed_objects)
            return state.sensed_objects[which] if which < len(state.sensed_objects) else ''

        return self._element(idx, read)

    def get_pose(self) -> Pose:
        """In the parent's frame; a message, as AMBF's sensors give it."""
        return self.state().pose

    def get_parent(self) -> str:
        return self.get_parent_name()


class Actuator(BaseObject):
    """A constraint that holds a body."""

    object_type = 'ACTUATOR'
    state_type = ActuatorState
    command_type = ActuatorCmd

    @property
    def held(self) -> str:
        """Name of the body that it holds; empty: nothing."""
        state = self.state()
        return state.body_name if state.actuated else ''

    def is_actuated(self) -> bool:
        return bool(self.state().actuated)

    def actuate(self, obj_name: str, pose=None):
        """Hold this body, where it is or at a pose in the actuator's frame (a message, or position and quaternion).

        AMBF does not look at the pose; for its scripts nothing else happens here.
        """
        pose = None if self._client.forgiving else pose
        if isinstance(pose, Pose):
            pose = np.concatenate([xyz(pose.position), xyzw(pose.orientation)])
        body = self._found(lambda: self._client.view.find(obj_name, 'bodies', 'body'))
        if body is None:
            return
        with self._lock:
            self._cmd = ActuatorCmd(actuate=True, body_name=self._client.view.manifest.bodies[body].topic)
            if pose is not None:
                values = vector(pose, 7, 'pose: position, quaternion x y z w')
                self._cmd.use_offset = True
                set_xyz(self._cmd.body_offset.position, values[:3])
                target = self._cmd.body_offset.orientation
                target.x, target.y, target.z, target.w = (float(v) for v in values[3:])
            self._changed()

    def actuate_from_sensor_data(self, sensor_identifier: str):
        """Hold the nearest body that this sensor senses; of several with this name, the one of the same model."""
        sensor = self._found(lambda: self._sensor(sensor_identifier))
        if sensor is None:
            return
        with self._lock:
            self._cmd = ActuatorCmd(
                actuate=True, use_sensor_data=True, sensor_identifier=self._client.view.manifest.sensors[sensor].topic
            )
            self._changed()

    def _sensor(self, name: str) -> int:
        try:
            return self._client.view.find(name, 'sensors', 'sensor')
        except AmbiguousName:
            own = self.info.identifier.rpartition('/')[0]
            return self._client.view.find(f'{own}/{name}', 'sensors', 'sensor')

    def _found(self, find: Callable[[], int]) -> int | None:
        """Scripts for AMBF close hands around nothing; that is logged and ignored."""
        try:
            return find()
        except (UnknownObject, AmbiguousName) as error:
            if not self._client.forgiving:
                raise
            log.error('%s; nothing is taken', error)
            return None

    def deactuate(self):
        """Let go."""
        with self._lock:
            self._cmd = ActuatorCmd(actuate=False)
            self._changed()

    def _pose_is_commanded(self) -> bool:
        raise AmbfError(f"'{self._topic}': an actuator takes actuate and deactuate, not poses")


class Ghost(BaseObject):
    """A volume that senses which bodies are in it."""

    object_type = 'GHOST'
    state_type = GhostObjectState

    def get_all_sensed_obj_names(self) -> list[str]:
        return list(self.state().sensed_objects)

    @property
    def sensed(self) -> list[str]:
        return self.get_all_sensed_obj_names()

    def is_sensing(self, name: str | None = None) -> bool:
        """Whether anything, or the thing whose name contains this, is inside."""
        return any(name is None or name in other for other in self.sensed)
