# SPDX-License-Identifier: BSD-3-Clause
"""Figures against their bounds: medians with quartiles, of interleaved pairs where there is a baseline."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import statistics
import sys
import time
from collections.abc import Callable, Sequence


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Lower quartile, median and upper quartile, with linear interpolation.

    >>> quartiles([1, 2, 3, 4, 5])
    (2.0, 3.0, 4.0)
    """
    if len(values) == 1:
        return (float(values[0]),) * 3
    low, middle, high = statistics.quantiles(values, n=4, method='inclusive')
    return low, middle, high


@dataclasses.dataclass
class Row:
    """One line of the table: our figure, the baseline's, and the ratio of each pair."""

    name: str
    unit: str
    ours: list[float]
    baseline: list[float]  # empty: the figure itself is judged
    bound: float | None = None
    at_least: bool = False  # the bound is a lower one
    difference: bool = False  # ours minus the baseline is judged, not their ratio
    beside: str = ''  # what the figure stands beside, in words

    @property
    def ratios(self) -> list[float]:
        return [a / b for a, b in zip(self.ours, self.baseline)]

    @property
    def values(self) -> list[float]:
        """What is judged: one figure for each pair."""
        if not self.baseline:
            return self.ours
        return [a - b for a, b in zip(self.ours, self.baseline)] if self.difference else self.ratios

    @property
    def verdict(self) -> str:
        """`holds`, `MISSED`, or `straddles` where the quartiles lie on both sides of the bound."""
        if self.bound is None:
            return ''
        sign = -1.0 if self.at_least else 1.0
        low, middle, high = sorted(sign * value for value in quartiles(self.values))
        if high <= sign * self.bound:
            return 'holds'
        if low > sign * self.bound:
            return 'MISSED'
        return 'straddles (median %s)' % ('holds' if middle <= sign * self.bound else 'misses')

    @property
    def bound_text(self) -> str:
        return '' if self.bound is None else f'{">=" if self.at_least else "<="} {short(self.bound)}'


def collect(row: Row, sample: Callable[[int], tuple[float, ...]], pairs: int = 7, most: int | None = None) -> Row:
    """Fill the row with `pairs` samples, each ours or ours and the baseline's.

    While the quartiles straddle the bound as many again are taken, up to `most` (three times `pairs`).
    """
    most, wanted = most or 3 * pairs, pairs
    while True:
        while len(row.ours) < wanted:
            print(f'\r  {row.name}: {len(row.ours) + 1} of {wanted} ', end='', file=sys.stderr, flush=True)
            figures = sample(len(row.ours))
            row.ours.append(figures[0])
            row.baseline.extend(figures[1:])
        if wanted >= most or not row.verdict.startswith('straddles'):
            print(file=sys.stderr)
            return row
        wanted = min(most, wanted + pairs)


def measure(
    name: str,
    unit: str,
    ours: Callable[[], float],
    baseline: Callable[[], float],
    pairs: int = 7,
    bound: float | None = None,
    most: int | None = None,
    **kind,
) -> Row:
    """Run baseline and ours in turn; the order within a pair alternates. `kind`: further fields of the row."""

    def sample(index: int) -> tuple[float, float]:
        if index % 2 == 0:
            other = baseline()
            return ours(), other
        mine = ours()
        return mine, baseline()

    return collect(Row(name, unit, [], [], bound, **kind), sample, pairs, most)


def short(value: float) -> str:
    """Four digits, and no exponent where there need not be one.

    >>> short(43791.2), short(0.93321), short(4e-08)
    ('43,791', '0.9332', '4e-08')
    """
    return f'{value:,.0f}' if 1e4 <= abs(value) < 1e12 else f'{value:.4g}'


def spread(values: Sequence[float]) -> str:
    """Median and quartiles; one value as it is."""
    low, middle, high = map(short, quartiles(values))
    return middle if len(values) == 1 else f'{middle} [{low} {high}]'


def measured(row: Row) -> str:
    """What was judged, with its unit."""
    unit = row.unit if row.difference or not row.baseline else ''
    sign = '+' if row.difference and statistics.median(row.values) >= 0 else ''
    return f'{sign}{spread(row.values)} {unit}'.strip()


def beside(row: Row) -> str:
    """What it was compared with."""
    if not row.baseline:
        return row.beside
    both = f'{short(statistics.median(row.ours))} beside {short(statistics.median(row.baseline))} {row.unit}'
    return f'{row.beside}: {both}' if row.beside else both


def line(row: Row) -> str:
    """The row as one line that begins with its verdict."""
    tail = f', {row.bound_text}' if row.bound is not None else ''
    words = f' ({beside(row)})' if beside(row) else ''
    count = f', {len(row.ours)} {"pairs" if row.baseline else "runs"}' if len(row.ours) > 1 else ''
    return f'{row.verdict or "-":<26}{row.name}: {measured(row)}{tail}{words}{count}'


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a table for a docs page."""
    cells = [('', 'median [quartiles]', 'beside', 'bound', ''), *[('---',) * 5]]
    cells += [(row.name, measured(row), beside(row), row.bound_text, row.verdict) for row in rows]
    return '\n'.join('| ' + ' | '.join(cell.replace('|', '/') for cell in row) + ' |' for row in cells)


def table(rows: Sequence[Row]) -> str:
    """Rows of ratios as text, one a line."""
    lines = [f'{"what":<52}{"ours":>11}{"baseline":>11} unit   {"ratio":>6} [quartiles]      bound']
    for row in rows:
        low, middle, high = quartiles(row.values)
        lines.append(
            f'{row.name:<52}{statistics.median(row.ours):>11.3f}{statistics.median(row.baseline):>11.3f} '
            f'{row.unit:<6} {middle:>6.3f} [{low:.3f} {high:.3f}]  {row.bound_text} {row.verdict}'
        )
    return '\n'.join(lines)


def write_json(path: pathlib.Path, rows: Sequence[Row], **facts) -> None:
    """All samples and verdicts, for later comparison."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = {
        'time': time.strftime('%Y-%m-%dT%H:%M:%S'),
        **facts,
        'rows': [{**dataclasses.asdict(row), 'ratios': row.ratios, 'verdict': row.verdict} for row in rows],
    }
    path.write_text(json.dumps(data, indent=1))
