#!/usr/bin/env python3
"""The physics node against what it is built on: bare rcl, bare Bullet, an empty service. Prints tables and writes JSON.

Every part can be run alone: --only boxes, fanout, lockstep, many, intra, realtime, streams, idle.
"""
import argparse
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from ament_index_python.packages import get_package_share_directory

from ambf_bench import pairs
from ambf_bench.processes import Background, on_core, results
from ambf_bench.world import Node, physics_program

HERE = pathlib.Path(__file__).resolve().parent
PARTS = ('boxes', 'fanout', 'lockstep', 'many', 'intra', 'realtime', 'streams', 'idle')
# AMBF 2.0 on a machine of this kind: figures to beat, measured with nothing else running.
AMBF = {'200 boxes, steps a second': 617, '200 boxes, all topics at 2 kHz, messages a second': 12000,
        'lock-step calls a second, psm': 491, 'idle psm, % of a core': 97}


def model(name: str) -> str:
    return str(pathlib.Path(get_package_share_directory('ambf_description')) / 'adf' / name)


def probe(program, *args, timeout: float = 900, place=None) -> dict[str, float]:
    path = program if os.sep in str(program) else HERE / program
    done = subprocess.run([path, *map(str, args)], capture_output=True, text=True, timeout=timeout, preexec_fn=place)
    if done.returncode != 0:
        raise RuntimeError(f'{program} {args} failed with {done.returncode}:\n{done.stdout}{done.stderr}')
    return results(done.stdout)


