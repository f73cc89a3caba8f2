# SPDX-License-Identifier: BSD-3-Clause
"""Tools and endoscopes are exchanged in a running world, and the arm does not notice.

The steps are those that ambf_description says a `set_tool_type` has to take.
"""

import pathlib

import numpy as np
import pytest
from geometry_msgs.msg import Point, Pose, Quaternion
from world_fixture import *

TOOL = [f'BODY tool {part} link' for part in ('roll', 'pitch', 'yaw', 'gripper1', 'gripper2')]
# What the arm may move by while a tool is exchanged, and in the 0.2 s after [m].
UNDISTURBED = 5e-5


@pytest.fixture(scope='module')
def world():
    with World(world=description('worlds/patient_cart/launch.yaml'), mode='lockstep') as w:
        yield w


def pose(world, identifier: str) -> np.ndarray:
    """Position and quaternion of a body."""
    found = world.call(QueryObject, 'query', name=identifier)
    assert found.ok, found.message
    return np.array(found.state[:7])


def edit(world, kind, service: str, **fields):
    reply = world.call(kind, service, **fields)
    assert reply.ok, reply.message
    world.wait_for(lambda: world.manifest.revision == reply.manifest_revision, 'the manifest')
    return reply


def exchange(world, arm: str, old: list, file: str) -> str:
    """Take the old tool off, put the new one on; the name of its model."""
    for name in old:
        edit(world, RemoveObject, 'remove', name=name)
    at = pose(world, f'/ambf/env/{arm}/BODY main insertion link').tolist()
    reply = edit(
        world,
        LoadModel,
        'load_model',
        uri=f'package://ambf_description/tools/{file}.yaml',
        ns=arm,
        pose=Pose(
            position=Point(x=at[0], y=at[1], z=at[2]), orientation=Quaternion(x=at[3], y=at[4], z=at[5], w=at[6])
        ),
    )
    assert not reply.warnings, reply.warnings
    return reply.names[0]


def joints_of(world, arm: str) -> list:
    """Identifiers of an arm's joints, without its place."""
    place = f'/ambf/env/{arm}/'
    return [j.identifier[len(place) :] for j in world.manifest.joints if j.identifier.startswith(place)]


def move(world, arm: str, goals: dict):
    """Position commands to joints, a second of simulated time."""
    names = [j.identifier for j in world.manifest.joints]
    index = [names.index(f'/ambf/env/{arm}/JOINT {j}') for j in goals]
    reply = world.step(1000, joints=index, joint_modes=[POSITION] * len(index), joint_values=list(goals.values()))
    assert reply.ok, reply.message


def files(kind: str) -> list:
    folder = pathlib.Path(description('tools'))
    return sorted(p.stem for p in folder.glob(kind))


def test_every_tool_of_the_classic_arm_is_put_on_and_taken_off(world):
    move(world, 'psm1', {'yaw link-pitch back link': 0.2, 'pitch end link-main insertion link': 0.12})
    assert world.step(1000).ok  # at rest
    bodies = ['BODY pitch end link', 'BODY main insertion link', 'BODY base link']
    before = {b: pose(world, f'/ambf/env/psm1/{b}') for b in bodies}
    neighbour = pose(world, '/ambf/env/psm2/BODY tool yaw link')
    old = [f'/ambf/env/psm1/{b}' for b in TOOL]
    first, worst = joints_of(world, 'psm1'), 0.0
    tools = files('*_40*')
    assert len(tools) == 11
    for file in tools + ['large_needle_driver_400006']:
        old = [exchange(world, 'psm1', old, file)]
        assert world.step(200).ok
        for body, place in before.items():
            now = pose(world, f'/ambf/env/psm1/{body}')
            worst = max(worst, np.abs(now - place).max())
        # The wrist is below the carriage, on its axis, and no longer part of the old tool.
        carriage, tip = before['BODY main insertion link'], pose(world, '/ambf/env/psm1/BODY tool yaw link')
        assert 0.40 < np.linalg.norm(tip[:3] - carriage[:3]) < 0.44, file
    print(f'the arm moved by {1e3 * worst:.5f} mm at most in {len(tools) + 1} exchanges')
    assert worst < UNDISTURBED
    # With the first tool on again the arm has the joints that it had, under the same names.
    assert sorted(joints_of(world, 'psm1')) == sorted(first)
    assert np.abs(pose(world, '/ambf/env/psm2/BODY tool yaw link') - neighbour).max() < UNDISTURBED
    # They obey: the wrist turns.
    rest = pose(world, '/ambf/env/psm1/BODY tool yaw link')
    move(world, 'psm1', {'tool roll link-tool pitch link': 0.5})
    assert np.linalg.norm(pose(world, '/ambf/env/psm1/BODY tool yaw link')[:3] - rest[:3]) == pytest.approx(
        2 * 0.0091 * np.sin(0.25), abs=1e-4
    )


def test_endoscopes_are_exchanged_with_their_cameras(world):
    before = pose(world, '/ambf/env/ecm/BODY main insertion link')
    old, looks = ['/ambf/env/ecm/BODY tool link'], set()
    cameras = [c.identifier for c in world.manifest.cameras if 'endoscope' in c.identifier]
    for file in ['endoscope_classic_up', 'endoscope_classic_down', 'endoscope_classic_straight']:
        old = [exchange(world, 'ecm', old, file)]
        assert world.step(200).ok
        assert np.abs(pose(world, '/ambf/env/ecm/BODY main insertion link') - before).max() < UNDISTURBED
        found = [c.identifier for c in world.manifest.cameras if 'endoscope' in c.identifier]
        assert sorted(found) == sorted(cameras) and len(found) == 2, found
        looks.add(tuple(np.round(pose(world, found[0])[3:], 6)))
    assert len(looks) == 3
