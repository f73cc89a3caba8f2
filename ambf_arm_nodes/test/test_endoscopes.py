# SPDX-License-Identifier: BSD-3-Clause
"""Endoscopes with bodies: what `set_endoscope_type` asks for hangs on the ECM, and the arm does not move for it."""

import numpy
import pytest
from arm_fixture import LATCHED, World
from sensor_msgs.msg import JointState
from std_msgs.msg import String

POSTURE = [0.2, -0.1, 0.1, 0.3]


@pytest.fixture(scope='module')
def world():
    with World(('ECM', 'ecm', ''), models=('adf/ecm.yaml',)) as made:
        made.ecm = made.arm('/ECM', 'setpoint_js', 'measured_js', 'measured_cp')
        made.ecm.listen('endoscope_type', LATCHED)
        made.ecm.bring_up()
        assert made.ecm.move('move_jp', JointState(position=POSTURE))
        yield made


def models(world) -> set[str]:
    return {model.name for model in world.manifests[-1].models}


def tip_axis(world) -> numpy.ndarray:
    """z of the picture in the arm's base frame."""
    q = world.ecm.newest('measured_cp').pose.orientation
    return numpy.array([2 * (q.x * q.z + q.y * q.w), 2 * (q.y * q.z - q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)])


@pytest.mark.parametrize(
    'endoscope, file, tilt',
    [
        ('Classic_HD_UP', 'endoscope_classic_up', 30.0),
        ('Classic_HD_DOWN', 'endoscope_classic_down', 30.0),
        ('Classic_HD_STRAIGHT', 'endoscope_classic_straight', 0.0),
    ],
)
def test_the_endoscope_that_is_asked_for_hangs_on_the_arm(world, endoscope, file, tilt):
    ecm = world.ecm
    first, told = len(ecm.heard['setpoint_js']), len(ecm.heard['endoscope_type'])
    before = list(ecm.newest('setpoint_js').position)
    ecm.say('set_endoscope_type', String(data=endoscope))
    world.wait_for(
        lambda: any(m.data == endoscope for m in ecm.heard['endoscope_type'][told:]) and not ecm.states[-1].is_busy,
        endoscope,
    )
    world.wait_for(lambda: file in models(world), f'{file} in the manifest')
    assert len([name for name in models(world) if name.startswith('endoscope')]) == 1
    ecm.newest('setpoint_js')
    steps = numpy.array([m.position for m in ecm.heard['setpoint_js'][first:]]) - before
    assert numpy.abs(steps).max() < 1e-9
    # The picture of an oblique endoscope looks 30 degrees past the shaft, that of a straight one along it.
    yaw, pitch = ecm.joints()[:2]
    shaft = numpy.array([numpy.sin(yaw) * numpy.cos(pitch), -numpy.sin(pitch), -numpy.cos(yaw) * numpy.cos(pitch)])
    world.wait_for(
        lambda: abs(numpy.degrees(numpy.arccos(numpy.clip(shaft @ tip_axis(world), -1, 1))) - tilt) < 0.5,
        'the new view',
    )
    assert not ecm.heard['error']
