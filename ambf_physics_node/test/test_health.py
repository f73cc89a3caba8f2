# SPDX-License-Identifier: BSD-3-Clause
"""What a world says of itself, and what it bears."""

import math
import multiprocessing
import time

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Vector3, Wrench
from test_objects import run_commander
from world_fixture import *

from ambf_msgs.msg import RigidBodyCmd, RigidBodyState


def test_diagnostics_count_when_nobody_reads_anything_else():
    with World('adf/pendulum.yaml', watchdog_timeout=0.2) as w:
        steps = []

        def note(message):
            steps.append(int({v.key: v.value for v in message.status[0].values}['step']))

        w.node.create_subscription(DiagnosticArray, '/diagnostics', note, 10)
        w.wait_for(lambda: len(steps) > 2, 'diagnostics')
        assert len(set(steps)) == len(steps), 'the step is that of the moment'


def test_commands_are_heard_while_a_large_model_is_loaded():
    bodies = [f'BODY b{i}' for i in range(300)]
    text = 'bodies: [%s]\n' % ', '.join(bodies) + ''.join(
        f'{name}: {{name: {name[5:]}, mass: 0.0, location: {{position: {{x: {i}, y: 9, z: 0}}}}}}\n'
        for i, name in enumerate(bodies)
    )
    with World('adf/psm.yaml', watchdog_timeout=0.4) as w:
        topic = w.manifest.bodies[w.body('baselink')].topic
        client = multiprocessing.get_context('spawn').Process(target=run_commander, args=(topic,), daemon=True)
        client.start()
        trips, commander = [], []
        w.node.create_subscription(RigidBodyState, topic + '/State', lambda s: commander.append(s.commanded_by), 1)
        w.node.create_subscription(
            DiagnosticArray,
            '/diagnostics',
            lambda m: trips.append(int({v.key: v.value for v in m.status[0].values}['watchdog trips'])),
            10,
        )
        w.wait_for(lambda: commander and commander[-1] and trips, 'the commander')
        before = trips[-1]
        began = time.monotonic()
        reply = w.call(LoadModel, 'load_model', text=text)
        took = time.monotonic() - began
        assert reply.ok, reply.message
        trips.clear()
        w.wait_for(lambda: trips, 'diagnostics after the load')
        client.kill()
        client.join()
        assert trips[-1] == before, f'the watchdog let go while a model was loaded for {took:.1f} s'


def test_a_world_that_diverged_is_told_paused_and_not_edited():
    with World('adf/pendulum.yaml', mode='lockstep') as w:
        bob = next(b for b in w.manifest.bodies if b.mass > 0)
        push = RigidBodyCmd(
            name=bob.topic, cartesian_cmd_type=RigidBodyCmd.TYPE_FORCE, wrench=Wrench(force=Vector3(x=1e300))
        )
        statuses = []
        w.node.create_subscription(DiagnosticArray, '/diagnostics', lambda m: statuses.append(m.status[0]), 10)
        reply = w.step(50, body_cmds=[push])
        assert reply.code == StepWorld.Response.CODE_DIVERGED and bob.identifier in reply.message
        assert w.call(GetWorldMode, 'get_mode').mode == PAUSED
        for kind, service, fields in (
            (LoadModel, 'load_model', {'uri': description('adf/ball.yaml')}),
            (RemoveObject, 'remove', {'name': bob.name}),
            (ResetWorld, 'reset', {'scope': 1}),
        ):
            refused = w.call(kind, service, **fields)
            assert not refused.ok and 'diverged' in refused.message and 'reset' in refused.message
        assert all(math.isfinite(x) for x in w.call(QueryObject, 'query', name=bob.identifier).state)
        w.wait_for(lambda: statuses and statuses[-1].level == DiagnosticStatus.ERROR, 'an error in diagnostics')
        assert 'diverged' in statuses[-1].message
        assert w.call(ResetWorld, 'reset', scope=3).ok
        w.set_mode(LOCKSTEP)
        assert w.step(10).ok
