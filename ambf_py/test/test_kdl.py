# SPDX-License-Identifier: BSD-3-Clause
"""Frames for scripts that were written with PyKDL."""

import math

import numpy as np
import pytest

from ambf_py.PyKDL import Equal, Frame, Rotation, SetToZero, Twist, Vector, Wrench, addDelta, diff, dot


@pytest.fixture(params=range(20))
def frames(request):
    rng = np.random.default_rng(request.param)

    def frame():
        return Frame(Rotation.RPY(*rng.uniform(-1.5, 1.5, 3)), Vector(*rng.normal(size=3)))

    return frame(), frame()


def test_vectors_are_added_scaled_and_crossed():
    x, y = Vector(1, 0, 0), Vector(0, 1, 0)
    assert x * y == Vector(0, 0, 1) and dot(x, y) == 0.0 and -x + x == Vector.Zero()
    assert 2 * x == x * 2 == np.float64(2.0) * x == x + x and (x / 2)[0] == 0.5
    v = Vector(3, 0, 4)
    assert v.Norm() == 5.0 and v.Normalize() == 5.0 and v.z() == pytest.approx(0.8) and list(v)[1] == 0.0
    v.x(7)
    v[1] = 8
    assert v[0:2] == [7.0, 8.0] and len(v) == 3 and '7' in repr(v)


def test_rotations_go_to_angles_and_quaternions_and_back(frames):
    rotation = frames[0].M
    assert Rotation.RPY(*rotation.GetRPY()) == rotation == Rotation.EulerZYX(*rotation.GetEulerZYX())
    assert Rotation.Quaternion(*rotation.GetQuaternion()) == rotation
    angle, axis = rotation.GetRotAngle()
    assert Rotation.Rot(axis, angle) == rotation and rotation.GetRot() == axis * angle
    assert Rotation(rotation.UnitX(), rotation.UnitY(), rotation.UnitZ()) == rotation
    assert rotation * rotation.Inverse() == Rotation.Identity()


def test_pitch_at_the_pole_gives_the_same_rotation():
    rotation = Rotation.RPY(0.3, math.pi / 2, 0.1)
    assert Rotation.RPY(*rotation.GetRPY()) == rotation


def test_yaw_turns_x_towards_y():
    assert Rotation.RotZ(math.pi / 2) * Vector(1, 0, 0) == Vector(0, 1, 0)
    assert Rotation.RotX(math.pi / 2) * Vector(0, 1, 0) == Vector(0, 0, 1)
    turned = Rotation()
    turned.DoRotY(math.pi / 2)
    assert turned * Vector(0, 0, 1) == Vector(1, 0, 0) and turned[0, 2] == pytest.approx(1.0)


def test_frames_are_chained_and_inverted(frames):
    a, b = frames
    point = Vector(0.1, -0.2, 0.3)
    assert (a * b) * point == a * (b * point) and a * a.Inverse() == Frame.Identity()
    assert a.Inverse() * (a * point) == point == a.Inverse(a * point) and a[1, 3] == a.p[1] and a[0, 2] == a.M[0, 2]
    assert addDelta(a, diff(a, b)) == b and diff(a.p, b.p, 2.0) == (b.p - a.p) / 2.0


def test_a_force_at_a_distance_is_a_torque():
    moved = Frame(Vector(1, 0, 0)) * Wrench(Vector(0, 1, 0), Vector())
    assert moved.torque == Vector(0, 0, 1) and moved.force == Vector(0, 1, 0) and moved[5] == 1.0
    assert (Frame(Vector(0, 1, 0)) * Twist(Vector(), Vector(0, 0, 1))).vel == Vector(1, 0, 0)


