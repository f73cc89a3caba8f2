"""Ratios against a baseline: medians of interleaved pairs with their quartiles, as a table and JSON."""
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
    baseline: list[float]
    bound: float | None = None

    @property
    def ratios(self) -> list[float]:
        return [a / b for a, b in zip(self.ours, self.baseline)]

    @property
    def verdict(self) -> str:
        """`holds`, `missed`, or `straddles` where the quartiles lie on both sides of the bound."""
        if self.bound is None:
            return ''
        low, middle, high = quartiles(self.ratios)
        if high <= self.bound:
            return 'holds'
        if low > self.bound:
            return 'missed'
        return 'straddles (median %s)' % ('below' if middle <= self.bound else 'above')


def measure(name: str, unit: str, ours: Callable[[], float], baseline: Callable[[], float],
            pairs: int = 7, bound: float | None = None) -> Row:
    """Run baseline and ours in turn `pairs` times; the order within a pair alternates."""
    row = Row(name, unit, [], [], bound)
    for index in range(pairs):
        print(f'\r  {name}: pair {index + 1} of {pairs} ', end='', file=sys.stderr, flush=True)
        for which in ((0, 1) if index % 2 == 0 else (1, 0)):
            (row.baseline if which == 0 else row.ours).append((baseline if which == 0 else ours)())
    print(file=sys.stderr)
    return row


def table(rows: Sequence[Row]) -> str:
    """The rows as text, one a line."""
    lines = [f"{'what':<52}{'ours':>11}{'baseline':>11} unit   {'ratio':>6} [quartiles]      bound"]
    for row in rows:
        low, middle, high = quartiles(row.ratios)
        bound = '' if row.bound is None else f'<= {row.bound:g} {row.verdict}'
        lines.append(
            f'{row.name:<52}{statistics.median(row.ours):>11.3f}{statistics.median(row.baseline):>11.3f} '
            f'{row.unit:<6} {middle:>6.3f} [{low:.3f} {high:.3f}]  {bound}')
    return '\n'.join(lines)


def write_json(path: pathlib.Path, rows: Sequence[Row], **facts) -> None:
    """All samples and verdicts, for later comparison."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = {'time': time.strftime('%Y-%m-%dT%H:%M:%S'), **facts,
            'rows': [{**dataclasses.asdict(row), 'ratios': row.ratios, 'verdict': row.verdict} for row in rows]}
    path.write_text(json.dumps(data, indent=1))
