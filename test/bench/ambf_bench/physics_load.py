# SPDX-License-Identifier: BSD-3-Clause
"""The physics node with many bodies, many topics, large messages: boxes, fanout, many, intra, arm, idle, streams."""

from __future__ import annotations

import os
import time

from ambf_bench import pairs
from ambf_bench.processes import Background, new_domain, probe, program
from ambf_bench.report import Report
from ambf_bench.scenes import boxes_file, model
from ambf_bench.world import COMPOSED_PROBE, PHYSICS, WORLD_PROBE, Node


def watch(seconds: float, topics: list[str]) -> dict[str, float]:
    return probe(WORLD_PROBE, 'watch', seconds, *topics)


def bare_watch(count: int, rate: float, seconds: float) -> dict[str, float]:
    """The same messages from a bare rcl loop in a process of its own."""
    with Background(program('rcl_states'), count, rate, seconds + 60):
        return watch(seconds, [f'/bare/t{i}' for i in range(count)])


def boxes(report: Report, args, folder: str):
    for count in (200, 300):
        file = boxes_file(folder, count)
        eleven_topics(report, args, count, file)
        snapshots(report, args, count, folder)
        if count == 200:
            with Node([file], mode='free') as node:  # AMBF was measured with nobody listening
                node.wait_for_step(1000)
                report.beside_ambf(
                    '200 boxes: steps a second',
                    lambda: steps_per_second(node, lambda: time.sleep(args.seconds)),
                    count=args.repeats,
                )
        if count == 200 or args.full:
            steps_beside_bullet(report, args, count, file)


def steps_per_second(node: Node, during) -> float:
    wall, step = node.now()
    during()
    wall_end, step_end = node.now()
    return (step_end - step) / (wall_end - wall)


def eleven_topics(report: Report, args, count: int, file: str):
    """Beside the same physics in both cases: nobody watches the node while the bare loop is measured."""
    ours, bare, steps, told = [], [], [], []
    with Node([file], mode='realtime', min_rate=2000.0, max_rate=2000.0) as node:
        topics = node.topics(11)

        def ours_once():
            steps.append(steps_per_second(node, lambda: ours.append(watch(args.seconds, topics))))
            told.append(node.reply.real_time_factor)

        def pair(index: int) -> tuple[float, float]:
            turns = [ours_once, lambda: bare.append(bare_watch(11, 2000, args.seconds))]
            for turn in turns if index % 2 else reversed(turns):
                turn()
            return ours[-1]['slowest_hz'], min(0.985 * 2000, 0.97 * bare[-1]['slowest_hz'])

        report.add(
            pairs.collect(
                pairs.Row(
                    f'{count} boxes: slowest of 11 State topics, set-point 2 kHz',
                    'Hz',
                    [],
                    [],
                    1.0,
                    at_least=True,
                    beside='what is asked for: 0.985 of the set-point or 0.97 of a bare rcl loop',
                ),
                pair,
                args.pairs,
            )
        )
        report.figure(f'{count} boxes: the same 11 topics from a bare rcl loop', [b['slowest_hz'] for b in bare], 'Hz')
        for whose, found in (('', ours), (', bare rcl loop', bare)):
            report.figure(
                f'{count} boxes: largest gap of a run{whose}',
                [f['largest_gap_ms'] for f in found],
                'ms',
                beside='' if whose else f'worst of all {max(f["largest_gap_ms"] for f in found):.1f} ms',
            )
        report.figure(f'{count} boxes: states that were new', [f['fresh_hz'] for f in ours], 'Hz')
        report.figure(f'{count} boxes: physics beside the topics', steps, 'steps/s')
        report.figure(f'{count} boxes: real time factor', [0.001 * s for s in steps], '')
        report.figure(
            f'{count} boxes: real time factor as the world tells it',
            told,
            '',
            beside='AMBF tells 1.00 where a falling body shows 0.63' if count == 200 else '',
        )
        totals = [watch(args.seconds, node.topics(count))['total_hz'] for _ in range(args.repeats)]
    what = f'{count} boxes: all State topics at a 2 kHz set-point, messages a second'
    if count == 200:
        report.beside_ambf(what, totals)
    else:
        report.figure(what, totals, '')


