#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The recorder beside a subscriber that only counts: losses, loss report and processor time.

Small: 100 topics of 500 B at rising rates, until the counter loses messages: that is the limit of
the middleware here. Large: 50 MB/s in messages of 1 MB. The recorder must lose nothing up to 70 % of
the limit, and beyond it what it reports as lost must be what is missing.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from ament_index_python.packages import get_package_prefix

from ambf_bench import pairs

PROBE = pathlib.Path(__file__).resolve().parent / 'bag_probe'


@dataclasses.dataclass
class Load:
    """What is published: so many topics, so large, at a rate over all topics [1/s]."""

    topics: int
    size: int
    rate: float
    seconds: float


@dataclasses.dataclass
class Outcome:
    """What became of it: messages, and processor time of the receiving process [s]."""

    rate: float
    sent: int
    received: int
    lost: int
    cpu: float

    @property
    def report_is_right(self) -> bool:
        return self.sent == self.received + self.lost


def figures(text: str) -> dict[str, float]:
    """Read the RESULT lines of a probe."""
    return {name: float(value) for name, value in re.findall(r'^RESULT (\S+) value=(\S+)$', text, re.M)}


def with_receiver(command: list, load: Load) -> tuple[dict[str, float], str, float]:
    """Publish the load to a receiver; returns the publisher's figures, the receiver's text and CPU time."""
    # A domain of its own keeps the runs apart.
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(random.randint(1, 100))}
    with tempfile.TemporaryFile('w+') as log:
        receiver = subprocess.Popen(
            [str(c) for c in command], stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment
        )
        try:
            publisher = subprocess.run(
                [PROBE, 'publish', str(load.topics), str(load.size), str(load.rate), str(load.seconds)],
                capture_output=True,
                text=True,
                env=environment,
                timeout=120 + 20 * load.seconds,
            )
        finally:
            receiver.send_signal(signal.SIGINT)
            _, status, usage = os.wait4(receiver.pid, 0)
            receiver.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read()
    if publisher.returncode != 0 or receiver.returncode != 0:
        raise RuntimeError(f'{command} failed ({receiver.returncode}):\n{text}\n{publisher.stderr}')
    return figures(publisher.stdout), text, usage.ru_utime + usage.ru_stime


def count(load: Load) -> Outcome:
    """Receive with the counter."""
    sent, text, cpu = with_receiver([PROBE, 'count', load.topics], load)
    got = figures(text)
    return Outcome(sent['rate'], int(sent['sent']), int(got['received']), int(got['lost']), cpu)


def record(load: Load) -> Outcome:
    """Receive with the recorder; received is what the bag holds, lost is what the recorder reports."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix='bench_bag_'))
    try:
        recorder = pathlib.Path(get_package_prefix('rosbag2_transport')) / 'lib/rosbag2_transport/recorder'
        sent, text, cpu = with_receiver(
            [
                recorder,
                '--ros-args',
                '-p',
                'record.regex:="^/bench_bag/"',
                '-p',
                f'storage.uri:="{folder}/bag"',
                '-p',
                'record.disable_keyboard_controls:=true',
            ],
            load,
        )
        found = re.search(r'Recorded \d+ .*lost before the recorder: (\d+), in it: (\d+)', text)
        if found is None:
            raise RuntimeError(f'the recorder did not report:\n{text}')
        metadata = (folder / 'bag/metadata.yaml').read_text()
        received = int(re.search(r'^  message_count: (\d+)$', metadata, re.M)[1])
        return Outcome(sent['rate'], int(sent['sent']), received, int(found[1]) + int(found[2]), cpu)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def show(who: str, load: Load, outcome: Outcome) -> None:
    """Print one line."""
    right = 'adds up' if outcome.report_is_right else f'{outcome.sent - outcome.received - outcome.lost} UNACCOUNTED'
    share = 100 * outcome.cpu / (outcome.sent / outcome.rate)
    print(
        f'  {who:<9}{load.topics:>4} topics of {load.size:>8} B: asked {load.rate:>8.0f}/s, sent '
        f'{outcome.rate:>8.0f}/s, lost {outcome.lost:>7} of {outcome.sent:>8}, {right}, '
        f'processor {share:5.1f} %',
        flush=True,
    )


def find_limit(args: argparse.Namespace) -> float:
    """Raise the rate until the counter loses messages; the last rate without a loss is the limit."""
    limit, rate = 0.0, args.first_rate
    while rate <= args.last_rate:
        load = Load(100, 500, rate, args.seconds)
        counted, recorded = count(load), record(load)
        show('counter', load, counted)
        show('recorder', load, recorded)
        if counted.lost > 0:  # once more: one stall of the machine is no limit
            counted = count(load)
            show('counter', load, counted)
        # A publisher that cannot keep up is a limit, too.
        if counted.lost > 0 or counted.rate < 0.9 * rate:
            break
        limit = rate
        rate *= 1.5
    else:
        print('  the limit was not reached: it is higher than --last-rate allows')
    return limit


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=7, help='interleaved pairs for each ratio (default 7)')
    parser.add_argument('--seconds', type=float, default=4.0, help='time of each run')
    parser.add_argument('--first-rate', type=float, default=2000.0, help='of all topics together [1/s]')
    parser.add_argument('--last-rate', type=float, default=200_000.0, help='of all topics together [1/s]')
    parser.add_argument('--json', type=pathlib.Path, default=pathlib.Path('bench_bag.json'))
    args = parser.parse_args()
    print('rising rates:')
    limit = find_limit(args)
    if limit == 0.0:
        print(f'the counter loses messages at {args.first_rate:.0f}/s already; try a lower --first-rate')
        return 1
    print(f'limit of the middleware here: {limit:.0f} messages of 500 B a second')
    rows, wrong, lossy = [], 0, 0
    loads = {
        f'100 x 500 B at 70 % of the limit ({0.7 * limit:.0f}/s)': Load(100, 500, 0.7 * limit, args.seconds),
        '50 MB/s of 1 MB messages': Load(5, 1_000_000, 50.0, args.seconds),
    }
    for name, load in loads.items():
        outcomes: list[Outcome] = []

        def recorder_cpu() -> float:
            outcomes.append(record(load))
            return outcomes[-1].cpu

        rows.append(pairs.measure(f'{name}: CPU time', 's', recorder_cpu, lambda: count(load).cpu, args.pairs))
        lossy += sum(outcome.lost > 0 for outcome in outcomes)
        wrong += sum(not outcome.report_is_right for outcome in outcomes)
        print(
            f'{name}: lost in {sum(o.lost > 0 for o in outcomes)} of {len(outcomes)} runs: {[o.lost for o in outcomes]}'
        )
    print('beyond the limit:')
    for factor in (2, 4):
        load = Load(100, 500, factor * limit, args.seconds)
        beyond = record(load)
        show('recorder', load, beyond)
        wrong += not beyond.report_is_right
    print(pairs.table(rows))
    print(f'runs with losses up to 70 % of the limit and at 50 MB/s: {lossy}; wrong loss reports: {wrong}')
    pairs.write_json(args.json, rows, limit=limit, lossy_runs=lossy, wrong_reports=wrong)
    print(f'samples in {args.json}')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
