# SPDX-License-Identifier: BSD-3-Clause
"""A PSM over a plate on a scale with a ring on it, in lockstep."""

import pathlib

import numpy
from arm_fixture import World, position
from geometry_msgs.msg import Pose, PoseStamped
from sensor_msgs.msg import JointState

SCENE = str(pathlib.Path(__file__).parent / 'models/scale_and_ring.yaml')
TOP = -0.15  # z of the plate [m]
RING = numpy.array([0.03, 0.02, TOP + 0.005])  # its middle
FINGERS = 0.0102  # from the tip's frame to the end of the jaws [m]
GRASP = 0.0098  # from the tip's frame to the middle of what is held [m]
SQUEEZE = -0.349  # jaw, -20 degrees


def rotation(q) -> numpy.ndarray:
    x, y, z, w = q.x, q.y, q.z, q.w
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


class Bench:
    """The arm over the plate; what it is told acts in the steps that follow."""

    def __init__(self, world: World):
        self.world = world
        self.psm = world.arm('/PSM1', 'measured_cp', 'setpoint_cp', 'body/measured_cf', 'jaw/setpoint_js', 'sim_time')
        reply = world.step(0, ['PSM1'])
        while not reply.ok:  # it has not announced itself
            world.spin_for(0.05)
            reply = world.step(0, ['PSM1'])
        assert self.psm.command_and_wait('enable').state == 'ENABLED'
        self.psm.command_and_wait('home')
        self.step(2500)
        world.wait_for(lambda: self.psm.states[-1].is_homed, 'home')
        self.down = self.psm.newest('setpoint_cp').pose.orientation

    def step(self, steps: int, size: int = 50):
        for _ in range(0, steps, size):
            self.reply = self.world.step(size, ['PSM1'])
            assert self.reply.ok, self.reply.message

    def pose(self, place) -> PoseStamped:
        """The tool straight down."""
        out = PoseStamped(pose=Pose(orientation=self.down))
        out.pose.position.x, out.pose.position.y, out.pose.position.z = (float(v) for v in place)
        return out

    def move(self, name: str, message):
        """A move to its end."""
        states = len(self.psm.states)
        self.psm.say(name, message)
        self.world.wait_for(lambda: any(s.is_busy for s in self.psm.states[states:]), f'{name} to begin')
        while self.psm.states[-1].is_busy:
            self.step(100)
            self.now()

    def servo(self, place):
        """A pose of a stream; it acts in the next step."""
        self.psm.say('servo_cp', self.pose(place))
        heard = self.psm.heard['setpoint_cp']
        self.world.wait_for(
            lambda: heard and numpy.allclose(position(heard[-1].pose), place, atol=1e-6, rtol=0), 'the set-point'
        )

    def jaw(self, angle: float):
        self.move('jaw/move_jp', JointState(position=[angle]))

    def now(self):
        """Until the snapshot and the arm's data of the step that was answered are here."""
        step, snapshots, manifests = self.reply.sim_time, self.world.snapshots, self.world.manifests
        self.world.wait_for(
            lambda: (
                snapshots
                and snapshots[-1].header.stamp == step
                and snapshots[-1].manifest_revision == manifests[-1].revision
            ),
            'the snapshot of the step',
        )
        self.world.wait_for(lambda: step in self.psm.heard['sim_time'], "the arm's data of the step")
        return self.world.snapshots[-1]

    def on_the_plate(self) -> numpy.ndarray:
        """Force of the arm on the plate by the contacts that the world reports [N, world axes]."""
        snapshot, force = self.now(), numpy.zeros(3)
        names = [body.name for body in self.world.manifests[-1].bodies]
        for contact in snapshot.contacts:
            pair = (names[contact.body_a], names[contact.body_b])
            if 'plate' not in pair or 'ring' in pair:
                continue
            n, t = contact.normal, contact.friction_force
            on_a = contact.normal_force * numpy.array([n.x, n.y, n.z]) + [t.x, t.y, t.z]
            force += on_a if pair[0] == 'plate' else -on_a
        return force

    def on_the_scale(self) -> float:
        """What the scale carries [N]."""
        snapshot = self.now()
        index = [joint.name for joint in self.world.manifests[-1].joints].index('scale')
        return snapshot.joints[3 * index + 2]

    def told(self) -> numpy.ndarray:
        """Force of the tip on the world as the arm tells it [N, world axes]."""
        force = self.psm.newest('body/measured_cf').wrench.force
        axes = rotation(self.psm.newest('measured_cp').pose.orientation)
        return axes @ [force.x, force.y, force.z]

    def tip(self) -> numpy.ndarray:
        return numpy.array(position(self.psm.newest('measured_cp').pose))

    def ring(self) -> numpy.ndarray:
        self.now()
        return numpy.array(self.world.body('ring')[0])

    def lift(self) -> tuple:
        """Grasps the ring where it lies and lifts it by 5 cm; where it lay, and where it is from the tip on."""
        start = self.ring()
        assert abs(start - RING).max() < 5e-4, 'it lies'
        self.jaw(0.9)
        # Its middle is 6.1 mm beside the bar.
        grasp = start + [-0.0061, 0.0, GRASP]
        self.move('move_cp', self.pose(grasp + [0.0, 0.0, 0.02]))
        self.move('move_cp', self.pose(grasp))
        self.jaw(SQUEEZE)
        self.step(200)
        held = self.ring() - self.tip()
        self.move('move_cp', self.pose(grasp + [0.0, 0.0, 0.05]))
        return start, held


def ring_bench(**parameters):
    """The world of the bench: a context manager."""
    return World(('PSM1', 'psm', 'psm'), models=('adf/psm.yaml', SCENE), mode='lockstep', **parameters)
