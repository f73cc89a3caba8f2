# SPDX-License-Identifier: BSD-3-Clause
"""The world: who owns time, stepping with actions and observations in one call, loading and resetting."""

import array
import logging
import os
import socket
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from rclpy.duration import Duration
from rclpy.qos import LivelinessPolicy, QoSProfile, ReliabilityPolicy

from ambf_msgs.msg import (
    ActuatorCmd,
    AgentHello,
    BarrierMember,
    JointMode,
    RigidBodyCmd,
    StepDone,
    WorldCmd,
    WorldSnapshot,
    WorldState,
)
from ambf_msgs.srv import (
    GetWorldMode,
    JoinWorld,
    LeaveWorld,
    LoadModel,
    ReadWorld,
    RemoveObject,
    ResetWorld,
    RestoreState,
    SaveState,
    SetBodyState,
    SetWorldMode,
    StepWorld,
)

from .base_object import AmbfState, StateTopic, set_xyz
from .errors import AmbfError, BadValue, NotJoined, Refused, SimulatorGone, StepRefused
from .rotations import number, vector
from .view import BODY, JOINT, State, rows, seconds

log = logging.getLogger('ambf_py')
MODES = {'realtime': 0, 'free': 1, 'lockstep': 2, 'paused': 3}
JOINT_MODES = {
    'none': JointMode.NONE,
    'effort': JointMode.EFFORT,
    'position': JointMode.POSITION,
    'velocity': JointMode.VELOCITY,
    'release': JointMode.RELEASE,
    'acceleration': JointMode.ACCELERATION,
}
# The simulator's default lease: membership ends this long after the process died [s].
LEASE = 2.0


def this_process() -> str:
    """A simulator on the same host sees by it at once that this process has died."""
    return f'{socket.gethostname()}:{os.getpid()}'


def membership() -> QoSProfile:
    """The middleware renews the lease while the publisher lives."""
    return QoSProfile(
        depth=10,
        reliability=ReliabilityPolicy.RELIABLE,
        liveliness=LivelinessPolicy.AUTOMATIC,
        liveliness_lease_duration=Duration(seconds=LEASE),
    )


def joint_mode(mode: str | int) -> int:
    """Number of a joint mode that is given by name or number."""
    if isinstance(mode, str):
        if mode not in JOINT_MODES:
            raise BadValue(f"joint mode: found '{mode}', expected one of {', '.join(JOINT_MODES)}")
        return JOINT_MODES[mode]
    return int(mode)


