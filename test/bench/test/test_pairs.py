"""The arithmetic of the benchmarks."""
from ambf_bench import pairs


def test_quartiles_of_an_even_count_interpolate():
    assert pairs.quartiles([1, 2, 3, 4]) == (1.75, 2.5, 3.25)


def test_a_row_whose_quartiles_lie_on_both_sides_says_so():
    row = pairs.Row('x', 'us', ours=[1.0, 1.1, 1.3, 1.4], baseline=[1.0] * 4, bound=1.2)
    assert row.verdict.startswith('straddles')
    assert pairs.Row('x', 'us', [1.0, 1.1], [1.0, 1.0], 1.2).verdict == 'holds'
    assert pairs.Row('x', 'us', [1.5, 1.6], [1.0, 1.0], 1.2).verdict == 'missed'


def test_pairs_are_interleaved_and_alternate():
    order = []
    pairs.measure('x', 'us', lambda: order.append('o') or 1.0, lambda: order.append('b') or 1.0, pairs=3)
    assert ''.join(order) == 'boobbo'
