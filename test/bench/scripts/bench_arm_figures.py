#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""PSM, ECM and MTM together in one world, each led through ROS by sines at 1 kHz: tracking and rate of the dynamics; and
the efforts that hold the MTM under its own weight beside its gravity torques. Writes arm_tracking.png, arm_weight.png
and arm_figures.csv into this folder and prints what they show."""

import argparse
import contextlib
import csv
import os
import pathlib
import shutil
import signal
import subprocess
import time

import matplotlib

matplotlib.use('Agg')
import matplotlib.pyplot as plt
import numpy as np
from ament_index_python.packages import get_package_share_directory

from ambf_bench.processes import probe, program
from ambf_py import Arm, Client

RATE = 1000.0  # of the commands to each arm [Hz]
# Arm: middle of the motion, amplitude [rad or m], frequency of the first joint [Hz].
MOTIONS = {
    'PSM1': ([0.0, 0.0, 0.12, 0.0, 0.0, 0.0], [0.3, 0.2, 0.02, 0.5, 0.4, 0.4], 0.4),
    'ECM': ([0.0, 0.0, 0.12, 0.0], [0.2, 0.15, 0.02, 0.3], 0.3),
    'MTMR': ([0.0] * 7, [0.2, 0.15, 0.2, 0.5, 0.4, 0.3, 0.6], 0.5),
}
WORLD = """adf version: "1.0"
world config: {share}/worlds/two_psms_ecm/world.yaml
color config: {share}/worlds/colors.yaml
input devices config: {share}/worlds/input_devices.yaml
multibody configs:
- {share}/worlds/two_psms_ecm/psm1.yaml
- {share}/worlds/two_psms_ecm/ecm.yaml
default multibodies: all
arm configs:
- {{config: {share}/arms/psm.yaml, name: PSM1, model: psm1}}
- {{config: {share}/arms/ecm.yaml, name: ECM, model: ecm}}
"""


@contextlib.contextmanager
def running(*command):
    """A program, ended as by Ctrl-C."""
    with open('arm_figures.log', 'a') as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        process.wait()


def lead(names: list, seconds: float) -> dict:
    """Send sines to every arm at RATE; what was sent and heard, as arm_leader prints it."""

    def words(name: str) -> str:
        middle, amplitude, frequency = MOTIONS[name]
        return ':'.join(
            [name, *(','.join(f'{v:g}' for v in values) for values in (middle, amplitude)), f'{frequency:g}']
        )

    return probe(program('arm_leader'), RATE, seconds, *map(words, names))


def heavy_master(share: str) -> pathlib.Path:
    """The right master without the counterweight that its file stands for: it bears its weight."""
    text = pathlib.Path(f'{share}/adf/mtmr.yaml').read_text()
    balanced, meshes = 'gravity: {x: 0.0, y: 0.0, z: 0.0}', 'path: ../meshes/'
    if text.count(balanced) != 1 or meshes not in text:
        raise RuntimeError('adf/mtmr.yaml is not as it was')
    text = text.replace(balanced, 'gravity: {x: 0.0, y: 0.0, z: -9.81}')
    text = text.replace(meshes, f'path: {share}/meshes/').replace('/ambf/env/mtmr/', '/ambf/env/heavy/')
    file = pathlib.Path('arm_figures_heavy.yaml').resolve()
    file.write_text(text)
    return file


def weigh(arm: Arm, postures: int) -> tuple[np.ndarray, np.ndarray]:
    """Efforts that hold the arm still at random postures, and its gravity torques as the arm computes them [N m]."""
    rng, held, computed = np.random.default_rng(1), [], []
    for _ in range(postures):
        arm.move_jp(rng.uniform(-0.6, 0.6, 7)).wait(timeout=60.0)
        end = time.monotonic() + 60.0
        # Until it is at rest: then the drives bear the weight and nothing else.
        while np.abs(arm.measured_js(fresh=True).velocity).max() > 2e-4 and time.monotonic() < end:
            time.sleep(0.1)
        held.append(arm.measured_js(fresh=True).effort)
        computed.append(arm.gravity_compensation.setpoint_js(fresh=True).effort)
    return np.array(held), np.array(computed)


def draw_weight(held: np.ndarray, computed: np.ndarray) -> float:
    """Both torques at each posture; returns the largest difference [N m]."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4), constrained_layout=True)
    at = np.arange(1, len(held) + 1)
    for joint in range(held.shape[1]):
        line = left.plot(at, held[:, joint], 'o', label=f'joint {joint + 1}')[0]
        left.plot(at, computed[:, joint], color=line.get_color(), linewidth=0.8)
        right.plot(at, 1e3 * (held - computed)[:, joint], 'o-', linewidth=0.6, color=line.get_color())
    left.set(
        title='MTMR: efforts that hold it (dots), gravity torques (lines)',
        xlabel='posture',
        ylabel='N m',
    )
    left.legend(fontsize=7, ncol=2)
    right.set(title='difference', xlabel='posture', ylabel='mN m')
    figure.savefig('arm_weight.png', dpi=90)
    return np.abs(held - computed).max()


def read_bag(bag: pathlib.Path) -> dict:
    """Topic to (times [s], messages) of a recording."""
    from rosbags.highlevel import AnyReader

    read: dict = {}
    with AnyReader([bag]) as reader:
        for connection, _, data in reader.messages():
            message = reader.deserialize(data, connection.msgtype)
            stamp = message.header.stamp
            times, messages = read.setdefault(connection.topic, ([], []))
            times.append(stamp.sec + 1e-9 * stamp.nanosec)
            messages.append(message)
    return read