class World:
    """Handle of the world, made by `Client.get_world_handle()`.

    >>> world.set_mode('lockstep')                                       # doctest: +SKIP
    >>> state = world.step(10, {'baselink-yawlink': 0.3})                # doctest: +SKIP
    >>> state.bodies.shape, state.step                                   # doctest: +SKIP
    """

    def __init__(self, client):
        self._client = client
        self._calls = client.calls
        self.agent = self._alone = client.name
        self._hello = None
        self._member = None
        self._state_topic: StateTopic | None = None
        self._cmd = WorldCmd(n_skip_steps=1)
        self._publisher = None
        self._active = False

    # Time

    @property
    def mode(self) -> str:
        return self.get_mode()

    def get_mode(self, timeout: float | None = None) -> str:
        """'realtime', 'free', 'lockstep' or 'paused'."""
        number = self._calls.call(GetWorldMode, 'get_mode', GetWorldMode.Request(), timeout).mode
        return next(name for name, value in MODES.items() if value == number)

    def set_mode(self, mode: str, real_time_factor: float = 0.0):
        """'realtime', 'free', 'lockstep' or 'paused'."""
        if mode not in MODES:
            raise BadValue(f"mode: found '{mode}', expected one of {', '.join(MODES)}")
        factor = number(real_time_factor, 'real_time_factor')
        request = SetWorldMode.Request(mode=MODES[mode], real_time_factor=factor)
        answer = self._checked(self._calls.call(SetWorldMode, 'set_mode', request), 'set_mode')
        if answer.message:
            log.warning('set_mode: %s', answer.message)

    def step(
        self,
        steps: int = 1,
        joints: Mapping | None = None,
        mode: str | int = 'position',
        *,
        actuators: Mapping[str, str | None] | None = None,
        body_commands: Sequence[RigidBodyCmd] = (),
        observe_bodies: Sequence | None = None,
        observe_joints: Sequence | None = None,
        barrier: Sequence[str] = (),
        barrier_timeout: float = 0.0,
        timeout: float | None = None,
    ) -> State:
        """Apply commands, take exactly `steps` steps, return what was asked for; everything by default.

        `joints` maps names or indices to values, which are of `mode`, or to pairs (mode, value). `actuators` maps the
        name of an actuator to the name of a sensor or body to take hold with, or to None to let go. Commands that
        were given to handles go with the step, and so do `body_commands`, each with the topic of its body as `name`.
        """
        request = self._request(steps, barrier, barrier_timeout)
        for what, given in (('joints', joints), ('actuators', actuators)):
            if given is not None and not isinstance(given, Mapping):
                raise BadValue(f'{what}: found {given!r}, expected names or indices with their values, e.g. {{0: 0.1}}')
        self._put_joints(request, joints or {}, mode)
        request.actuator_cmds = self._actuator_commands(actuators or {})
        request.body_cmds = [*self._client.pending_commands(), *body_commands]
        whole = observe_bodies is None and observe_joints is None
        request.observe_all = whole
        request.observe_bodies = self._indices(observe_bodies, 'bodies', 'body')
        request.observe_joints = self._indices(observe_joints, 'joints', 'joint')
        response = self._calls.call(StepWorld, 'step', request, self._patience(steps, timeout))
        self._check_step(response)
        state = State(
            response.step,
            seconds(response.sim_time),
            response.state_hash,
            rows(response.bodies, BODY),
            rows(response.joints, JOINT),
        )
        if whole:
            self._client.view.take_state(state)
        return state

    def _patience(self, steps: int, timeout: float | None) -> float:
        """How long an answer may take: a hundredth of real time is still awaited."""
        if timeout is not None:
            return timeout
        return self._calls.timeout + 100.0 * steps * self._client.view.manifest.step_size

    def _request(self, steps: int, barrier: Sequence[str], barrier_timeout: float) -> StepWorld.Request:
        wanted = number(steps, 'steps')
        if wanted != int(wanted) or not 0 <= wanted < 2**32:
            raise BadValue(f'steps: found {steps!r}, expected a whole number, 0 or more')
        members = [barrier] if isinstance(barrier, str) else list(barrier)
        return StepWorld.Request(
            agent=self.agent,
            joined=self._hello is not None,
            steps=int(wanted),
            barrier=members,
            barrier_timeout=number(barrier_timeout, 'barrier_timeout'),
            manifest_revision=self._client.view.manifest.revision,
        )

    def _put_joints(self, request: StepWorld.Request, joints: Mapping, mode: str | int):
        indices, modes, values = array.array('I'), array.array('B'), array.array('d')
        for joint, value in joints.items():
            own_mode, own_value = value if isinstance(value, tuple) else (mode, value)
            indices.append(self._index(joint, 'joints', 'joint'))
            modes.append(joint_mode(own_mode))
            values.append(vector([own_value], 1, f"joint '{joint}'")[0])
        request.joints, request.joint_modes, request.joint_values = indices, modes, values

    def _actuator_commands(self, actuators: Mapping[str, str | None]) -> list[ActuatorCmd]:
        view, commands = self._client.view, []
        for name, target in actuators.items():
            command = ActuatorCmd(name=view.manifest.actuators[view.find(name, 'actuators', 'actuator')].topic)
            if target is not None:
                kind, index = view.find_object(target)
                if kind not in ('sensors', 'bodies'):
                    raise BadValue(f"actuator '{name}': '{target}' is neither a sensor nor a body")
                topic = getattr(view.manifest, kind)[index].topic
                command.actuate = True
                command.use_sensor_data = kind == 'sensors'
                setattr(command, 'sensor_identifier' if kind == 'sensors' else 'body_name', topic)
            commands.append(command)
        return commands

    def _index(self, which, kind: str, what: str) -> int:
        if isinstance(which, str):
            return self._client.view.find(which, kind, what)
        count = len(getattr(self._client.view.manifest, kind))
        index = number(which, f'{what} index')
        if index != int(index) or not 0 <= index < count:
            raise BadValue(f'{what} index: found {which}, expected 0 to {count - 1}')
        return int(index)

    def _indices(self, which: Sequence | None, kind: str, what: str) -> array.array:
        return array.array('I', [self._index(w, kind, what) for w in (() if which is None else which)])

    def _check_step(self, response: StepWorld.Response):
        if response.ok:
            return
        if response.code == StepWorld.Response.CODE_SHUTDOWN:
            raise SimulatorGone(f'{response.message}: the simulator ends')
        kind = NotJoined if response.code == StepWorld.Response.CODE_NOT_JOINED else StepRefused
        raise kind(response.message, response.code)

    # Several agents

    def join(self, name: str | None = None, delay_budget: float = 0.0) -> 'World':
        """Become one of several agents: the world advances when all have granted. Also a context manager.

        To be called again after a restart of the simulator, which forgets who had joined.
        """
        again = self._hello is not None
        name = self.agent if again else name or self.agent
        hello = self._hello or self._client.open_node.create_publisher(
            AgentHello, f'{self._client.base}/World/Agents', membership()
        )
        try:
            self._client.wait_for_reader(hello)
            answer = self._calls.call(JoinWorld, 'join', JoinWorld.Request(name=name, delay_budget=float(delay_budget)))
            if not (again and answer.joined_already):
                self._checked(answer, 'join')
        except Exception:
            if not again:
                self._client.node.destroy_publisher(hello)
            raise
        if answer.ok:
            hello.publish(AgentHello(name=name, process=this_process()))
        if not again:
            self._hello, self._alone, self.agent = hello, self.agent, name
        return self

    @property
    def joined(self) -> bool:
        """Whether this agent joined and has not left since."""
        return self._hello is not None

    def leave(self, timeout: float | None = None):
        """The others no longer wait for this agent."""
        if self._hello is None:
            return
        hello, self._hello = self._hello, None
        # Who stepped alone before goes on under that name: another one would be a second agent to the world.
        request, self.agent = LeaveWorld.Request(name=self.agent), self._alone
        try:
            # Before the lease ends, which the world would take for a death.
            self._checked(self._calls.call(LeaveWorld, 'leave', request, timeout), 'leave')
        finally:
            self._client.node.destroy_publisher(hello)

    def __enter__(self):
        return self.join()

    def __exit__(self, *_):
        self.leave()

    def be_barrier_member(self, name: str, work: Callable[[WorldSnapshot], None]):
        """Call `work` for every snapshot; steps that name this member wait until it returned."""
        node, base = self._client.open_node, self._client.base
        hello = node.create_publisher(BarrierMember, f'{base}/World/Barrier', membership())
        done = node.create_publisher(StepDone, f'{base}/World/StepDone', 100)

        def handle(snapshot: WorldSnapshot):
            try:
                work(snapshot)
            except Exception as error:  # the world must not wait for a member that failed
                done.publish(StepDone(member=name, step=snapshot.step, ok=False, message=str(error)))
                raise
            done.publish(StepDone(member=name, step=snapshot.step, ok=True))

        subscription = node.create_subscription(WorldSnapshot, f'{base}/World/Snapshot', handle, 10)
        self._client.wait_for_reader(hello)
        self._client.wait_for_reader(done)
        hello.publish(BarrierMember(name=name, process=this_process()))
        self._member = (hello, done, subscription)

    # What there is

    def load(
        self,
        uri: str = '',
        *,
        text: str = '',
        name: str = '',
        namespace: str = '',
        pose=None,
        allow_rename: bool = True,
    ) -> list[str]:
        """Load a model from a file or a text; returns the names of the models that were made.

        What is not as the description says is logged as warnings (`logging`, logger `ambf_py`).
        """
        request = LoadModel.Request(uri=str(uri), text=text, name=name, ns=namespace, allow_rename=allow_rename)
        if pose is not None:
            put_pose(request.pose, pose)
        response = self._edit(LoadModel, 'load_model', request)
        for warning in response.warnings:
            log.warning('%s', warning)
        return list(response.names)

    def remove(self, name: str):
        """Take out a model, or one object of it."""
        self._edit(RemoveObject, 'remove', RemoveObject.Request(name=name))

    def _edit(self, kind, service: str, request):
        """A call after which the manifest is another one; returns when it is here."""
        response = self._checked(self._calls.call(kind, service, request), service)
        self._client.wait_for_revision(response.manifest_revision)
        return response

    def set_body_states(self, poses: Mapping[str, Sequence[float]]):
        """Place bodies at rest, outside any dynamics: position and quaternion x y z w each.

        A body that is jointed to others takes them along, with their joint positions; one that hangs on a base that
        stands still is refused (`Refused`), unless all bodies of the assembly are given.
        """
        view, request = self._client.view, SetBodyState.Request()
        from geometry_msgs.msg import Pose, Twist

        for name, values in poses.items():
            request.names.append(view.manifest.bodies[view.find(name, 'bodies', 'body')].topic)
            request.poses.append(put_pose(Pose(), values))
            request.twists.append(Twist())
        self._checked(self._calls.call(SetBodyState, 'set_body_state', request), 'set_body_state')
        self.read()  # so that handles show it, too

    def read(self) -> State:
        """The newest state, in any mode."""
        response = self._calls.call(ReadWorld, 'read', ReadWorld.Request())
        state = State(
            response.step,
            seconds(response.sim_time),
            response.state_hash,
            rows(response.bodies, BODY),
            rows(response.joints, JOINT),
        )
        self._client.view.take_state(state)
        return state

    def reset(self, clock: bool = True, state: bool = True, spawned: bool = False):
        """Back to how the world was loaded."""
        scope = (
            ResetWorld.Request.SCOPE_TIME * clock
            | ResetWorld.Request.SCOPE_STATE * state
            | ResetWorld.Request.SCOPE_SPAWNED * spawned
        )
        if not scope:
            return None
        answer = self._checked(self._calls.call(ResetWorld, 'reset', ResetWorld.Request(scope=scope)), 'reset')
        self.read()  # so that handles show it, too
        return answer

    def reset_bodies(self):
        """Bodies and joints back to their start; time goes on."""
        self.reset(clock=False)

    def save(self, name: str) -> int:
        """Remember the state under this name; returns its hash."""
        return self._checked(
            self._calls.call(SaveState, 'save_state', SaveState.Request(name=name)), 'save_state'
        ).state_hash

    def restore(self, name: str) -> int:
        """Back to a saved state; returns its hash."""
        answer = self._checked(
            self._calls.call(RestoreState, 'restore_state', RestoreState.Request(name=name)), 'restore_state'
        )
        self.read()  # so that handles show it, too
        return answer.state_hash

    @staticmethod
    def _checked(response, service: str):
        if not response.ok:
            # The message has the first error; each is told once.
            details = '\n'.join(error for error in getattr(response, 'errors', []) if error not in response.message)
            raise Refused(f'{service}: {response.message}' + (f'\n{details}' if details else ''))
        return response

    # AMBF's throttling by a toggled clock

    def state(self) -> WorldState:
        if self._state_topic is None:
            self._state_topic = StateTopic(self._client.open_node, WorldState, f'{self._client.base}/World/State')
        return self._state_topic.latest(self._client.timeout)

    @property
    def _state(self) -> AmbfState:
        return AmbfState(self.state())

    def get_name(self) -> str:
        return f'{self._client.base}/World'

    def get_sim_step(self) -> int:
        return self.state().sim_step

    def is_active(self) -> bool:
        return self._active

    def set_active(self):
        self._active = True

    def set_timeout(self, seconds: float | None):
        """AMBF's watchdog of the world command, which ends nothing: neither does it here."""

    acknowledge_wd = clear_cmd = lambda self: None

    def is_wd_expired(self) -> bool:
        return False

    def set_name(self, name: str):
        """Names are the simulator's; a handle cannot change them."""
        raise AmbfError(f"'{self.get_name()}' keeps its name")

    def enable_throttling(self, enable: bool):
        """The world waits for `update`, which grants `set_num_step_skips` steps."""
        self._cmd.enable_step_throttling = bool(enable)
        self.run_publisher()
        deadline = time.monotonic() + self._calls.timeout
        while (self.mode == 'lockstep') != bool(enable):
            if time.monotonic() > deadline:
                what = 'stop' if enable else 'go on'
                raise SimulatorGone(f'the world did not {what} within {self._calls.timeout:g} s')
            time.sleep(0.002)
        self.read()  # the state that it stopped in, so that steps are counted from there

    def set_num_step_skips(self, num: int):
        wanted = number(num, 'step skips')
        if wanted != int(wanted) or not 1 <= wanted < 2**32:
            raise BadValue(f'step skips: found {num!r}, expected a whole number above 0')
        self._cmd.n_skip_steps = int(num)

    def update(self):
        """Toggle the clock: commands that were given go out first."""
        self._client.flush()
        self._cmd.step_clock = not self._cmd.step_clock
        self.run_publisher()

    def run_publisher(self):
        if self._publisher is None:
            self._publisher = self._client.open_node.create_publisher(WorldCmd, f'{self._client.base}/World/Command', 1)
            self._client.wait_for_reader(self._publisher)
        self._publisher.publish(self._cmd)

    def _close(self):
        """Give back what was made in a node that may be somebody else's."""
        node = self._client.node
        hello, self._hello = self._hello, None
        member, self._member = self._member, None
        publishers = [hello, self._publisher] + list(member[:2] if member else [])
        for publisher in publishers:
            if publisher is not None:
                node.destroy_publisher(publisher)
        if member is not None:
            node.destroy_subscription(member[2])
        if self._state_topic is not None:
            self._state_topic.close(node)
        self._publisher = self._state_topic = None


def put_pose(target, values) -> object:
    """Write position and quaternion into a geometry_msgs/Pose."""
    checked = vector(values, 7, 'pose: position, quaternion x y z w')
    length = np.linalg.norm(checked[3:])
    if not abs(length - 1.0) < 1e-3:
        raise BadValue(f'pose: found a quaternion of length {length:g}, expected 1')
    set_xyz(target.position, checked[:3])
    q = target.orientation
    q.x, q.y, q.z, q.w = (float(v) for v in checked[3:] / length)
    return target
