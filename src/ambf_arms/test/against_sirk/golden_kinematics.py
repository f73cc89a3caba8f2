#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes golden_kinematics.hpp: poses and Jacobians of the dVRK's arms by KDL, from the published tables.

Usage: golden_kinematics.py > golden_kinematics.hpp

Needs PyKDL (Debian: python3-pykdl). The rows are those of the dVRK user guide, as sawIntuitiveResearchKit 2.4 uses
them, with exact right angles. Nothing of ambf_arms is used.
"""

import math

import PyKDL as kdl

Q = math.pi / 2
# alpha, a, d, theta at zero, does it slide
REMOTE_CENTRE = [(Q, 0, 0, Q, False), (-Q, 0, 0, -Q, False)]


def psm(insertion: float, shaft: float) -> list[tuple]:
    """With a large needle driver."""
    tool = [(0, 0, shaft, 0, False), (-Q, 0, 0, -Q, False), (-Q, 0.0091, 0, -Q, False)]
    return [*REMOTE_CENTRE, (Q, 0, insertion, 0, True), *tool]


ECM = [*REMOTE_CENTRE, (Q, 0, -0.3822, 0, True), (0, 0, 0.3829, 0, False)]
MTM = [
    (Q, 0, 0, -Q, False),
    (0, 0.2794, 0, -Q, False),
    (-Q, 0.3645, 0, Q, False),
    (Q, 0, 0.1506, 0, False),
    (-Q, 0, 0, 0, False),
    (Q, 0, 0, -Q, False),
    (0, 0, 0, Q, False),
]
WRIST_TIP = kdl.Frame(kdl.Rotation(0, -1, 0, 0, 0, 1, -1, 0, 0))
SCOPE_UP = kdl.Frame(kdl.Rotation.RotZ(-Q) * kdl.Rotation.RotX(-math.radians(30)))
# Name, rows, Craig's convention, tip, postures.
ARMS = [
    (
        'PSM Classic',
        psm(-0.4318, 0.4162),
        True,
        WRIST_TIP,
        [(0, 0, 0.12, 0, 0, 0), (0.3, -0.2, 0.15, 0.5, -0.4, 0.6), (-1.2, 0.8, 0.23, -3.1, 1.1, -1.2)],
    ),
    ('PSM Si', psm(-0.4826, 0.467), True, WRIST_TIP, [(0.3, -0.2, 0.15, 0.5, -0.4, 0.6), (2.5, 1.2, 0.28, 4, -1.3, 1)]),
    ('ECM', ECM, True, SCOPE_UP, [(0.3, -0.2, 0.1, 0.5), (-1.3, 1.0, 0.24, -1.4)]),
    ('MTM', MTM, False, kdl.Frame.Identity(), [(0.2, 0.3, -0.1, 0.5, 0.4, -0.3, 1), (-1, 1.1, 0.6, 3, -1.5, 0.7, -5)]),
]


def chain_of(rows: list[tuple], craig: bool, tip: kdl.Frame) -> kdl.Chain:
    """KDL's joint is in front of the constant transform of its segment."""
    chain = kdl.Chain()
    for alpha, a, d, theta, slides in rows:
        joint = kdl.Joint(kdl.Joint.TransZ if slides else kdl.Joint.RotZ)
        if craig:
            chain.addSegment(kdl.Segment(kdl.Joint(kdl.Joint.Fixed), kdl.Frame.DH_Craig1989(a, alpha, d, theta)))
            chain.addSegment(kdl.Segment(joint, kdl.Frame.Identity()))
        else:
            chain.addSegment(kdl.Segment(joint, kdl.Frame.DH(a, alpha, d, theta)))
    chain.addSegment(kdl.Segment(kdl.Joint(kdl.Joint.Fixed), tip))
    return chain


def numbers(values) -> str:
    rounded = [0.0 if abs(value) < 1e-14 else value for value in values]
    return '{' + ', '.join(f'{value:.13g}' for value in rounded) + '}'


def entry(name: str, chain: kdl.Chain, q: tuple) -> str:
    n = len(q)
    joints = kdl.JntArray(n)
    for i, value in enumerate(q):
        joints[i] = value
    tip, jacobian = kdl.Frame(), kdl.Jacobian(n)
    assert kdl.ChainFkSolverPos_recursive(chain).JntToCart(joints, tip) == 0
    assert kdl.ChainJntToJacSolver(chain).JntToJac(joints, jacobian) == 0
    body, spatial = kdl.Jacobian(jacobian), kdl.Jacobian(jacobian)
    body.changeBase(tip.M.Inverse())
    spatial.changeRefPoint(-tip.p)
    pose = [x for i in range(3) for x in (*(tip.M[i, k] for k in range(3)), tip.p[i])]
    parts = [numbers(q), numbers(pose)]
    parts += [numbers(j[row, column] for row in range(6) for column in range(n)) for j in (body, spatial)]
    return f'  {{"{name}",\n   ' + ',\n   '.join(parts) + '},\n'


HEAD = """\
// SPDX-License-Identifier: BSD-3-Clause
// Written by golden_kinematics.py with PyKDL 1.5.1 (Debian 12) from the published rows; nothing of ambf_arms took part.
#pragma once

#include <vector>

// clang-format off
namespace ambf_arms::test
{

/// Matrices row by row: the upper three rows of T_base_tip, and the six of each Jacobian (linear, then angular).
struct GoldenPosture
{
  const char * arm;
  std::vector<double> q, tip, body_jacobian, spatial_jacobian;
};

inline const std::vector<GoldenPosture> golden_postures{
"""
TAIL = """\
};

}  // namespace ambf_arms::test
// clang-format on
"""


def main():
    print(HEAD, end='')
    for name, rows, craig, tip, postures in ARMS:
        chain = chain_of(rows, craig, tip)
        print(''.join(entry(name, chain, q) for q in postures), end='')
    print(TAIL, end='')


if __name__ == '__main__':
    main()