def test_links_by_denavit_and_hartenberg():
    a, alpha, d, theta = 0.2, 0.3, 0.4, 0.5
    turn, lift = Frame(Rotation.RotZ(theta)), Frame(Vector(0, 0, d))
    slide, tilt = Frame(Vector(a, 0, 0)), Frame(Rotation.RotX(alpha))
    assert Frame.DH(a, alpha, d, theta) == turn * lift * slide * tilt
    assert Frame.DH_Craig1989(a, alpha, d, theta) == tilt * slide * turn * lift


def test_numbers_of_a_frame_are_read_and_set(frames):
    a, b = frames
    for row in range(3):
        for column in range(4):
            b[(row, column)] = a[row, column]
    assert a == b and a[3, 3] == 1.0 and a[3, 0] == 0.0
    with pytest.raises(IndexError):
        b[(3, 0)] = 1.0
    rotation = Rotation()
    for axis, unit in enumerate((rotation.UnitX, rotation.UnitY, rotation.UnitZ)):
        unit((a.M.UnitX(), a.M.UnitY(), a.M.UnitZ())[axis])
    assert rotation == a.M
    rotation.SetInverse()
    assert rotation == a.M.Inverse()


def test_pairs_are_compared_turned_and_moved(frames):
    a, b = frames
    twist, wrench = Twist(a.p, b.p), Wrench(b.p, a.p)
    assert twist == Twist(a.p, b.p) and twist != Twist(b.p, a.p) and twist != Wrench(a.p, b.p)
    assert Equal(twist, twist + Twist(Vector(1e-9, 0, 0), Vector()), 1e-6) and not Equal(twist, 2 * twist, 1e-6)
    assert Equal(a, Frame(a)) and not Equal(a, b) and Equal(a.M, a.M, 1e-9) and Equal(a.p, a.p) and not Equal(a.p, a.M)
    # Power does not depend on the point, nor on the frame, in which both are given.
    shift = Vector(0.3, -0.2, 0.1)
    power = dot(twist, wrench)
    assert power == pytest.approx(dot(a.p, b.p) * 2)
    assert dot(twist.RefPoint(shift), wrench.RefPoint(shift)) == pytest.approx(power)
    assert dot(a.M * twist, a.M * wrench) == pytest.approx(power) == dot(wrench, twist)
    SetToZero(twist)
    assert twist == Twist.Zero()
    v = Vector(1, 2, 3)
    v.ReverseSign()
    assert v == Vector(-1, -2, -3)


@pytest.mark.parametrize('angles', [(0.3, 0.4, 0.5), (-2.0, 1.0, 3.0), (0.7, 0.0, 0.0), (0.7, math.pi, 0.0)])
def test_angles_about_z_y_z_come_back(angles):
    rotation = Rotation.EulerZYZ(*angles)
    assert Rotation.EulerZYZ(*rotation.GetEulerZYZ()) == rotation
    assert np.allclose(rotation.GetEulerZYZ(), angles, atol=1e-9)


def test_a_frame_moves_with_a_twist(frames):
    a = Frame(frames[0])
    a.Integrate(Twist(Vector(2, 0, 0), Vector(0, 0, math.pi)), 2.0)
    assert a == frames[0] * Frame(Rotation.RotZ(math.pi / 2), Vector(1, 0, 0))
    a.Integrate(Twist(Vector(0, 2, 0), Vector()), 2.0)
    assert a == frames[0] * Frame(Rotation.RotZ(math.pi / 2), Vector(0, 0, 0))


def test_scripts_for_numpy_1_find_its_matrices():
    assert np.mat([[1, 2]]).T.shape == (2, 1)


def test_an_array_of_one_number_is_taken_for_it():
    v = Vector(np.array([1.0]), np.array([[2.0]]), 3)
    assert [v[0], v[1], v[2]] == [1.0, 2.0, 3.0]
    assert Rotation.RPY(np.array([0.1]), 0.2, np.array([0.3])).GetRPY() == pytest.approx((0.1, 0.2, 0.3))
    with pytest.raises(ValueError):
        Vector(np.array([1.0, 2.0]))
