# SPDX-License-Identifier: BSD-3-Clause
"""Latency from the simulator to Python: queue depths 1, 5, 10 at 100 Hz and 1 kHz, running freely and throttled.

The simulator writes its wall time into every message; this program subtracts it from the time of arrival, so both must
run on one machine. Throttled: the same by stepping, one call and one message at a time.
"""

import argparse
import json
import math
import pathlib
import time

import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor

from ambf_msgs.msg import WorldSnapshot

from ..client import Client
from ..simulator import Simulator

MODEL = 'package://ambf_description/adf/psm.yaml'


def collect(queue: int, count: int, work: float, timeout: float, step=None) -> np.ndarray:
    """Latencies [s] of `count` snapshots; `work` seconds of computing after each, as a slow client has.

    With `step` the world is throttled: it takes one step and returns its number, and the next one is taken when the
    snapshot of this one was handled.
    """
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('ambf_latency', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    latencies: list[float] = []
    steps = [-1]

    def take(message: WorldSnapshot):
        stamp = message.wall_time
        latencies.append(time.time() - (stamp.sec + stamp.nanosec * 1e-9))
        steps[0] = message.step
        end = time.perf_counter() + work
        while time.perf_counter() < end:
            pass

    node.create_subscription(WorldSnapshot, '/ambf/env/World/Snapshot', take, queue)
    deadline = time.monotonic() + timeout
    while len(latencies) < count and time.monotonic() < deadline:
        if step is None:
            executor.spin_once(timeout_sec=0.1)
        else:
            wanted, patience = step(), time.monotonic() + 1.0
            while steps[0] < wanted and time.monotonic() < patience:
                executor.spin_once(timeout_sec=0.1)
    executor.shutdown()
    node.destroy_node()
    rclpy.shutdown(context=context)
    if not latencies:
        raise TimeoutError(f'no snapshot within {timeout:g} s')
    return np.array(latencies[len(latencies) // 10 :])


def measure(queue: int, rate: float, throttled: bool, count: int, work: float) -> np.ndarray:
    """One cell of the table, with a simulator of its own."""
    with Simulator(
        models=[MODEL], snapshot_rate=rate, state_depth=queue, mode='lockstep' if throttled else 'realtime'
    ) as simulator:
        timeout = 10.0 + 5.0 * count / rate
        if not throttled:
            return collect(queue, count, work, timeout)
        with Client('ambf_latency', alive=simulator.reason_of_end) as client:
            return collect(
                queue, count, work, timeout, lambda: client.world.step(1, observe_bodies=[0], observe_joints=[0]).step
            )


def row_of(queue: int, rate: float, throttled: bool, latencies: np.ndarray) -> dict:
    microseconds = latencies * 1e6
    quantiles = np.percentile(microseconds, [5, 50, 95, 99])
    return {
        'queue': queue,
        'rate': rate,
        'throttled': throttled,
        'messages': len(latencies),
        **{f'p{p}': float(q) for p, q in zip((5, 50, 95, 99), quantiles)},
        'max': float(microseconds.max()),
    }


def plot(cells: list[tuple[dict, np.ndarray]], file: pathlib.Path):
    """Histograms of all cells as SVG; needs nothing but a text file."""
    width, height, columns = 260, 150, 3
    rows = math.ceil(len(cells) / columns)
    low, high = 1.0, 5.0  # decades of microseconds
    edges = np.logspace(low, high, 61)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * width}" height="{rows * height}" '
        'font-family="sans-serif" font-size="10">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for index, (row, latencies) in enumerate(cells):
        x0, y0 = (index % columns) * width + 30, (index // columns) * height + 25
        counts, _ = np.histogram(np.clip(latencies * 1e6, edges[0], edges[-1]), edges)
        top = max(1, counts.max())
        title = f'queue {row["queue"]}, {row["rate"]:.0f} Hz, {"throttled" if row["throttled"] else "free"}'
        parts.append(f'<text x="{x0}" y="{y0 - 8}">{title}: p50 {row["p50"]:.0f}, p99 {row["p99"]:.0f} us</text>')
        bar = (width - 45) / 60
        for i, count in enumerate(counts):
            tall = 95 * count / top
            parts.append(
                f'<rect x="{x0 + i * bar:.1f}" y="{y0 + 95 - tall:.1f}" width="{bar:.1f}" '
                f'height="{tall:.1f}" fill="#336699"/>'
            )
        parts.append(f'<line x1="{x0}" y1="{y0 + 95}" x2="{x0 + width - 45}" y2="{y0 + 95}" stroke="black"/>')
        for decade, label in enumerate(('10 us', '100 us', '1 ms', '10 ms', '100 ms')):
            parts.append(
                f'<text x="{x0 + decade * (width - 45) / 4:.1f}" y="{y0 + 107}" text-anchor="middle">{label}</text>'
            )
    file.write_text('\n'.join(parts + ['</svg>']))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog='ambf-latency', description=__doc__.splitlines()[0])
    parser.add_argument('--messages', type=int, default=2000, help='for each cell (default 2000)')
    parser.add_argument('--work', type=float, default=0.0, help='computing time of the client per message [s]')
    parser.add_argument('--plot', type=pathlib.Path, default=pathlib.Path('latency.svg'))
    parser.add_argument('--json', type=pathlib.Path)
    args = parser.parse_args(arguments)
    if args.messages < 10 or not args.work >= 0.0:
        parser.error('--messages must be 10 or more, --work 0 or more')
    for file in (args.plot, args.json):
        if file is not None and not file.resolve().parent.is_dir():
            parser.error(f"'{file}': there is no folder '{file.resolve().parent}'")
    cells = []
    print(f'{"queue":>5} {"rate":>6} {"mode":>10} {"p50 us":>9} {"p95 us":>9} {"p99 us":>9} {"max us":>9}')
    for rate in (100.0, 1000.0):
        for throttled in (False, True):
            for queue in (1, 5, 10):
                count = min(args.messages, int(20 * rate))
                latencies = measure(queue, rate, throttled, count, args.work)
                row = row_of(queue, rate, throttled, latencies)
                cells.append((row, latencies))
                print(
                    f'{queue:5d} {rate:6.0f} {"throttled" if throttled else "free":>10} {row["p50"]:9.0f} '
                    f'{row["p95"]:9.0f} {row["p99"]:9.0f} {row["max"]:9.0f}',
                    flush=True,
                )
    plot(cells, args.plot)
    if args.json:
        args.json.write_text(json.dumps([row for row, _ in cells], indent=1))
    return 0
