# SPDX-License-Identifier: BSD-3-Clause
"""The arithmetic of the benchmarks."""

import itertools

from ambf_bench import pairs


def test_quartiles_of_an_even_count_interpolate():
    assert pairs.quartiles([1, 2, 3, 4]) == (1.75, 2.5, 3.25)


def test_a_row_whose_quartiles_lie_on_both_sides_says_so():
    row = pairs.Row('x', 'us', ours=[1.0, 1.1, 1.3, 1.4], baseline=[1.0] * 4, bound=1.2)
    assert row.verdict.startswith('straddles')
    assert pairs.Row('x', 'us', [1.0, 1.1], [1.0, 1.0], 1.2).verdict == 'holds'
    assert pairs.Row('x', 'us', [1.5, 1.6], [1.0, 1.0], 1.2).verdict == 'MISSED'


def test_lower_bounds_and_differences():
    assert pairs.Row('x', 'Hz', [99.0, 98.0], [], 97.0, at_least=True).verdict == 'holds'
    assert pairs.Row('x', 'Hz', [99.0, 98.0], [], 99.5, at_least=True).verdict == 'MISSED'
    assert pairs.Row('x', 'Hz', [90.0, 99.0, 110.0], [], 100.0, at_least=True).verdict == 'straddles (median misses)'
    assert pairs.Row('x', 'us', [30.0, 31.0], [20.0, 20.0], 15.0, difference=True).verdict == 'holds'


def test_pairs_are_interleaved_and_alternate():
    order = []
    pairs.measure('x', 'us', lambda: order.append('o') or 1.0, lambda: order.append('b') or 1.0, pairs=3)
    assert ''.join(order) == 'boobbo'


def test_a_straddling_row_takes_more_pairs_up_to_its_limit():
    undecided = itertools.cycle([1.0, 1.4])
    assert len(pairs.measure('x', 'us', lambda: next(undecided), lambda: 1.0, 7, 1.2).ours) == 21
    settling = itertools.chain([1.0, 1.4, 1.4], itertools.repeat(1.0))
    assert len(pairs.measure('x', 'us', lambda: next(settling), lambda: 1.0, 3, 1.2).ours) == 9
    assert len(pairs.measure('x', 'us', lambda: 1.0, lambda: 1.0, 7, 1.2).ours) == 7


def test_lines_and_tables_name_verdict_spread_and_bound():
    row = pairs.Row('one process', 'us', [30.0, 31.0, 32.0], [20.0] * 3, 15.0, difference=True, beside='an empty call')
    assert (
        pairs.line(row).split()
        == ('holds one process: +11 [10.5 11.5] us, <= 15 (an empty call: 31 beside 20 us), 3 pairs').split()
    )
    assert pairs.markdown([row]).splitlines()[2] == (
        '| one process | +11 [10.5 11.5] us | an empty call: 31 beside 20 us | <= 15 | holds |'
    )