def snapshots(report: Report, args, count: int, folder: str):
    """One for each step: steps of 0.5 ms, and boxes that float where a pile is too slow for them."""
    for spread in (False, True):
        with Node([boxes_file(folder, count, spread)], mode='realtime', snapshot_rate=2000.0, step_size=0.0005) as node:
            rates, steps = [], []
            for _ in range(args.repeats):
                steps.append(
                    steps_per_second(
                        node, lambda: rates.append(probe(WORLD_PROBE, 'snapshot', args.seconds)['median_hz'])
                    )
                )
        report.figure(
            f'{count} boxes{", floating" if spread else ""}: Snapshot of all, set-point 2 kHz',
            rates,
            'Hz',
            beside=f'{pairs.spread(steps)} steps a second',
        )


def steps_beside_bullet(report: Report, args, count: int, file: str):
    """Processor time of the same steps, 1000 to 3000, on both sides."""

    def in_node(**settings) -> float:
        with (
            Node([file], mode='paused', min_rate=2000.0, max_rate=2000.0, **settings) as node,
            Background(WORLD_PROBE, 'watch', 120, *node.topics(11)),
        ):
            node.run_free(node.topics(11))
            node.wait_for_step(1000)
            step, cpu = node.now()[1], node.physics_cpu_s()
            node.wait_for_step(3000)
            return (node.physics_cpu_s() - cpu) / (node.now()[1] - step) * 1e6

    def bullet(*settings) -> float:
        return probe(program('bullet_probe'), file, 1000, 2000, *settings)['step_s'] * 1e6

    report.add(
        pairs.measure(
            f'{count} boxes: step in the node, 11 topics on',
            'us',
            lambda: in_node(solver='sequential_impulse', report_wrenches='false'),
            bullet,
            args.pairs,
            1.15,
            beside='bare Bullet, same solver and friction',
        )
    )
    if args.full and count == 200:
        report.add(
            pairs.measure(
                '200 boxes: step in the node as it is by default (direct joints, wrenches), 11 topics on',
                'us',
                in_node,
                bullet,
                args.pairs,
                None,
                beside='bare Bullet, same friction',
            )
        )
    if count == 200:
        report.figure(
            '200 boxes: bare Bullet with its own settings (one direction of friction, no rolling friction)',
            [bullet('plain') for _ in range(args.repeats)],
            'us',
        )


def fanout(report: Report, args, folder: str):
    """The largest number of topics at 1 kHz of which another process gets at least 985 a second each."""
    sizes = sorted({round(8 * 2 ** (k / 4)) for k in range(17)})  # 8 to 128

    def largest(rate) -> float:
        low, high = -1, len(sizes)  # of sizes: got, not got
        while high - low > 1:
            middle = (low + high) // 2
            # A stall of the machine is not held against either side.
            got = any(rate(sizes[middle]) >= 985 for _ in range(2))
            low, high = (middle, high) if got else (low, middle)
        return sizes[low] if low >= 0 else 0

    seconds = min(args.seconds, 3.0)
    settings = dict(mode='paused', min_rate=1000.0, max_rate=1000.0)
    with Node([boxes_file(folder, 128, spread=True)], **settings) as node:
        report.add(
            pairs.measure(
                'largest number of State topics at 1 kHz that one other process gets',
                'topics',
                lambda: largest(lambda n: watch(seconds, node.topics(n))['slowest_hz']),
                lambda: largest(lambda n: bare_watch(n, 1000, seconds)['slowest_hz']),
                args.repeats,
                beside='a bare rcl publisher of the same messages',
            )
        )
    # Does a topic pay for its neighbours?
    with (
        Node([boxes_file(folder, 600, spread=True)], **settings) as large,
        Node([boxes_file(folder, 64, spread=True)], **settings) as small,
    ):
        found = {large: [], small: []}

        def slowest(node: Node) -> float:
            os.environ['ROS_DOMAIN_ID'] = node.domain
            found[node].append(watch(seconds, node.topics(32)))
            return found[node][-1]['slowest_hz']

        report.add(
            pairs.measure(
                '32 State topics at 1 kHz in a world of 600 bodies',
                'Hz',
                lambda: slowest(large),
                lambda: slowest(small),
                args.pairs,
                None,
                beside='a world of 64',
            )
        )
        for node, name in ((large, 600), (small, 64)):
            report.figure(
                f'{name} bodies: until a reader knows all of the graph', [f['settle_s'] for f in found[node]], 's'
            )
            late = float(node.counters()['late messages'])
            report.figure(f'{name} bodies: turns that the sender itself lost', late, '')