def joints(read: dict, topic: str) -> tuple:
    """Times and positions of a recorded JointState topic."""
    times, messages = read[topic]
    return np.array(times), np.array([m.position for m in messages])


def draw_tracking(read: dict, names: list) -> list:
    """A row of curves and errors for each arm, and the rate of the dynamics below."""
    figure, axes = plt.subplots(len(names) + 1, 2, figsize=(12, 3 * len(names) + 3), constrained_layout=True)
    rows = []
    begin = min(read[f'/{name}/setpoint_js'][0][0] for name in names)
    for (left, right), name in zip(axes, names):
        asked_at, asked = joints(read, f'/{name}/setpoint_js')
        found_at, found = joints(read, f'/{name}/measured_js')
        goal = np.array([np.interp(found_at, asked_at, column) for column in asked.T]).T
        error = found - goal
        for joint in (0, asked.shape[1] - 1):
            left.plot(asked_at - begin, asked[:, joint], '--', label=f'joint {joint + 1}, set-point')
            left.plot(found_at - begin, found[:, joint], label=f'joint {joint + 1}, measured')
        left.set(title=f'{name}: led by sines', ylabel='rad or m')
        left.legend(fontsize=7, loc='upper right')
        right.plot(found_at - begin, 1e3 * error, linewidth=0.6)
        right.set(title=f'{name}: measured less set-point', ylabel='mrad or mm')
        for joint, column in enumerate(error.T):
            rows.append([name, joint + 1, np.ptp(goal[:, joint]), np.sqrt(np.mean(column**2)), np.abs(column).max()])
    times, states = read['/ambf/env/World/State']
    # Two clocks: the world's own time on one axis, the rate in wall time on the other.
    axes[-1][0].plot(np.array(times) - times[0], [s.dynamic_loop_freq for s in states])
    axes[-1][0].set(title='steps of the dynamics per second', xlabel='s', ylabel='Hz', ylim=(0, 1200))
    axes[-1][1].plot(np.array(times) - times[0], [s.real_time_factor for s in states])
    axes[-1][1].set(title='real-time factor', xlabel='s', ylim=(0, 1.2))
    figure.savefig('arm_tracking.png', dpi=90)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--seconds', type=float, default=15.0, help='of sines')
    parser.add_argument('--postures', type=int, default=12, help='of the MTM under its weight')
    arguments = parser.parse_args()
    share = get_package_share_directory('ambf_description')
    world, bag = pathlib.Path('arm_figures_launch.yaml').resolve(), pathlib.Path('arm_figures_bag')
    world.write_text(WORLD.format(share=share))
    shutil.rmtree(bag, ignore_errors=True)
    pathlib.Path('arm_figures.log').unlink(missing_ok=True)
    bring_up = ['ros2', 'launch', 'ambf_bringup', 'simulator.launch.py', f'world:={world}', 'render:=false']
    master = ['ros2', 'run', 'ambf_arm_nodes', 'arm_server', '--ros-args', '-p', f'arms_file:={share}/arms/mtmr.yaml']
    with contextlib.ExitStack() as stack:
        stack.enter_context(running(*bring_up))
        client = Client('arm_figures')
        client.connect()
        client.get_world_handle().load(f'file://{share}/adf/mtmr.yaml', pose=[2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
        stack.enter_context(running(*master, '-p', 'arm:=MTMR'))
        arms = {name: stack.enter_context(Arm(name, timeout=30.0)) for name in MOTIONS}
        for arm in arms.values():
            arm.enable()
            arm.home()
        for name, arm in arms.items():
            arm.move_jp(MOTIONS[name][0]).wait()
        topics = [f'/{name}/{leaf}' for name in arms for leaf in ('setpoint_js', 'measured_js')]
        record = ['ros2', 'bag', 'record', '-o', str(bag), '--topics', *topics, '/ambf/env/World/State']
        with running(*record):
            while not (bag / 'metadata.yaml').exists() and not list(bag.glob('*.mcap')):
                time.sleep(0.1)
            sent = lead(list(arms), arguments.seconds)
        client.get_world_handle().load(f'file://{heavy_master(share)}', pose=[3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
        stack.enter_context(running(*master, '-p', 'name:=HEAVY', '-p', 'model:=heavy', '-r', '__node:=HEAVY'))
        heavy = stack.enter_context(Arm('HEAVY', timeout=30.0))
        heavy.enable()
        heavy.home()
        held, computed = weigh(heavy, arguments.postures)
        client.clean_up()
    read = read_bag(bag)
    rows = draw_tracking(read, list(arms))
    with open('arm_figures.csv', 'w', newline='') as file:
        writer = csv.writer(file)
        writer.writerow(['arm', 'joint', 'range of the set-point', 'rms error', 'largest error'])
        writer.writerows(rows)
    off = draw_weight(held, computed)
    print('commands a second: ' + ', '.join(f'{name} {sent[f"{name}.sent"] / sent["seconds"]:.0f}' for name in arms))
    rates = np.array([s.dynamic_loop_freq for s in read['/ambf/env/World/State'][1]])
    print(f'steps a second: median {np.median(rates):.0f}, least {rates.min():.0f}')
    print('arm   joint   range     rms error  largest [rad or m]')
    for name, joint, reach, rms, largest in rows:
        print(f'{name:5} {joint:5} {reach:9.4f} {rms:10.5f} {largest:10.5f}')
    print(
        f'MTMR under its weight, {len(held)} postures: gravity torques up to {np.abs(computed).max():.2f} N m, '
        f'held within {off:.4f} N m'
    )
    print('pictures: arm_tracking.png, arm_weight.png')


if __name__ == '__main__':
    main()
