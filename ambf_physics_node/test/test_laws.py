# SPDX-License-Identifier: BSD-3-Clause
"""Gains of joints and gravity compensation while the world runs, and accelerations of joints."""

import math

import pytest
from world_fixture import *

from ambf_msgs.srv import ReadWorld

HINGE = """
bodies: [BODY base, BODY link]
joints: [JOINT hinge]
BODY base: {name: base, mass: 0.0, location: {position: {x: 3.0, y: 0.0, z: 1.0}, orientation: {r: 0, p: 0, y: 0}}}
BODY link: {name: link, mass: 1.0, inertia: {ix: 0.1, iy: 0.1, iz: 0.1}, damping: {linear: 0.0, angular: 0.0},
  location: {position: {x: 3.5, y: 0.0, z: 1.0}, orientation: {r: 0, p: 0, y: 0}}}
JOINT hinge: {name: hinge, type: revolute, parent: BODY base, child: BODY link,
  parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: -0.5, y: 0, z: 0}, parent axis: {x: 0, y: 1, z: 0},
  child axis: {x: 0, y: 1, z: 0}, damping: 0.0, joint limits: {low: -3.0, high: 3.0},
  controller: {P: 100.0, I: 0.0, D: 20.0}, controller output type: FORCE, max motor impulse: 0.5}
"""


@pytest.fixture(scope='module')
def world():
    with World('adf/psm.yaml', mode='lockstep') as w:
        reply = w.call(LoadModel, 'load_model', text=HINGE, name='arm')
        assert reply.ok, (reply.message, reply.errors)
        w.wait_for(lambda: w.manifest.revision == reply.manifest_revision, 'the manifest')
        yield w


@pytest.fixture
def hinge(world):
    """Its index; the world begins anew."""
    assert world.call(ResetWorld, 'reset').ok
    return world.joint('hinge')


def gains(world, **fields):
    return world.call(SetJointGains, 'set_joint_gains', **fields)


def angle(world, joint, steps, mode=POSITION, value=0.0):
    reply = world.step(steps, joints=[joint], joint_modes=[mode], joint_values=[value], observe_all=True)
    assert reply.ok, reply.message
    return reply.joints[3 * joint], reply


def test_all_gains_can_be_read(world, hinge):
    reply = gains(world)
    assert reply.ok and 0 < len(reply.names) <= len(world.manifest.joints)
    assert len(reply.p) == len(reply.i) == len(reply.d) == len(reply.outputs) == len(reply.names)
    at = [i for i, name in enumerate(reply.names) if name.endswith('hinge')]
    assert len(at) == 1
    assert (reply.p[at[0]], reply.i[at[0]], reply.d[at[0]], reply.outputs[at[0]]) == (100.0, 0.0, 20.0, 'effort')


def test_stiffer_gains_let_it_sag_less_and_a_reset_brings_the_files_back(world, hinge):
    # P q = weight * cos(q)
    soft, reply = angle(world, hinge, 3000)
    assert 100.0 * soft == pytest.approx(9.8 * 0.5 * math.cos(soft), rel=0.02)
    before = reply.state_hash
    changed = gains(world, names=['hinge'], p=[1000.0])
    assert changed.ok and (list(changed.p), list(changed.d)) == ([1000.0], [20.0]), 'what is left out stays'
    assert changed.step == reply.step
    assert world.call(ReadWorld, 'read').state_hash != before, 'the next step reads it'
    stiff, _ = angle(world, hinge, 3000)
    assert 1000.0 * stiff == pytest.approx(9.8 * 0.5 * math.cos(stiff), rel=0.02)
    assert world.call(SaveState, 'save_state', name='stiff').ok
    assert world.call(ResetWorld, 'reset').ok
    assert list(gains(world, names=['hinge'], p=[], i=[], d=[]).p) == [100.0]
    assert world.call(RestoreState, 'restore_state', name='stiff').ok
    assert list(gains(world, names=['hinge']).p) == [1000.0]


@pytest.mark.parametrize(
    'fields, words',
    [
        (dict(names=['hinge'], p=[-1.0]), 'below 0 or not finite'),
        (dict(names=['hinge'], d=[math.nan]), 'below 0 or not finite'),
        (dict(names=['hinge'], i=[math.inf]), 'below 0 or not finite'),
        (dict(names=['hinges'], p=[1.0]), 'nearest: hinge'),
        (dict(names=['hinge'], p=[1.0, 2.0]), 'expected equal lengths'),
        (dict(names=[], p=[1.0]), 'expected equal lengths'),
        (dict(names=['hinge', 'no such joint'], p=[1.0, 1.0]), 'names[1]'),
    ],
)
def test_gains_that_make_no_sense_are_refused_whole(world, hinge, fields, words):
    reply = gains(world, **fields)
    assert not reply.ok and words in reply.message, reply.message
    assert list(gains(world, names=['hinge']).p) == [100.0]


def test_a_model_floats_while_gravity_is_compensated(world, hinge):
    def compensate(models, on=False):
        return world.call(SetGravityCompensation, 'set_gravity_compensation', models=models, compensate=on)

    reply = compensate(['arm'], True)
    assert reply.ok and list(reply.weightless) == ['arm'], reply.message
    still, _ = angle(world, hinge, 500, RELEASE)
    assert still == 0.0
    assert list(compensate([]).weightless) == ['arm'], 'asking changes nothing'
    assert world.call(SaveState, 'save_state', name='floating').ok
    assert list(compensate(['arm'], False).weightless) == []
    fallen, _ = angle(world, hinge, 200, RELEASE)
    assert fallen > 0.05
    assert world.call(RestoreState, 'restore_state', name='floating').ok
    assert angle(world, hinge, 200, RELEASE)[0] == 0.0
    assert world.call(ResetWorld, 'reset').ok
    assert list(compensate([]).weightless) == []
    refused = compensate(['arn'], True)
    assert not refused.ok and 'nearest: arm' in refused.message


def test_an_acceleration_gives_the_parabola(world, hinge):
    q, reply = angle(world, hinge, 1000, ACCELERATION, 1.5)
    assert q == pytest.approx(0.75, rel=2e-3)
    assert reply.joints[3 * hinge + 1] == pytest.approx(1.5, rel=1e-6)
