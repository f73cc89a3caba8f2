# SPDX-License-Identifier: BSD-3-Clause
"""Handle of a rigid body: pose, twist, wrench, and the joints below it."""

import logging
from collections.abc import Sequence

import numpy as np
from geometry_msgs.msg import Point, Vector3
from std_msgs.msg import Header

from ambf_msgs.msg import JointMode, RigidBodyCmd, RigidBodyState

from . import names
from .base_object import BaseObject, set_xyz, xyz
from .errors import AmbiguousName, BadValue, UnknownObject
from .rotations import number, quaternion_from_rpy, vector

Joint = str | int
log = logging.getLogger('ambf_py')


class RigidBody(BaseObject):
    """Joints are addressed by name or by index, in the order of `joint_names`."""

    object_type = 'RIGID_BODY'
    body_type = 'DYNAMIC'
    state_type = RigidBodyState
    command_type = RigidBodyCmd

    def __init__(self, client, kind: str, index: int):
        super().__init__(client, kind, index)
        self._wrench_timeout: float | None = client.wrench_timeout
        self._stiff = False
        self._max_force = self._max_torque = 0.0
        self._release()

    # State of the body: the world's flat state, so that many handles cost one subscription.

    def _row(self) -> np.ndarray:
        return self._client.state.bodies[self.index]

    @property
    def pose(self) -> np.ndarray:
        return self._row()[:7].copy()

    @property
    def twist(self) -> np.ndarray:
        """Velocity of the origin (3) and angular velocity (3), world frame."""
        return self._row()[7:13].copy()

    @property
    def wrench(self) -> np.ndarray:
        """Force (3) and torque (3) of the joints on the body, body frame."""
        wrench = self.state().wrench
        return np.concatenate([xyz(wrench.force), xyz(wrench.torque)])

    def get_sim_step(self) -> int:
        return self._client.state.step

    def get_msg_header(self) -> Header:
        time = self._client.state.time
        header = Header(frame_id=self._client.view.manifest.root_frame)
        header.stamp.sec = int(time)
        header.stamp.nanosec = int(round((time - int(time)) * 1e9)) % 1000000000
        return header

    def get_linear_vel(self) -> Vector3:
        x, y, z = (float(v) for v in self._row()[7:10])
        return Vector3(x=x, y=y, z=z)

    def get_angular_vel(self) -> Vector3:
        x, y, z = (float(v) for v in self._row()[10:13])
        return Vector3(x=x, y=y, z=z)

    def get_mass(self) -> float:
        return self.info.mass

    def get_inertia(self) -> Point:
        """Principal moments [kg m^2]."""
        return self.state().pinertia

    def get_children_names(self) -> list[str]:
        """Names of the bodies below this one."""
        manifest = self._client.view.manifest
        published = {body.identifier: body.name for body in manifest.bodies}
        children = (manifest.joints[i].child for i in self.info.client_joints)
        return list(dict.fromkeys(published.get(child, child) for child in children))

    # Joints

    @property
    def joint_indices(self) -> np.ndarray:
        """Positions of this body's joints in the manifest."""
        return np.asarray(self.info.client_joints, dtype=np.uint32)

    def _joint_rows(self) -> np.ndarray:
        return self._client.state.joints[self.joint_indices]

    @property
    def joint_names(self) -> list[str]:
        manifest = self._client.view.manifest
        return [manifest.joints[i].name for i in self.info.client_joints]

    @property
    def joint_positions(self) -> np.ndarray:
        return self._joint_rows()[:, 0].copy()

    @property
    def joint_velocities(self) -> np.ndarray:
        return self._joint_rows()[:, 1].copy()

    @property
    def joint_efforts(self) -> np.ndarray:
        return self._joint_rows()[:, 2].copy()

    @property
    def joint_limits(self) -> np.ndarray:
        """Lower and upper limit of each joint; infinite where there is none."""
        manifest = self._client.view.manifest
        limits = [
            (j.lower, j.upper) if j.lower <= j.upper else (-np.inf, np.inf)
            for j in (manifest.joints[i] for i in self.info.client_joints)
        ]
        return np.array(limits).reshape(-1, 2)

    def get_num_joints(self) -> int:
        return len(self.info.client_joints)

    def get_joint_names(self) -> list[str]:
        return self.joint_names

    def is_joint_idx_valid(self, joint_idx: int) -> bool:
        return 0 <= joint_idx < self.get_num_joints()

    def get_joint_idx_from_name(self, joint_name: str) -> int | None:
        return self._asked(joint_name)

    def get_joint_name_from_idx(self, joint_idx: int) -> str | None:
        index = self._asked(joint_idx)
        return None if index is None else self.joint_names[index]

    def _joint(self, joint: Joint) -> int:
        """Index of a joint that is given by name or index, or an error."""
        if isinstance(joint, str):
            own = self.joint_names
            if not own:
                raise UnknownObject(f"'{self._topic}' has no joints below it")
            return names.find(joint, [[n] for n in own], f"joint of '{self._topic}'")
        index = int(number(joint, f"joint of '{self._topic}'"))
        if not self.is_joint_idx_valid(index):
            raise BadValue(f"joint index of '{self._topic}': found {index}, expected 0 to {self.get_num_joints() - 1}")
        return index

    def get_joint_pos(self, joint_name_or_idx: Joint) -> float:
        return self._read_joint(joint_name_or_idx, 0)

    def get_joint_vel(self, joint_name_or_idx: Joint) -> float:
        return self._read_joint(joint_name_or_idx, 1)

    def get_joint_effort(self, joint_name_or_idx: Joint) -> float:
        return self._read_joint(joint_name_or_idx, 2)

    def _asked(self, joint: Joint) -> int | None:
        """Index of a joint that somebody wants to know about; scripts for AMBF get None where there is none."""
        return self._forgiven(joint) if self._client.forgiving else self._joint(joint)

    def _read_joint(self, joint: Joint, column: int) -> float | None:
        index = self._asked(joint)
        return None if index is None else float(self._joint_rows()[index, column])

    def get_all_joint_pos(self) -> list[float]:
        return self.joint_positions.tolist()

    def get_all_joint_vel(self) -> list[float]:
        return self.joint_velocities.tolist()

    def get_all_joint_effort(self) -> list[float]:
        return self.joint_efforts.tolist()

    def set_joint_pos(self, joint_name_or_idx: Joint, pos: float):
        self._command_joint(joint_name_or_idx, pos, JointMode.POSITION)

    def set_joint_vel(self, joint_name_or_idx: Joint, vel: float):
        self._command_joint(joint_name_or_idx, vel, JointMode.VELOCITY)

    def set_joint_effort(self, joint_name_or_idx: Joint, effort: float):
        self._command_joint(joint_name_or_idx, effort, JointMode.EFFORT)

    def _command_joint(self, joint: Joint, value: float, mode: int):
        if self._forgiven(joint) is not None:
            self._command_joints([joint], [value], mode)

    def _forgiven(self, joint: Joint) -> int | None:
        """Scripts for AMBF name joints that a model lacks and rely on a printed line: see Client.strict, forgiving."""
        try:
            return self._joint(joint)
        except (UnknownObject, AmbiguousName, BadValue) as error:
            if self._client.strict or (isinstance(joint, str) and not self._client.forgiving):
                raise
            log.error('%s; the joint is left out', error)
            return None

    def set_multiple_joint_pos(self, joint_positions: Sequence[float], joint_names_or_idxs: Sequence[Joint] = None):
        self._command_joints(joint_names_or_idxs, joint_positions, JointMode.POSITION)

    def set_multiple_joint_vel(self, joint_velocities: Sequence[float], joint_names_or_idxs: Sequence[Joint] = None):
        self._command_joints(joint_names_or_idxs, joint_velocities, JointMode.VELOCITY)

    def set_multiple_joint_effort(self, joint_efforts: Sequence[float], joint_names_or_idxs: Sequence[Joint] = None):
        self._command_joints(joint_names_or_idxs, joint_efforts, JointMode.EFFORT)

    set_all_joint_pos = set_multiple_joint_pos
    set_all_joint_vel = set_multiple_joint_vel
    set_all_joint_effort = set_multiple_joint_effort

    def release_joints(self, joint_names_or_idxs: Sequence[Joint] = None):
        """The joints are free again."""
        count = self.get_num_joints() if joint_names_or_idxs is None else len(joint_names_or_idxs)
        self._command_joints(joint_names_or_idxs, [0.0] * count, JointMode.RELEASE)

    def _command_joints(self, joints: Sequence[Joint] | None, values: Sequence[float], mode: int):
        which = list(range(self.get_num_joints())) if joints is None else [self._asked(j) for j in joints]
        if self._client.forgiving and joints is not None and np.size(values) > len(which):
            # AMBF picks the values by the index of their joint.
            values = [np.ravel(values)[joint or 0] for joint in which]
        checked = vector(values, len(which), f"joint values of '{self._topic}'")
        with self._lock:
            self._fit_joint_arrays()
            for joint, value in zip(which, checked):
                if joint is None:
                    continue
                self._cmd.joint_modes[joint] = mode
                self._cmd.joint_cmds[joint] = float(value)
            self._changed()

    def _fit_joint_arrays(self):
        """One entry per joint; those nobody commanded are left as they are."""
        count = self.get_num_joints()
        if len(self._cmd.joint_cmds) != count:
            self._cmd.joint_modes = [JointMode.NONE] * count
            self._cmd.joint_cmds = [0.0] * count

    # Cartesian commands

    def get_force_command(self) -> Vector3:
        return self._cmd.wrench.force

    def get_torque_command(self) -> Vector3:
        return self._cmd.wrench.torque

    def get_linear_velocity_command(self) -> Vector3:
        """The commanded velocity; without one, the velocity."""
        return self._cmd.twist.linear if self._twist_is_commanded() else self.get_linear_vel()

    def get_angular_velocity_command(self) -> Vector3:
        """The commanded angular velocity; without one, the angular velocity."""
        return self._cmd.twist.angular if self._twist_is_commanded() else self.get_angular_vel()

    def _twist_is_commanded(self) -> bool:
        return self._cmd.cartesian_cmd_type == RigidBodyCmd.TYPE_VELOCITY

    def set_force(self, fx, fy=None, fz=None):
        """Force at the centre of mass, world frame [N]."""
        self._command_vector('wrench', 'force', fx if fy is None else [fx, fy, fz], RigidBodyCmd.TYPE_FORCE)

    def set_torque(self, nx, ny=None, nz=None):
        """Torque, world frame [N m]."""
        self._command_vector('wrench', 'torque', nx if ny is None else [nx, ny, nz], RigidBodyCmd.TYPE_FORCE)

    def set_wrench(self, wrench):
        """A geometry_msgs/Wrench, or force and torque (6 numbers)."""
        if hasattr(wrench, 'force'):
            wrench = np.concatenate([xyz(wrench.force), xyz(wrench.torque)])
        values = vector(wrench, 6, 'wrench')
        with self._lock:
            self.set_force(values[:3])
            self.set_torque(values[3:])

    def set_linear_vel(self, vx, vy=None, vz=None):
        """Velocity of the origin, world frame [m/s]."""
        self._command_vector('twist', 'linear', vx if vy is None else [vx, vy, vz], RigidBodyCmd.TYPE_VELOCITY)

    def set_angular_vel(self, ax, ay=None, az=None):
        """Angular velocity, world frame [rad/s]."""
        self._command_vector('twist', 'angular', ax if ay is None else [ax, ay, az], RigidBodyCmd.TYPE_VELOCITY)

    def set_twist(self, twist):
        """A geometry_msgs/Twist, or linear and angular velocity (6 numbers)."""
        if hasattr(twist, 'linear'):
            twist = np.concatenate([xyz(twist.linear), xyz(twist.angular)])
        values = vector(twist, 6, 'twist')
        with self._lock:
            self.set_linear_vel(values[:3])
            self.set_angular_vel(values[3:])

    def wrench_command(self, fx, fy, fz, nx, ny, nz):
        self.set_wrench([fx, fy, fz, nx, ny, nz])

    def pose_command(self, px, py, pz, roll, pitch, yaw, *jnt_cmds):
        """Pose, and if given positions of the first joints."""
        self.set_pose(
            np.concatenate(
                [
                    vector([px, py, pz], 3, 'position'),
                    quaternion_from_rpy(*vector([roll, pitch, yaw], 3, 'roll, pitch, yaw')),
                ]
            )
        )
        if jnt_cmds:
            self.set_multiple_joint_pos(jnt_cmds, range(len(jnt_cmds)))

    def velocity_command(self, vx, vy, vz, ax, ay, az, *jnt_cmds):
        """Twist, and if given velocities of the first joints."""
        self.set_twist([vx, vy, vz, ax, ay, az])
        if jnt_cmds:
            self.set_multiple_joint_vel(jnt_cmds, range(len(jnt_cmds)))

    def _command_vector(self, group: str, part: str, values, kind: int):
        checked = vector(values, 3, part)
        with self._lock:
            set_xyz(getattr(getattr(self._cmd, group), part), checked)
            self._cmd.cartesian_cmd_type = kind
            self._changed()

    def set_stiff(self, stiff: bool = True, max_force: float = 0.0, max_torque: float = 0.0):
        """From now on pose commands of this handle hold the body by a constraint, or no longer.

        The limits are at and about the body's origin [N, N m]; 0 means the body's default: 50 N and 20 times its
        weight. What loads the body below them does not move it; above them it gives way. A pose that is
        commanded now is held at once.
        """
        limits = vector([max_force, max_torque], 2, 'max_force, max_torque')
        if (limits < 0.0).any():
            raise BadValue(f'max_force, max_torque: found {limits.tolist()}, expected N and N m, or 0 for the default')
        with self._lock:
            self._stiff = bool(stiff)
            self._max_force, self._max_torque = (float(limit) for limit in limits)
            if self._pose_is_commanded():
                self._command_pose()

    def set_pose(self, pose, stiff: bool | None = None, max_force: float = 0.0, max_torque: float = 0.0):
        """Command a geometry_msgs/Pose, or position and quaternion (7 numbers).

        `stiff=True` holds the body there by a constraint, see `set_stiff`; it lasts for later commands, too.
        """
        with self._lock:
            if stiff is not None:
                self.set_stiff(stiff, max_force, max_torque)
            super().set_pose(pose)

    def _pose_is_commanded(self) -> bool:
        return self._cmd.cartesian_cmd_type in (RigidBodyCmd.TYPE_POSITION, RigidBodyCmd.TYPE_HOLD)

    def _command_pose(self):
        self._cmd.cartesian_cmd_type = RigidBodyCmd.TYPE_HOLD if self._stiff else RigidBodyCmd.TYPE_POSITION
        self._cmd.max_force, self._cmd.max_torque = self._max_force, self._max_torque
        self._changed()

    def set_timeout(self, seconds: float | None):
        """As `BaseObject.set_timeout`; of scripts for AMBF only forces and torques end, as AMBF's watchdog does it."""
        if not self._client.forgiving:
            super().set_timeout(seconds)
            return
        self._wrench_timeout = None if seconds is None else float(seconds)

    def _watchdog(self) -> float | None:
        return self._wrench_timeout if self._client.forgiving else self._timeout

    def clear_cmd(self):
        with self._lock:
            if self._cmd.cartesian_cmd_type == RigidBodyCmd.TYPE_FORCE:
                set_xyz(self._cmd.wrench.force, (0.0, 0.0, 0.0))
                set_xyz(self._cmd.wrench.torque, (0.0, 0.0, 0.0))

    def _tend(self, now: float):
        if self._wrench_timeout is not None and now - self._renewed > self._wrench_timeout:
            self.clear_cmd()
        super()._tend(now)

    def release(self):
        """No command at all: the body and its joints are free."""
        with self._lock:
            self._fit_joint_arrays()
            self._cmd.cartesian_cmd_type = RigidBodyCmd.TYPE_RELEASE
            self._cmd.joint_modes = [JointMode.RELEASE] * len(self._cmd.joint_cmds)
            self._changed()

    def _release(self):
        """What the watchdog sends: free what was commanded."""
        old = self._cmd
        self._cmd = RigidBodyCmd(cartesian_cmd_type=RigidBodyCmd.TYPE_NONE)
        if old is not None and self._commanded:
            if old.cartesian_cmd_type != RigidBodyCmd.TYPE_NONE:
                self._cmd.cartesian_cmd_type = RigidBodyCmd.TYPE_RELEASE
            self._cmd.joint_cmds = list(old.joint_cmds)
            self._cmd.joint_modes = [
                JointMode.NONE if t == JointMode.NONE else JointMode.RELEASE for t in old.joint_modes
            ]

    # AMBF's publish flags: States always have what they ask for, so there is nothing to switch.

    def get_publish_children_names_flag(self) -> bool:
        return True

    get_publish_children_name_flag = get_publish_children_names_flag  # AMBF has it without the s
    get_publish_joint_names_flag = get_publish_joint_positions_flag = get_publish_children_names_flag

    def set_publish_children_names_flag(self, state: bool):
        """Nothing happens: as in AMBF, what is published already cannot be switched off."""

    set_publish_joint_names_flag = set_publish_joint_positions_flag = set_publish_children_names_flag
