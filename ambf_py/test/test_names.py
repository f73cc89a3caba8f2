# SPDX-License-Identifier: BSD-3-Clause
"""Objects are found by name, identifier, topic or a unique part; otherwise the message helps."""

import math

import numpy as np
import pytest

from ambf_py import names
from ambf_py.errors import AmbiguousName, BadValue, UnknownObject
from ambf_py.rotations import (
    matrix_from_quaternion,
    pose_of,
    quaternion_from_matrix,
    quaternion_from_rpy,
    rpy_from_quaternion,
    transform,
    vector,
)

WORLD = [
    ['/ambf/env/psm1/baselink', 'baselink', 'BODY base link'],
    ['/ambf/env/psm1/yawlink', 'yawlink', 'BODY yaw link'],
    ['/ambf/env/psm2/baselink', 'baselink', 'BODY base link'],
    ['/ambf/env/needle', 'needle', 'BODY needle'],
]


@pytest.mark.parametrize(
    'name, index',
    [
        ('/ambf/env/psm1/baselink', 0),
        ('psm1/baselink', 0),
        ('psm2/base link', 2),
        ('yawlink', 1),
        ('BODY yaw link', 1),
        ('yaw', 1),
        ('needle', 3),
        ('/ambf/env/needle/', 3),
        ('psm1/baselink/', 0),
    ],
)
def test_a_name_finds_its_object(name, index):
    assert names.find(name, WORLD) == index


def test_an_ambiguous_name_lists_what_it_may_mean():
    with pytest.raises(AmbiguousName, match='psm1/baselink.*psm2/baselink'):
        names.find('baselink', WORLD)


def test_an_unknown_name_offers_the_nearest():
    with pytest.raises(UnknownObject, match="did you mean '/ambf/env/needle'"):
        names.find('neddle', WORLD)


def test_an_empty_name_is_refused():
    with pytest.raises(UnknownObject):
        names.find('  ', WORLD)


@pytest.mark.parametrize(
    'values, words',
    [([1, 2], 'found 2 numbers, expected 3'), ([1, 2, math.nan], 'finite'), ('abc', 'expected 3 numbers')],
)
def test_a_vector_of_the_wrong_kind_is_refused(values, words):
    with pytest.raises(BadValue, match=words):
        vector(values, 3, 'force')


def test_rotations_return_to_where_they_came_from():
    rng = np.random.default_rng(0)
    for _ in range(200):
        angles = rng.uniform([-math.pi, -1.5, -math.pi], [math.pi, 1.5, math.pi])
        quaternion = quaternion_from_rpy(*angles)
        # Rounding near the poles costs a few digits.
        assert np.allclose(rpy_from_quaternion(quaternion), angles, atol=1e-9)
        again = quaternion_from_matrix(matrix_from_quaternion(quaternion))
        assert abs(abs(again @ quaternion) - 1.0) < 1e-12
        pose = np.concatenate([angles, quaternion])
        assert np.allclose(transform(pose_of(transform(pose))), transform(pose), atol=1e-12)


def test_yaw_turns_x_towards_y():
    assert np.allclose(matrix_from_quaternion(quaternion_from_rpy(0, 0, math.pi / 2)) @ [1, 0, 0], [0, 1, 0])


def test_dir_lists_also_what_is_loaded_only_when_it_is_used():
    import subprocess
    import sys

    listed = subprocess.run(
        [sys.executable, '-c', 'import ambf_py; print(*dir(ambf_py))'], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {'Client', 'World', 'AmbfEnv', 'BadValue'} <= set(listed)


@pytest.mark.parametrize(
    'name',
    [
        '/ambf/env/left/baselink-yawlink',
        'left/baselink-yawlink',
        'baselink-yawlink',
        'psm/baselink-yawlink',
        'JOINT base link-yaw link',
    ],
)
def test_a_joint_is_called_as_a_body_is(name):
    identifier = '/ambf/env/left/JOINT base link-yaw link'
    full = f'{names.joint_place(identifier)}/baselink-yawlink'
    assert (
        names.find(
            name,
            [
                names.aliases(full, 'baselink-yawlink', identifier, 'psm'),
                names.aliases('/ambf/env/other', 'other', '/ambf/env/JOINT other', 'box'),
            ],
        )
        == 0
    )
