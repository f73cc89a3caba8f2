# SPDX-License-Identifier: BSD-3-Clause
"""What a benchmark found: a line for each figure as it comes, a table at the end."""

from __future__ import annotations

import pathlib
import statistics
from collections.abc import Callable, Sequence

from ambf_bench import pairs

# One value, one of each run, or what measures it.
Figures = float | Sequence[float] | Callable[[], float]

# AMBF 2.0 on a machine of this kind, with nothing else running: figures to beat.
AMBF = {
    '200 boxes: steps a second': 617,
    '200 boxes: all State topics at a 2 kHz set-point, messages a second': 12000,
    '200 boxes: lock-step calls a second': 664,
    'psm: lock-step calls a second': 491,
    'psm: lock-step calls a second, AMBF with its communication at 2 kHz': 933,
    'psm: slowest of 10 State topics, set-point 2 kHz [Hz]': 1967,
    'psm: new states in them [Hz]': 935,
    'psm: processor use with these topics [% of a core]': 140,
    'psm: idle [% of a core]': 97,
    'psm: memory [MB]': 129,
    'psm: worst lock-step reply [ms]': 50,
    'psm: from start to the first State [s]': 0.58,
    'mtm: from start to the first State [s]': 0.58,
    'ecm: from start to the first State [s]': 0.49,
}


class Report:
    """Rows in the order in which they were found."""

    def __init__(self):
        self.rows: list[pairs.Row] = []
        self.seconds: dict[str, float] = {}

    def add(self, row: pairs.Row) -> pairs.Row:
        self.rows.append(row)
        print(pairs.line(row), flush=True)
        return row

    def figure(
        self,
        what: str,
        values: Figures,
        unit: str,
        bound: float | None = None,
        at_least: bool = False,
        beside: str = '',
        count: int = 3,
    ) -> pairs.Row:
        """A figure without a baseline. A function is called `count` times, more often where it straddles its bound."""
        row = pairs.Row(what, unit, [], [], bound, at_least=at_least, beside=beside)
        return self.add(self._row(row, values, count))

    def beside_ambf(self, what: str, values: Figures, smaller_is_better: bool = False, count: int = 3):
        """Held against AMBF's own figure, and by how much it is better."""
        theirs = AMBF[what]
        row = self._row(pairs.Row(what, '', [], [], theirs, at_least=not smaller_is_better), values, count)
        ours = statistics.median(row.ours)
        factor = theirs / ours if smaller_is_better and ours else ours / theirs
        words = (
            f'{factor:.2f} times better' if factor >= 1.0 else f'{1 / factor:.2f} times worse' if factor else 'nothing'
        )
        row.beside = f'AMBF {theirs:,}: {words}'
        self.add(row)

    @staticmethod
    def _row(row: pairs.Row, values: Figures, count: int) -> pairs.Row:
        if callable(values):
            return pairs.collect(row, lambda _: (values(),), count)
        row.ours = list(values) if isinstance(values, Sequence) else [values]
        return row

    def close(self, stem: pathlib.Path, **facts) -> None:
        """Print the table; it and all samples go to `stem`.md and .json."""
        table = pairs.markdown(self.rows)
        print(f'\n{table}\n')
        for verdict in ('MISSED', 'straddles'):
            names = [row.name for row in self.rows if row.verdict.startswith(verdict)]
            print(f'{verdict}: ' + ('; '.join(names) if names else 'nothing'))
        stem.with_suffix('.md').write_text(table + '\n')
        pairs.write_json(stem.with_suffix('.json'), self.rows, seconds=self.seconds, **facts)
        print(f'table in {stem.with_suffix(".md")}, samples in {stem.with_suffix(".json")}')
