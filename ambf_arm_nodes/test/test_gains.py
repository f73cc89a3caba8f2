# SPDX-License-Identifier: BSD-3-Clause
"""Gains as parameters of an arm: the world's own, read and set while it runs."""

import pytest
from arm_fixture import World
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import GetParameters, ListParameters, SetParameters
from std_msgs.msg import String

from ambf_msgs.srv import SetJointGains

JOINTS = ['yaw', 'pitch', 'insertion', 'roll', 'wrist_pitch', 'wrist_yaw', 'jaw']


@pytest.fixture(scope='module')
def world():
    with World(('PSM1', 'psm', ''), models=('adf/psm.yaml',)) as made:
        made.psm = made.arm('/PSM1')
        yield made


NODE = '/PSM1'


def listed(world) -> set[str]:
    reply = world.call(ListParameters, f'{NODE}/list_parameters', True, prefixes=['gains'])
    return {name.removeprefix('gains.') for name in reply.result.names}


def value(world, joint: str) -> list[float]:
    reply = world.call(GetParameters, f'{NODE}/get_parameters', True, names=[f'gains.{joint}'])
    return list(reply.values[0].double_array_value)


def put(world, joint: str, numbers: list[float]):
    wanted = ParameterValue(type=ParameterType.PARAMETER_DOUBLE_ARRAY, double_array_value=numbers)
    parameters = [Parameter(name=f'gains.{joint}', value=wanted)]
    return world.call(SetParameters, f'{NODE}/set_parameters', True, parameters=parameters).results[0]


def in_world(world, joint: str) -> list[float]:
    reply = world.call(SetJointGains, '/ambf/env/World/set_joint_gains', True, names=[joint])
    assert reply.ok, reply.message
    return [reply.p[0], reply.i[0], reply.d[0]]


def test_each_joint_has_its_gains(world):
    world.wait_for(lambda: listed(world) == set(JOINTS), 'gains of all joints')
    assert value(world, 'yaw') == in_world(world, 'JOINT base link-yaw link')


def test_who_sets_them_changes_the_world_and_a_reset_is_read_again(world):
    world.wait_for(lambda: 'yaw' in listed(world), 'gains')
    first = value(world, 'yaw')
    stiff = [2.0 * first[0], first[1], 3.0 * first[2] + 1.0]
    assert put(world, 'yaw', stiff).successful
    world.wait_for(lambda: in_world(world, 'JOINT base link-yaw link') == stiff, 'the new gains in the world')
    assert value(world, 'yaw') == stiff
    world.reset(3)
    world.wait_for(lambda: value(world, 'yaw') == first, 'the gains of the file again')


@pytest.mark.parametrize('numbers', [[1.0], [1.0, 2.0, -0.1], [float('nan'), 0.0, 0.0], []])
def test_what_is_no_gain_is_refused_in_words(world, numbers):
    world.wait_for(lambda: 'pitch' in listed(world), 'gains')
    before = value(world, 'pitch')
    result = put(world, 'pitch', numbers)
    assert not result.successful and 'P, I and D' in result.reason
    assert value(world, 'pitch') == before


def test_tools_that_are_exchanged_take_their_gains_along_without_a_word(world):
    psm = world.psm
    psm.bring_up()
    psm.listen('tool_type')
    for tool in ('PROGRASP_FORCEPS', 'PERMANENT_CAUTERY_HOOK', 'LARGE_NEEDLE_DRIVER'):
        told = len(psm.heard['tool_type'])
        psm.say('set_tool_type', String(data=tool))
        world.wait_for(lambda: any(m.data.startswith(tool) for m in psm.heard['tool_type'][told:]), tool)
        joints = set(JOINTS) - ({'jaw'} if 'HOOK' in tool else set())
        world.wait_for(lambda: listed(world) == joints, f'gains of {sorted(joints)}')
    # Joints that were gone when they were asked for are no mistake of anybody.
    assert 'gains' not in world.arm_processes['PSM1'].output()
