# SPDX-License-Identifier: BSD-3-Clause
"""Two ways to a world with one interface: in this process, or through the services of a physics node."""

import array
import itertools
import os
from collections.abc import Mapping, Sequence

import numpy as np

from . import names
from .errors import AmbfError, BadValue, SimulatorGone, StepRefused
from .ros_process import check_fork
from .simulator import Simulator, resolve
from .task import JointFacts, Layout

_numbers = itertools.count()
MODE_NUMBERS = {'effort': 1, 'position': 2, 'velocity': 3, 'acceleration': 5}


def joint_facts(aliases: Sequence[str], lower: float, upper: float) -> JointFacts:
    """Without limits (lower above upper) the bounds are infinite."""
    return JointFacts(aliases, lower, upper) if lower <= upper else JointFacts(aliases, -np.inf, np.inf)


def mode_number(mode: str) -> int:
    if mode not in MODE_NUMBERS:
        raise BadValue(f"mode: found '{mode}', expected one of {', '.join(MODE_NUMBERS)}")
    return MODE_NUMBERS[mode]


class InProcess:
    """Worlds in this process, no ROS; all of them step together on a pool of threads."""

    def __init__(
        self,
        world: str = '',
        models: Sequence[str] = (),
        count: int = 1,
        threads: int | None = None,
        step_size: float = 0.001,
    ):
        from . import _dynamics

        self._module = _dynamics
        self.count = count
        self._threads = threads or min(count, os.cpu_count() or 1)
        self.worlds = [self._make(world, models, step_size) for _ in range(count)]
        self._pool = None
        self._saved: dict[str, list[bytes]] = {}
        first = self.worlds[0]
        self.layout = Layout(
            [[b['topic'], b['name'], b['identifier'], b['qualified']] for b in first.bodies()],
            [
                joint_facts(
                    names.aliases(f'{names.joint_place(j["qualified"])}/{j["name"]}', j['name'], j['identifier']),
                    j['lower'],
                    j['upper'],
                )
                for j in first.joints()
            ],
            [[s['topic'], s['name'], s['identifier']] for s in first.sensors()],
            [[a['topic'], a['name'], a['identifier']] for a in first.actuators()],
        )

    def refresh(self):
        """Look at the worlds again, which nobody but this program can change."""

    def changed(self) -> bool:
        """Whether the worlds are others than those that `layout` describes."""
        return False

    def check_same(self):
        """SimulatorGone where they are."""

    def _make(self, world: str, models: Sequence[str], step_size: float):
        made = self._module.World(step_size=step_size)
        if world:
            made.load_launch(resolve(world))
        for model in models:
            made.load_model(resolve(model))
        return made

    def configure(self, joints, modes, actuators, sensors, bodies, observed_joints):
        """What every step commands and observes."""
        self._pool = self._module.WorldPool(
            self.worlds,
            self._threads,
            list(joints),
            [mode_number(m) for m in modes],
            list(actuators),
            list(sensors),
            list(bodies),
            list(observed_joints),
        )

    def step(self, values: np.ndarray, grasps: np.ndarray, steps: int | np.ndarray):
        """Takes `steps` of all worlds, or of each: steps and hashes (n), bodies (n x b x 13), joints (n x j x 3)."""
        if self._pool is None:
            raise AmbfError('this environment was closed')
        steps_done, hashes, bodies, joints, problems = self._pool.step(
            values, grasps, np.broadcast_to(steps, self.count)
        )
        for index, problem in enumerate(problems):
            if problem:
                raise StepRefused(f'world {index}: {problem}')
        return steps_done, hashes, bodies, joints

    def reset(self, which: int = 0):
        self.worlds[which].reset()

    def save(self, name: str, which: int = 0):
        self._saved.setdefault(name, [b''] * self.count)[which] = self.worlds[which].save()

    def restore(self, name: str, which: int = 0):
        self.worlds[which].restore(self._saved[name][which])

    def place(self, poses: Mapping[str, np.ndarray], which: int = 0):
        """Bodies at rest at these poses; what joints tie to them comes along."""
        self.worlds[which].place([self.layout.index(name, 'body') for name in poses], list(poses.values()))

    def close(self):
        self._pool = None