def many(report: Report, args, folder: str):
    file = boxes_file(folder, 1000, spread=True)

    def library() -> float:
        return probe(COMPOSED_PROBE, 'library', file, 1000)['step_s'] * 1e6

    def in_node() -> float:
        with Node([file], mode='free') as node:
            node.wait_for_step(300)
            step, cpu = node.now()[1], node.physics_cpu_s()
            time.sleep(args.seconds)
            return (node.physics_cpu_s() - cpu) / (node.now()[1] - step) * 1e6

    noise = report.add(
        pairs.measure(
            '1,000 bodies: a step of the library alone',
            'us',
            library,
            library,
            args.pairs,
            beside='itself, which is the noise',
        )
    )
    report.add(
        pairs.measure(
            '1,000 bodies, no reader: step in the node',
            'us',
            in_node,
            library,
            args.pairs,
            max(1.0, pairs.quartiles(noise.values)[2]),
            beside='the library alone; the bound is the noise',
        )
    )
    found = {'all': [], 'none': []}

    def creation(publish: str) -> float:
        new_domain()
        found[publish].append(probe(COMPOSED_PROBE, 'endpoints', file, publish))
        return found[publish][-1]['creation_s']

    report.add(
        pairs.measure(
            '1,000 bodies: creating their 2,000 endpoints',
            's',
            lambda: creation('all'),
            lambda: creation('none'),
            args.pairs,
            difference=True,
            beside='the node without topics',
        )
    )
    with_topics, without = ([f['resident_mb'] for f in found[publish]] for publish in ('all', 'none'))
    report.add(
        pairs.Row(
            '1,000 bodies: memory of their 2,000 endpoints',
            'MB',
            with_topics,
            without,
            difference=True,
            beside='the node without topics',
        )
    )


def intra(report: Report, args, folder: str):
    file, found = boxes_file(folder, 1000, spread=True), []
    for _ in range(args.pairs):
        new_domain()
        found.append(probe(COMPOSED_PROBE, 'snapshot', file, args.seconds))
    what = f'Snapshot of {found[0]["bodies"]:.0f} bodies in one process'
    report.figure(f'{what}: rate, set-point 1 kHz', [f['rate_hz'] for f in found], 'Hz')
    report.figure(
        f'{what}: messages at an address that was given out to be filled',
        [100 * f['same_address_share'] for f in found],
        '%',
        100.0,
        at_least=True,
    )
    # A copy would have an address that was given out, too, but a second one for each message.
    report.figure(
        f'{what}: such addresses given out for each message',
        [f['allocations_per_message'] for f in found],
        '',
        1.5,
        beside='2 where it is copied',
    )
    report.figure(
        f'{what}: latency, p50',
        [f['latency'] for f in found],
        'us',
        beside=f'p99 {pairs.spread([f["latency.p99"] for f in found])} us',
    )


def arm(report: Report, args, folder: str):
    """One arm with its topics at 2 kHz, and how soon it is there."""
    with Node([model('psm.yaml')], mode='realtime', min_rate=2000.0, max_rate=2000.0) as node:
        topics, fresh = node.topics(10), []

        def slowest() -> float:
            found = watch(args.seconds, topics)
            fresh.append(found['fresh_hz'])
            return found['slowest_hz']

        report.beside_ambf('psm: slowest of 10 State topics, set-point 2 kHz [Hz]', slowest, count=args.repeats)
        report.beside_ambf('psm: new states in them [Hz]', fresh)
        with Background(WORLD_PROBE, 'watch', 600, *topics):
            time.sleep(4.0)
            report.beside_ambf(
                'psm: processor use with these topics [% of a core]',
                lambda: processor_use(node, args.seconds),
                smaller_is_better=True,
                count=args.repeats,
            )
    for name in ('psm', 'mtm', 'ecm'):
        file = model(f'{name}.yaml')
        with Node([file], mode='paused') as node:
            topic = node.topics(1)[0]
        report.beside_ambf(
            f'{name}: from start to the first State [s]',
            lambda: seconds_to_first_state(file, topic),
            smaller_is_better=True,
            count=args.repeats,
        )


