#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Studies of motion planning: tables on the terminal, samples (CSV) and box plots (PNG) in the current folder.

bench_planning [STUDY...] [--runs N]

  steps      figures 6.11 to 6.13 of the motion-planning thesis: its planners over the step size h
  planners   figures 6.32 and 6.33: six planners of OMPL, a PSM between two pairs of ribs
  board      planning time over a peg board
  queries    collision questions per second
"""

import argparse
import csv
import io
import pathlib
import statistics
import subprocess
import sys

STUDIES = ('steps', 'planners', 'board', 'queries')
RUNS = {'steps': 300, 'planners': 300, 'board': 300, 'queries': 2000}


def quartiles(values):
    """Median and both quartiles."""
    if len(values) < 2:
        return (values[0],) * 3
    low, middle, high = statistics.quantiles(values, n=4, method='inclusive')
    return middle, low, high


def samples(study, runs):
    """What the program measured, as rows; it stays in <study>.csv."""
    program = pathlib.Path(__file__).with_name('planning_study')
    done = subprocess.run([program, study, str(runs)], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f'bench_planning: {program.name} {study} ended with code {done.returncode}')
    pathlib.Path(f'planning_{study}.csv').write_text(done.stdout, encoding='utf-8')
    return list(csv.DictReader(io.StringIO(done.stdout)))


def groups(rows, *keys):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[key] for key in keys), []).append(row)
    return found


def column(rows, key, factor=1.0):
    return [factor * float(row[key]) for row in rows]


def cell(values, form='{:.3g}'):
    middle, low, high = (form.format(value) for value in quartiles(values))
    return f'{middle} ({low}..{high})'


def table(head, lines):
    print('| ' + ' | '.join(head) + ' |')
    print('|' + '---|' * len(head))
    for line in lines:
        print('| ' + ' | '.join(str(value) for value in line) + ' |')
    print()


def pyplot():
    import matplotlib

    matplotlib.use('Agg')
    import matplotlib.pyplot

    return matplotlib.pyplot


def boxes(axes, by_name, key, factor, label):
    axes.boxplot([column(rows, key, factor) for rows in by_name.values()], showfliers=False)
    axes.set_xticks(range(1, len(by_name) + 1), [name for (name,) in by_name], rotation=30)
    axes.set_ylabel(label)


def steps(rows):
    plots = pyplot()
    figures = (
        ('time', 1e3, 'time [ms]', '6_11'),
        ('explored', 1, 'states explored', '6_12'),
        ('path_states', 1, 'states in the path', '6_13'),
    )
    for dimension in ('2', '3'):
        of_dimension = [row for row in rows if row['dimension'] == dimension and row['found'] == '1']
        by = groups(of_dimension, 'step', 'planner')
        print(f'{dimension}-D: median (quartiles) over the step size h')
        table(
            ('h', 'planner', 'found', 'time [ms]', 'states explored', 'states in the path'),
            (
                (step, planner, len(part), cell(column(part, 'time', 1e3)), cell(column(part, 'explored')))
                + (cell(column(part, 'path_states')),)
                for (step, planner), part in by.items()
            ),
        )
        for key, factor, label, figure in figures:
            drawing, axes = plots.subplots(figsize=(7, 4))
            for planner in ('RRT-Extend', 'RRT-Connect', 'Lazy RRT'):
                own = [(float(step), part) for (step, name), part in by.items() if name == planner]
                middle = [quartiles(column(part, key, factor)) for _, part in own]
                line = axes.plot([h for h, _ in own], [m[0] for m in middle], marker='o', label=planner)[0]
                axes.fill_between(
                    [h for h, _ in own],
                    [m[1] for m in middle],
                    [m[2] for m in middle],
                    alpha=0.2,
                    color=line.get_color(),
                )
            axes.set_xlabel('step size h')
            axes.set_ylabel(label)
            axes.set_yscale('log')
            axes.legend()
            drawing.tight_layout()
            drawing.savefig(f'planning_{figure}_{dimension}d.png', dpi=120)
            plots.close(drawing)


def planners(rows):
    by = groups([row for row in rows if row['found'] == '1'], 'planner')
    attempts = groups(rows, 'planner')
    columns = (
        ('time', 1e3, 'time [ms]'),
        ('length', 1, 'length [rad]'),
        ('clearance', 1e3, 'clearance [mm]'),
        ('smoothness', 1, 'turns [rad^2/rad]'),
        ('states', 1, 'states'),
    )
    table(
        ('planner', 'found', *(label for _, _, label in columns)),
        (
            (name[0], f'{len(part)} of {len(attempts[name])}')
            + tuple(cell(column(part, key, factor)) for key, factor, _ in columns)
            for name, part in by.items()
        ),
    )
    plots = pyplot()
    drawing, axes = plots.subplots(2, 2, figsize=(10, 7))
    for place, (key, factor, label) in zip(axes.flat, columns, strict=False):
        boxes(place, by, key, factor, label)
    axes[0][0].set_yscale('log')
    drawing.tight_layout()
    drawing.savefig('planning_6_32_6_33.png', dpi=120)


def board(rows):
    found = [row for row in rows if row['found'] == '1']
    times = sorted(column(found, 'time', 1e3))
    searched = sorted(column([row for row in found if int(row['states']) > 0], 'time', 1e3))

    def part(values, share):
        return f'{values[min(len(values) - 1, int(share * len(values)))]:.3g}' if values else '-'

    table(
        ('motions', 'found', 'p50 [ms]', 'p95 [ms]', 'worst [ms]'),
        (
            ('all', f'{len(found)} of {len(rows)}', part(times, 0.5), part(times, 0.95), part(times, 1.0)),
            ('that need a search', len(searched), part(searched, 0.5), part(searched, 0.95), part(searched, 1.0)),
        ),
    )


def queries(rows):
    table(
        ('question', 'per second', 'microseconds'),
        (
            (name[0], cell(column(part, 'per_second')), cell([1e6 / value for value in column(part, 'per_second')]))
            for name, part in groups(rows, 'question').items()
        ),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('studies', nargs='*', metavar='STUDY', help=f'{", ".join(STUDIES)}; none: all')
    parser.add_argument('--runs', type=int, default=0, help='per point; by default 300, of queries 2000 postures')
    arguments = parser.parse_args()
    for study in arguments.studies:
        if study not in STUDIES:
            parser.error(f"there is no study '{study}'; there are: {', '.join(STUDIES)}")
    if arguments.runs < 0:
        parser.error('--runs: expected 1 or more')
    for study in arguments.studies or STUDIES:
        runs = arguments.runs or RUNS[study]
        print(f'{study}, {runs} {"postures" if study == "queries" else "runs"}')
        globals()[study](samples(study, runs))


if __name__ == '__main__':
    main()