class OverRos:
    """One world of a physics node, stepped by its service; started here unless `connect` is given.

    `domain_id` separates the worlds of several workers.
    """

    count = 1
    camera = ''  # which one takes pictures; empty: the first
    _step = 0  # the newest one: a world that is before it is not the one that was stepped

    def __init__(
        self,
        world: str = '',
        models: Sequence[str] = (),
        *,
        connect: bool = False,
        namespace: str = '',
        domain_id: int | None = None,
        timeout: float = 10.0,
        step_size: float = 0.001,
        **parameters,
    ):
        from .client import Client

        check_fork()
        self.simulator = None
        name = f'ambf_env_{os.getpid()}_{next(_numbers)}'
        if not connect:
            # Steps come as fast as the agent thinks: no command expires between two of them.
            self.simulator = Simulator(
                world,
                models,
                namespace,
                domain_id,
                name,
                mode='lockstep',
                watchdog_timeout=0.0,
                step_size=step_size,
                publish='none',
                tf_rate=0.0,
                joint_state_rate=0.0,
                publish_clock=False,
                **parameters,
            )
        self.client = Client(
            'ambf_env',
            namespace=namespace,
            timeout=timeout,
            domain_id=domain_id,
            alive=self.simulator.reason_of_end if self.simulator else None,
        )
        try:
            self.client.connect(timeout=30.0)
            if self.simulator is not None:
                # The world that was found may be that of another simulator, which has been there for longer.
                self.client.presence.wait_for_node(name, 30.0)
                self.client.presence.check_alone()
            self.world = self.client.get_world_handle()
            self.refresh()
        except Exception:
            self.close()
            raise

    def refresh(self):
        """Look at the world again, as it is now."""
        self.world.set_mode('lockstep')
        from .view import joint_aliases

        self._seen = self.client.view.manifests
        manifest = self.client.view.manifest
        self.layout = Layout(
            [names.aliases(b.topic, b.name, b.identifier, b.model) for b in manifest.bodies],
            [joint_facts(joint_aliases(j), j.lower, j.upper) for j in manifest.joints],
            [names.aliases(s.topic, s.name, s.identifier, s.model) for s in manifest.sensors],
            [names.aliases(a.topic, a.name, a.identifier, a.model) for a in manifest.actuators],
        )

    def changed(self) -> bool:
        """Whether the world is another one than `layout` describes."""
        if self.client.calls is None:
            raise AmbfError('this environment was closed')
        return self.client.view.manifests != self._seen

    def check_same(self):
        """SimulatorGone where it is."""
        if self.changed():
            self._say_changed()

    def _say_changed(self):
        self.client.presence.check_alone()  # a second simulator looks like a world that jumps
        raise SimulatorGone('the world was restarted or reset, or models were loaded or removed: call reset()')

    def wait_for_change(self) -> bool:
        """Whether it is, or becomes so within the time-out."""
        return self.client.view.wait_for_manifest(self._seen, self.client.timeout)

    def configure(self, joints, modes, actuators, sensors, bodies, observed_joints):
        """The request that every step fills with values."""
        from ambf_msgs.msg import ActuatorCmd
        from ambf_msgs.srv import StepWorld

        manifest = self.client.view.manifest
        self._kind = StepWorld
        self._request = StepWorld.Request(agent=self.world.agent, joined=self.world.joined)
        self._request.joints = array.array('I', joints)
        self._request.joint_modes = array.array('B', [mode_number(m) for m in modes])
        self._request.observe_bodies = array.array('I', bodies)
        self._request.observe_joints = array.array('I', observed_joints)
        self._request.actuator_cmds = [
            ActuatorCmd(
                name=manifest.actuators[a].topic, use_sensor_data=True, sensor_identifier=manifest.sensors[s].topic
            )
            for a, s in zip(actuators, sensors)
        ]

    def step(self, values: np.ndarray, grasps: np.ndarray, steps: int | np.ndarray):
        request = self._request
        request.steps = int(np.ravel(steps)[0])
        request.joint_values = array.array('d', np.ascontiguousarray(values[0], dtype=np.float64).tobytes())
        for command, grasp in zip(request.actuator_cmds, grasps[0]):
            command.actuate = bool(grasp > 0.0)
        response = self.client.calls.call(self._kind, 'step', request)
        if not response.ok:
            self.world._check_step(response)
        if response.step < self._step:
            self._say_changed()
        self._step = response.step
        return (
            np.array([response.step]),
            np.array([response.state_hash], dtype=np.uint64),
            np.frombuffer(response.bodies).reshape(1, -1, 13),
            np.frombuffer(response.joints).reshape(1, -1, 3),
        )

    def reset(self, which: int = 0):
        self._step = 0
        self.world.reset()

    def save(self, name: str, which: int = 0):
        self.world.save(name)

    def restore(self, name: str, which: int = 0):
        self.client.presence.check_alone()
        self._step = 0
        self.world.restore(name)

    def place(self, poses: Mapping[str, np.ndarray], which: int = 0):
        bodies = self.client.view.manifest.bodies
        self.world.set_body_states({bodies[self.layout.index(n, 'body')].topic: pose for n, pose in poses.items()})

    def picture(self) -> np.ndarray:
        """What the render node shows of the newest state, from `camera` or the world's first one."""
        cameras = self.client.view.manifest.cameras
        if not cameras:
            raise BadValue('render: the world has no camera')
        camera = self.client.get_obj_handle(self.camera or cameras[0].topic)
        return camera.image(not_before=self.world.read().time)

    def close(self):
        self.client.clean_up()
        if self.simulator is not None:
            self.simulator.stop()