def processor_use(node: Node, seconds: float) -> float:
    """[% of a core]"""
    cpu, wall = node.cpu_s(), time.monotonic()
    time.sleep(seconds)
    return 100 * (node.cpu_s() - cpu) / (time.monotonic() - wall)


def seconds_to_first_state(file: str, topic: str) -> float:
    import rclpy
    from rclpy.executors import SingleThreadedExecutor

    from ambf_msgs.msg import RigidBodyState

    new_domain()
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('waiting', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    states = []
    node.create_subscription(RigidBodyState, topic, states.append, 1)
    start = time.monotonic()
    with Background(PHYSICS, '--ros-args', '-p', f"models:=['{file}']") as world:
        while not states:
            executor.spin_once(timeout_sec=0.1)
            if world.process.poll() is not None or time.monotonic() - start > 60:
                raise RuntimeError(f'{topic} was not heard:\n{world.output()}')
        taken = time.monotonic() - start
    executor.shutdown()
    node.destroy_node()
    rclpy.shutdown(context=context)
    return taken


def idle(report: Report, args, folder: str):
    file, used, steps = model('psm.yaml'), [], []
    with Node([file], mode='realtime') as node:
        time.sleep(1.0)

        def once(_index: int) -> tuple[float, float]:
            used.append(processor_use(node, 2 * args.seconds))
            steps.append(probe(COMPOSED_PROBE, 'library', file, 3000)['step_s'] * 1e6)
            return used[-1], 0.1 * steps[-1]  # us a step at 1 kHz are tenths of a percent

        row = pairs.collect(
            pairs.Row(
                'idle psm at 1 kHz: processor use above the steps',
                '% of a core',
                [],
                [],
                15.0,
                difference=True,
                beside='steps of the library; those of bare Bullet are up to 1.2 times cheaper',
            ),
            once,
            args.pairs,
        )
        report.add(row)
        report.beside_ambf('psm: idle [% of a core]', used, smaller_is_better=True)
        report.beside_ambf('psm: memory [MB]', node.rss_mb(), smaller_is_better=True)
    report.figure('psm: a step of the library alone', steps, 'us')


def streams(report: Report, args, folder: str):
    """Steps of 1 ms at a factor of 0.05: physics runs at 50 Hz."""
    rates, sent, late, got = [], [], [], []
    with Node([boxes_file(folder, 50)], mode='realtime', real_time_factor=0.05, max_rate=50.0) as node:
        topics = [t.removesuffix('State') + 'Command' for t in node.topics(5)]
        applied = int(node.counters()['commands applied'])
        for _ in range(args.pairs):
            found = {}
            rates.append(
                steps_per_second(node, lambda: found.update(probe(WORLD_PROBE, 'stream', args.seconds, *topics)))
            )
            before, applied = applied, int(node.counters()['commands applied'])
            sent.append(found['stream_hz'])
            late.append(found['lateness.p99'])
            got.append(found['stream_hz'] * (applied - before) / (found['sent'] * len(topics)))
    what = 'five 1 kHz command streams'
    report.figure(
        f'{what}, physics at 50 Hz: each is sent',
        sent,
        'Hz',
        985.0,
        at_least=True,
        beside=f'lateness of a round, p99 {pairs.spread(late)} us',
    )
    report.figure(f'{what}: each is taken in by the node', got, 'Hz', 985.0, at_least=True)
    report.figure(f'{what}: physics meanwhile', rates, 'Hz', beside='asked for: 50')
