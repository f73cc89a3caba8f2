# SPDX-License-Identifier: BSD-3-Clause
"""The physics node's clock: lockstep, barrier, realtime."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

from ambf_bench import drift, pairs
from ambf_bench.processes import Background, new_domain, on_core, probe, results
from ambf_bench.report import Report
from ambf_bench.scenes import boxes_file, model
from ambf_bench.world import COMPOSED_PROBE, WORLD_PROBE, Node

STEP = '/ambf/env/World/step'
LEASE = 2.5  # s; so long an agent that does not join keeps the world for itself, and a little more


class PythonCaller:
    """An rclpy node with a client for each of several StepWorld services, to be called in turn."""

    def __init__(self, *services: str):
        import rclpy
        from rclpy.executors import SingleThreadedExecutor

        from ambf_msgs.srv import StepWorld

        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('python_caller', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.request = StepWorld.Request(agent='python', steps=1, observe_joints=[0])
        self.clients = {service: self.node.create_client(StepWorld, service) for service in services}
        for service, client in self.clients.items():
            client.wait_for_service()
            self.times(service, 300)  # to get warm

    def times(self, service: str, count: int) -> list[float]:
        """Round trips [us]."""
        client, times = self.clients[service], []
        for _ in range(count):
            before = time.perf_counter()
            # Not spin_until_future_complete: in rclpy it makes a task of every future, and takes ten times as long.
            future = client.call_async(self.request)
            while not future.done():
                self.executor.spin_once()
            times.append(1e6 * (time.perf_counter() - before))
            if not future.result().ok:
                raise RuntimeError(future.result().message)
        return times

    def __enter__(self):
        return self

    def __exit__(self, *_):
        import rclpy

        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


def round_trips(report: Report, what: str, runs: list[dict[str, float]], name: str = 'call'):
    p99, rates = [r[f'{name}.p99'] for r in runs], [1e6 / r[f'{name}.mean'] for r in runs]
    report.figure(
        f'{what}: round trip, p50',
        [r[name] for r in runs],
        'us',
        beside=f'p99 {pairs.spread(p99)} us; {pairs.spread(rates)} calls a second',
    )


def summary(times: list[float]) -> dict[str, float]:
    """As a probe reports its round trips."""
    return {
        'call': statistics.median(times),
        'call.p99': statistics.quantiles(times, n=100)[-1],
        'call.mean': statistics.fmean(times),
    }


def lockstep(report: Report, args, folder: str):
    """Servers have one core and callers another, so that the placement is the same in every run."""
    file, count = model('psm.yaml'), args.count
    one_process(report, args, file)
    with (
        Node([file], place=on_core(0), mode='lockstep') as node,
        Background(WORLD_PROBE, 'serve', '/empty', place=on_core(0)),
    ):
        ours, empty, steps = [], [], []

        def call(service: str, into: list) -> float:
            into.append(probe(WORLD_PROBE, 'call', service, count, place=on_core(1)))
            return into[-1]['call']

        def without_the_step() -> float:
            steps.append(probe(COMPOSED_PROBE, 'library', file, 3000, place=on_core(0))['step_s'] * 1e6)
            return call(STEP, ours) - steps[-1]

        report.add(
            pairs.measure(
                'lock-step between processes, without the step',
                'us',
                without_the_step,
                lambda: call('/empty', empty),
                args.pairs,
                1.3,
                beside='an empty call, same sizes, executor and processes',
            )
        )
        report.figure('psm: a step of the library alone', steps, 'us')
        round_trips(report, 'lock-step between processes', ours)
        round_trips(report, 'empty call between processes', empty)
        rates = [1e6 / r['call.mean'] for r in ours]
        report.beside_ambf('psm: lock-step calls a second', rates)
        report.beside_ambf('psm: lock-step calls a second, AMBF with its communication at 2 kHz', rates)
        report.beside_ambf(
            'psm: worst lock-step reply [ms]', 1e-3 * max(r['call.max'] for r in ours), smaller_is_better=True
        )
        # Whoever takes the processor from one takes it from the other: the same number of calls, by turns.
        for what, runs in ('lock-step reply', ours), ('empty reply', empty):
            worst = [1e-3 * r['call.max'] for r in runs]
            report.figure(f'worst of {count} calls: {what}, largest {max(worst):.1f} ms', worst, 'ms')
        time.sleep(LEASE)
        from_python(report, args, statistics.median(steps), '')
        time.sleep(LEASE)
        with Background(WORLD_PROBE, 'watch', 600, *node.topics(10), place=on_core(1)):
            time.sleep(4.0)
            watched = []
            for _ in range(args.repeats):
                call(STEP, watched)
            round_trips(report, 'lock-step between processes, 10 watched State topics', watched)
            time.sleep(LEASE)
            from_python(report, args, statistics.median(steps), ', 10 watched State topics')
    with Node([boxes_file(folder, 200)], mode='lockstep'):

        def rate() -> float:
            return 1e6 / probe(WORLD_PROBE, 'call', STEP, 1000, 0)['call.mean']  # boxes have no joints

        rate()  # until the boxes have come to rest
        report.beside_ambf('200 boxes: lock-step calls a second', rate, count=args.repeats)


def one_process(report: Report, args, file: str):
    """The world, an empty service and the caller of both in one thread; calls, empty calls and steps take turns."""
    runs = []

    def once(_index: int) -> tuple[float, float]:
        new_domain()
        runs.append(probe(COMPOSED_PROBE, 'call', file, args.count))
        return runs[-1]['call'] - runs[-1]['step_us'], runs[-1]['empty']

    report.add(
        pairs.collect(
            pairs.Row(
                'lock-step in one process, without the step',
                'us',
                [],
                [],
                15.0,
                difference=True,
                beside='an empty call, same sizes, executor and process',
            ),
            once,
            args.pairs,
        )
    )
    round_trips(report, 'lock-step in one process', runs)
    round_trips(report, 'empty call in one process', runs, 'empty')
    with Node([file], mode='paused') as node:
        topics = node.topics(10)
    runs = []
    for _ in range(args.repeats):
        new_domain()
        with Background(WORLD_PROBE, 'watch', 60, *topics):
            runs.append(probe(COMPOSED_PROBE, 'call', file, args.count, *topics))
    round_trips(report, 'lock-step in one process, 10 watched State topics', runs)


def from_python(report: Report, args, step_us: float, where: str):
    """Short blocks in turn, and many of them: what else the machine does is the same for both of a pair."""
    cores, block = os.sched_getaffinity(0), 150
    on_core(1)()  # the threads of a new context stay there, too
    with PythonCaller(STEP, '/empty') as python:
        ours, empty = [], []

        def call(service: str, into: list) -> float:
            times = python.times(service, block)
            into.append(summary(times))
            return statistics.median(times)

        row = pairs.measure(
            f'lock-step from rclpy{where}, without the step',
            'us',
            lambda: call(STEP, ours) - step_us,
            lambda: call('/empty', empty),
            max(31, args.pairs),
            None if where else 1.3,
            beside='an empty rclpy call, same sizes and processes',
        )
    os.sched_setaffinity(0, cores)
    report.add(row)
    round_trips(report, f'lock-step from rclpy{where}', ours)
    if not where:
        round_trips(report, 'empty call from rclpy', empty)


def barrier(report: Report, args, folder: str):
    """What a call costs more with a member of the barrier, and with wait_for_acked; the member reads all along."""
    file = model('psm.yaml')

    def rows(where: str, once):
        runs = [once() for _ in range(args.pairs)]
        round_trips(report, f'lock-step {where}, a reader of the Snapshot', runs, 'plain')
        for name, words in (('barrier', 'the barrier with one member'), ('acked', 'wait_for_acked')):
            report.add(
                pairs.Row(
                    f'{words}, {where}: cost of a call',
                    'us',
                    [r[name] for r in runs],
                    [r['plain'] for r in runs],
                    difference=True,
                    beside='the call without it',
                )
            )
            round_trips(report, f'{words}, {where}', runs, name)

    def composed() -> dict[str, float]:
        new_domain()
        return probe(COMPOSED_PROBE, 'costs', file, args.count)

    rows('in one process', composed)
    with (
        Node([file], place=on_core(0), mode='lockstep'),
        Background(COMPOSED_PROBE, 'member', 'remote', place=on_core(1)),
    ):
        rows('between processes', lambda: probe(WORLD_PROBE, 'costs', STEP, args.count, 'remote', place=on_core(1)))


def realtime(report: Report, args, folder: str):
    """Simulation time against wall time beside a process that burns a core."""
    from ambf_msgs.msg import WorldState

    seconds = 600 if args.full else args.realtime
    with Background(sys.executable, '-c', 'while True: pass'), Node([model('psm.yaml')], mode='realtime') as node:
        slips = []
        node.node.create_subscription(WorldState, '/ambf/env/World/State', lambda m: slips.append(m.slip), 1)
        while not slips:
            node.executor.spin_once(timeout_sec=0.1)
        bare = subprocess.Popen([WORLD_PROBE, 'sleep', str(seconds)], stdout=subprocess.PIPE, text=True)
        looks, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            wall, step, within = node.now_within()
            looks.append(drift.Look(wall, step, within, slips[-1]))
            until = time.monotonic() + 0.02
            while time.monotonic() < until:
                node.executor.spin_once(timeout_sec=0.01)
        bare_worst = results(bare.communicate()[0])['worst_ms']
    found = drift.analyse(looks)
    what, bound = f'realtime for {seconds:.0f} s beside a burner', 1e-6 if seconds >= 600 else None
    report.figure(
        f'{what}: slope of simulation time (slip counted), off 1 by, each tenth of the run left out in turn',
        found.without_a_tenth,
        '',
        bound,
    )
    report.figure(f'{what}: the same of the whole run', found.slope_error, '', bound)
    report.figure(
        f'{what}: stalls of more than two steps that were neither made up for within '
        f'{drift.LONGEST_STALL:.0f} s nor counted as slip',
        float(found.not_made_up),
        '',
        0.0,
        beside=f'{found.stalls} stalls, the longest {1e3 * found.longest_stall:.0f} ms',
    )
    report.figure(
        f'{what}: largest excursion',
        1e3 * found.excursion,
        'ms',
        beside=f'{bare_worst:.1f} ms of a bare clock_nanosleep loop',
    )
    report.figure(f'{what}: counted slip', 1e3 * (looks[-1].slip - looks[0].slip), 'ms')
    report.figure(f'{what}: looks within two steps of the wall clock', 100 * found.near, '%')
    report.figure(
        f'{what}: looks at the clock that the slope is of',
        100 * found.looks / len(looks),
        '%',
        beside='the others took too long to tell two steps, or slip was not told yet',
    )
