# SPDX-License-Identifier: BSD-3-Clause
"""What the look at a world's time makes of stalls, slip and drift."""

import pytest

from ambf_bench.drift import Look, analyse


def looks(step_at, slip_at=lambda t: 0.0, seconds=60.0, within=0.0003):
    return [Look(0.02 * i, int(step_at(0.02 * i)), within, slip_at(0.02 * i)) for i in range(int(seconds * 50))]


def test_a_world_on_time_has_no_slope_and_no_stall():
    drift = analyse(looks(lambda t: 1000 * t + 0.5))
    assert drift.slope_error < 1e-9 and drift.stalls == 0 and drift.near == 1.0


def test_a_drift_is_found():
    # Whole steps only: over a minute the rounding is worth a few 1e-6.
    drift = analyse(looks(lambda t: 1000 * t * (1 + 1e-4)))
    assert drift.slope_error == pytest.approx(1e-4, rel=0.1)
    assert min(drift.without_a_tenth) > 5e-5


def test_a_stall_that_is_made_up_for_is_counted_and_forgiven():
    drift = analyse(looks(lambda t: 1000 * (t if not 30 < t < 30.09 else 30)))
    assert drift.stalls == 1 and drift.not_made_up == 0
    assert 0.05 < drift.excursion < 0.09 and drift.longest_stall < 0.2


def test_time_that_is_lost_and_told_later_is_no_stall():
    lost = 0.05
    drift = analyse(looks(lambda t: 1000 * (t - (lost if t > 30 else 0)), lambda t: lost if t > 30.9 else 0.0))
    assert drift.stalls == 0 and drift.slope_error < 1e-6


def test_time_that_is_lost_and_never_told_is_not_made_up():
    drift = analyse(looks(lambda t: 1000 * (t - (0.05 if t > 40 else 0))))
    assert drift.not_made_up == 1


def test_looks_that_took_too_long_prove_nothing():
    wild = looks(lambda t: 1000 * t)
    wild[1500].within, wild[1500].step = 0.1, wild[1500].step - 90
    assert analyse(wild).stalls == 0
    with pytest.raises(ValueError, match='of use'):
        analyse(looks(lambda t: 1000 * t, within=0.01))
