# SPDX-License-Identifier: BSD-3-Clause
"""Joints of every file agree with the bodies' places, and loops stay closed over their range."""

import math

import adf_mechanism as am
import numpy as np
import pytest

FILES = am.MODEL_FILES + am.PLACED_FILES


@pytest.mark.parametrize('path', FILES, ids=lambda p: f'{p.parent.name}/{p.stem}')
def test_joints_meet_within_a_micrometre_in_the_files_pose(path):
    model = am.Mechanism(path)
    for joint in model.joints:
        gap, angle = model.start_error(joint)
        assert gap < 1e-6, joint['name']
        # Nine digits of angles leave a few nanoradians per rotation.
        assert angle < 1e-6, joint['name']


@pytest.mark.parametrize('path', FILES, ids=lambda p: f'{p.parent.name}/{p.stem}')
def test_files_start_inside_their_joint_limits(path):
    model = am.Mechanism(path)
    for joint in model.joints:
        if 'low' not in joint.get('joint limits', {}):
            continue
        start = model.start_value(joint)
        low, high = joint['joint limits']['low'], joint['joint limits']['high']
        assert low < high
        assert low - 1e-6 <= start <= high + 1e-6, joint['name']


def test_the_reader_sees_a_joint_that_is_off():
    """Guards the tests above: a pivot moved by 2 micrometres fails them."""
    model = am.Mechanism(am.PACKAGE / 'adf' / 'psm.yaml')
    joint = model.loops[0]
    joint['parent pivot']['x'] += 2e-6
    assert model.start_error(joint)[0] > 1e-6


@pytest.mark.parametrize(
    'name, loops',
    [('psm', 2), ('psm_si', 2), ('ecm', 2), ('ecm_si', 2), ('mtm', 1), ('mtml', 1), ('suj_psm1', 0), ('four_bar', 1)],
)
def test_number_of_loops(name, loops):
    assert len(am.Mechanism(am.PACKAGE / 'adf' / f'{name}.yaml').loops) == loops


def test_four_bar_closes_over_a_full_turn_of_the_crank():
    model = am.Mechanism(am.PACKAGE / 'adf' / 'four_bar.yaml')
    guess = {}
    for angle in np.linspace(0.0, 2.0 * math.pi, 73):
        guess, bodies = model.close({'frame-crank': angle}, guess)
        assert np.abs(model.loop_residual(bodies)).max() < 1e-9


def test_four_bar_coupler_point_follows_freudenstein():
    """Input and output angles obey K1 cos(o) - K2 cos(i) + K3 = cos(i - o)."""
    a, b, c, d = 0.10, 0.25, 0.22, 0.30  # crank, coupler, rocker, ground
    k1, k2, k3 = d / a, d / c, (a * a - b * b + c * c + d * d) / (2 * a * c)
    model = am.Mechanism(am.PACKAGE / 'adf' / 'four_bar.yaml')
    guess = {}
    for angle in np.linspace(0.0, 2.0 * math.pi, 25):
        guess, bodies = model.close({'frame-crank': angle}, guess)
        crank = bodies['BODY crank']
        pivot = crank @ np.append(am.xyz(model.data['JOINT crank-coupler']['parent pivot']), 1)
        rocker = bodies['BODY rocker']
        end = rocker @ np.append(am.xyz(model.data['JOINT coupler-rocker']['child pivot']), 1)
        arm, out = (pivot - crank[:, 3])[:3], (end - rocker[:, 3])[:3]
        i, o = math.atan2(arm[2], arm[0]), math.atan2(out[2], out[0])
        assert k1 * math.cos(o) - k2 * math.cos(i) + k3 == pytest.approx(math.cos(i - o), abs=1e-7)


@pytest.mark.parametrize('name', ['mtmr', 'mtml'])
def test_elbow_parallelogram_of_the_master_closes_over_its_range(name):
    model = am.Mechanism(am.PACKAGE / 'adf' / f'{name}.yaml')
    shoulder = model.data['JOINT outer yaw link-upper arm link']
    elbow = model.data['JOINT upper arm link-forearm link']
    driven = {j['name']: 0.0 for j in model.driven()}
    for s in np.linspace(*shoulder['joint limits'].values(), 5):
        for e in np.linspace(*elbow['joint limits'].values(), 7):
            q, bodies = model.close({**driven, shoulder['name']: s, elbow['name']: e})
            assert np.abs(model.loop_residual(bodies)).max() < 1e-8
            # The crank stays parallel to the forearm.
            assert q['outer yaw link-crank link'] == pytest.approx(s + e, abs=1e-6)
            for joint in model.tree:
                low, high = joint['joint limits']['low'], joint['joint limits']['high']
                assert low - 1e-6 <= q[joint['name']] <= high + 1e-6, joint['name']