def boxes_file(folder: str, count: int, spread: bool = False) -> str:
    """Boxes of 0.2 m and 1 kg: 5 x 5 in layers on a floor, or floating far apart, which costs little to step."""
    lines = ['bodies: [BODY floor%s]' % ''.join(f', BODY box {i:04d}' for i in range(count)), 'joints: []', '',
             'BODY floor:', '  name: floor', '  mass: 0.0', '  shape: BOX', '  geometry: {x: 100.0, y: 100.0, z: 0.2}',
             '  collision shape: BOX', '  collision geometry: {x: 100.0, y: 100.0, z: 0.2}', '  location:',
             '    position: {x: 0.0, y: 0.0, z: -0.1}', '    orientation: {r: 0.0, p: 0.0, y: 0.0}']
    if spread:
        lines[1:1] = ['gravity: {x: 0.0, y: 0.0, z: 0.0}']
    for i in range(count):
        if spread:
            x, y, z = 0.9 * (i % 40) - 18, 0.9 * (i // 40) - 18, 5.0
        else:
            x, y, z = 0.25 * (i % 5), 0.25 * (i // 5 % 5), 0.105 + 0.205 * (i // 25)
        lines += [f'BODY box {i:04d}:', f'  name: box {i:04d}', '  mass: 1.0', '  shape: BOX',
                  '  geometry: {x: 0.2, y: 0.2, z: 0.2}', '  collision shape: BOX',
                  '  collision geometry: {x: 0.2, y: 0.2, z: 0.2}', '  collision margin: 0.001',
                  '  friction: {rolling: 0.01, static: 0.5}', '  restitution: 0.1',
                  '  damping: {linear: 0.04, angular: 0.1}', '  location:',
                  f'    position: {{x: {x:.3f}, y: {y:.3f}, z: {z:.3f}}}',
                  '    orientation: {r: 0.0, p: 0.0, y: 0.0}']
    path = pathlib.Path(folder) / f'boxes{count}{"_spread" if spread else ""}.yaml'
    path.write_text('\n'.join(lines) + '\n')
    return str(path)


class Report:
    """What was found: rows with pairs, and single facts with their bounds."""

    def __init__(self):
        self.rows, self.facts = [], []

    def fact(self, what: str, value: float, unit: str, bound: str = '', held: bool | None = None):
        self.facts.append(dict(what=what, value=value, unit=unit, bound=bound, held=held))
        verdict = '' if held is None else '  held' if held else '  MISSED'
        print(f'{what:<72}{value:>14.6g} {unit:<8} {bound}{verdict}', flush=True)

    def beside_ambf(self, what: str, value: float, smaller_is_better: bool = False):
        theirs = AMBF[what]
        factor = theirs / value if smaller_is_better else value / theirs
        self.fact(f'{what} (AMBF: {theirs})', value, '', f'{factor:.1f} times better', factor > 1.0)

    def row(self, row):
        self.rows.append(row)
        print(pairs.table([row]), flush=True)


def bench_boxes(report: Report, args, folder: str):
    seconds = args.seconds
    for count in (200, 300):
        file = boxes_file(folder, count)
        rates, bare_rates, gaps, fresh = [], [], [], []
        with Node([file], mode='realtime', min_rate=2000.0, max_rate=2000.0) as node:
            topics = node.topics(11)
            wall, step = node.now()
            cpu = node.physics_cpu_s()
            for _ in range(args.repeats):
                got = probe('world_probe', 'watch', seconds, *topics)
                rates.append(got['slowest_hz'])
                gaps.append(got['largest_gap_ms'])
                fresh.append(got['fresh_hz'])
                # The bare loop runs beside the same physics: nobody watches the node's topics meanwhile.
                with Background(HERE / 'rcl_states', 11, 2000, seconds + 8):
                    bare_rates.append(probe('world_probe', 'watch', seconds, *[f'/bare/t{i}' for i in range(11)])['slowest_hz'])
            wall_end, step_end = node.now()
            steps_per_second = (step_end - step) / (wall_end - wall)
            report.fact(f'{count} boxes: physics beside the topics', steps_per_second, 'steps/s')
            report.fact(f'{count} boxes: real time factor', steps_per_second * 0.001, '')
            report.fact(f'{count} boxes: processor time of a step in the node',
                        (node.physics_cpu_s() - cpu) / max(1, step_end - step) * 1e6, 'us')
            got = probe('world_probe', 'watch', seconds, *node.topics(count))
            report.fact(f'{count} boxes: all State topics at a 2 kHz set-point, together', got['total_hz'], 'msg/s')
            if count == 200:
                report.beside_ambf('200 boxes, all topics at 2 kHz, messages a second', got['total_hz'])
        rate, bare = statistics.median(rates), statistics.median(bare_rates)
        needed = min(0.985 * 2000, 0.97 * bare)
        report.fact(f'{count} boxes: slowest of 11 State topics, set-point 2 kHz', rate, 'Hz', f'>= {needed:.0f}', rate >= needed)
        report.fact(f'{count} boxes: the same 11 topics from a bare rcl loop', bare, 'Hz')
        report.fact(f'{count} boxes: largest gap', max(gaps), 'ms')
        report.fact(f'{count} boxes: states that were new', statistics.median(fresh), 'Hz')
        with Node([file], mode='realtime', snapshot_rate=2000.0, step_size=0.0005) as node:
            got = probe('world_probe', 'snapshot', seconds)
            report.fact(f'{count} boxes: Snapshot of {got["bodies"]:.0f} bodies, set-point 2 kHz, steps of 0.5 ms',
                        got['median_hz'], 'Hz')

        def in_node() -> float:
            with Node([file], mode='free', min_rate=2000.0, max_rate=2000.0, solver='sequential_impulse',
                      report_wrenches='false') as node:
                with Background(HERE / 'world_probe', 'watch', 60, *node.topics(11)):
                    while node.now()[1] < 1000:
                        time.sleep(0.05)
                    step, cpu = node.now()[1], node.physics_cpu_s()
                    while node.now()[1] < 3000:
                        time.sleep(0.05)
                    return (node.physics_cpu_s() - cpu) / (node.now()[1] - step) * 1e6
        if count == 200:
            # AMBF was measured with nobody listening.
            with Node([file], mode='free') as node:
                while node.now()[1] < 1000:
                    time.sleep(0.05)
                wall, step = node.now()
                time.sleep(seconds)
                wall_end, step_end = node.now()
            report.beside_ambf('200 boxes, steps a second', (step_end - step) / (wall_end - wall))
            report.fact('200 boxes: bare Bullet with its own settings: one direction of friction, no rolling friction',
                        probe('bullet_probe', file, 1000, 2000, 'plain')['step_s'] * 1e6, 'us')
        if count == 200 or args.full:
            report.row(pairs.measure(
                f'{count} boxes: step in the node, 11 topics on; bare Bullet', 'us', in_node,
                lambda: probe('bullet_probe', file, 1000, 2000)['step_s'] * 1e6, args.pairs, 1.15))


def bench_fanout(report: Report, args, folder: str):
    """The largest number of topics at 1 kHz of which another process gets at least 985 a second each."""
    file = boxes_file(folder, 128, spread=True)

    def search(tried) -> int:
        def gets(n: int) -> bool:  # a stall of the machine is not held against either side
            return any(tried(n) for _ in range(3))
        low, high = 0, 8
        while high <= 128 and gets(high):
            low, high = high, high * 2
        while high - low > max(1, low // 8):
            middle = (low + high) // 2
            low, high = (middle, high) if gets(middle) else (low, middle)
        return low
    seconds = min(args.seconds, 3.0)
    with Node([file], mode='paused', min_rate=1000.0, max_rate=1000.0) as node:
        ours = search(lambda n: probe('world_probe', 'watch', seconds, *node.topics(n))['slowest_hz'] >= 985)

    def bare(n: int) -> bool:
        with Background(HERE / 'rcl_states', n, 1000, seconds + 15):
            return probe('world_probe', 'watch', seconds, *[f'/bare/t{i}' for i in range(n)])['slowest_hz'] >= 985
    report.fact('largest number of State topics at 1 kHz that one other process gets', ours, 'topics')
    report.fact('the same from a bare rcl publisher', search(bare), 'topics')


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
        for client in self.clients.values():
            client.wait_for_service()

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

    def close(self):
        import rclpy
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


def bench_lockstep(report: Report, args, folder: str):
    """Servers have one core and callers another, so that the placement is the same in every run."""
    file, count = model('psm.yaml'), args.count
    step_us = probe(physics_program('composed_probe'), 'library', file, 3000)['step_s'] * 1e6
    report.fact('psm: a step of the library alone', step_us, 'us')
    above, inside = [], []
    for _ in range(args.pairs):
        os.environ['ROS_DOMAIN_ID'] = str(random.randint(1, 100))
        got = probe(physics_program('composed_probe'), 'call', file, count)
        inside.append(got['call'])
        above.append(got['call'] - got['step_us'] - got['empty'])
    low, middle, high = pairs.quartiles(above)
    report.fact('one process: round trip, p50', statistics.median(inside), 'us')
    report.fact(f'one process: the world above an empty call, step excluded [{low:.1f} {high:.1f}]', middle, 'us',
                '<= 15', middle <= 15)
    with Node([file], place=on_core(0), mode='lockstep') as node, \
            Background(HERE / 'world_probe', 'serve', '/empty', place=on_core(0)):
        rates, p99 = [], []

        def ours() -> float:
            got = probe('world_probe', 'call', '/ambf/env/World/step', count, place=on_core(1))
            rates.append(got['calls_per_s'])
            p99.append(got['call.p99'])
            return got['call'] - step_us
        report.row(pairs.measure('two processes: the world without the step; empty call', 'us', ours,
                                 lambda: probe('world_probe', 'call', '/empty', count, place=on_core(1))['call'],
                                 args.pairs, 1.3))
        report.fact('two processes: calls a second', statistics.median(rates), '1/s')
        report.fact('two processes: round trip, p99', statistics.median(p99), 'us')
        report.beside_ambf('lock-step calls a second, psm', statistics.median(rates))
        time.sleep(2.5)  # the lease of the agent that stepped last
        cores = os.sched_getaffinity(0)
        on_core(1)()  # the threads of a new context stay there, too
        python = PythonCaller('/ambf/env/World/step', '/empty')
        block, taken = 150, []
        for service in python.clients:
            python.times(service, 2 * block)  # to get warm

        def ours_python() -> float:
            times = python.times('/ambf/env/World/step', block)
            taken.extend(times)
            return statistics.median(times) - step_us
        # Short blocks in turn, and many of them: what else the machine does is the same for both of a pair.
        report.row(pairs.measure(
            'rclpy: the world without the step; empty call', 'us', ours_python,
            lambda: statistics.median(python.times('/empty', block)), max(31, args.pairs), 1.3))
        python.close()
        os.sched_setaffinity(0, cores)
        report.fact('rclpy: calls a second', 1e6 / statistics.fmean(taken), '1/s')
        report.fact('rclpy: round trip, p99', statistics.quantiles(taken, n=100)[-1], 'us')
        time.sleep(2.5)
        with Background(HERE / 'world_probe', 'watch', 600, *node.topics(10)):
            time.sleep(2.0)
            got = probe('world_probe', 'call', '/ambf/env/World/step', count)
            report.fact('two processes, 10 watched State topics: round trip, p50', got['call'], 'us')
            report.fact('two processes, 10 watched State topics: calls a second', got['calls_per_s'], '1/s')


def bench_many(report: Report, args, folder: str):
    file = boxes_file(folder, 1000, spread=True)

    def in_node() -> float:
        with Node([file], mode='free') as node:
            while node.now()[1] < 300:
                time.sleep(0.05)
            step, cpu = node.now()[1], node.physics_cpu_s()
            time.sleep(args.seconds)
            return (node.physics_cpu_s() - cpu) / (node.now()[1] - step) * 1e6
    report.row(pairs.measure(
        '1,000 bodies, no reader: step in the node; library alone', 'us', in_node,
        lambda: probe(physics_program('composed_probe'), 'library', file, 1000)['step_s'] * 1e6, args.pairs, None))
    got = probe(physics_program('composed_probe'), 'endpoints', file)
    report.fact('1,000 bodies: creating 2,000 endpoints', got['with_topics_s'] - got['without_topics_s'], 's')
    report.fact('1,000 bodies: memory of 2,000 endpoints', got['with_topics_mb'] - got['without_topics_mb'], 'MB')


def bench_intra(report: Report, args, folder: str):
    got = probe(physics_program('composed_probe'), 'snapshot', boxes_file(folder, 1000, spread=True), 2 * args.seconds)
    report.fact('intra-process Snapshot: bodies', got['bodies'], '')
    report.fact('intra-process Snapshot: rate, set-point 1 kHz', got['rate_hz'], 'Hz')
    report.fact('intra-process Snapshot: messages at the address where they were filled',
                100 * got['same_address_share'], '%', '= 100', got['same_address_share'] == 1.0)
    report.fact('intra-process Snapshot: latency, p50', got['latency'], 'us')
    report.fact('intra-process Snapshot: latency, p99', got['latency.p99'], 'us')


def bench_realtime(report: Report, args, folder: str):
    """Simulation time against wall time beside a process that burns a core."""
    from ambf_msgs.msg import WorldState
    seconds = 600 if args.full else args.realtime
    with Background(sys.executable, '-c', 'while True: pass'), Node([model('psm.yaml')], mode='realtime') as node:
        slips = []
        node.node.create_subscription(WorldState, '/ambf/env/World/State', lambda m: slips.append(m.slip), 1)
        bare = subprocess.Popen([HERE / 'world_probe', 'sleep', str(seconds)], stdout=subprocess.PIPE, text=True)
        samples, calls = [], 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            wall, step, uncertainty = node.now_within()
            calls += 1
            if uncertainty <= 0.002:  # otherwise it tells of this process more than of the world's time
                samples.append((wall, step, slips[-1] if slips else 0.0))
            until = time.monotonic() + 0.02
            while time.monotonic() < until:
                node.executor.spin_once(timeout_sec=0.01)
        bare_worst = results(bare.communicate()[0])['worst_ms']
    slip = samples[-1][2] - samples[0][2]
    walls = [wall - samples[0][0] for wall, _, _ in samples]
    # Time that was dropped and counted is no drift.
    sims = [0.001 * (step - samples[0][1]) + lost - samples[0][2] for _, step, lost in samples]
    mean_wall, mean_sim = statistics.fmean(walls), statistics.fmean(sims)
    slope = sum((w - mean_wall) * (s - mean_sim) for w, s in zip(walls, sims)) / sum((w - mean_wall) ** 2 for w in walls)
    # Stalls pull at a fit; the median of the slopes over half of the time does not see them.
    half = len(walls) // 2
    steady = statistics.median((sims[i + half] - sims[i]) / (walls[i + half] - walls[i]) for i in range(len(walls) - half))
    drift = abs(sims[-1] / walls[-1] - 1.0)
    residuals = sorted(s - w for w, s in zip(walls, sims))
    middle = residuals[len(residuals) // 2]
    worst = max(abs(r - middle) for r in residuals)
    report.fact(f'realtime for {seconds:.0f} s beside a burner: |slope - 1| of simulation time and counted slip', abs(slope - 1),
                '', '< 1e-6', abs(slope - 1) < 1e-6)
    report.fact('looks at the clock that took too long to tell two steps, left out', 100 * (1 - len(samples) / calls), '%')
    report.fact('the same from the two ends', drift, '')
    report.fact('the same as the median of the slopes over half of the time', abs(steady - 1), '')
    report.fact('counted slip', 1e3 * slip, 'ms')
    report.fact('largest excursion as a client sees it', 1e3 * worst, 'ms')
    report.fact('largest excursion of a bare clock_nanosleep loop beside the same burner', bare_worst, 'ms')
    within = sum(abs(r - middle) <= 0.002 for r in residuals) / len(residuals)
    report.fact('share of samples within two steps of the wall clock', 100 * within, '%')


def bench_streams(report: Report, args, folder: str):
    file = boxes_file(folder, 50)
    # 1 ms steps at a factor of 0.05: physics runs at 50 Hz.
    with Node([file], mode='realtime', real_time_factor=0.05, max_rate=50.0) as node:
        topics = [t.removesuffix('State') + 'Command' for t in node.topics(5)]
        step, wall = node.now()[1], time.monotonic()
        got = probe('world_probe', 'stream', args.seconds, *topics)
        rate = (node.now()[1] - step) / (time.monotonic() - wall)
        report.fact('physics while five 1 kHz streams command it', rate, 'Hz', '50', abs(rate - 50) < 2)
        report.fact('five command streams', got['stream_hz'], 'Hz', '>= 985', got['stream_hz'] >= 985)
        report.fact('lateness of a command round, p99', got['lateness.p99'], 'us')


def bench_idle(report: Report, args, folder: str):
    file = model('psm.yaml')
    step_us = probe(physics_program('composed_probe'), 'library', file, 3000)['step_s'] * 1e6
    with Node([file], mode='realtime') as node:
        time.sleep(1.0)
        cpu, wall = node.cpu_s(), time.monotonic()
        time.sleep(2 * args.seconds)
        used = 100 * (node.cpu_s() - cpu) / (time.monotonic() - wall)
        report.fact('idle psm at 1 kHz: processor use', used, '% core')
        above = used - step_us * 0.1
        report.fact('idle psm: above the bare steps', above, '% core', '<= 15', above <= 15)
        report.fact('idle psm: memory', node.rss_mb(), 'MB')
        report.beside_ambf('idle psm, % of a core', used, smaller_is_better=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--only', choices=PARTS, action='append', help='run this part only; may be repeated')
    parser.add_argument('--pairs', type=int, default=7, help='interleaved pairs for each ratio (default 7)')
    parser.add_argument('--repeats', type=int, default=3, help='repetitions of rates (default 3)')
    parser.add_argument('--seconds', type=float, default=3.0, help='length of a rate measurement')
    parser.add_argument('--count', type=int, default=1500, help='calls for each round-trip run')
    parser.add_argument('--realtime', type=float, default=30.0, help='length of the realtime part [s]')
    parser.add_argument('--full', action='store_true', help='ten minutes of realtime, all ratios')
    parser.add_argument('--json', type=pathlib.Path, default=pathlib.Path('bench_physics.json'))
    args = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        for part in args.only or PARTS:
            print(f'-- {part}', flush=True)
            start = time.monotonic()
            globals()[f'bench_{part}'](report, args, folder)
            print(f'   ({time.monotonic() - start:.0f} s)', flush=True)
    if report.rows:
        print(pairs.table(report.rows))
    missed = [f['what'] for f in report.facts if f['held'] is False]
    missed += [row.name for row in report.rows if row.verdict.startswith('missed')]
    print('missed: ' + ('; '.join(missed) if missed else 'nothing'))
    pairs.write_json(args.json, report.rows, facts=report.facts, cores=os.cpu_count())
    print(f'samples in {args.json}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
